#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the configs of the two gateways that the tunnels of a profile go through: a.yaml and b.yaml.

Give it the tunables of the profile. Every run makes new keys; both files come from one run."""
import argparse
import os
import re
import sys
import tempfile

import adit_traffic as traffic

PROVIDERS = ("openssl", "aesni_mb", "qat")
OTHER = {"a": "b", "b": "a"}
MARK = "# Gateway %s of a pair that gateways.py wrote"  # a config begins with it

# What adit's config takes (docs/config.md). Every port of the pair has addresses of both families.
MOST_TUNNELS = 32767  # 65535 SAs, and a tunnel has two
MTUS = (1280, 9216)
MOST_WINDOW = 65536
DEVICE = re.compile(r"[A-Za-z0-9._:@/+-]{1,63}")
MAC = re.compile(r"[0-9A-Fa-f][02468ACEace](:[0-9A-Fa-f]{2}){5}")


def arguments():
    parser = traffic.Arguments(prog="gateways.py", description=__doc__,
                               formatter_class=argparse.ArgumentDefaultsHelpFormatter)
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


def plan_of(args):
    """Who has which address; raises TrafficError where adit would not take what is written."""
    plan = traffic.Plan(args.tunnels, args.hosts, args.ip)
    if args.tunnels > MOST_TUNNELS:
        raise traffic.TrafficError("%d tunnels; a config has at most 65535 SAs, and a tunnel has two" % args.tunnels)
    traffic.keys(args.algorithm)
    if not MTUS[0] <= args.mtu <= MTUS[1]:
        raise traffic.TrafficError("--mtu %d; adit takes %d to %d where a port has IPv6" % (args.mtu, *MTUS))
    if not 0 <= args.replay_window <= MOST_WINDOW:
        raise traffic.TrafficError("--replay-window %d; 0 to %d packets" % (args.replay_window, MOST_WINDOW))
    for device in args.devices:
        if not DEVICE.fullmatch(device):
            raise traffic.TrafficError("--devices: %r is none; a device is up to 63 letters, digits and . _ - : @ / +, "
                                       "as 0000:3b:00.0" % device)
    if args.devices[0] == args.devices[1] or args.devices[2] == args.devices[3]:
        raise traffic.TrafficError("--devices %s: lan and wan of a gateway are two ports" % " ".join(args.devices))
    for mac in args.generator_macs:
        if not MAC.fullmatch(mac):
            raise traffic.TrafficError("--generator-macs: %r is no MAC of a port, as 02:ad:17:00:01:00 would be" % mac)
    return plan


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
        (MARK + ": %d tunnels with %d hosts at each end, %s, %s.")
        % (end.upper(), args.tunnels, args.hosts, args.algorithm, args.provider),
        "version: 1", "ports:", *_ports(args, end), "crypto: {provider: %s}" % args.provider,
        "sas:", *_sas(args, end, keys), "policies:", *_policies(plan, end),
        "routes:", *('  - {to: "%s", via: "%s", port: %s}' % route for route in routes),
        "neighbours:", *_neighbours(args, end),
        "control: {socket: /run/adit/trex-%s}" % end, "state_dir: /var/lib/adit/trex-%s" % end, ""])


def _refuse_foreign(path, end):
    """Raises TrafficError where somebody else's file has the name."""
    if not os.path.exists(path):
        return
    with open(path, errors="replace") as f:
        first = f.readline()
    if first and not first.startswith(MARK % end.upper()):
        raise traffic.TrafficError("%s is there and gateways.py did not write it; say another --folder" % path)


def write_pair(folder, texts):
    """Replaces both ends' files or neither, for their keys belong together; nobody else can read them."""
    parts = {}
    try:
        for end, text in texts.items():
            path = os.path.join(folder, end + ".yaml")
            _refuse_foreign(path, end)
            handle, parts[path] = tempfile.mkstemp(dir=folder, prefix=end + ".yaml.")  # mode 0600
            with open(handle, "w") as f:
                f.write(text)
        for path in list(parts):
            os.replace(parts[path], path)
            del parts[path]
    except OSError as e:
        raise traffic.TrafficError("%s cannot be written (%s); --folder is one that is there and can be written to"
                                   % (path, e.strerror))
    finally:
        for part in parts.values():
            os.unlink(part)


def main():
    parser = arguments()
    args = parser.parse_args()
    try:
        plan, keys = plan_of(args), secrets(args)
        write_pair(args.folder, {end: config(args, plan, end, keys) for end in "ab"})
    except traffic.TrafficError as e:
        sys.exit("gateways.py: %s" % e)


if __name__ == "__main__":
    main()
