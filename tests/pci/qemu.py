# SPDX-License-Identifier: BSD-3-Clause
"""An emulated PC with PCI NICs and an IOMMU. It boots Debian's kernel with this machine's own root,
read-only."""
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from harness.console import Console
from harness.gateway import TOP

GUEST = Path(__file__).resolve().parent / "guest"
KERNEL = TOP / "build-guest"
BOOT_S = 120  # 10 on an idle machine
# What the root file system needs, each after what it needs itself.
ROOT_MODULES = ("virtio/virtio_ring", "virtio/virtio", "virtio/virtio_pci_legacy_dev",
                "virtio/virtio_pci_modern_dev", "virtio/virtio_pci", "9p/9pnet", "9p/9pnet_virtio",
                "netfs/netfs", "fscache/fscache", "9p/9p")


def ram_disk(folder):
    """Just enough to mount the root: busybox, modules, and the script that does it."""
    tree = Path(folder) / "ramdisk"
    for name in ("modules", "root", "dev"):
        (tree / name).mkdir(parents=True)
    shutil.copy("/bin/busybox", tree / "busybox")
    shutil.copy(GUEST / "boot", tree / "init")
    order = []
    for name in ROOT_MODULES:
        file, = (KERNEL / "lib/modules").rglob(f"{name}.ko")
        shutil.copy(file, tree / "modules")
        order.append(f"/modules/{file.name}\n")
    (tree / "modules/order").write_text("".join(order))
    image = Path(folder) / "initrd"
    subprocess.run(f"cd {tree} && find . | busybox cpio -o -H newc > {image}", shell=True,
                   check=True, capture_output=True)
    return image


class Guest(Console):
    """nics: (model and its options, interface of the namespace, MAC). They are 0000:00:10.0 and up."""

    def __init__(self, netns, nics, folder):
        assert (KERNEL / "vmlinuz").exists(), \
            f"no kernel for a guest in {KERNEL}: tools/test --pci puts it there"
        ours, theirs = socket.socketpair()
        super().__init__(ours, folder)
        self.log = Path(folder) / "qemu.log"
        fd = theirs.fileno()
        command = [
            "ip", "netns", "exec", netns, "qemu-system-x86_64", "-accel", "tcg,thread=multi",
            "-cpu", "max", "-M", "q35", "-smp", "2", "-m", "1024", "-nodefaults", "-no-reboot",
            "-display", "none", "-device", "intel-iommu,caching-mode=on,device-iotlb=on",
            "-chardev", f"socket,id=console,fd={fd}",
            "-serial", "chardev:console",
            "-fsdev", "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=root,mount_tag=root",
            "-kernel", KERNEL / "vmlinuz", "-initrd", ram_disk(folder), "-append",
            # uio knows no IOMMU: pt lets its devices reach memory as it is.
            "console=ttyS0 quiet panic=-1 intel_iommu=on iommu=pt"
            f" guest_folder={GUEST}"]
        for n, (model, interface, mac) in enumerate(nics):
            command += ["-netdev", f"tap,id=n{n},ifname={interface},script=no,downscript=no",
                        "-device", f"{model},netdev=n{n},mac={mac},romfile=,addr={0x10 + n:#x}"]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, pass_fds=[fd], start_new_session=True)
        theirs.close()

    def __enter__(self):
        try:
            self.answer(BOOT_S)
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_):
        self.kill()

    def last_words(self):
        return self.log.read_text(errors="replace")[-2000:]

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # a session of its own
        self.process.wait()
        self.console.close()
