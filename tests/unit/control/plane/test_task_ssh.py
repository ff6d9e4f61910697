"""The key that tasks of one attempt have in common."""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_ssh_private_key

from danlu.control.plane.task_ssh import ssh_key
from danlu.runtime.gang.ssh import private_key


def test_an_attempt_always_has_the_same_key_and_no_other_has_it() -> None:
    assert ssh_key("danlu_task_j1-1_a") == ssh_key("danlu_task_j1-1_a")
    assert ssh_key("danlu_task_j1-1_a") != ssh_key("danlu_task_j1-2_b")


def test_what_the_task_makes_of_it_is_a_key_for_openssh() -> None:
    pair = base64.b64decode(ssh_key("danlu_task_j1-1_a"))
    key = load_ssh_private_key(private_key(pair).encode(), password=None)
    assert isinstance(key, Ed25519PrivateKey)
    assert (key.private_bytes_raw(), key.public_key().public_bytes_raw()) == (pair[:32], pair[32:])
