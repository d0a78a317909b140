#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the configs of the two gateways that the tunnels of a profile go through: a.yaml and b.yaml.

Give it the tunables of the profile. Every run makes new keys; both files come from one run."""
import argparse
import os
import sys

import adit_traffic as traffic

PROVIDERS = ("openssl", "aesni_mb", "qat")
OTHER = {"a": "b", "b": "a"}
PORT = {"a": "port-0", "b": "port-1"}  # of the generator, on each side's protected link


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = parser.add_argument
    add("--tunnels", type=int, default=1, help="as the profile's")
    add("--hosts", type=int, default=1, help="as the profile's")
    add("--ip", type=int, choices=(4, 6), default=4, help="as the profile's")
    add("--outer", type=int, choices=(4, 6), default=4, help="IP version of the tunnels themselves")
    add("--algorithm", default="aes-128-gcm", help="an AEAD, or CIPHER+AUTH")
    add("--provider", choices=PROVIDERS, default="aesni_mb", help="who does the crypto")
    add("--mtu", type=int, default=1500, help="of all ports; check what a size needs with the profile's --mtu")
    add("--replay-window", type=int, default=1024, help="packets; 0: none")
    add("--no-esn", action="store_true", help="32-bit sequence numbers")
    add("--devices", nargs=4, metavar=("LAN-A", "WAN-A", "WAN-B", "LAN-B"),
        default=["net_af_packet0", "net_af_packet1", "net_af_packet0", "net_af_packet1"],
        help="the ports as the EAL of each gateway knows them: PCI addresses, or names of virtual devices")
    add("--generator-macs", nargs=2, metavar="MAC", default=[traffic.MACS["port-0"], traffic.MACS["port-1"]],
        help="of the generator's two ports, for the static neighbours")
    add("--folder", default=".", help="where a.yaml and b.yaml go")
    return parser


def secrets(args):
    """Random keys by (tunnel, direction): the config's lines of an SA."""
    made = {}
    for tunnel in range(args.tunnels):
        for direction in (0, 1):
            lines = []
            for kind, (name, size) in traffic.keys(args.algorithm).items():
                lines.append("%s: %s" % (kind, name))
                if size:
                    lines.append("%s: 0x%s" % ("auth_key" if kind == "auth" else "key", os.urandom(size).hex()))
            made[tunnel, direction] = ", ".join(lines)
    return made


def _ports(args, end):
    lan, wan = traffic.LINKS["lan-" + end], traffic.LINKS["wan"]
    devices = args.devices[:2] if end == "a" else args.devices[3:1:-1]
    sides = (("lan", "protected", [(lan[ip].gateway, lan[ip].network) for ip in (4, 6)]),
             ("wan", "unprotected", [(getattr(wan[ip], end), wan[ip].network) for ip in (4, 6)]))
    for (name, side, addresses), device in zip(sides, devices):
        yield ('  - {name: %s, device: "%s", side: %s, mtu: %d, mac: "%s", addresses: [%s]}'
               % (name, device, side, args.mtu, traffic.MACS[name + "-" + end],
                  ", ".join('"%s/%s"' % (address, network.split("/")[1]) for address, network in addresses)))


def _sas(args, end, keys):
    wan = traffic.LINKS["wan"][args.outer]
    for tunnel in range(args.tunnels):
        for direction in (0, 1):
            source, destination = ("a", "b") if direction == 0 else ("b", "a")
            is_out = source == end
            more = "" if is_out else ", replay_window: %d" % args.replay_window
            yield ('  - {name: %s-%d, direction: %s, spi: 0x%x, src: "%s", dst: "%s", reqid: %d, esn: %s, %s%s}'
                   % ("out" if is_out else "in", tunnel, "out" if is_out else "in",
                      traffic.spi(direction, tunnel), getattr(wan, source), getattr(wan, destination),
                      traffic.reqid(tunnel), "false" if args.no_esn else "true", keys[tunnel, direction], more))


def _range(first_last):
    return first_last[0] if first_last[0] == first_last[1] else "%s-%s" % first_last


def _policies(plan, end):
    for tunnel in range(plan.tunnels):
        for direction, source in (("out", end), ("in", OTHER[end])):
            yield ('  - {name: %s-%d, direction: %s, action: protect, reqid: %d, src: "%s", dst: "%s"}'
                   % (direction, tunnel, direction, traffic.reqid(tunnel),
                      _range(plan.tunnel_range(source, tunnel)),
                      _range(plan.tunnel_range(OTHER[source], tunnel))))


def _neighbours(args, end):
    for ip in (4, 6):
        yield ('  - {address: "%s", port: lan, mac: "%s"}'
               % (traffic.LINKS["lan-" + end][ip].generator, args.generator_macs["ab".index(end)]))
        yield ('  - {address: "%s", port: wan, mac: "%s"}'
               % (getattr(traffic.LINKS["wan"][ip], OTHER[end]), traffic.MACS["wan-" + OTHER[end]]))


def config(args, plan, end, keys):
    """The text of one end's config."""
    lan, wan = traffic.LINKS["lan-" + end][args.ip], traffic.LINKS["wan"][args.ip]
    routes = [(plan.network(end), lan.generator, "lan"),
              (plan.network(OTHER[end]), getattr(wan, OTHER[end]), "wan")]
    return "\n".join([
        "# Gateway %s of a pair that gateways.py wrote: %d tunnels with %d hosts at each end, %s, %s."
        % (end.upper(), args.tunnels, args.hosts, args.algorithm, args.provider),
        "version: 1", "ports:", *_ports(args, end), "crypto: {provider: %s}" % args.provider,
        "sas:", *_sas(args, end, keys), "policies:", *_policies(plan, end),
        "routes:", *('  - {to: "%s", via: "%s", port: %s}' % route for route in routes),
        "neighbours:", *_neighbours(args, end),
        "control: {socket: /run/adit/trex-%s}" % end, "state_dir: /var/lib/adit/trex-%s" % end, ""])


def write_secret(path, text):
    """Replaces the file whole; nobody else can read it."""
    part = path + ".part"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as f:
        os.fchmod(f.fileno(), 0o600)
        f.write(text)
    os.replace(part, path)


def main():
    parser = arguments()
    args = parser.parse_args()
    try:
        plan = traffic.Plan(args.tunnels, args.hosts, args.ip)
        if args.tunnels > 32767:
            raise traffic.TrafficError("%d tunnels; a config has at most 65535 SAs, and a tunnel has two" % args.tunnels)
        keys = secrets(args)
        for end in "ab":
            write_secret(os.path.join(args.folder, end + ".yaml"), config(args, plan, end, keys))
    except traffic.TrafficError as e:
        parser.error(str(e))
    except OSError as e:
        sys.exit("gateways.py: %s" % e)


if __name__ == "__main__":
    main()
