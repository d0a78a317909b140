# SPDX-License-Identifier: BSD-3-Clause
"""Takes a stream and sends back another with the digest of what came: TCP with a checksum of its
own at either end. Runs in the guest.

A client sends 8 bytes, n, then n bytes; it gets n other bytes and the SHA-256 of its own."""
import hashlib
import socket
import socketserver
import struct
import sys


def stream(n):
    """n bytes that both ends can make."""
    return hashlib.shake_128(b"adit").digest(n)


def read(sock, n):
    out = bytearray()
    while len(out) < n:
        piece = sock.recv(min(n - len(out), 1 << 16))
        if not piece:
            raise EOFError
        out += piece
    return bytes(out)


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        n = struct.unpack("!Q", read(self.request, 8))[0]
        digest = hashlib.sha256(read(self.request, n)).digest()
        self.request.sendall(digest + stream(n))


class Server(socketserver.ThreadingTCPServer):
    address_family = socket.AF_INET6  # and IPv4, mapped
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    Server(("::", int(sys.argv[1])), Handler).serve_forever()
