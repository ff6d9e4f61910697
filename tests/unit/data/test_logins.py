"""Sealed logins open with the key that sealed them, for what they were sealed for, and never otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.data.logins import FileLoginSeal, TransferLogins
from danlu.data.sealing import KEY_FILE
from danlu.domain.errors import Unavailable
from danlu.domain.transfers.transfer import WebLogin
from danlu.domain.volumes.source import Login

LOGIN = Login("AKIA", "wJalr/secret")


def test_a_login_opens_for_its_own_volume_alone(tmp_path: Path) -> None:
    seal = FileLoginSeal(tmp_path)
    sealed = seal.seal("v1", LOGIN)
    assert b"secret" not in sealed
    assert seal.unseal("v1", sealed) == LOGIN
    with pytest.raises(Unavailable, match="danlu volume login"):
        seal.unseal("v2", sealed)


def test_the_login_of_a_volume_is_none_of_a_transfer(tmp_path: Path) -> None:
    text = TransferLogins(tmp_path).seal(WebLogin("lin", "secret"))
    assert TransferLogins(tmp_path).opened(text) == WebLogin("lin", "secret")
    assert TransferLogins(tmp_path).opened("no base64!") is None
    with pytest.raises(Unavailable):
        FileLoginSeal(tmp_path).unseal("transfer-1", text.encode())


@pytest.mark.parametrize("content", [None, b"", b"short", bytes(32)])
def test_a_key_that_is_gone_or_another_opens_nothing_and_is_not_made_anew(
    tmp_path: Path, content: bytes | None
) -> None:
    sealed = FileLoginSeal(tmp_path).seal("v1", LOGIN)
    text = TransferLogins(tmp_path).seal(WebLogin("lin", "secret"))
    key = tmp_path / KEY_FILE
    key.unlink()
    if content is not None:
        key.write_bytes(content)
    with pytest.raises(Unavailable, match=KEY_FILE):
        FileLoginSeal(tmp_path).unseal("v1", sealed)
    assert TransferLogins(tmp_path).opened(text) is None
    assert key.exists() is (content is not None)


def test_where_no_key_can_be_made_no_login_is_kept(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.touch()
    with pytest.raises(Unavailable):
        FileLoginSeal(nowhere).seal("v1", LOGIN)
    with pytest.raises(Unavailable):
        TransferLogins(nowhere).seal(WebLogin("lin", "secret"))
