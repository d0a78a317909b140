# SPDX-License-Identifier: BSD-3-Clause
"""Frames to and from pcap files, as net_pcap reads and writes them."""
import struct

MAGIC_US, MAGIC_NS = 0xa1b2c3d4, 0xa1b23c4d


def write(path, frames):
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", MAGIC_US, 2, 4, 0, 0, 262144, 1))
        for n, frame in enumerate(frames):
            out.write(struct.pack("<IIII", 0, n, len(frame), len(frame)) + frame)


def read(path):
    """Whole frames; one cut off at the end by a kill is left out."""
    with open(path, "rb") as file:
        data = file.read()
    if not data:
        return []
    assert struct.unpack_from("<I", data)[0] in (MAGIC_US, MAGIC_NS), f"{path} is no pcap file"
    at, frames = 24, []
    while at + 16 <= len(data):
        n = struct.unpack_from("<I", data, at + 8)[0]
        if at + 16 + n > len(data):
            break
        frames.append(data[at + 16:at + 16 + n])
        at += 16 + n
    return frames
