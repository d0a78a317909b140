# SPDX-License-Identifier: BSD-3-Clause
"""adit on PCI NICs, by the drivers that it would have on a machine: e1000 bound to uio_pci_generic,
virtio-net behind an IOMMU to vfio-pci."""
import json
import time

from harness.esp import check_ip
from harness.gateway import ADIT, ADITCTL
from harness.netns import sh
from harness.site import MAC, Site, frame, hop, inward, outward, payload
from qemu import KERNEL, Guest

LAN, WAN = "0000:00:10.0", "0000:00:11.0"
SIZES = (0, 65, 300, 1300, 1446)  # 1446: as much as a tunnel of 1500 takes

PREPARE = f"""
set -e
modprobe -d {KERNEL} -a uio_pci_generic vfio_iommu_type1 vfio-pci
bind() {{
	echo "$2" >/sys/bus/pci/devices/$1/driver_override
	[ ! -e /sys/bus/pci/devices/$1/driver ] || echo "$1" >/sys/bus/pci/devices/$1/driver/unbind
	echo "$1" >/sys/bus/pci/drivers_probe
	readlink /sys/bus/pci/devices/$1/driver
}}
bind {LAN} uio_pci_generic
bind {WAN} vfio-pci
echo 128 >/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
mkdir -p /run/adit
"""

START = f"""
set -e
{ADIT} --init-state --config CONFIG
{ADIT} -l 0,1 --in-memory -a {LAN} -a {WAN} -- --config CONFIG >/run/log 2>&1 &
echo $! >/run/pid
for i in $(seq 600); do
	! grep -q running /run/log || exit 0
	[ -d /proc/$(cat /run/pid) ] || break
	sleep 0.1
done
cat /run/log
exit 1
"""

STOP = """
pid=$(cat /run/pid)
kill $pid
for i in $(seq 100); do
	[ -d /proc/$pid ] || break
	sleep 0.1
done
cat /run/log
[ ! -d /proc/$pid ] && [ ! -e /run/adit/control ]
"""


def ask(guest, command):
    return json.loads(guest.sh(f"{ADITCTL} --socket /run/adit/control --json {command}\n"))


def test_a_tunnel_between_two_real_drivers(wires, folders):
    folder, site = folders(), Site()
    ours, peer = site.tunnel()
    site.port("lan")["device"], site.port("wan")["device"] = LAN, WAN
    config = folder / "site.yaml"
    config.write_text(site.text("/run/adit"))
    # The e1000 is told its MAC by adit; virtio has had ours from the start.
    nics = [("e1000", "qlan", "02:00:00:00:77:77"),
            ("virtio-net-pci,disable-legacy=on,iommu_platform=on,ats=on", "qwan", MAC["wan"])]
    with Guest(wires.name, nics, folder) as guest:
        for port in ("lan", "wan"):
            sh(f"ip -n {wires.name} link set q{port} up")
            wires.take(port, f"q{port}")
        assert [line.rpartition("/")[2] for line in guest.sh(PREPARE).split()] == \
            ["uio_pci_generic", "vfio-pci"]
        guest.sh(START.replace("CONFIG", str(config)), 120)
        end = time.monotonic() + 30
        ports = ask(guest, "ports")
        while not all(p["link"] == "up" for p in ports):
            assert time.monotonic() < end, ports
            ports = ask(guest, "ports")
        assert [(p["device"], p["driver"]) for p in ports] == \
            [(LAN, "net_e1000_em"), (WAN, "net_virtio")]

        out = [outward(family=family, size=size) for size in SIZES for family in (4, 6)]
        back = [inward(family=family, size=size) for size in SIZES for family in (4, 6)]
        wires.send("lan", [frame(p, "lan") for p in out])
        sealed = [payload(f, "wan") for f in wires.receive("wan", len(out), 30)]
        assert [ours.unwrap(p)[1] for p in sealed] == [hop(p) for p in out]
        wires.send("wan", [frame(peer.packet(p), "wan") for p in back])
        got = [payload(f, "lan") for f in wires.receive("lan", len(back), 30)]
        assert got == [hop(p) for p in back]
        for packet in got:
            check_ip(packet)
        books = ask(guest, "workers")["books"]
        assert (books["received"], books["sent"], books["exits"]) == \
            (len(out) + len(back), len(out) + len(back), 0)
        guest.sh(STOP)
