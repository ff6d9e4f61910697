"""The organisation's own sign-in: an OpenID Connect provider, as settings describe it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, model_validator

from danlu.domain.people import UserRole
from danlu.domain.words import BadValue, say
from danlu.files.forms import GROUP_NAME, PUBLIC_URL
from danlu.files.written import Written

Claim = Annotated[str, Field(min_length=1, max_length=100)]


class OidcProvider(Written):
    """One provider: any that speaks OpenID Connect (GitLab, Keycloak, Microsoft Entra, Google, Feishu…)."""

    name: str = Field(description="Its name in URLs.", pattern="^[a-z0-9][a-z0-9-]{0,30}$")
    title: str = Field("", description="Its name on the sign-in page; default: its name.", max_length=60)
    issuer: str = Field(
        description="Its issuer URL, under which its configuration is found.", pattern=PUBLIC_URL
    )
    client_id: str = Field(description="The client ID that the provider gave Danlu.", min_length=1)
    client_secret: SecretStr = Field(
        SecretStr(""), description="The client secret that the provider gave Danlu."
    )
    client_secret_file: Path | None = Field(
        None, description="A file that contains the client secret, instead of client_secret."
    )
    scopes: tuple[str, ...] = Field(
        ("openid", "profile", "email"), description="The scopes that Danlu requests."
    )
    username_claim: Claim = Field(
        "preferred_username", description="The claim that a new account is named after."
    )
    groups_claim: Claim = Field("groups", description="The claim that lists a person's groups.")
    required_groups: tuple[str, ...] = Field(
        (), description="Only members of at least one of these provider groups may sign in; none: everybody."
    )
    roles: dict[str, UserRole] = Field(
        {},
        description="The role that each provider group gives, applied at every sign-in; the first match wins.",
    )
    groups: dict[str, Annotated[str, Field(pattern=GROUP_NAME)]] = Field(
        {},
        description="The Danlu group for each provider group; membership is updated at every sign-in.",
    )
    role: UserRole = Field(UserRole.ENGINEER, description="The role of a new account if no group gives one.")
    create: bool = Field(
        True, description="Whether people without an account get one at their first sign-in."
    )

    @model_validator(mode="after")
    def _one_secret(self) -> OidcProvider:
        if self.client_secret.get_secret_value() and self.client_secret_file is not None:
            raise BadValue(
                say(
                    "give client_secret or client_secret_file, not both",
                    "client_secret 与 client_secret_file 只能填写一个",
                )
            )
        return self

    @property
    def shown(self) -> str:
        return self.title or self.name

    def secret(self) -> str:
        """Read when it is needed, so that a changed file counts at once."""
        if self.client_secret_file is not None:
            return self.client_secret_file.read_text("utf-8").strip()
        return self.client_secret.get_secret_value()
