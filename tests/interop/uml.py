# SPDX-License-Identifier: BSD-3-Clause
"""A Linux kernel with ESP of its own, as a User Mode Linux guest on this machine's own root."""
import os
import signal
import socket
import subprocess
from pathlib import Path

from harness.console import Console
from harness.gateway import BUILD

GUEST = Path(__file__).resolve().parent / "guest"
XSTATE = BUILD / "tests/interop/libadit-xstate.so"
BOOT_S = 60


class Guest(Console):
    def __init__(self, netns, interface, folder, memory="192M"):
        """Boots with vec0 on an interface of a namespace, taken as a raw socket takes it."""
        ours, theirs = socket.socketpair()
        super().__init__(ours, folder)  # the guest sees our files
        self.log = Path(folder) / "uml.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", netns, "linux.uml", f"mem={memory}", "rootfstype=hostfs",
                 "root=/dev/root", "rootflags=/", "ro", "quiet", "con=null",
                 f"con0=fd:{theirs.fileno()}", "con1=null", "ssl=null",
                 f"umid=adit-{os.getpid()}", f"uml_dir={folder}/", f"init={GUEST}/init",
                 f"guest_folder={GUEST}",
                 # Without gro bulk TCP comes to a halt.
                 f"vec0:transport=raw,ifname={interface},depth=128,gro=1"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={**os.environ, "TMPDIR": "/dev/shm", "LD_PRELOAD": str(XSTATE)})
        theirs.close()
        try:
            self.answer(BOOT_S)
        except BaseException:
            self.kill()
            raise

    def last_words(self):
        return self.log.read_text(errors="replace")[-2000:]

    def stop(self):
        self.tell("busybox poweroff -f")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        self.console.close()

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # a session of its own
            self.process.wait()
