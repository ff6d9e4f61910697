"""Pydantic's errors in our words: every mistake with its place, value, bound and likely meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from danlu.domain.errors import FieldError
from danlu.domain.quantity import show_milli, show_size, show_time
from danlu.files.forms import RULES

Loc = tuple[str | int, ...]

_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
    "list_type": "a list",
    "float_type": "a number",
    "int_parsing": "a whole number",
    "bool_parsing": "true or false",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
    "greater_than": ("gt", "more than"),
    "less_than": ("lt", "less than"),
}
_UNITS: Mapping[str, Callable[[int], str]] = {
    "cpus": show_milli,
    "gpus": show_milli,
    "memory": show_size,
    "shm": show_size,
    "grace": show_time,
    "expected_time": show_time,
    "hang_after": show_time,
    "first": show_time,
    "most": show_time,
    "max_time": show_time,
}

_SECRETS = frozenset({("kubeconfig",)})
"""What is sent there is told to nobody, not even in the words that refuse it."""


def field_errors(error: ValidationError, model: type[BaseModel], data: Any) -> tuple[FieldError, ...]:
    """All mistakes of one validation, in reading order, each at the place the person wrote it."""
    found: dict[tuple[Loc, bool], FieldError] = {}
    for raw in error.errors(include_url=False):
        mistake = _translate(raw, model, data)
        if mistake.loc[:1] in _SECRETS:
            mistake = replace(mistake, value=None)
        place = (mistake.loc, raw["loc"][-1:] == ("[key]",))
        # Where several forms are allowed each complains: the one whose form was meant says more than its type.
        if place not in found or found[place].code == "wrong_type" != mistake.code:
            found[place] = mistake
    return _without_echoes(tuple(found.values()))


def near(word: str, choices: Sequence[str]) -> str | None:
    """The likely meaning of a misspelt word."""
    folded = {choice.lower(): choice for choice in choices}
    match = get_close_matches(word.lower(), list(folded), n=1, cutoff=0.6)
    return folded[match[0]] if match else None


def did_you_mean(word: str, choices: Sequence[str]) -> str | None:
    """A hint for a misspelt word: its likely meaning, or what there is to choose from."""
    likely = near(word, choices)
    if likely:
        return f"did you mean '{likely}'?"
    return f"choose from: {', '.join(choices)}" if choices else None


def _translate(raw: Mapping[str, Any], model: type[BaseModel], data: Any) -> FieldError:
    kind, value, context = raw["type"], raw.get("input"), raw.get("ctx", {})
    loc = _place(raw["loc"], data)
    name = str(loc[-1]) if loc else "the document"
    if kind == "missing":
        return FieldError(loc, "missing", f"{name} is required")
    if kind == "extra_forbidden":
        hint = did_you_mean(name, _keys_at(model, loc[:-1]))
        return FieldError(loc, "unknown_key", f"there is no key '{name}' here", value=name, hint=hint)
    if kind in ("literal_error", "enum"):
        choices = [part.strip(" '") for part in str(context["expected"]).replace(" or ", ", ").split(",")]
        hint = did_you_mean(str(value), choices)
        return FieldError(
            loc, "not_one_of", f"'{value}' is not one of {', '.join(choices)}", value, choices, hint
        )
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        bound = _UNITS.get(name, str)(context[key])
        written = _written(data, loc, value)
        return FieldError(loc, "out_of_range", f"{written} is out of range: {words} {bound}", written, bound)
    if kind == "string_pattern_mismatch":
        rule = RULES.get(context["pattern"], "it does not have the right form")
        return FieldError(loc, "bad_form", f"'{value}': {rule}", value, context["pattern"])
    if kind in ("string_too_short", "too_short"):
        return FieldError(loc, "too_short", f"{name} must not be empty", value, context.get("min_length"))
    if kind in ("string_too_long", "too_long"):
        bound = context.get("max_length")
        return FieldError(loc, "too_long", f"{name} is too long: at most {bound}", None, bound)
    if kind == "value_error":
        return FieldError(loc, "bad_value", str(context["error"]), value)
    if kind in _TYPES:
        hint = f'write it in quotes: "{value}"' if kind == "string_type" and _scalar(value) else None
        return FieldError(loc, "wrong_type", f"{_shown(value)} is not {_TYPES[kind]}", value, hint=hint)
    return FieldError(loc, "bad_value", str(raw["msg"]), value)


def _place(loc: Loc, data: Any) -> Loc:
    """Pydantic adds union branches and `[key]` marks to its places; keep what exists in the data."""
    place: list[str | int] = []
    for part in loc:
        if part == "[key]":
            continue
        inside = isinstance(data, Mapping) and part in data
        within = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if inside or within:
            data = data[part]
            place.append(part)
        elif isinstance(data, Mapping) and not _is_branch(part):
            place.append(part)
            data = None
    return tuple(place)


def _written(data: Any, loc: Loc, value: Any) -> Any:
    """The value as the person wrote it, before it was understood."""
    for part in loc:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return value
    return data


def _is_branch(part: str | int) -> bool:
    return isinstance(part, str) and any(mark in part for mark in ("[", "(", "constrained", "literal"))


def _keys_at(model: type[BaseModel], loc: Loc) -> list[str]:
    """The keys that the model allows at a place."""
    here: type[BaseModel] | None = model
    for part in loc:
        if isinstance(part, int) or here is None:
            continue
        field = here.model_fields.get(part)
        here = model_in(field.annotation) if field else None
    return [field.alias or name for name, field in here.model_fields.items()] if here else []


def model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for arg in get_args(annotation) if (found := model_in(arg))), None)


def _without_echoes(errors: tuple[FieldError, ...]) -> tuple[FieldError, ...]:
    """A misspelt key also makes the right one missing: say it once."""
    meant = {
        (*error.loc[:-1], error.hint.split("'")[1])
        for error in errors
        if error.code == "unknown_key" and error.hint and error.hint.startswith("did you mean")
    }
    return tuple(error for error in errors if not (error.code == "missing" and error.loc in meant))


def _scalar(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing (null)"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}'" if isinstance(value, str) else text
