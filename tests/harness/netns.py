# SPDX-License-Identifier: BSD-3-Clause
"""Network namespaces with veths in them, and raw sockets inside, for tests on live ports."""
import contextlib
import ctypes
import os
import select
import socket
import subprocess
import time

ETH_P_ALL = 3
SOL_PACKET, PACKET_IGNORE_OUTGOING, SO_RCVBUFFORCE = 263, 23, 33
_libc = ctypes.CDLL(None, use_errno=True)


def sh(command):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


@contextlib.contextmanager
def inside(name):
    """What is opened here belongs to the namespace."""
    def enter(fd):
        if _libc.setns(fd, 0x40000000) < 0:  # CLONE_NEWNET
            raise OSError(ctypes.get_errno(), "setns")
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{name}", os.O_RDONLY)
    try:
        enter(there)
        try:
            yield
        finally:
            enter(here)
    finally:
        os.close(here)
        os.close(there)


class Wires:
    """A namespace in which adit has ports lan0 and wan0; the test holds the other ends, lan1 and
    wan1. The kernel is deaf and mute on all four."""

    def __init__(self, name=None, mtu=1500):
        self.name = name or f"adit-test-{os.getpid()}"
        sh(f"ip netns add {self.name}")
        try:
            sh(f"ip netns exec {self.name} sysctl -qw net.ipv6.conf.all.disable_ipv6=1"
               " net.ipv6.conf.default.disable_ipv6=1")
            for port in ("lan", "wan"):
                sh(f"ip -n {self.name} link add {port}0 mtu {mtu} type veth peer name {port}1"
                   f" mtu {mtu}")
                for end in (f"{port}0", f"{port}1"):
                    sh(f"ip netns exec {self.name} ethtool -K {end} tx off gso off tso off gro off"
                       f" sg off; ip -n {self.name} link set {end} up")
            self.sockets = {port: self.open(f"{port}1") for port in ("lan", "wan")}
        except BaseException:
            self.close()
            raise

    def open(self, interface, buffer=16 << 20):
        with inside(self.name):
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        s.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, buffer)
        s.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        s.bind((interface, ETH_P_ALL))
        s.setblocking(False)
        return s

    def take(self, port, interface):
        """Holds another interface of the namespace in the place of this end."""
        self.sockets[port].close()
        self.sockets[port] = self.open(interface)

    def vdevs(self, extra="qdisc_bypass=1"):
        return [f"net_af_packet{n},iface={port}0,{extra}" for n, port in enumerate(("lan", "wan"))]

    def send(self, port, frames):
        s = self.sockets[port]
        for whole in frames:
            select.select([], [s], [], 5)
            s.send(whole)

    def receive(self, port, n, patience=10):
        """n frames, or those that came in time."""
        s, out, end = self.sockets[port], [], time.monotonic() + patience
        while len(out) < n and select.select([s], [], [], max(0, end - time.monotonic()))[0]:
            out.append(s.recv(65536))
        return out

    def close(self):
        for s in getattr(self, "sockets", {}).values():
            s.close()
        subprocess.run(["ip", "netns", "del", self.name], check=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
