"""Logins of transfers, sealed with a key in the data directory: the database alone opens none."""

from __future__ import annotations

import base64
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.data.once import made_once
from danlu.domain.transfers.transfer import WebLogin

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE, _KEY = 12, 32
_FOR = b"transfer"


class SealedLogins:
    """Implements ports.transfers.Logins by AES-GCM; `folder` is the data directory's for secrets. Any thread."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "login-key"

    def seal(self, login: WebLogin) -> str:
        nonce = secrets.token_bytes(_NONCE)
        text = json.dumps([login.user, login.secret]).encode()
        return base64.b64encode(nonce + self._cipher().encrypt(nonce, text, _FOR)).decode()

    def opened(self, sealed: str) -> WebLogin | None:
        from cryptography.exceptions import InvalidTag  # loaded with the first login (ADR 14)

        try:
            data = base64.b64decode(sealed, validate=True)
            return WebLogin(*json.loads(self._cipher().decrypt(data[:_NONCE], data[_NONCE:], _FOR)))
        except (InvalidTag, ValueError):
            return None

    def _cipher(self) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(made_once(self._path, lambda: secrets.token_bytes(_KEY)))
