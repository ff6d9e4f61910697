"""How one signs in at an object store: options, AWS_… variables, and the profiles of ~/.aws."""

from __future__ import annotations

import configparser
import os
from typing import Any, Mapping, NamedTuple

from danlu.domain.words import say
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
        return found


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
