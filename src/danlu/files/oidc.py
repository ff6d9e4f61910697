"""The organisation's own sign-in: an OpenID Connect provider, as settings describe it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from danlu.domain.people import UserRole
from danlu.domain.words import BadValue, say
from danlu.files.forms import GROUP_NAME, PUBLIC_URL

Claim = Annotated[str, Field(min_length=1, max_length=100)]


class OidcProvider(BaseModel):
    """One provider: any that speaks OpenID Connect (GitLab, Keycloak, Microsoft Entra, Google, Feishu…)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="What it is called in addresses.", pattern="^[a-z0-9][a-z0-9-]{0,30}$")
    title: str = Field("", description="What the sign-in page calls it; default: its name.", max_length=60)
    issuer: str = Field(
        description="Its address, under which its configuration is found.", pattern=PUBLIC_URL
    )
    client_id: str = Field(description="What it calls Danlu.", min_length=1)
    client_secret: SecretStr = Field(SecretStr(""), description="What proves to it that Danlu is Danlu.")
    client_secret_file: Path | None = Field(None, description="A file with that secret in it, instead.")
    scopes: tuple[str, ...] = Field(("openid", "profile", "email"), description="What is asked for.")
    username_claim: Claim = Field("preferred_username", description="What a new account is named after.")
    groups_claim: Claim = Field("groups", description="Where a person's groups are told.")
    required_groups: tuple[str, ...] = Field(
        (), description="Only members of one of these groups of the provider may sign in; none: everybody."
    )
    roles: dict[str, UserRole] = Field(
        {},
        description="The role that a group of the provider gives, at every sign-in; the first that matches.",
    )
    groups: dict[str, Annotated[str, Field(pattern=GROUP_NAME)]] = Field(
        {},
        description="The group of Danlu that a group of the provider stands for, kept up at every sign-in.",
    )
    role: UserRole = Field(
        UserRole.ENGINEER, description="The role of a new account that nothing else gives."
    )
    create: bool = Field(True, description="Whether a stranger is given an account at their first sign-in.")

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
