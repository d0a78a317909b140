# SPDX-License-Identifier: BSD-3-Clause
"""The gateways of a sweep: each gets its config, here or over ssh, and is started anew with it."""
import os
import shlex
import subprocess

PATIENCE = 120  # seconds that a command of ours may take


class GatewayError(RuntimeError):
    """A gateway did not take its config or did not start; the text says what it answered."""


class Gateway:
    """host: as ssh takes it; None: this machine. path: where the config goes. restart: a shell's command."""

    def __init__(self, host, path, restart):
        self.host, self.path, self.restart = host, path, restart

    def _run(self, command, text=""):
        shell = ["ssh", "-o", "BatchMode=yes", self.host, command] if self.host else ["sh", "-c", command]
        try:
            done = subprocess.run(shell, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  universal_newlines=True, errors="replace", timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise GatewayError("%s: `%s` did not end in %d s; a gateway that it leaves running must not keep its "
                               "output (>/var/log/adit 2>&1 &)" % (self.host or "this machine", command, PATIENCE))
        except OSError as e:
            raise GatewayError("%s: %s" % (self.host or "this machine", e))
        if done.returncode:
            raise GatewayError("%s: `%s` ended with status %d: %s"
                               % (self.host or "this machine", command, done.returncode,
                                  " ".join((done.stderr.strip() or done.stdout.strip() or "it said nothing")
                                           .split())[-500:]))

    def configure(self, text):
        """Replaces the config whole, readable by its owner alone, and restarts with it."""
        path, part = shlex.quote(self.path), shlex.quote(self.path + ".part")
        folder = shlex.quote(os.path.dirname(self.path) or ".")
        self._run("mkdir -p %s && umask 077 && cat > %s && mv %s %s" % (folder, part, part, path), text)
        self._run(self.restart)
