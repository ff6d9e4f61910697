"""Better hints for common mistakes in job files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from danlu.domain.errors import FieldError
from danlu.domain.job import Trouble
from danlu.domain.names import SOME, usable_name
from danlu.domain.words import Words, say
from danlu.files.job_file import ResourcesPart
from danlu.files.mistakes import guess, not_one_of
from danlu.files.policies import ALLOWED

_OTHER_NAMES = {"oom": Trouble.OUT_OF_MEMORY, "oom_killed": Trouble.OUT_OF_MEMORY}

_SIGN_IN = ("login", "user", "password", "secret", "token")
_NO_SECRETS = Words(
    "a job file holds no secrets, so an input cannot sign in: transfer it first with danlu import --user or --token",
    "任务文件不保存机密，输入无法登录：请先用 danlu import --user 或 --token 传输",
)


def hinted(error: FieldError) -> FieldError:
    """The error with a better hint, if the file suggests one."""
    if error.loc == ("kind",) and error.code == "missing":
        return replace(error, hint=Words("for example `kind: training`", "例如 `kind: training`"))
    if error.loc == ("name",) and error.code == "bad_form" and isinstance(error.value, str):
        near = usable_name(error.value)
        hint = guess(near) if near else say("for example {name}", "例如 {name}", name=SOME)
        return replace(error, hint=hint)
    if error.code == "unknown_key" and len(error.loc) == 1 and error.loc[0] in ResourcesPart.model_fields:
        return replace(error, hint=guess(f"resources.{error.loc[0]}"))
    if error.code == "unknown_key" and error.loc[0] == "inputs" and error.loc[-1] in _SIGN_IN:
        return replace(error, hint=_NO_SECRETS)
    if error.loc == ("roles",) and error.code == "wrong_type" and isinstance(error.value, Mapping):
        return replace(
            error,
            hint=say("write `roles: [{roles}]`", "请写成 `roles: [{roles}]`", roles=_as_list(error.value)),
        )
    if error.loc[-2:-1] == ("on",) and error.code == "not_one_of":
        return _policy(error)
    return error


def _as_list(roles: Mapping[Any, Any]) -> str:
    counts = {name: count for name, count in roles.items() if type(count) is int}
    named = counts if counts and len(counts) == len(roles) else {"master": 1, "worker": 3}
    return ", ".join(
        f"{{name: {name}}}" if count == 1 else f"{{name: {name}, replicas: {count}}}"
        for name, count in named.items()
    )


def _policy(error: FieldError) -> FieldError:
    """A hint for an unknown trouble or remedy, with the remedies that the trouble allows."""
    written = str(error.loc[-1])
    meant = _OTHER_NAMES.get(written.lower())
    if meant is not None:
        return replace(error, hint=guess(meant.value))
    if written not in tuple(Trouble):
        return error
    allowed = [each.value for each in ALLOWED[Trouble(written)]]
    return not_one_of(error.loc, error.value, allowed)
