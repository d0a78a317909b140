# SPDX-License-Identifier: BSD-3-Clause
"""Both directions at once, each with its own size and rate: a download and its answers, say.

start -f tunnel_bidir.py -m 1mpps -t --size 1400 --back-size 64 --back-percent 50"""
import adit_streams as streams
import adit_traffic as traffic

MOST_PERCENT = 100000

parser = streams.tunables(__name__, __doc__)
parser.add_argument("--back-size", type=int, help="bytes of a packet from side b to side a; default: --size")
parser.add_argument("--back-percent", type=float, default=100,
                    help="packets from b to a, of those from a to b")


def parts(args, direction):
    if not 0 < args.back_percent <= MOST_PERCENT:
        raise traffic.TrafficError("--back-percent %g; more than 0, and %d at most (one direction alone: "
                                   "tunnel_size.py, started on port 0)" % (args.back_percent, MOST_PERCENT))
    back = args.size if args.back_size is None else args.back_size
    traffic.check_size(traffic.ip_bytes(back, args.size_is), args.ip)  # whichever port is loaded first
    if direction == 0:
        return [(traffic.ip_bytes(args.size, args.size_is), 1)]
    return [(traffic.ip_bytes(back, args.size_is), args.back_percent / 100)]


def register():
    return streams.Profile(parser, parts)
