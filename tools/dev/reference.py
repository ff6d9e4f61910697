"""The reference pages that are written from the definitions themselves; `--check` says which are out of date."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from danlu.cli.system.reference import render as render_cli
from danlu.domain import errors, events, reasons
from danlu.domain.permissions import PERSONAL, TABLE, Permission, Relation
from danlu.files.job_file import JobFile
from danlu.files.mistakes import model_in
from danlu.files.settings import Settings
from danlu.files.state_file import StateFile
from danlu.server.http.access import OPEN, AccessRule
from danlu.server.http.verdicts import Verdict, verdict
from danlu.server.reference import render as render_api
from danlu.server.routes import ALL
from tools.dev.framework_reference import render as render_frameworks
from tools.dev.places import ROOT
from tools.dev.sim_reference import INTRO

PAGES = ROOT / "docs" / "reference"
BAR = r"\|"
_NOTE = "<!-- Written by ./dev docs; change the definitions, not this page. -->\n\n"
_ENDPOINTS = """\
## Requests

The permission that each request needs, and who has it. The permission is checked first on one's own things and then on
the subject of the request; *then* names another permission for the second check. Empty: the relation does not apply.
*In person* means not through a token with scopes. Without the permission, the answer is 403; but jobs, requests,
scores, tokens, keys and sessions that a person may not know of are answered with 404. A test makes every one of these
requests in every role.

