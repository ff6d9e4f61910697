"""Where settings come from: danlu.toml, then DANLU_… variables, then options; the later wins."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.words import Words, say
from danlu.files.mistakes import field_errors, guess, near
from danlu.files.settings import Settings

FILE = "danlu.toml"
FILE_VARIABLE = "DANLU_SETTINGS"
_PREFIX = "DANLU_"
_LISTS = frozenset({"projects", "transfer_networks", "trusted_proxies"})
_MAPPINGS = frozenset({"default_max_time"})
_TABLES = frozenset({"oidc"})


@dataclass(frozen=True)
class Origin:
    """What set a setting: a file, a variable or an option, by its name; or nothing did."""

    source: Literal["default", "file", "variable", "option"] = "default"
    name: str = ""


def load_settings(options: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> Settings:
    """The effective settings; Invalid names every error with its source."""
    return settings_and_origins(options, environ)[0]


def settings_and_origins(
    options: Mapping[str, Any], environ: Mapping[str, str] = os.environ
) -> tuple[Settings, Mapping[str, Origin]]:
    """The effective settings, and where each that is not a default comes from."""
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    file = Origin("file", str(_file(environ).absolute()))
    layers = (
        *((key, value, file) for key, value in _from_file(environ).items()),
        *(
            (key, value, Origin("variable", f"{_PREFIX}{key.upper()}"))
            for key, value in _from_variables(environ).items()
        ),
        *(
            (key, value, Origin("option", f"--{key.replace('_', '-')}"))
            for key, value in options.items()
            if value is not None
        ),
    )
    for key, value, origin in layers:
        values[key], origins[key] = value, origin
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        mistakes = field_errors(error, Settings, values)
        raise Invalid(tuple(_placed(mistake, origins) for mistake in mistakes)) from error
    return settings, origins


def settings_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that settings are read from, if there is one."""
    file = _file(environ)
    return file if file.exists() else None


def settings_place(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the file is looked for, whether it is there or not."""
    return _file(environ).absolute()


def _file(environ: Mapping[str, str]) -> Path:
    return Path(environ.get(FILE_VARIABLE, FILE))


def _from_file(environ: Mapping[str, str]) -> dict[str, Any]:
    file = _file(environ)
    if not file.exists() and FILE_VARIABLE not in environ:
        return {}
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise _wrong(
            str(file), say("cannot be read: {strerror}", "无法读取：{strerror}", strerror=error.strerror)
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(
            str(file), say("is not valid TOML: {error}", "不是有效的 TOML：{error}", error=error)
        ) from error


def _from_variables(environ: Mapping[str, str]) -> dict[str, Any]:
    known = {f"{_PREFIX}{name.upper()}": name for name in Settings.model_fields}
    found: dict[str, Any] = {}
    for variable, value in environ.items():
        if variable in known:
            name = known[variable]
            found[name] = _read(name, variable, value)
        elif (
            variable.startswith(_PREFIX)
            and variable not in _OTHERS
            and (likely := near(variable, list(known)))
        ):
            raise _wrong(variable, Words("is not a setting", "不是设置项"), guess(likely))
    return found


def _read(name: str, variable: str, value: str) -> Any:
    """The value of a variable: lists are separated by commas, mappings are lists of key=value, tables are JSON."""
    if name in _TABLES:
        return _json(variable, value)
    if name not in _LISTS | _MAPPINGS:
        return value
    parts = [part.strip() for part in value.split(",")]
    if name in _LISTS:
        return parts
    pairs = [part.partition("=") for part in parts if part]
    if any(not equals for _, equals, _ in pairs):
        raise _wrong(
            variable,
            say(
                "'{value}' is not of the form key=value,key=value",
                "“{value}”不是 key=value,key=value 的形式",
                value=value,
            ),
        )
    return {key.strip(): held.strip() for key, _, held in pairs}


def _json(variable: str, value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise _wrong(
            variable, say("is not valid JSON: {error}", "不是有效的 JSON：{error}", error=error)
        ) from error


# Variables of the command line, and those that a task has when it starts its own Danlu.
_OTHERS = frozenset(
    f"{_PREFIX}{name}"
    for name in (
        "URL", "TOKEN", "COMMAND", "CONFIG_DIR", "SETTINGS", "DEBUG", "BUILD_CONSOLE", "LANG", "CA_FILE", "JOB_ID",
        "JOB_NAME", "JOB_RUN", "ATTEMPT", "TASK", "ROLE", "INDEX", "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
        "GPUS", "HOSTS", "PERSONAL_DIR", "ARCHIVE_DIR", "CHECKPOINT_DIR", "SUPERVISED", "RUN", "REPORTS", "RESUME_FROM",
        "RESUME_STEP", "SEATS", "HOSTFILE", "SSH_KEY", "PASSES_ON", "TASK_TOKEN",
    )
)  # fmt: skip


def _placed(mistake: FieldError, origins: Mapping[str, Origin]) -> FieldError:
    key = str(mistake.loc[0]) if mistake.loc else ""
    origin = origins.get(key, Origin(name=key))
    place = (Path(origin.name).name, key) if origin.source == "file" else (origin.name,)
    return replace(mistake, loc=(*place, *mistake.loc[1:]))


def _wrong(place: str, message: Words, hint: Words | None = None) -> Invalid:
    return Invalid((FieldError((place,), "bad_form", message, hint=hint),))
