"""Logins of attached volumes and of transfers, sealed: the database alone opens none."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from danlu.data.sealing import KEY_FILE, SealBroken, Sealer
from danlu.domain.errors import Unavailable
from danlu.domain.transfers.transfer import WebLogin
from danlu.domain.volumes.source import Login
from danlu.domain.words import Words

_TRANSFER = "transfer"


class FileLoginSeal:
    """Implements ports.volumes.outside.LoginSeal; `folder` is the data directory's for secrets."""

    def __init__(self, folder: Path) -> None:
        self._sealer = Sealer(folder)

    def seal(self, volume_id: str, login: Login) -> bytes:
        try:
            return self._sealer.seal(json.dumps([login.key, login.secret]).encode(), volume_id)
        except SealBroken as error:
            raise _lost(volume_id) from error

    def unseal(self, volume_id: str, sealed: bytes) -> Login:
        try:
            key, secret = json.loads(self._sealer.opened(sealed, volume_id))
        except SealBroken:
            raise _lost(volume_id) from None
        return Login(key, secret)


class TransferLogins:
    """Implements ports.transfers.Logins in the same way."""

    def __init__(self, folder: Path) -> None:
        self._sealer = Sealer(folder)

    def seal(self, login: WebLogin) -> str:
        try:
            sealed = self._sealer.seal(json.dumps([login.user, login.secret]).encode(), _TRANSFER)
        except SealBroken as error:
            raise Unavailable(_NO_KEY.fill(path=KEY_FILE)) from error
        return base64.b64encode(sealed).decode()

    def opened(self, sealed: str) -> WebLogin | None:
        try:
            return WebLogin(
                *json.loads(self._sealer.opened(base64.b64decode(sealed, validate=True), _TRANSFER))
            )
        except (SealBroken, ValueError):
            return None


def _lost(volume_id: str) -> Unavailable:
    return Unavailable(_LOST.fill(path=KEY_FILE, volume=volume_id))


_LOST = Words(
    "the login of volume {volume} cannot be opened: the key that sealed it, secrets/{path} in the data directory, is "
    "missing or another one. Restore that file from a backup, or give the login again: danlu volume login {volume}",
    "无法打开存储卷 {volume} 的登录凭据：数据目录中的密钥文件 secrets/{path} 丢失或已更换。请从备份恢复该文件，"
    "或重新填写登录凭据：danlu volume login {volume}",
)
_NO_KEY = Words(
    "the login cannot be kept: the key secrets/{path} in the data directory can be neither read nor made",
    "无法保存登录凭据：数据目录中的密钥文件 secrets/{path} 无法读取或创建",
)
