# SPDX-License-Identifier: BSD-3-Clause
"""Runs what changes a kernel's SAs and policies, and prints what its XFRM netlink tells of it.

Prints blocks of "name:", "command:" and "message:" lines, one empty line behind each. To be run as
root in a guest that has nothing else in its SAD and SPD. Keys are made of the case's name."""
import hashlib
import itertools
import os
import select
import socket
import struct
import subprocess
import sys

NETLINK_XFRM, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP = 6, 270, 1
GROUPS = (1, 2, 3, 4, 5, 6, 7, 8)  # ACQUIRE EXPIRE SA POLICY AEVENTS REPORT MIGRATE MAPPING
REQUEST, ACK, DUMP = 1, 4, 0x300
NEWSA, GETSA, NEWPOLICY, GETPOLICY, MIGRATE = 0x10, 0x12, 0x13, 0x15, 0x21
QUIET_S = 0.15

A, B, A6, B6 = "192.0.2.1", "192.0.2.2", "2001:db8:f::1", "2001:db8:f::2"
OUT, IN = f"src {A} dst {B}", f"src {B} dst {A}"
TUNNEL = "proto esp mode tunnel"
TMPL = f"tmpl {OUT} proto esp reqid 1 mode tunnel"
LARVAL = f"ip xfrm state allocspi {IN} proto esp mode tunnel reqid 9 min 0xc0001000 max 0xc0001000"
NETS = "src 10.1.0.0/16 dst 10.2.0.0/16"
spis = itertools.count(0xc0000100)


def key(tag, n):
    return "0x" + hashlib.shake_128(tag.encode()).hexdigest(n)


def aead(name, octets, icv):
    return f'aead "{name}" {key(name, octets)} {icv}'


def pair(cipher, octets, auth, auth_octets, trunc):
    crypt = key(cipher, octets) if octets else '""'
    return f'enc "{cipher}" {crypt} auth-trunc "{auth}" {key(auth, auth_octets)} {trunc}'


GCM = aead("rfc4106(gcm(aes))", 20, 128)
SHA256 = ("hmac(sha256)", 32, 128)


def sa(rest, ids=OUT, algorithm=GCM, what="add", head=TUNNEL):
    return f"ip xfrm state {what} {ids} spi {next(spis):#x} {head} reqid 1 {rest} {algorithm}"


