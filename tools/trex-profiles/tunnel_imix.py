# SPDX-License-Identifier: BSD-3-Clause
"""A mix of sizes through one tunnel or several; traffic.json has the mixes.

start -f tunnel_imix.py -m 1mpps -t --imix imix"""
import adit_streams as streams
import adit_traffic as traffic

parser = streams.tunables(__name__, __doc__)
parser.add_argument("--imix", choices=list(traffic.imix_names()), default="imix",
                    help="; ".join("%s: %s" % mix for mix in traffic.imix_names().items()))


def parts(args, direction):
    """The weights as parts of one packet a second."""
    mix = traffic.imix(args.imix)
    whole = sum(weight for _, weight in mix)
    return [(size, weight / whole) for size, weight in mix]


def register():
    return streams.Profile(parser, parts)
