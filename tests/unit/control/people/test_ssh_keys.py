"""SSH keys: what is one, what is none, and what is to be said about the rest."""

from __future__ import annotations

import base64
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from danlu.control.people.ssh_keys import read_key
from danlu.domain.errors import FieldError, Invalid

PRIVATE = ed25519.Ed25519PrivateKey.from_private_bytes(b"k" * 32)
ED25519 = PRIVATE.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
RSA_1024 = rsa.generate_private_key(65537, 1024).public_key()
KINDS: dict[str, rsa.RSAPublicKey | ec.EllipticCurvePublicKey] = {
    "ssh-rsa": rsa.generate_private_key(65537, 2048).public_key(),
    "ecdsa-sha2-nistp256": ec.generate_private_key(ec.SECP256R1()).public_key(),
    "ecdsa-sha2-nistp521": ec.generate_private_key(ec.SECP521R1()).public_key(),
}


def line(key: rsa.RSAPublicKey | ec.EllipticCurvePublicKey) -> str:
    return key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def encoded(*parts: bytes) -> str:
    return base64.b64encode(b"".join(struct.pack(">I", len(part)) + part for part in parts)).decode()


def refused(text: str) -> FieldError:
    with pytest.raises(Invalid) as refusal:
        read_key(text)
    (error,) = refusal.value.errors
    assert error.loc == ("key",)
    return error


def test_a_key_is_known_by_its_type_and_fingerprint_and_loses_its_comment() -> None:
    read = read_key(f"  {ED25519} lin@laptop 工作站\n")
    assert (read.type, read.line) == ("ssh-ed25519", ED25519)
    # As `ssh-keygen -lf` tells it.
    assert read.fingerprint == "SHA256:hjQyYd0cLbF92CSIb6div0shUQl0EOIDaK1N8xcgIP8"


@pytest.mark.parametrize("kind", KINDS)
def test_other_kinds_of_keys_are_taken(kind: str) -> None:
    assert read_key(line(KINDS[kind])).type == kind


def test_a_key_on_a_security_token_is_taken() -> None:
    kind = "sk-ssh-ed25519@openssh.com"
    point = PRIVATE.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    assert read_key(f"{kind} {encoded(kind.encode(), point, b'ssh:')} me").type == kind


@pytest.mark.parametrize("form", [PrivateFormat.OpenSSH, PrivateFormat.PKCS8])
def test_a_private_key_is_refused_with_a_warning(form: PrivateFormat) -> None:
    error = refused(PRIVATE.private_bytes(Encoding.PEM, form, NoEncryption()).decode())
    assert error.code == "private_key"
    assert "PRIVATE key" in error.message
    assert "make a new pair" in (error.hint.en if error.hint else "")
    assert error.value is None


def test_a_puttys_private_key_is_one_too() -> None:
    assert refused("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n").code == "private_key"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "missing", "no key"),
        ("hello", "bad_form", "'hello' is not an accepted key type"),
        ("ssh-ed25519", "bad_form", "cut off"),
        (ED25519[:-3], "bad_form", "cut off or damaged"),
        (ED25519[:40], "bad_form", "does not match its type"),
        (ED25519.replace("ssh-ed25519", "ssh-rsa"), "bad_form", "does not match its type"),
        (ED25519 + "\n" + ED25519, "several", "2 lines"),
        (f'command="ls",no-pty {ED25519}', "options", "leave out 'command=\"ls\",no-pty'"),
        (f"restrict {ED25519} lin", "options", "leave out 'restrict'"),
        (f"ssh-dss {encoded(b'ssh-dss')}", "weak_key", "DSA"),
        ("ssh-ed25519-cert-v01@openssh.com AAAA", "bad_form", "certificate"),
        (
            "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----",
            "bad_form",
            "another format",
        ),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "bad_form", "another format"),
    ],
)
def test_what_is_no_key_is_called_what_it_is(text: str, code: str, said: str) -> None:
    error = refused(text)
    assert error.code == code
    assert said in error.message


def test_a_short_rsa_key_is_too_weak() -> None:
    error = refused(line(RSA_1024))
    assert error.code == "weak_key"
    assert "this one has 1024" in error.message