def sa_cases():
    for bits, icv in itertools.product((128, 192, 256), (128, 96, 64)):
        yield (f"sa-gcm-{bits}-{icv}",
               sa("", algorithm=aead("rfc4106(gcm(aes))", bits // 8 + 4, icv)))
    for bits, icv in ((128, 128), (256, 128), (128, 64), (192, 128)):
        yield (f"sa-ccm-{bits}-{icv}",
               sa("", algorithm=aead("rfc4309(ccm(aes))", bits // 8 + 3, icv)))
    yield ("sa-chacha20-poly1305",
           sa("", algorithm=aead("rfc7539esp(chacha20,poly1305)", 36, 128)))
    for bits in (128, 192, 256):
        yield (f"sa-gmac-{bits}", sa("", algorithm=aead("rfc4543(gcm(aes))", bits // 8 + 4, 128)))
        yield (f"sa-cbc-{bits}", sa("", algorithm=pair("cbc(aes)", bits // 8, *SHA256)))
        yield (f"sa-ctr-{bits}",
               sa("", algorithm=pair("rfc3686(ctr(aes))", bits // 8 + 4, *SHA256)))
    yield ("sa-null", sa("", algorithm=pair("ecb(cipher_null)", 0, *SHA256)))
    for auth in (("hmac(sha1)", 20, 96), ("hmac(sha384)", 48, 192), ("hmac(sha512)", 64, 256),
                 ("xcbc(aes)", 16, 96), ("cmac(aes)", 16, 96), ("hmac(sha256)", 32, 96),
                 ("hmac(sha1)", 20, 160), ("hmac(md5)", 16, 96)):
        yield (f"sa-auth-{auth[0]}-{auth[2]}", sa("", algorithm=pair("cbc(aes)", 16, *auth)))
    yield ("sa-auth-untruncated", sa("", algorithm=f'enc "cbc(aes)" {key("c", 16)} '
                                     f'auth "hmac(sha256)" {key("a", 32)}'))
    yield ("sa-3des", sa("", algorithm=pair("cbc(des3_ede)", 24, *SHA256)))
    yield ("sa-no-auth", sa("", algorithm=f'enc "cbc(aes)" {key("c", 16)}'))
    yield ("sa-ah", sa("", algorithm=f'auth-trunc "hmac(sha256)" {key("a", 32)} 128',
                       head="proto ah mode tunnel"))
    yield ("sa-comp", f"ip xfrm state add {OUT} proto comp spi 0x1234 mode tunnel comp deflate")

    yield ("sa-v6", sa("", ids=f"src {A6} dst {B6}"))
    yield ("sa-v6-in-any", sa("", ids=f"src :: dst {A6}"))
    yield ("sa-window", sa("replay-window 32 replay-seq 0x1001 replay-oseq 0x2002"))
    yield ("sa-window-wide", sa("replay-window 2048 replay-seq 70000 replay-oseq 80000"))
    yield ("sa-esn", sa("flag esn replay-window 128 replay-seq 0xfffffffb replay-seq-hi 3"
                        " replay-oseq 0xfffffff0 replay-oseq-hi 4"))
    yield ("sa-esn-window-4096", sa("flag esn replay-window 4096"))
    for kind in ("espinudp", "espinudp-nonike"):
        yield (f"sa-encap-{kind}", sa(f"encap {kind} 4500 4501 203.0.113.9"))
    yield ("sa-encap-v6", sa("encap espinudp 4500 4500 ::", ids=f"src {A6} dst {B6}"))
    transport = "proto esp mode transport"
    yield ("sa-transport", sa("sel src 192.0.2.1/32 dst 192.0.2.2/32 proto udp sport 1701",
                              head=transport))
    yield ("sa-transport-v6", sa("", ids=f"src {A6} dst {B6}", head=transport))
    yield ("sa-beet", sa("sel src 10.1.0.1 dst 10.2.0.1", head="proto esp mode beet"))
    yield ("sa-selector", sa("sel src 10.1.0.0/16 dst 10.2.3.0/24 proto tcp dport 443"))
    yield ("sa-limits", sa("limit byte-soft 1001 limit byte-hard 1002 limit packet-soft 1003"
                           " limit packet-hard 1004 limit time-soft 1005 limit time-hard 1006"
                           " limit time-use-soft 1007 limit time-use-hard 1008"))
    yield ("sa-limit-of-nothing", sa("limit packet-hard 0"))
    yield ("sa-tfcpad", sa("tfcpad 1300"))
    yield ("sa-mark", sa("mark 0x12 mask 0xff output-mark 0x34 mask 0xffff if_id 0x56"))
    for flag in ("noecn", "decap-dscp", "nopmtudisc", "wildrecv", "icmp", "af-unspec", "align4"):
        yield (f"sa-flag-{flag}", sa(f"flag {flag}"))
    yield ("sa-extra-flags", sa("extra-flag dont-encap-dscp extra-flag oseq-may-wrap"))
    yield ("sa-several", sa("flag esn flag af-unspec flag noecn replay-window 1024 mark 7"
                            " limit time-hard 3600 encap espinudp 4500 4500 0.0.0.0", ids=IN))


def policy(rest, sel=NETS, tail=TMPL, what="add", way="out"):
    return f"ip xfrm policy {what} {sel} dir {way} {rest} {tail}"


def policy_cases():
    for way in ("out", "in", "fwd"):
        yield f"policy-{way}", policy("priority 371327", way=way)
    yield "policy-block", policy("action block", tail="")
    yield "policy-allow", policy("", tail="")
    yield "policy-any", policy("", sel="src 0.0.0.0/0 dst 0.0.0.0/0")
    yield "policy-any-v6", policy("", sel="src ::/0 dst ::/0")
    yield ("policy-v6-in-v6", policy(
        "", sel="src 2001:db8:1::/48 dst 2001:db8:2::5/128",
        tail=f"tmpl src {A6} dst {B6} proto esp reqid 77 mode tunnel"))
    yield ("policy-v6-in-v4", policy("", sel="src 2001:db8:1::/48 dst 2001:db8:2::/47"))
    yield "policy-odd-prefixes", policy("", sel="src 10.1.2.3/9 dst 10.255.255.255/31")
    for upspec in ("udp sport 1000 dport 53", "tcp dport 443", "sctp sport 9", "dccp dport 7",
                   "47", "icmp", "icmp type 8", "icmp type 3 code 4", "gre key 0x10002",
                   "ospf", "6"):
        yield (f"policy-proto-{upspec.replace(' ', '-')}", policy("", sel=f"{NETS} proto {upspec}"))
    v6 = "src 2001:db8:1::/48 dst 2001:db8:2::/48"
    for upspec in ("ipv6-icmp type 128 code 0", "ipv6-icmp type 0", "mobility-header type 5",
                   "135"):
        yield (f"policy-proto-{upspec.replace(' ', '-')}", policy("", sel=f"{v6} proto {upspec}"))
    yield "policy-dev", policy("", sel=f"{NETS} dev vec0")
    yield "policy-mark", policy("mark 0x12 mask 0xff if_id 0x56")
    yield "policy-flags", policy("flag localok flag icmp")
    yield "policy-index", policy("index 0x1001", what="add")
    yield "policy-sub", policy("ptype sub")
    yield ("policy-limits", policy(
        "limit time-soft 1005 limit time-hard 1006 limit byte-soft 1001 limit packet-hard 1004"))
    yield "policy-use", policy("", tail=f"{TMPL} level use", way="in")
    yield "policy-transport", policy(
        "", sel=f"src {A}/32 dst {B}/32", tail="tmpl proto esp reqid 5 mode transport")
    yield "policy-ah", policy("", tail=f"tmpl {OUT} proto ah reqid 1 mode tunnel")
    yield "policy-comp-and-esp", policy(
        "", tail=f"tmpl {OUT} proto comp reqid 1 mode tunnel level use tmpl proto esp reqid 1"
        " mode transport", way="in")
    yield "policy-spi", policy("", tail=f"tmpl {OUT} proto esp spi 0x1234 reqid 1 mode tunnel")
    yield "policy-beet", policy("", tail=f"tmpl {OUT} proto esp reqid 1 mode beet")


def event_cases():
    """Each: what is done first and not recorded, then what is."""
    gone = next(spis)
    ids = f"{OUT} proto esp spi {gone:#x}"
    add = f"ip xfrm state add {ids} mode tunnel reqid 1 {GCM}"
    yield "sa-update", add, (f"ip xfrm state update {ids} mode tunnel reqid 1 replay-oseq 99"
                             f" limit time-hard 3600 {GCM}")
    mark = "mark 0x12 mask 0xff"
    ids6 = f"src {A6} dst {B6} proto esp spi 0x4321"
    yield "sa-delete", f"{add} {mark} if_id 3", f"ip xfrm state delete {ids} {mark}"
    yield ("sa-delete-v6", f"ip xfrm state add {ids6} mode tunnel {GCM}",
           f"ip xfrm state delete {ids6}")
    yield "sa-flush", add, "ip xfrm state flush proto esp"
    yield "sa-flush-all", add, "ip xfrm state flush"
    yield ("sa-expire-time", "",
           f"{add} {mark} if_id 3 limit time-soft 1 limit time-hard 2; sleep 4")
    out = policy("", sel="src 192.0.2.1 dst 10.2.0.1")
    yield ("sa-expire-packets", f"{add} limit packet-soft 2 limit packet-hard 4; {out}",
           "ping -q -c 5 -i 0.2 -W 0.1 10.2.0.1")
    yield "acquire", out, "ping -q -c 1 -W 0.1 10.2.0.1"
    out6 = policy("", sel="src 2001:db8:f::1/128 dst 2001:db8:2::/64 proto ipv6-icmp type 128",
                  tail=f"tmpl src {A6} dst {B6} proto esp reqid 6 mode tunnel")
    yield "acquire-v6", out6, "ping -q -c 1 -W 0.1 2001:db8:2::9"
    add_policy = policy(f"priority 5 {mark} if_id 3")
    yield ("policy-update", add_policy, policy(
        f"priority 5 {mark} if_id 3", what="update", tail=TMPL.replace("reqid 1", "reqid 2")))
    yield ("policy-delete", add_policy,
           f"ip xfrm policy delete {NETS} dir out {mark} if_id 3")
    yield ("policy-delete-index", policy("index 0x1001"),
           "ip xfrm policy delete dir out index 0x1001")
    yield "policy-flush", add_policy, "ip xfrm policy flush"
    yield "policy-flush-sub", policy("ptype sub"), "ip xfrm policy flush ptype sub"
    yield "policy-expire", "", f"{policy('limit time-soft 1 limit time-hard 3')}; sleep 7"
    yield ("policy-default", "", "ip xfrm policy setdefault in block fwd block out accept;"
           " ip xfrm policy setdefault in accept fwd accept out accept")


def listen():
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_XFRM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    s.bind((0, 0))
    for group in GROUPS:
        s.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group)
    return s


def hear(s):
    """All messages until it is quiet, each alone."""
    heard = []
    while select.select([s], [], [], QUIET_S)[0]:
        data = s.recv(1 << 20)
        while data:
            length = struct.unpack_from("=I", data)[0]
            heard.append(data[:length])
            data = data[(length + 3) & ~3:]
    return heard


def show(name, command, messages):
    print(f"name: {name}\ncommand: {command}")
    for m in messages:
        print(f"message: {m.hex()}")
    print(flush=True)


def run(command):
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    if done.returncode and "ping" not in command:
        print(f"# refused here: {command}: {done.stderr.strip()}\n", flush=True)


def clean(s):
    run("ip xfrm state flush; ip xfrm policy flush; ip xfrm policy flush ptype sub")
    hear(s)


def ask(s, kind, body=b"", flags=REQUEST | DUMP):
    s.send(struct.pack("=IHHII", 16 + len(body), kind, flags, 1, 0) + body)
    return hear(s)


def address(text):
    family = socket.AF_INET6 if ":" in text else socket.AF_INET
    return socket.inet_pton(family, text).ljust(16, b"\0")


def selector(saddr, slen, daddr, dlen, sport=(0, 0), dport=(0, 0), protocol=0):
    return address(daddr) + address(saddr) + struct.pack("!HHHH", *dport, *sport) \
        + struct.pack("=HBBBxxxiI", socket.AF_INET, dlen, slen, protocol, 0, 0)


def template():
    return address(B) + struct.pack("!IBxxx", 0, 50) + struct.pack("=Hxx", socket.AF_INET) \
        + address(A) + struct.pack("=IBBBxIII", 1, 1, 0, 0, *[0xffffffff] * 3)


def attribute(kind, body):
    return struct.pack("=HH", 4 + len(body), kind) + body + bytes(-len(body) % 4)


def masked_policy(s, name, sel):
    """Port masks, which ip cannot write."""
    infinite = struct.pack("=QQQQ", *[(1 << 64) - 1] * 4) + bytes(32)
    body = sel + infinite + bytes(32) + struct.pack("=IIBBBB4x", 0, 0, 1, 0, 0, 0) \
        + attribute(5, template())
    show(name, "a request with these port masks", [
        m for m in ask(s, NEWPOLICY, body, REQUEST | ACK) if m[4] != 2])
    clean(s)


def migrate(s):
    run(policy(""))
    run(sa(""))
    hear(s)
    move = address(B) + address(A) + address("192.0.2.9") + address(A) \
        + struct.pack("=BBHIHH", 50, 1, 0, 1, socket.AF_INET, socket.AF_INET)
    body = selector("10.1.0.0", 16, "10.2.0.0", 16) + struct.pack("=IB3x", 0, 1) \
        + attribute(17, move)
    show("migrate", "a request to move the tunnel's far end to 192.0.2.9",
         [m for m in ask(s, MIGRATE, body, REQUEST | ACK) if m[4] != 2])
    clean(s)


def dumps(s):
    show("dump-sa-empty", "GETSA, nothing there", ask(s, GETSA))
    show("dump-policy-empty", "GETPOLICY, nothing there", ask(s, GETPOLICY))
    for line in (sa(""), sa("flag esn replay-window 64", ids=IN), policy(""), policy("", way="in"),
                 policy("", way="fwd"), policy("priority 3", sel="src 192.0.2.1 dst 10.2.0.1")):
        run(line)
    # A larval SA: what ALLOCSPI makes, and what waits for an IKE daemon's answer.
    run(LARVAL)
    run(f"ip xfrm policy add src 192.0.2.1 dst 10.2.0.7 dir out priority 1 "
        f"{TMPL.replace('reqid 1', 'reqid 33')}; ping -q -c 1 -W 0.1 10.2.0.7")
    # A policy of one socket, as IKE daemons have to let their own packets by.
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for way in (0, 1):
        infinite = struct.pack("=QQQQ", *[(1 << 64) - 1] * 4)
        own.setsockopt(socket.IPPROTO_IP, 17, selector("0.0.0.0", 0, "0.0.0.0", 0) + infinite
                       + bytes(32 + 32) + struct.pack("=IIBBBB4x", 0, 0, way, 0, 0, 0))
    hear(s)
    show("dump-sa", "GETSA: out, in with ESN, and two larval ones", ask(s, GETSA))
    show("dump-policy", "GETPOLICY: out, in, fwd, two more out, and two of a socket",
         ask(s, GETPOLICY))
    own.close()
    clean(s)


def main():
    run("ip addr add 192.0.2.1/24 dev vec0; ip -6 addr add 2001:db8:f::1/64 dev vec0 nodad;"
        "ip link set vec0 up; ip route add 10.2.0.0/16 via 192.0.2.2;"
        "ip -6 route add 2001:db8:2::/64 via 2001:db8:f::2")
    print(f"# Linux {os.uname().release},", subprocess.check_output(["ip", "-V"], text=True))
    s = listen()
    clean(s)
    only = sys.argv[1:]
    for name, command in itertools.chain(sa_cases(), policy_cases()):
        if not only or name in only:
            run(command)
            show(name, command, hear(s))
            clean(s)
    for name, first, command in event_cases():
        if not only or name in only:
            if first:
                run(first)
            hear(s)
            run(command)
            show(name, f"{first}; {command}" if first else command, hear(s))
            clean(s)
    if not only:
        masked_policy(s, "policy-port-masks", selector(
            "10.1.0.0", 16, "10.2.0.0", 16, (0x1230, 0xfff0), (0x8000, 0x8000), 17))
        masked_policy(s, "policy-port-mask-with-holes", selector(
            "10.1.0.0", 16, "10.2.0.0", 16, (0x1230, 0xf0f0), (0, 0), 17))
        migrate(s)
        dumps(s)


main()
