# SPDX-License-Identifier: BSD-3-Clause
"""Load of one size, and beside it a thousand packets a second whose latency TRex measures.

Their rate stays when the load's is changed: TRex multiplies only the streams that it does not time.

start -f tunnel_latency.py -m 1mpps -t --size 1400 --latency-pps 1000"""
import adit_streams as streams
import adit_traffic as traffic

parser = streams.tunables(__name__, __doc__, latency_pps=1000)


def parts(args, direction):
    return [(traffic.ip_bytes(args.size, args.size_is), 1)]


def register():
    return streams.Profile(parser, parts)
