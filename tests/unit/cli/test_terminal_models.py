"""The same for the rest of the commands: each is answered with every text of its models written by somebody who means
harm."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from typing import Any

import pytest

from danlu.sdk import models
from tests.fakes.http_server import FakeServer
from tests.unit.cli.test_terminal import OnTerminal, obeyed, on_terminal, poisoned

__all__ = ["on_terminal"]

NOW = "2026-01-01T00:00:00.000Z"
MOMENTS = {"at", "since", "until", "renews", "time", "start", "end", "hour"}


def filled(kind: Any, name: str = "") -> Any:
    """An answer of this type in which nothing is missing."""
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return {one.name: filled(hints[one.name], one.name) for one in dataclasses.fields(kind)}
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return [filled(args[0], name)]
    if origin in (Mapping, dict):
        return {"en": filled(args[1], name)}
    if args:  # one of several, None among them
        return filled(next(one for one in args if one is not type(None)), name)
    if kind is str:
        return NOW if name in MOMENTS or name.endswith("_at") else "told"
    return {int: 1, float: 1.0, bool: False}.get(kind, "told")


def page(kind: Any, **more: Any) -> dict[str, Any]:
    return {"items": [{**filled(kind), **more}], "next_cursor": None, "total": 1}


AMOUNTS = {"single": {"A100": 1.0}}
QUOTA = {
    **filled(models.Quota),
    "amounts": AMOUNTS,
    "raises": [{**filled(models.QuotaRaise), "amounts": AMOUNTS}],
}
STANDING = {
    **filled(models.Standing),
    "amounts": [{"resource": "A100", "held": 1, "waiting": 1, "guarantee": 1}],
}
REQUEST = {**filled(models.Request), "asked": {"amounts": AMOUNTS, "role": "member"}}
OUTCOME = {"name": "a", "ok": False, "error": "no", "text": {"en": "it cannot"}, "used_by": 1}
READS: list[tuple[str, str, Any]] = [
    ("token ls", "tokens", page(models.Token)),
    ("token ls --all", "all-tokens", page(models.AnybodysToken)),
    ("key ls", "me/keys", page(models.SshKey)),
    ("me", "me", {**filled(models.Me), "projects": [{"project": "nlp", "role": "member"}]}),
    ("group ls", "groups", page(models.Group)),
    ("group show g", "groups/g", filled(models.Group)),
    ("project ls", "projects", page(models.Project)),
    ("project show p", "projects/p", filled(models.Project)),
    ("project usable", "me/projects", filled(models.UsableProjects)),
    ("project members p", "projects/p/members", page(models.Member)),
    ("project standing p", "projects/p/standing", STANDING),
    ("request ls", "requests", {"items": [REQUEST], "next_cursor": None, "total": 1}),
    ("request show r", "requests/r", REQUEST),
    ("priority ls", "priorities", page(models.Priority)),
    ("priority show p", "priorities/p", filled(models.Priority)),
    ("pool ls", "pools", page(models.Pool)),
    ("pool show p", "pools/p", filled(models.Pool)),
    ("flavor ls", "flavors", page(models.Flavor, resources={"cpus": 1})),
    ("flavor show f", "flavors/f", {**filled(models.Flavor), "resources": {"cpus": 1}}),
    ("limit ls", "limits", page(models.Limit)),
    ("limit show l", "limits/l", filled(models.Limit)),
    ("quota ls", "quotas", {"items": [QUOTA], "next_cursor": None}),
    ("quota show ann", "users/ann/quota", filled(models.QuotaStanding)),
    ("maintenance ls", "maintenance", page(models.Maintenance)),
    ("maintenance show m", "maintenance/m", filled(models.Maintenance)),
    ("framework ls", "frameworks", page(models.Framework)),
    ("template ls", "templates", page(models.TemplateRow)),
    ("template show t", "templates/t", {**filled(models.Template), "job": {"name": "a", "command": "b"}}),
    ("score", "scores", page(models.Score, scores=[{"model": "A100", "score": 1.0, "held": 1.0}])),
    ("score ann --ledger", "scores/ann/ledger", page(models.LedgerRow)),
    ("audit verify", "audit/verify", {**filled(models.AuditVerdict), "broken": {"seq": 1, "why": "a", "text": {"en": "b"}}}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "path", "answer"), READS, ids=[case[0] for case in READS])
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_list_and_no_thing_commands_the_terminal(
    on_terminal: OnTerminal, server: FakeServer, words: str, path: str, answer: Any, form: str
) -> None:
    server.on("GET", "session", {"user": {"name": "ann"}})
    server.on("GET", "nodes", {"items": []})
    server.on("GET", path, poisoned(answer))
    shown = on_terminal(*words.split(), *(["--json"] if form == "json" else []))
    assert "owned" in shown, shown
    assert obeyed(shown) == [], shown
    assert "defect" not in shown


ACTS: list[tuple[str, str, str, Any]] = [
    ("flavor rm a b --yes", "POST", "flavors/delete", {"items": [OUTCOME]}),
    ("user disable ann bob --jobs keep", "POST", "users/bulk", {"items": [OUTCOME]}),
    ("token create ci", "POST", "tokens", filled(models.Token)),
    ("user reset ann -y", "POST", "users/ann/link", filled(models.SignInAddress)),
    ("user invite ann", "POST", "users/invite", filled(models.Invited)),
]


@pytest.mark.parametrize(("words", "method", "path", "answer"), ACTS, ids=[case[0] for case in ACTS])
def test_no_answer_to_an_act_commands_the_terminal(
    on_terminal: OnTerminal, server: FakeServer, words: str, method: str, path: str, answer: Any
) -> None:
    server.on(method, path, poisoned(answer))
    shown = on_terminal(*words.split())
    assert "owned" in shown, shown
    assert obeyed(shown) == [], shown
    assert "defect" not in shown
