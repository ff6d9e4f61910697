"""How one signs in at object stores: what is said where there is no login, and what is never asked for unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.sdk.copying.ends.sign_in import SignIn
from danlu.sdk.http.errors import BadConfig

KEYS = {"AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "hush"}


@pytest.fixture(autouse=True)
def nobody_signed_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("os.environ", {"HOME": str(tmp_path)})


def test_without_a_login_the_address_where_clouds_answer_machines_is_left_alone() -> None:
    with pytest.raises(BadConfig) as refused:
        SignIn(endpoint="https://s3.example.org").settings()
    assert "--profile" in str(refused.value)
    assert "--anonymous" in str(refused.value)


@pytest.mark.parametrize(
    "told",
    [
        {"AWS_EC2_METADATA_DISABLED": "false"},
        {"AWS_WEB_IDENTITY_TOKEN_FILE": "/token"},
        {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/login"},
    ],
)
def test_a_machine_whose_own_identity_is_meant_needs_no_login(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
) -> None:
    monkeypatch.setattr("os.environ", told)
    assert "access_key_id" not in SignIn().settings()


def test_variables_profiles_and_public_buckets_sign_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("os.environ", {"HOME": str(tmp_path), **KEYS})
    assert SignIn().settings()["access_key_id"] == "AKIA"
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "credentials").write_text(
        "[lab]\naws_access_key_id = LAB\naws_secret_access_key = quiet\n"
    )
    assert SignIn(profile="lab").settings()["access_key_id"] == "LAB"
    monkeypatch.setattr("os.environ", {"HOME": str(tmp_path)})
    assert SignIn(anonymous=True).settings()["skip_signature"] is True
