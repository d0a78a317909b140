# SPDX-License-Identifier: BSD-3-Clause
"""python3 confine.py UNIT COMMAND...: runs the command with what a systemd unit takes from it, on a machine
that systemd need not run: capabilities, system calls, address families, memory that is written and
executed, namespaces, real-time scheduling. What a unit hides of the file system stays visible."""
import ctypes
import errno
import os
import re
import subprocess
import sys

import seccomp

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
CAPABILITIES = {"CAP_CHOWN": 0, "CAP_NET_ADMIN": 12, "CAP_NET_RAW": 13, "CAP_IPC_LOCK": 14}
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16, "AF_PACKET": 17, "AF_XDP": 44}
WRITE, EXEC, SHM_EXEC = 2, 4, 0o100000
NAMESPACES = 0x7e020080
NORMAL_POLICIES = (0, 3, 5)  # SCHED_OTHER, SCHED_BATCH, SCHED_IDLE


def settings(unit):
    """The unit's [Service] as a dict; the values of keys that are given several times are joined."""
    found = {}
    with open(unit) as lines:
        for key, value in re.findall(r"^(\w+)=(.*)$", lines.read(), re.MULTILINE):
            found[key] = f"{found[key]} {value}" if key in found else value
    return found


def members(group):
    """The system calls of a group of systemd's."""
    listed = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True,
                            check=True).stdout
    found = set()
    for word in re.findall(r"^ +(@?\w[\w-]*)$", listed, re.MULTILINE):
        found |= members(word) if word.startswith("@") else {word}
    return found


def rules(unit):
    """System call: the sets of conditions under which it is allowed; without any it always is."""
    allowed = {call: [] for group in unit["SystemCallFilter"].split() for call in members(group)}
    allowed["socket"] = [[seccomp.Arg(0, seccomp.EQ, FAMILIES[f])]
                         for f in unit["RestrictAddressFamilies"].split()]
    if unit["MemoryDenyWriteExecute"] == "yes":
        allowed["mmap"] = [[seccomp.Arg(2, seccomp.MASKED_EQ, WRITE | EXEC, prot)] for prot in (0, WRITE, EXEC)]
        for call, argument, flag in (("mprotect", 2, EXEC), ("pkey_mprotect", 2, EXEC), ("shmat", 2, SHM_EXEC)):
            allowed[call] = [[seccomp.Arg(argument, seccomp.MASKED_EQ, flag, 0)]]
    if unit["RestrictNamespaces"] == "yes":
        allowed["clone"] = [[seccomp.Arg(0, seccomp.MASKED_EQ, NAMESPACES, 0)]]
        for call in ("clone3", "unshare", "setns"):
            allowed.pop(call, None)
    if unit["RestrictRealtime"] == "yes":
        allowed["sched_setscheduler"] = [[seccomp.Arg(1, seccomp.EQ, policy)] for policy in NORMAL_POLICIES]
    if unit["LockPersonality"] == "yes":
        allowed["personality"] = [[seccomp.Arg(0, seccomp.EQ, 0xffffffff)]]
    return allowed


def filter_of(unit):
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    for call, conditions in rules(unit).items():
        try:
            for condition in conditions or [[]]:
                made.add_rule(seccomp.ALLOW, call, *condition)
        except RuntimeError:  # a call of another architecture
            continue
    made.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")  # libc goes on with clone
    return made


def confine(unit):
    libc = ctypes.CDLL(None, use_errno=True)
    made = filter_of(unit)
    kept = {CAPABILITIES[name] for name in unit["CapabilityBoundingSet"].split()}
    with open("/proc/sys/kernel/cap_last_cap") as last:
        for capability in set(range(int(last.read()) + 1)) - kept:
            if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
                raise OSError(ctypes.get_errno(), f"capability {capability} stays")
    if unit["NoNewPrivileges"] == "yes" and libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    made.load()


if __name__ == "__main__":
    confine(settings(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