A project is one's own for its creators. A request is in one's project if it asks to join one whose creator one is: they
decide it, and whoever has `member:write` (for more quota: `quota:write`) on what belongs to others. A group is one's
own if one is in it. Whoever leaves a project removes themselves from it, which takes `request:write`. A task, with
the token that it was given, makes those of these requests that `GET` its own job, its events, its logs and its code,
and no other.
"""


def main() -> int:
    checking = "--check" in sys.argv[1:]
    stale = []
    for name, render in pages().items():
        path, text = PAGES / name, render()
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not checking:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for name in stale:
        print(f"docs/reference/{name} {'is out of date: run ./dev docs' if checking else 'written'}")
    return 1 if stale and checking else 0


def pages() -> dict[str, Callable[[], str]]:
    ours = {
        "job.md": job_page,
        "frameworks.md": render_frameworks,
        "sim-decide.md": sim_page,
        "errors.md": errors_page,
        "reasons.md": reasons_page,
        "events.md": events_page,
        "permissions.md": permissions_page,
        "settings.md": settings_page,
    }
    noted = {name: lambda page=page: f"{_NOTE}{page().rstrip()}\n" for name, page in ours.items()}
    return {**noted, "cli.md": render_cli, "api.md": render_api}


def job_page() -> str:
    intro = (
        "# The job file\n\nYAML or JSON. Everything has a default except `kind` and, for training, `command`. "
        "Unknown keys are errors. Sizes have the units KiB MiB GiB TiB (or kB MB GB TB), times ms s m h d w. "
        "`danlu schema` prints the JSON Schema for editors.\n"
    )
    return "\n".join([intro, *_model_tables(JobFile, "The whole", seen=set())])


def sim_page() -> str:
    return "\n".join([INTRO, *_model_tables(StateFile, "The whole", seen=set())])


def _model_tables(model: type[BaseModel], title: str, seen: set[type]) -> Iterator[str]:
    seen.add(model)
    inner: list[tuple[str, type[BaseModel]]] = []
    yield f"## {title}\n\n{(model.__doc__ or '').strip()}\n\n| key | meaning | default |\n|---|---|---|"
    for name, field in model.model_fields.items():
        yield f"| `{field.alias or name}` | {(field.description or '').replace('|', BAR)} | {_default(model, name)} |"
        part = model_in(field.annotation)
        if part is not None and part not in seen:
            inner.append((name, part))
            seen.add(part)
    yield ""
    for name, part in inner:
        yield from _model_tables(part, f"`{name}`", seen)


def _default(model: type[BaseModel], name: str) -> str:
    field = model.model_fields[name]
    if field.is_required():
        return "required"
    value: Any = field.get_default(call_default_factory=True)
    if value is PydanticUndefined or value is None or value in ({}, [], "") or isinstance(value, BaseModel):
        return ""
    plain = model.model_construct(**{name: value}).model_dump(mode="json", include={name})[name]
    return f"`{str(plain).lower() if isinstance(plain, bool) else plain}`"


def errors_page() -> str:
    rows = [
        f"| `{kind.code}` | {kind.status} | {kind.title.en} | {kind.title.zh} |"
        for kind in sorted(_all(errors.DanluError), key=lambda kind: (kind.status, kind.code))
    ]
    return "\n".join(
        [
            "# Error codes\n\n`type` of a problem answer (`application/problem+json`). `errors` lists the mistakes, 50 "
            "at most; `more_mistakes` says how many more there are. "
            "`loc` is its place, `code` its kind, `value`, `bound` and `hint` help to fix it, `suggestion` "
            "is the word that was probably meant. `text` and `hint_text` have the English and Chinese sentences.\n",
            "| type | status | title | 中文 |\n|---|---|---|---|",
            *rows,
        ]
    )


def reasons_page() -> str:
    rows = [
        f"| `{kind.code}` | {kind.sentence.en} | {kind.sentence.zh} | {kind.meaning.en} | {kind.advice.en} |"
        for kind in reasons.ALL.values()
    ]
    head = "# Reasons\n\nWhy a job waits, stopped or failed.\n"
    columns = "| code | sentence | 中文 | meaning | what to do |\n|---|---|---|---|---|"
    return "\n".join([head, columns, *rows])


def events_page() -> str:
    rows = [
        f"| `{kind}` | {(leaf.__doc__ or '').strip().splitlines()[0] if _own_words(leaf) else leaf.sentence.en} |"
        for kind, leaf in sorted(events.ALL.items())
    ]
    head = "# Events\n\nWhat the event stream and a job's history show.\n\n| kind | meaning |\n|---|---|"
    return "\n".join([head, *rows])


def permissions_page() -> str:
    roles = list(TABLE)
    head = " | ".join(f"{role.value}: {relation.value}" for role in roles for relation in Relation)
    lines = [
        "# Permissions\n\nBy role: on one's own things, on other people's things in one's projects, and on everything "
        "else. Groups add permissions on everybody's things; "
        f"no group can give {', '.join(f'`{one.value}`' for one in Permission if one in PERSONAL)}.\n",
        f"| permission | {head} |",
    ]
    lines.append("|---" * (1 + len(roles) * len(Relation)) + "|")
    for permission in Permission:
        marks = " | ".join(
            "yes" if permission in TABLE[role][relation] else "" for role in roles for relation in Relation
        )
        lines.append(f"| `{permission.value}` | {marks} |")
    return "\n".join([*lines, "", *_endpoints()])


def _endpoints() -> Iterator[str]:
    """Who may ask what of whose, one line for each request."""
    yield _ENDPOINTS
    yield "| request | permission | about | own | in one's project | of others |\n|---|---|---|---|---|---|"
    for route in (route for routes in ALL for route in routes.all):
        rule = route.rule
        asked = [rule.permission.value, *([rule.on_it.value] if rule.on_it else [])]
        permission = ", then ".join(f"`{one}`" if ":" in one else one for one in asked)
        allowed = " | ".join(_allowed(rule, relation) for relation in Relation)
        yield f"| `{route.method} {route.path}` | {permission} | {rule.about.value} | {allowed} |"


def _allowed(rule: AccessRule, relation: Relation) -> str:
    if relation not in rule.about.relations:
        return ""
    if rule.permission is OPEN:
        return "anybody"
    roles = [role.value for role in TABLE if verdict(rule, role, relation) is Verdict.ALLOWED]
    return "everybody" if len(roles) == len(TABLE) else ", ".join(roles) or "nobody"


def settings_page() -> str:
    lines = [
        "# Settings\n\nRead from `danlu.toml` in the working directory (or the file `DANLU_SETTINGS` names), then from "
        "`DANLU_…` variables, then from options; the last one counts. `danlu up --print-settings` shows them, "
        "each with what set it.\n",
        "| setting | variable | meaning | default |\n|---|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        lines.append(
            f"| `{name}` | `DANLU_{name.upper()}` | {field.description} | {_default(Settings, name)} |"
        )
    return "\n".join(lines)


def _all(kind: type[errors.DanluError]) -> Iterator[type[errors.DanluError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _all(child)


def _own_words(leaf: type[events.Event]) -> bool:
    """Whether its docstring says more than its sentence; dataclasses write themselves a docstring."""
    return not leaf.sentence.en or not (leaf.__doc__ or "").startswith(leaf.__name__)


if __name__ == "__main__":
    sys.exit(main())
