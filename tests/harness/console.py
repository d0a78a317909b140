# SPDX-License-Identifier: BSD-3-Clause
"""A guest that is told over its console what to run: a line names a script; its output ends with a
line "@done STATUS"."""
import itertools
import re
import select
import time
from pathlib import Path

NUDGE_S = 3  # of silence, after which the console is woken: an idle guest may miss a line


class Console:
    """ours: a socket, the other end of the guest's console. folder: one that the guest sees too."""

    def __init__(self, ours, folder):
        self.console, self.heard = ours, b""
        # A guest may remember what it has read of a file.
        self.scripts = (Path(folder) / f"guest-{n}.sh" for n in itertools.count())

    def last_words(self):
        """What else is known of a guest that ended."""
        return ""

    def answer(self, patience):
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
                raise EOFError(f"the guest ended: {self.heard[-2000:]!r}\n{self.last_words()}")
            self.heard += piece
        out, self.heard = self.heard[:done.start()], self.heard[done.end():]
        return out.decode(errors="replace").replace("\r\n", "\n"), int(done[1])

    def tell(self, script):
        path = next(self.scripts)
        path.write_text(script)
        self.console.sendall(f"{path}\n".encode())

    def run(self, script, patience=60):
        self.tell(script)
        return self.answer(patience)

    def sh(self, script, patience=60):
        out, status = self.run(script, patience)
        assert status == 0, f"in the guest: status {status}\n{out[-3000:]}"
        return out
