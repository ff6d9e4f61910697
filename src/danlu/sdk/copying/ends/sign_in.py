"""How one signs in at an object store: options, AWS_… variables, and the profiles of ~/.aws."""

from __future__ import annotations

import configparser
import os
from typing import Any, Mapping, NamedTuple

from danlu.domain.words import Words, say
from danlu.sdk.http.errors import BadConfig


class SignIn(NamedTuple):
    """What is not given comes from the variables that other tools use, and then from the profile."""

    endpoint: str = ""
    region: str = ""
    profile: str = ""
    anonymous: bool = False

    def settings(self) -> dict[str, Any]:
        """What obstore's S3Store takes."""
        told, named = os.environ, self.profile or os.environ.get("AWS_PROFILE", "")
        # A profile that was asked for comes before the variables; the default one after them.
        profile = _profile(named, told) if named or not told.get("AWS_ACCESS_KEY_ID") else {}
        found: dict[str, Any] = {
            "region": self.region
            or told.get("AWS_REGION")
            or told.get("AWS_DEFAULT_REGION")
            or profile.get("region")
            or "us-east-1",
            "client_options": {"allow_http": True, "timeout": "120s", "connect_timeout": "10s"},
            "retry_config": {"max_retries": 4},
        }
        endpoint = (
            self.endpoint
            or told.get("AWS_ENDPOINT_URL_S3")
            or told.get("AWS_ENDPOINT_URL")
            or profile.get("endpoint_url")
        )
        if endpoint:
            found["endpoint"] = endpoint
        if self.anonymous:
            return {**found, "skip_signature": True}
        is_named = bool(self.profile) or not told.get("AWS_ACCESS_KEY_ID")
        keys = profile if is_named else {name.lower(): value for name, value in told.items()}
        for ours, theirs in (
            ("access_key_id", "aws_access_key_id"),
            ("secret_access_key", "aws_secret_access_key"),
            ("session_token", "aws_session_token"),
        ):
            if keys.get(theirs):
                found[ours] = keys[theirs]
        if "access_key_id" not in found and not _signs_in_otherwise(told):
            raise BadConfig(_NO_LOGIN)
        return found


def _signs_in_otherwise(told: Mapping[str, str]) -> bool:
    """Whether the machine's own identity is to be asked for: by a file or service that a variable names, or, if said,
    at the address where clouds answer machines. Unasked it would be tried on every machine, and lead nowhere."""
    machine = told.get("AWS_EC2_METADATA_DISABLED", "").lower() == "false"
    return machine or any(told.get(name) for name in _IDENTITIES)


_IDENTITIES = (
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)
_NO_LOGIN = Words(
    "there is no login for object stores here: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a profile of "
    "~/.aws with --profile, or read a public bucket with --anonymous",
    "此处没有对象存储的登录凭据：请设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY，用 --profile 指定 ~/.aws 中的配置，"
    "或用 --anonymous 读取公开存储桶",
)


def _profile(name: str, told: Mapping[str, str]) -> dict[str, str]:
    """BadConfig for one that was asked for and is not there."""
    home = os.path.expanduser("~/.aws")
    found: dict[str, str] = {}
    for path, section in (
        (told.get("AWS_CONFIG_FILE") or f"{home}/config", f"profile {name}" if name else "default"),
        (told.get("AWS_SHARED_CREDENTIALS_FILE") or f"{home}/credentials", name or "default"),
    ):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError) as why:
            problem = say("{path} cannot be read: {why}", "无法读取 {path}：{why}", path=path, why=why)
            raise BadConfig(problem) from None
        for one in (section, name):
            if one and parser.has_section(one):
                found.update(parser.items(one))
    if name and not found:
        raise BadConfig(
            say(
                "there is no profile '{name}' in ~/.aws/config or ~/.aws/credentials",
                "~/.aws/config 与 ~/.aws/credentials 中没有配置“{name}”",
                name=name,
            )
        )
    return found
