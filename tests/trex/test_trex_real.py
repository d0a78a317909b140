# SPDX-License-Identifier: BSD-3-Clause
"""Where TREX_DIR names a TRex's folder: its own Python loads the profiles and makes of them what the stand-in does."""
import base64
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TREX_DIR = os.environ.get("TREX_DIR")
TOP = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not TREX_DIR, reason="TREX_DIR is not set: nothing here ran with TRex")

CASES = [(name, list(tunables))
         for name in ("tunnel_size", "tunnel_imix", "tunnel_many", "tunnel_latency", "tunnel_bidir")
         for tunables in ((), ("--ip", "6", "--tunnels", "3", "--hosts", "2", "--flow", "4", "--size", "80"),
                          ("--tunnels", "1000", "--latency-pps", "10", "--pg-id", "5"))]


def by_trex(name, tunables):
    """The streams as TRex's simulator writes them."""
    folder = Path(TREX_DIR).resolve()
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "trex.stl.trex_stl_sim", "-p", folder, "--json",
         "-f", TOP / f"tools/trex-profiles/{name}.py", *(["-t", *tunables] if tunables else [])],
        cwd=folder, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(folder / "automation/trex_control_plane/interactive")})
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout[run.stdout.index("["):])


@pytest.mark.parametrize("name, tunables", CASES)
def test_trex_makes_of_a_profile_what_the_stand_in_does(name, tunables):
    ours = importlib.import_module(name).register().get_streams(direction=0, port_id=0, tunables=tunables)
    theirs = by_trex(name, tunables)
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        assert other["mode"] == {"type": "continuous", "rate": {"type": "pps", "value": one.mode.pps}}
        assert other["flow_stats"]["stream_id"] == one.flow_stats.pg_id
        kind = "latency" if type(one.flow_stats).__name__ == "STLFlowLatencyStats" else "stats"
        assert other["flow_stats"]["rule_type"] == kind
        assert other["isg"] == pytest.approx(one.isg)
        frame, = one.packet.frames(1)
        assert base64.b64decode(other["packet"]["binary"])[12:] == frame[12:]  # the port has its own MACs
        program = other["vm"]["instructions"]
        vm = one.packet.vm
        assert [(i["name"], i["op"], i["init_value"], i["min_value"], i["max_value"], i["next_var"])
                for i in program if i["type"] == "flow_var"] == [
            (v.name, v.op, v.init_value, v.min_value, v.max_value, v.next_var) for v in (vm.variables if vm else [])]
        assert [(i["name"], i["pkt_offset"], i["add_value"]) for i in program if i["type"] == "write_flow_var"] == [
            (n, one.packet.offset(place) + fixup, add) for n, place, fixup, add in (vm.writes if vm else [])]
