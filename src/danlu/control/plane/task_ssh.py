"""The key that the tasks of one attempt reach each other with over SSH."""

from __future__ import annotations

import base64
import hashlib
import hmac


def ssh_key(token: str) -> str:
    """An Ed25519 key that follows from the attempt's token, always the same: seed and public half, in base64."""
    # Loads OpenSSL, which only frameworks that reach their tasks by SSH take.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = hmac.new(token.encode(), b"danlu ssh", hashlib.sha256).digest()
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return base64.b64encode(seed + public).decode()
