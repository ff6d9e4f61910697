"""Signing in through the organisation's provider: OpenID Connect's code flow, with PKCE.

Loaded only if the settings name a provider: its libraries are as large as a third of the server."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

import aiohttp
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from danlu.domain.errors import Unavailable, WrongCredentials
from danlu.domain.words import say
from danlu.files.oidc import OidcProvider
from danlu.server.http.journey import LEEWAY_S, Journey

log = logging.getLogger(__name__)

_PATIENCE = aiohttp.ClientTimeout(total=10)
_KNOWN_FOR_S = 3_600.0
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Only algorithms that use a key of the provider: not our shared secret, and not "none"."""


class Provider:
    """One provider. Its configuration is cached for an hour; an unknown key makes Danlu fetch the keys again."""

    def __init__(self, settings: OidcProvider) -> None:
        self.settings = settings
        self._found: dict[str, tuple[float, Any]] = {}
        self._lock = asyncio.Lock()

    async def address(self, journey: Journey, redirect: str) -> str:
        """Where to send the browser."""
        about = await self._about()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(journey.verifier.encode()).digest()).rstrip(b"=")
        query = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": redirect,
            "scope": " ".join(self.settings.scopes),
            "state": journey.state,
            "nonce": journey.nonce,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        door = str(about["authorization_endpoint"])
        return f"{door}{'&' if '?' in door else '?'}{urlencode(query)}"

    async def claims(self, code: str, journey: Journey, redirect: str) -> dict[str, Any]:
        """The provider's claims about the person with this code; WrongCredentials if they are not valid."""
        about = await self._about()
        tokens = await self._exchange(about, code, journey, redirect)
        claims = await self._verified(about, str(tokens.get("id_token") or ""), journey.nonce)
        wanted = {self.settings.username_claim, self.settings.groups_claim, "email", "name"}
        if "userinfo_endpoint" in about and not wanted <= claims.keys():
            more = await self._userinfo(about, str(tokens.get("access_token") or ""))
            if more.get("sub") == claims["sub"]:
                claims = {**more, **claims}
        return claims

    # ── what crosses the network ─────────────────────────────────────────────────────────────────────

    async def _about(self) -> dict[str, Any]:
        about: dict[str, Any] = await self._kept(
            "about", f"{self.settings.issuer.rstrip('/')}/.well-known/openid-configuration"
        )
        if about.get("issuer") != self.settings.issuer:
            log.error("%s reports the issuer %s", self.settings.issuer, about.get("issuer"))
            raise Unavailable(
                say(
                    "{shown} reports a different issuer; check the setting oidc.issuer",
                    "{shown} 返回的签发者（issuer）与设置不一致，参见设置 oidc.issuer",
                    shown=self.settings.shown,
                )
            )
        return about

    async def _exchange(
        self, about: Mapping[str, Any], code: str, journey: Journey, redirect: str
    ) -> dict[str, Any]:
        secret = await asyncio.to_thread(self.settings.secret)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": journey.verifier,
        }
        methods = about.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        headers = {}
        if secret and "client_secret_basic" in methods:
            login = f"{quote(self.settings.client_id, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
        else:
            form["client_id"] = self.settings.client_id
            if secret:
                form["client_secret"] = secret
        answer = await self._ask("POST", str(about["token_endpoint"]), data=form, headers=headers)
        if "id_token" not in answer:
            log.warning("%s did not return a token: %s", self.settings.name, answer.get("error"))
            raise WrongCredentials(
                say(
                    "{shown} did not confirm who you are; start again",
                    "{shown} 没有确认你的身份，请重新开始",
                    shown=self.settings.shown,
                )
            )
        return answer

    async def _verified(self, about: Mapping[str, Any], token: str, nonce: str) -> dict[str, Any]:
        try:
            try:
                decoded = await self._decoded(about, token)
            except (JoseError, ValueError):
                self._found.pop("keys", None)  # perhaps the provider has new keys
                decoded = await self._decoded(about, token)
            claims = dict(decoded.claims)
            jwt.JWTClaimsRegistry(
                leeway=LEEWAY_S,
                iss={"essential": True, "value": self.settings.issuer},
                sub={"essential": True},
                aud={"essential": True, "value": self.settings.client_id},
                exp={"essential": True},
                nonce={"essential": True, "value": nonce},
            ).validate(claims)
        except (JoseError, ValueError) as error:
            log.warning("an ID token of %s is not valid: %s", self.settings.name, error)
            raise WrongCredentials(
                say(
                    "the answer of {shown} is not valid; start again",
                    "{shown} 返回的信息无效，请重新开始",
                    shown=self.settings.shown,
                )
            ) from error
        return claims

    async def _decoded(self, about: Mapping[str, Any], token: str) -> jwt.Token:
        keys = await self._kept("keys", str(about["jwks_uri"]))
        return jwt.decode(token, KeySet.import_key_set(cast(Any, keys)), _ALGORITHMS)

    async def _userinfo(self, about: Mapping[str, Any], token: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        return await self._ask("GET", str(about["userinfo_endpoint"]), headers=headers)

    async def _kept(self, what: str, address: str) -> dict[str, Any]:
        async with self._lock:
            known = self._found.get(what)
            if known is None or known[0] < time.monotonic():
                found = await self._ask("GET", address)
                known = self._found[what] = (time.monotonic() + _KNOWN_FOR_S, found)
            found_then: dict[str, Any] = known[1]
            return found_then

    async def _ask(self, method: str, address: str, **more: Any) -> dict[str, Any]:
        _must_be_safe(address)
        try:
            async with (
                aiohttp.ClientSession(timeout=_PATIENCE) as http,
                http.request(method, address, allow_redirects=False, **more) as answer,
            ):
                found = await answer.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            log.warning("%s does not answer at %s: %s", self.settings.name, address, error)
            raise Unavailable(
                say(
                    "{shown} does not answer; try again, or sign in another way",
                    "{shown} 没有响应，请重试或用其他方式登录",
                    shown=self.settings.shown,
                )
            ) from error
        if not isinstance(found, dict):
            raise Unavailable(
                say(
                    "the answer of {shown} is not that of an OpenID Connect provider",
                    "{shown} 的响应不符合统一认证的要求",
                    shown=self.settings.shown,
                )
            )
        return found


def _must_be_safe(address: str) -> None:
    """Secrets and names are sent this way: only over TLS, or within the machine."""
    parts = urlsplit(address)
    if parts.scheme == "https":
        return
    try:
        within = parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback
    except ValueError:
        within = False
    if parts.scheme != "http" or not within:
        raise Unavailable(
            say(
                "{address} is not https; Danlu contacts providers only over TLS",
                "{address} 不是 https；只能通过 TLS 访问统一认证",
                address=address,
            )
        )
