"""Logins that are kept, sealed with a key of this data directory: the database alone tells nothing."""

from __future__ import annotations

import base64
import binascii
import json
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from danlu.data.once import made_once
from danlu.domain.transfers.transfer import Login

_NONCE = 12
_FOR = b"danlu transfer login"


class SealedLogins:
    """Implements ports.transfers.Logins. Any thread."""

    def __init__(self, secrets: Path) -> None:
        self._cipher = AESGCM(made_once(secrets / "login-key", lambda: os.urandom(32)))

    def seal(self, login: Login) -> str:
        nonce = os.urandom(_NONCE)
        text = json.dumps([login.user, login.secret]).encode()
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, text, _FOR)).decode()

    def opened(self, sealed: str) -> Login | None:
        try:
            data = base64.b64decode(sealed, validate=True)
            text = self._cipher.decrypt(data[:_NONCE], data[_NONCE:], _FOR)
        except (InvalidTag, ValueError, binascii.Error):
            return None
        return Login(*json.loads(text))
