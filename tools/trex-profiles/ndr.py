#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the highest rate that goes through a pair of gateways without loss, by packet size and provider.

It talks to a TRex server that runs in interactive mode. With --providers it writes both gateways' configs
and restarts them for each provider; without, it measures them as they are. What stands behind -- goes to
the profile. TREX_DIR names TRex's folder, unless its Python API is installed."""
import argparse
import functools
import importlib
import json
import math
import os
import signal
import sys
import tempfile
import time

import adit_traffic as traffic
import gateways
from measure import goal, limit, report, search_binary, search_mlr
from measure.gateway import Gateway, GatewayError
from measure.generator import Generator, GeneratorError
from measure.lab import Lab, TunnelsDown

SEARCHES = {"binary": search_binary, "mlr": search_mlr}
PROFILES = ("tunnel_size", "tunnel_imix", "tunnel_many", "tunnel_latency", "tunnel_bidir")
DIRECTIONS = {"a": (0,), "b": (1,), "both": (0, 1)}


def number(text):
    """A float that can be counted with."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def arguments():
    parser = traffic.Arguments(prog="ndr.py", description=__doc__,
                               formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = parser.add_argument
    add("--server", default="127.0.0.1", help="where TRex runs")
    add("--ports", type=int, nargs=2, default=[0, 1], metavar="PORT", help="of TRex, at side a and side b")
    add("--direction", choices=sorted(DIRECTIONS), default="a", help="from which side packets are sent")
    add("--profile", choices=PROFILES, default="tunnel_size", help="what is sent")
    add("--sizes", default=",".join(map(str, traffic.sizes())),
        help="bytes of the inner IP packet, one after the other")
    add("--search", choices=sorted(SEARCHES), default="binary", help="mlr: MLRsearch, RFC 9971")
    add("--preset", choices=sorted(goal.PRESETS), default="quick", help="rfc2544: trials of a minute, no loss")
    for key, about in (("goals", "ndr, pdr, NAME=PERCENT"), ("width", "percent of the rate"),
                       ("duration", "seconds of a trial"), ("tries", "binary: lost trials that make a rate too high"),
                       ("initial", "mlr: seconds of the first trials"), ("total", "mlr: duration sum, seconds"),
                       ("exceed", "mlr: part of it that may lose"), ("warm_up", "seconds"),
                       ("drain", "seconds for what is under way"), ("rest", "seconds between trials")):
        add("--" + key.replace("_", "-"), default=argparse.SUPPRESS, help=about + "; default: the preset's",
            type={"goals": str, "tries": int}.get(key, number))
    add("--min-rate", type=number, default=1000, help="packets a second of all directions")
    add("--max-rate", type=number, help="default: what the link carries")
    add("--tolerance", type=number, default=0.1, help="percent that TRex may send less, or take longer")
    add("--calibrate", action="store_true", help="the ports of TRex are joined to each other: its own ceiling")
    add("--ceiling", metavar="JSON", help="what --calibrate wrote, to tell TRex's limit from the gateways'")
    add("--providers", help="as openssl,aesni_mb,qat; each is a column")
    add("--algorithm", default="aes-128-gcm", help="of the SAs")
    add("--outer", type=int, choices=(4, 6), default=4, help="IP version of the tunnels")
    add("--mtu", type=int, default=1500, help="between the gateways")
    for end in "ab":
        add("--host-%s" % end, help="gateway %s for ssh; left out: this machine" % end.upper())
        add("--path-%s" % end, default="/etc/adit/trex-%s.yaml" % end, help="of its config")
        add("--restart-%s" % end, metavar="COMMAND", help="for a shell there: starts the gateway anew with its config")
    add("--devices", nargs=4, metavar=("LAN-A", "WAN-A", "WAN-B", "LAN-B"), help="as gateways.py has it")
    add("--output", default="ndr", metavar="NAME", help="writes NAME.json, NAME.csv and NAME.svg")
    add("--replace", action="store_true", help="those that are there")
    return parser


def client_of(server):
    """An STLClient, from TREX_DIR where that is set."""
    folder = os.environ.get("TREX_DIR")
    if folder:
        sys.path.insert(0, os.path.join(folder, "automation/trex_control_plane/interactive"))
    try:
        from trex.stl.api import STLClient
        return STLClient(server=server)
    except Exception as e:  # a part of it that is missing is a bare Exception
        raise GeneratorError("TRex's Python API cannot be used (%s); set TREX_DIR to the folder with "
                             "automation/trex_control_plane/interactive in it, and external_libs"
                             % " ".join(str(e).split()))


class Sweep:
    """Sizes by providers. Results are in run, and stay there when something ends it midway."""

    def __init__(self, args, tunables, setting, generator, ceilings=None, say=functools.partial(print, flush=True),
                 clock=time, keep=lambda run: None):
        self.args, self.tunables, self.setting, self.generator = args, tunables, setting, generator
        self.say, self.clock, self.keep = say, clock, keep
        self.goals = goal.goals(setting)
        self.profile = importlib.import_module(args.profile).register()
        self.shape = self.profile.parser.parse_args(tunables)
        self.ceilings = ceilings or {}
        self.run = {"about": {"arguments": vars(args), "tunables": tunables, "setting": setting},
                    "columns": [], "points": [], "unfinished": []}

    def check(self, providers, sizes):
        """Ends it in one line, before anything is sent, where a profile or a gateway would refuse."""
        for size in sizes:
            for direction in DIRECTIONS[self.args.direction]:
                self.profile.get_streams(direction=direction, port_id=direction, tunables=self.words(size))
        for provider in providers:
            self.pair(provider)

    def pair(self, provider):
        """Arguments and plan of gateways.py."""
        asked = ["--tunnels", self.shape.tunnels, "--hosts", self.shape.hosts, "--ip", self.shape.ip,
                 "--outer", self.args.outer, "--mtu", self.args.mtu, "--algorithm", self.args.algorithm,
                 "--provider", provider] + (["--devices"] + self.args.devices if self.args.devices else [])
        args = gateways.arguments().parse_args([str(word) for word in asked])
        return args, gateways.plan_of(args)

    def configure(self, provider):
        """Both gateways with the same new keys."""
        args, plan = self.pair(provider)
        keys = gateways.secrets(args)
        for end in "ab":
            one = Gateway(*(getattr(self.args, "%s_%s" % (key, end)) for key in ("host", "path", "restart")))
            one.configure(gateways.config(args, plan, end, keys))

    def words(self, size):
        """Arguments of the profile."""
        args = self.args
        words = list(self.tunables) + ["--algorithm", args.algorithm, "--outer", str(args.outer),
                                       "--mtu", str(0 if args.calibrate else args.mtu)]
        return words if args.profile == "tunnel_imix" else words + ["--size", str(size), "--size-is", "ip"]

    def parts(self, size):
        """[(bytes, weight)] of the profile's packets, of each direction that is sent."""
        shape = self.profile.parser.parse_args(self.words(size))
        return [self.profile.parts(shape, direction) for direction in DIRECTIONS[self.args.direction]]

    def measure(self, column, size):
        """One size: tunnels up, warm-up, search, tunnels still up; a point for each goal."""
        args, parts = self.args, self.parts(size)
        self.generator.load(args.profile, self.words(size))
        link = limit.link_rate(self.generator.speed(), parts, args.algorithm, args.outer)
        high = int(args.max_rate or link)
        if high < args.min_rate:
            raise GeneratorError("TRex does not know the speed of its ports; say --max-rate" if not high else
                                 "the link carries %d packets a second, and --min-rate is %d" % (high, args.min_rate))
        lab = Lab(self.generator, self.setting, args.tolerance / 100, self.tell, self.clock)
        hosts = self.shape.tunnels * self.shape.hosts
        try:
            lab.see_tunnels(hosts)
            lab.warm_up(max(int(args.min_rate), high // 10))
            found = search_binary.drive(
                SEARCHES[args.search].search(self.goals, int(args.min_rate), high), lab.measure)
            lab.see_tunnels(hosts)  # or what died in between would have a rate
        except BaseException:
            if lab.trials:
                self.run["unfinished"].append({"column": column, "size": size, "trials": _trials(lab)})
            raise
        for each in self.goals:
            result = found[each.name]
            by = limit.limited_by(result, high, link, self.ceilings.get((size, each.name)))
            self.run["points"].append({
                "column": column, "size": size, "goal": each.name, "pps": result.typical,
                "gbps": None if result.typical is None else report.gbps(result.typical, parts),
                "upper_pps": result.upper, "limited_by": by,
                "trials": _trials(lab)})

    def tell(self, trial):
        self.say("  %10d pps %5g s: %s" % (trial.rate, trial.duration, trial.why or
                                           "lost %d of %d" % (trial.sent - trial.received, trial.sent)))

    def go(self, providers, sizes):
        """Every column; one whose gateways do not start, or carry nothing, is absent and says why."""
        for column in providers or ["generator" if self.args.calibrate else "gateway"]:
            entry = {"name": column}
            self.run["columns"].append(entry)
            try:
                if providers:
                    self.configure(column)
                for size in sizes:
                    self.say("%s, %s bytes" % (column, size))
                    self.measure(column, size)
                    self.keep(self.run)
            except (GatewayError, TunnelsDown) as e:
                entry["absent"] = "%s bytes: %s" % (size, e) if isinstance(e, TunnelsDown) else str(e)
                self.say("%s: %s" % (column, entry["absent"]))


def _trials(lab):
    return [dict(trial._asdict(), loss=trial.loss) for trial in lab.trials]


def read_ceilings(args, sizes, goals):
    """{(size, goal): packets a second, or None} of an earlier --calibrate of the same traffic."""
    try:
        with open(args.ceiling) as f:
            run = json.load(f)
        about = run["about"]["arguments"]
        found = {(p["size"], p["goal"]): p["pps"] for p in run["points"]}
        other = [key for key in ("calibrate", "profile", "direction")
                 if about[key] != (True if key == "calibrate" else getattr(args, key))]
    except (OSError, ValueError, LookupError, TypeError) as e:
        raise traffic.TrafficError("--ceiling %s: %s; it takes the JSON that --calibrate wrote"
                                   % (args.ceiling, getattr(e, "strerror", None) or "this is another file"))
    if other:
        raise traffic.TrafficError("--ceiling %s was measured with another --%s; it takes what --calibrate wrote "
                                   "with --profile %s --direction %s"
                                   % (args.ceiling, other[0], args.profile, args.direction))
    for size in sizes:
        for each in goals:
            if (size, each.name) not in found:
                raise traffic.TrafficError("--ceiling %s has no %s of %s bytes; --calibrate with the same --sizes and "
                                           "--goals" % (args.ceiling, each.name, size))
    return found


def keep(run, path):
    """What there is so far, for the run may be killed. That it cannot be kept ends no run."""
    try:
        report.write_json(run, path)
    except OSError as e:
        print("ndr.py: %s: %s; the run goes on" % (path, e.strerror), file=sys.stderr)


def write(run, name):
    """Puts the result into files, where it cannot into one of its own, and says it. Whether all went well."""
    is_well = _write_files(run, name)
    try:
        print(report.table(run), end="", flush=True)
    except OSError:  # a terminal or a pipe that went away; the files are what stays
        return False
    return is_well


def _write_files(run, name):
    try:
        report.write_json(run, name + ".json")
        report.write_csv(run, name + ".csv")
    except OSError as e:
        handle, path = tempfile.mkstemp(prefix="ndr-", suffix=".json")
        os.close(handle)
        report.write_json(run, path)
        print("ndr.py: --output %s: %s; the result is in %s" % (name, e.strerror, path), file=sys.stderr)
        return False
    try:
        if os.path.exists(name + ".svg"):  # of the run that is replaced
            os.unlink(name + ".svg")
        report.chart(run, name + ".svg")
    except OSError as e:
        print("ndr.py: no chart: %s" % e, file=sys.stderr)
    return True


def asked_sizes(args, tunables):
    if args.profile == "tunnel_imix":
        return ["imix"]
    try:
        sizes = [int(size) for size in args.sizes.split(",")]
    except ValueError:
        raise traffic.TrafficError("--sizes %s: numbers with commas between them" % args.sizes)
    for size in sizes:
        if sizes.count(size) > 1:
            raise traffic.TrafficError("--sizes %s: %d stands there twice" % (args.sizes, size))
        traffic.check_size(size, 4)
        if not args.calibrate:
            traffic.check_fits(size, args.mtu, args.algorithm, args.outer)
    return sizes


def asked_providers(args):
    providers = args.providers.split(",") if args.providers else []
    for provider in providers:
        if provider not in gateways.PROVIDERS:
            raise traffic.TrafficError("no provider is called %r; there are %s"
                                       % (provider, ", ".join(gateways.PROVIDERS)))
        if providers.count(provider) > 1:
            raise traffic.TrafficError("--providers %s: %s stands there twice" % (args.providers, provider))
    if providers and args.calibrate:
        raise traffic.TrafficError("--calibrate has no gateways; leave out --providers")
    if providers and not (args.restart_a and args.restart_b):
        raise traffic.TrafficError("--providers wants --restart-a and --restart-b, commands that start the "
                                   "gateways anew, as 'systemctl restart adit'")
    for key in ("restart_a", "restart_b", "host_a", "host_b", "devices"):
        if getattr(args, key) and not providers:
            raise traffic.TrafficError("--%s is for gateways that --providers configures; without it they are "
                                       "measured as they are" % key.replace("_", "-"))
    if providers and (args.host_a, args.path_a) == (args.host_b, args.path_b):
        raise traffic.TrafficError("--path-a and --path-b are one file, %s, and each gateway has its own" % args.path_a)
    for host in (args.host_a, args.host_b):
        if (host or "").startswith("-"):
            raise traffic.TrafficError("a host %r; as ssh takes it, root@dut for one" % host)
    return providers


def check_numbers(args):
    """Raises TrafficError where a number makes no sense."""
    if args.ports[0] == args.ports[1] or min(args.ports) < 0:
        raise traffic.TrafficError("--ports %d %d; two ports of TRex, which count from 0" % tuple(args.ports))
    if not args.min_rate >= 1:
        raise traffic.TrafficError("--min-rate %g; a packet a second or more" % args.min_rate)
    if args.max_rate is not None and not args.max_rate >= args.min_rate:
        raise traffic.TrafficError("--max-rate %g is below --min-rate %g" % (args.max_rate, args.min_rate))
    if not 0 <= args.tolerance < 100:
        raise traffic.TrafficError("--tolerance %g; 0 to below 100 percent" % args.tolerance)
    if not gateways.MTUS[0] <= args.mtu <= gateways.MTUS[1]:
        raise traffic.TrafficError("--mtu %d; %d to %d" % (args.mtu, *gateways.MTUS))
    traffic.keys(args.algorithm)


def check_tunables(tunables):
    """Raises TrafficError where the profile would be told twice."""
    ours = traffic.Arguments(prog="ndr.py", add_help=False, argument_default=argparse.SUPPRESS)
    for word in ("--size", "--size-is", "--algorithm", "--outer", "--mtu"):
        ours.add_argument(word, nargs="?")
    for key in vars(ours.parse_known_args(tunables)[0]):
        raise traffic.TrafficError("--%s stands behind --; ndr.py gives it to the profile itself, from --sizes, "
                                   "--algorithm, --outer and --mtu before it" % key.replace("_", "-"))


def main(words=None):
    words = sys.argv[1:] if words is None else words
    at = words.index("--") if "--" in words else len(words)
    try:
        parser = arguments()
    except traffic.TrafficError as e:
        sys.exit("ndr.py: %s" % e)
    args, tunables = parser.parse_args(words[:at]), words[at + 1:]
    try:
        setting = goal.settings(args.preset, {key: getattr(args, key) for key in goal.PRESETS["quick"]
                                              if hasattr(args, key)})
        report.check_output(args.output, args.replace)
        check_numbers(args)
        check_tunables(tunables)
        sizes, providers = asked_sizes(args, tunables), asked_providers(args)
        goals = goal.goals(setting)
        ceilings = read_ceilings(args, sizes, goals) if args.ceiling else None
    except (goal.GoalError, traffic.TrafficError) as e:
        parser.error(str(e))
    sweep, status = None, 1
    try:
        generator = Generator(client_of(args.server), args.ports, DIRECTIONS[args.direction], args.calibrate)
        sweep = Sweep(args, tunables, setting, generator, ceilings)
        sweep.keep = lambda run: keep(run, args.output + ".json")
        sweep.check(providers, sizes)
        with generator:
            sweep.go(providers, sizes)
        status = int(any(c.get("absent") for c in sweep.run["columns"]))
    except KeyboardInterrupt:
        print("ndr.py: ended early", file=sys.stderr)
    except (GeneratorError, traffic.TrafficError, OSError) as e:
        print("ndr.py: %s" % e, file=sys.stderr)
    finally:
        if sweep is not None and (sweep.run["points"] or sweep.run["unfinished"]):
            status = max(status, int(not write(sweep.run, args.output)))
    return status


def interrupt(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    for which in (signal.SIGTERM, signal.SIGHUP):  # a shell that goes away ends the run as Ctrl-C does
        if signal.getsignal(which) is not signal.SIG_IGN:
            signal.signal(which, interrupt)
    sys.exit(main())
