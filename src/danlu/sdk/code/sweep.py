"""Sweeps: one job file, run once for each combination of values."""

from __future__ import annotations

import itertools
import re
from typing import Any, Iterator, Mapping, Sequence

from danlu.domain.words import Words, say
from danlu.sdk.http.errors import Invalid

MOST = 100
"""How many runs one sweep may make."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_RESERVED = "DANLU_"


def swept(
    job: Mapping[str, Any], over: Mapping[str, Sequence[object]]
) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """The values of each combination, and the job file with them: as environment variables, and in the command
    wherever it says {name}. The last parameter changes first."""
    given = {name: [_text(value) for value in values] for name, values in over.items()}
    _check(given)
    return _combined(job, given)


def _combined(
    job: Mapping[str, Any], given: Mapping[str, Sequence[str]]
) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    for values in itertools.product(*given.values()):
        chosen = dict(zip(given, values))
        made = dict(job)
        made["env"] = {**(job.get("env") or {}), **chosen}
        if "command" in job:
            made["command"] = _filled(job["command"], chosen)
        if job.get("roles"):
            made["roles"] = [_role(role, chosen) for role in job["roles"]]
        yield chosen, made


def _role(role: Mapping[str, Any], chosen: Mapping[str, str]) -> dict[str, Any]:
    return {**role, "command": _filled(role["command"], chosen)} if "command" in role else dict(role)


def _filled(command: object, chosen: Mapping[str, str]) -> object:
    if isinstance(command, str):
        for name, value in chosen.items():
            command = command.replace("{" + name + "}", value)
        return command
    return [_filled(word, chosen) for word in command] if isinstance(command, list) else command


def _check(given: Mapping[str, Sequence[str]]) -> None:
    if not given:
        raise Invalid(Words("a sweep needs at least one parameter", "参数扫描至少需要一个参数"))
    for name, values in given.items():
        if not _NAME.fullmatch(name) or name.startswith(_RESERVED):
            raise Invalid(
                say(
                    "'{name}' cannot be a parameter: it becomes an environment variable; use letters, digits and _, "
                    "not first a digit, not beginning with DANLU_",
                    "“{name}”不能作为参数名：它会成为环境变量，只能用字母、数字和 _，不以数字开头，也不以 DANLU_ 开头",
                    name=name,
                )
            )
        if not values or len(set(values)) < len(values):
            raise Invalid(
                say(
                    "{name} needs one value or more, each different",
                    "{name} 需要一个或多个互不相同的值",
                    name=name,
                )
            )
    count = 1
    for values in given.values():
        count *= len(values)
    if count > MOST:
        raise Invalid(
            say(
                "{count} combinations are more than a sweep may have ({most}); give fewer values",
                "共 {count} 种组合，超过一次参数扫描的上限（{most}）；请减少取值",
                count=count,
                most=MOST,
            )
        )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
