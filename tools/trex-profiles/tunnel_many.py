# SPDX-License-Identifier: BSD-3-Clause
"""A thousand tunnels, each packet through the next one: what a gateway's tables and caches cost.

start -f tunnel_many.py -m 1mpps -t --tunnels 10000 --size 100"""
import adit_streams as streams
import adit_traffic as traffic

parser = streams.tunables(__name__, __doc__, tunnels=1000)


def parts(args, direction):
    return [(traffic.ip_bytes(args.size, args.size_is), 1)]


def register():
    return streams.Profile(parser, parts)
