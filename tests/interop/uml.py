# SPDX-License-Identifier: BSD-3-Clause
"""A Linux kernel with ESP of its own, as a User Mode Linux guest on this machine's own root."""
import os
import re
import select
import signal
import socket
import subprocess
import time
from pathlib import Path

GUEST = Path(__file__).resolve().parent / "guest"
BOOT_S = 60
NUDGE_S = 3  # of silence, after which the console is woken: an idle guest may miss a line


class Guest:
    def __init__(self, netns, interface, folder, memory="192M"):
        """Boots with vec0 on an interface of a namespace, taken as a raw socket takes it."""
        ours, theirs = socket.socketpair()
        self.console, self.heard = ours, b""
        self.script = Path(folder) / "guest.sh"  # the guest sees our files
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
                start_new_session=True, env={**os.environ, "TMPDIR": "/dev/shm"})
        theirs.close()
        try:
            self._answer(BOOT_S)
        except BaseException:
            self.kill()
            raise

    def _answer(self, patience):
        """What was printed until the script ended, and its status."""
        end = time.monotonic() + patience
        while not (done := re.search(rb"\r?\n@done (\d+)\r?\n", self.heard)):
            if time.monotonic() > end:
                raise TimeoutError(f"the guest says nothing; so far {self.heard[-2000:]!r}")
            if not select.select([self.console], [], [], NUDGE_S)[0]:
                self.console.sendall(b"\n")
                continue
            piece = self.console.recv(65536)
            if not piece:
                raise EOFError(f"the guest ended: {self.heard[-2000:]!r}\n"
                               + self.log.read_text(errors="replace")[-2000:])
            self.heard += piece
        out, self.heard = self.heard[:done.start()], self.heard[done.end():]
        return out.decode(errors="replace").replace("\r\n", "\n"), int(done[1])

    def run(self, script, patience=60):
        self.script.write_text(script)
        self.console.sendall(f"{self.script}\n".encode())
        return self._answer(patience)

    def sh(self, script, patience=60):
        out, status = self.run(script, patience)
        assert status == 0, f"in the guest: status {status}\n{out[-3000:]}"
        return out

    def stop(self):
        self.script.write_text("busybox poweroff -f")
        self.console.sendall(f"{self.script}\n".encode())
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        self.console.close()

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # a session of its own
            self.process.wait()
