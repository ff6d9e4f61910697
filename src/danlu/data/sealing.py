"""Secrets in the database, sealed with a key in the data directory: neither opens them without the other."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.data.once import made_once

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_FILE = "login-key"
_VERSION, _NONCE, _KEY = b"\x01", 12, 32


class SealBroken(Exception):
    """The key is missing or another one, or what was sealed was for something else."""


class Sealer:
    """AES-GCM; `folder` is the data directory's for secrets. Any thread. `about` says what a secret belongs to: sealed
    for one thing, it cannot be passed off as another's."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY_FILE

    def seal(self, secret: bytes, about: str) -> bytes:
        """SealBroken where the key can be neither read nor made."""
        try:
            cipher = _cipher(made_once(self._path, lambda: secrets.token_bytes(_KEY)))
        except OSError as error:
            raise SealBroken from error
        nonce = secrets.token_bytes(_NONCE)
        return _VERSION + nonce + cipher.encrypt(nonce, secret, about.encode())

    def opened(self, sealed: bytes, about: str) -> bytes:
        """SealBroken; a key that is gone is never made anew, which would only hide that it is lost."""
        from cryptography.exceptions import InvalidTag  # loaded with the first secret (ADR 14)

        try:
            cipher = _cipher(self._path.read_bytes())
            if sealed[:1] != _VERSION:
                raise SealBroken
            nonce, rest = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
            return cipher.decrypt(nonce, rest, about.encode())
        except (OSError, ValueError, InvalidTag):
            raise SealBroken from None


def _cipher(key: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(key) != _KEY:
        raise SealBroken
    return AESGCM(key)
