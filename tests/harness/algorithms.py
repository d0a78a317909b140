# SPDX-License-Identifier: BSD-3-Clause
"""The algorithms of ESP by adit's names: their lengths, and what python-cryptography makes of bytes.

scapy has neither GMAC nor XCBC, and no short ICV of GCM."""
import hashlib
import hmac
from dataclasses import dataclass
from typing import Callable

from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, ChaCha20Poly1305


class Gcm:
    """RFC 4106, with an ICV of any length."""

    def __init__(self, key, icv_len=16):
        self.key, self.icv_len = key, icv_len

    def encrypt(self, nonce, plain, aad):
        enc = Cipher(algorithms.AES(self.key), modes.GCM(nonce)).encryptor()
        enc.authenticate_additional_data(aad)
        return enc.update(plain) + enc.finalize() + enc.tag[:self.icv_len]

    def decrypt(self, nonce, body, aad):
        """Raises InvalidTag."""
        text, icv = body[:-self.icv_len], body[-self.icv_len:]
        dec = Cipher(algorithms.AES(self.key),
                     modes.GCM(nonce, icv, min_tag_length=self.icv_len)).decryptor()
        dec.authenticate_additional_data(aad)
        return dec.update(text) + dec.finalize()


class Gmac:
    """RFC 4543 3.3: the IV and the payload belong to the AAD, and stay as they are."""

    def __init__(self, key):
        self.gcm = Gcm(key)

    def encrypt(self, nonce, plain, aad):
        return plain + self.gcm.encrypt(nonce, b"", aad + nonce[4:] + plain)

    def decrypt(self, nonce, body, aad):
        self.gcm.decrypt(nonce, body[-16:], aad + nonce[4:] + body[:-16])
        return body[:-16]


def xcbc(key, data):
    """RFC 3566 4."""
    def block(k, at):
        enc = Cipher(algorithms.AES(k), modes.ECB()).encryptor()
        return enc.update(at) + enc.finalize()

    def both(a, b):
        return bytes(x ^ y for x, y in zip(a, b))
    k1, k2, k3 = (block(key, bytes([n]) * 16) for n in (1, 2, 3))
    e, *middle = bytes(16), *(data[at:at + 16] for at in range(0, max(len(data) - 1, 0), 16))
    last = middle.pop() if middle else data
    for piece in middle:
        e = block(k1, both(e, piece))
    if len(last) == 16:
        return block(k1, both(both(e, last), k2))
    return block(k1, both(both(e, last + b"\x80" + bytes(15 - len(last))), k3))


def aes_cmac(key, data):
    mac = cmac.CMAC(algorithms.AES(key))
    mac.update(data)
    return mac.finalize()


@dataclass(frozen=True)
class Aead:
    key_len: int
    salt_len: int
    icv_len: int
    box: Callable  # of the key: encrypts and decrypts with nonce and AAD


@dataclass(frozen=True)
class Kind:
    """A cipher. mode: of the salt and the IV on the wire."""
    key_len: int
    salt_len: int
    iv_len: int
    block: int
    mode: Callable


@dataclass(frozen=True)
class Auth:
    key_len: int
    icv_len: int
    mac: Callable


def _hmac(digest):
    return lambda key, data: hmac.new(key, data, digest).digest()


AEADS = {}
for bits in (128, 192, 256):
    AEADS[f"aes-{bits}-gcm"] = Aead(bits // 8, 4, 16, Gcm)
    AEADS[f"aes-{bits}-gcm-12"] = Aead(bits // 8, 4, 12, lambda key: Gcm(key, 12))
    AEADS[f"aes-{bits}-gcm-8"] = Aead(bits // 8, 4, 8, lambda key: Gcm(key, 8))
    AEADS[f"aes-{bits}-gmac"] = Aead(bits // 8, 4, 16, Gmac)
for bits in (128, 256):
    AEADS[f"aes-{bits}-ccm"] = Aead(bits // 8, 3, 16, AESCCM)
AEADS["chacha20-poly1305"] = Aead(32, 4, 16, ChaCha20Poly1305)

CIPHERS = {"null": Kind(0, 0, 0, 4, None)}
for bits in (128, 192, 256):
    CIPHERS[f"aes-{bits}-cbc"] = Kind(bits // 8, 0, 16, 16, lambda salt, iv: modes.CBC(iv))
    CIPHERS[f"aes-{bits}-ctr"] = Kind(  # RFC 3686 4
        bits // 8, 4, 8, 4, lambda salt, iv: modes.CTR(salt + iv + bytes([0, 0, 0, 1])))

AUTHS = {
    "hmac-sha1-96": Auth(20, 12, _hmac(hashlib.sha1)),
    "hmac-sha2-256-128": Auth(32, 16, _hmac(hashlib.sha256)),
    "hmac-sha2-384-192": Auth(48, 24, _hmac(hashlib.sha384)),
    "hmac-sha2-512-256": Auth(64, 32, _hmac(hashlib.sha512)),
    "aes-xcbc-96": Auth(16, 12, xcbc),
    "aes-cmac-96": Auth(16, 12, aes_cmac),
}

EVERYDAY = [("aes-128-gcm",), ("aes-192-gcm",), ("aes-256-gcm",)] + [
    (cipher, auth)
    for cipher in ("aes-128-cbc", "aes-256-cbc", "null")
    for auth in ("hmac-sha1-96", "hmac-sha2-256-128", "hmac-sha2-512-256")]
ALL = [(aead,) for aead in AEADS] + [(cipher, auth) for cipher in CIPHERS for auth in AUTHS]
# Each at least once, beside the everyday ones.
OTHERS = [(aead,) for aead in AEADS if (aead,) not in EVERYDAY] + [
    ("aes-128-cbc", "aes-xcbc-96"), ("aes-192-cbc", "hmac-sha2-384-192"),
    ("aes-256-cbc", "aes-cmac-96"), ("aes-128-ctr", "hmac-sha2-256-128"),
    ("aes-192-ctr", "hmac-sha1-96"), ("aes-256-ctr", "hmac-sha2-512-256"),
    ("aes-128-ctr", "aes-xcbc-96"), ("null", "hmac-sha2-384-192"),
    ("null", "aes-xcbc-96"), ("null", "aes-cmac-96")]
