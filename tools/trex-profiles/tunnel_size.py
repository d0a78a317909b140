# SPDX-License-Identifier: BSD-3-Clause
"""Packets of one size through one tunnel or several: a point of the published table.

start -f tunnel_size.py -m 1mpps -t --size 300 --tunnels 4"""
import adit_streams as streams
import adit_traffic as traffic

parser = streams.tunables(__name__, __doc__)


def parts(args, direction):
    return [(traffic.ip_bytes(args.size, args.size_is), 1)]


def register():
    return streams.Profile(parser, parts)
