"""Logins of attached volumes, sealed with a key in the data directory: the database alone opens none."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.data.once import made_once
from danlu.domain.errors import Unavailable
from danlu.domain.volumes.source import Login
from danlu.domain.words import Words

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_VERSION, _NONCE, _KEY = b"\x01", 12, 32


class FileLoginSeal:
    """Implements ports.volumes.outside.LoginSeal by AES-GCM; `folder` is the data directory's for secrets."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "login-key"

    def seal(self, volume_id: str, login: Login) -> bytes:
        try:
            key = made_once(self._path, lambda: secrets.token_bytes(_KEY))
        except OSError as error:
            raise self._lost(volume_id) from error
        nonce = secrets.token_bytes(_NONCE)
        text = json.dumps([login.key, login.secret]).encode()
        return _VERSION + nonce + self._cipher(key, volume_id).encrypt(nonce, text, volume_id.encode())

    def unseal(self, volume_id: str, sealed: bytes) -> Login:
        from cryptography.exceptions import InvalidTag  # loaded with the first attached volume (ADR 14)

        try:
            # Never made anew here: that would only hide that it is lost.
            cipher = self._cipher(self._path.read_bytes(), volume_id)
            if sealed[:1] != _VERSION:
                raise ValueError("of another version")
            nonce, rest = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
            key, secret = json.loads(cipher.decrypt(nonce, rest, volume_id.encode()))
        except (OSError, ValueError, InvalidTag):
            raise self._lost(volume_id) from None
        return Login(key, secret)

    def _cipher(self, key: bytes, volume_id: str) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if len(key) != _KEY:
            raise self._lost(volume_id)
        return AESGCM(key)

    def _lost(self, volume_id: str) -> Unavailable:
        return Unavailable(_LOST.fill(path=self._path.name, volume=volume_id))


_LOST = Words(
    "the login of volume {volume} cannot be opened: the key that sealed it, secrets/{path} in the data directory, is "
    "missing or another one. Restore that file from a backup, or give the login again: danlu volume login {volume}",
    "无法打开存储卷 {volume} 的登录凭据：数据目录中的密钥文件 secrets/{path} 丢失或已更换。请从备份恢复该文件，"
    "或重新填写登录凭据：danlu volume login {volume}",
)
