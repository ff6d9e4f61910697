"""Pydantic's errors in our words: every error with its place, value, limit and likely meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from danlu.domain.errors import MOST_TOLD, FieldError, told
from danlu.domain.quantity import show_milli, show_size, show_time
from danlu.domain.words import BadValue, Guess, Words, listed, same, say
from danlu.files.forms import RULES

Loc = tuple[str | int, ...]

MOST_HINTED = 10
"""So many mistakes get a hint: to find what was meant takes long, and nobody reads more."""
_LONGEST_MISSPELT = 100
_MOST_COMPARED = 1_000
_WHOLE = Words("a whole number", "整数")
_SWITCH = Words("true or false", "布尔值（true 或 false）")
_MAPPING = Words("a mapping (key: value)", "映射（键: 值）")
_TYPES = {
    "string_type": Words("text", "文本"),
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "bool_type": _SWITCH,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "list_type": Words("a list", "列表"),
    "float_type": Words("a number", "数字"),
    "int_parsing": _WHOLE,
    "bool_parsing": _SWITCH,
}
_BOUNDS = {
    "greater_than_equal": (
        "ge",
        Words("{value} is out of range: at least {bound}", "{value} 超出范围：至少为 {bound}"),
    ),
    "less_than_equal": (
        "le",
        Words("{value} is out of range: at most {bound}", "{value} 超出范围：最多为 {bound}"),
    ),
    "greater_than": (
        "gt",
        Words("{value} is out of range: more than {bound}", "{value} 超出范围：须大于 {bound}"),
    ),
    "less_than": (
        "lt",
        Words("{value} is out of range: less than {bound}", "{value} 超出范围：须小于 {bound}"),
    ),
}
_DOCUMENT = Words("the document", "文件")
_ANY_FORM = Words("it is not in the expected format", "格式不正确")
_UNITS: Mapping[str, Callable[[int], str]] = {
    "cpus": show_milli,
    "gpus": show_milli,
    "memory": show_size,
    "gpu_memory": show_size,
    "shm": show_size,
    "grace": show_time,
    "expected_time": show_time,
    "hang_after": show_time,
    "first": show_time,
    "most": show_time,
    "max_time": show_time,
}

_SECRETS = frozenset({("kubeconfig",), ("login",), ("key",), ("secret",)})
"""Secret fields: their values are never repeated, not even in errors."""
_HIDDEN = Words(
    "this is not of the form that is expected here; what was sent is not repeated",
    "填写的内容格式不正确（此处不重复显示）",
)


def field_errors(error: ValidationError, model: type[BaseModel], data: Any) -> tuple[FieldError, ...]:
    """The errors of one validation, in reading order, each at the place where the person wrote it; the first ones, and
    how many more there are: whoever sends thousands must not keep us busy with them."""
    found: dict[tuple[Loc, bool], FieldError] = {}
    beyond: set[tuple[Loc, bool]] = set()
    for raw in error.errors(include_url=False):
        place = (_place(raw["loc"], data), raw["loc"][-1:] == ("[key]",))
        if place not in found and len(found) == MOST_TOLD:
            beyond.add(place)
            continue
        mistake = _translate(raw, model, data, hinted=len(found) < MOST_HINTED)
        if mistake.loc[:1] in _SECRETS:
            repeats = mistake.value is not None and str(mistake.value) in mistake.text.en
            text = _HIDDEN if repeats else Words(mistake.text.en, mistake.text.zh)
            mistake = replace(mistake, text=text, value=None)
        # With a union each branch reports an error: prefer the one whose form was probably meant.
        if place not in found or found[place].code == "wrong_type" != mistake.code:
            found[place] = mistake
    return told(_without_echoes(tuple(found.values())), len(beyond))


def near(word: str, choices: Sequence[str]) -> str | None:
    """The likely meaning of a misspelt word."""
    if len(word) > _LONGEST_MISSPELT:
        return None
    folded = {choice.lower(): choice for choice in choices[:_MOST_COMPARED]}
    match = get_close_matches(word.lower(), list(folded), n=1, cutoff=0.6)
    return folded[match[0]] if match else None


def did_you_mean(word: str, choices: Sequence[str]) -> Words | None:
    """A hint for a misspelt word: its likely meaning, or the choices."""
    likely = near(word, choices)
    if likely:
        return guess(likely)
    return say("choose from: {choices}", "可选：{choices}", choices=listed(choices)) if choices else None


def guess(word: str) -> Guess:
    return Guess(f"did you mean '{word}'?", f"你是想写“{word}”吗？", meant=word)


def not_one_of(loc: Loc, value: Any, choices: Sequence[str], *, hinted: bool = True) -> FieldError:
    text = say(
        "'{value}' is not one of {choices}",
        "“{value}”不在可选范围内：{choices}",
        value=value,
        choices=listed(choices),
    )
    hint = did_you_mean(str(value), choices) if hinted else None
    return FieldError(loc, "not_one_of", text, value, list(choices), hint)


def _translate(raw: Mapping[str, Any], model: type[BaseModel], data: Any, *, hinted: bool) -> FieldError:
    kind, value, context = raw["type"], raw.get("input"), raw.get("ctx", {})
    loc = _place(raw["loc"], data)
    name = str(loc[-1]) if loc else "the document"
    what = same(name) if loc else _DOCUMENT
    if kind == "missing":
        return FieldError(loc, "missing", say("{name} is required", "{name} 为必填项", name=what))
    if kind == "extra_forbidden":
        hint = did_you_mean(name, _keys_at(model, loc[:-1])) if hinted else None
        text = say("there is no key '{name}' here", "此处没有名为“{name}”的键", name=name)
        return FieldError(loc, "unknown_key", text, value=name, hint=hint)
    if kind in ("literal_error", "enum"):
        choices = [part.strip(" '") for part in str(context["expected"]).replace(" or ", ", ").split(",")]
        return not_one_of(loc, value, choices, hinted=hinted)
    if kind in _BOUNDS:
        key, text = _BOUNDS[kind]
        bound = _UNITS.get(name, str)(context[key])
        written = _written(data, loc, value)
        return FieldError(loc, "out_of_range", text.fill(value=written, bound=bound), written, bound)
    if kind == "string_pattern_mismatch":
        rule = RULES.get(context["pattern"], _ANY_FORM)
        text = say("'{value}': {rule}", "“{value}”：{rule}", value=value, rule=rule)
        return FieldError(loc, "bad_form", text, value, context["pattern"])
    if kind in ("string_too_short", "too_short"):
        text = say("{name} must not be empty", "{name} 不能为空", name=what)
        return FieldError(loc, "too_short", text, value, context.get("min_length"))
    if kind in ("string_too_long", "too_long"):
        bound = context.get("max_length")
        text = say(
            "{name} is too long: at most {bound}", "{name} 过长：最多为 {bound}", name=what, bound=bound
        )
        return FieldError(loc, "too_long", text, None, bound)
    if kind == "value_error":
        why = context["error"]
        if not isinstance(why, BadValue):
            return FieldError(loc, "bad_value", same(str(why)), value)
        return FieldError(loc, "bad_value", why.text, value, hint=guess(why.meant) if why.meant else None)
    if kind in _TYPES:
        quoted = kind == "string_type" and _scalar(value)
        hint = say('write it in quotes: "{value}"', '请加上引号："{value}"', value=value) if quoted else None
        text = say("{value} is not {type}", "{value} 不是{type}", value=_shown(value), type=_TYPES[kind])
        return FieldError(loc, "wrong_type", text, value, hint=hint)
    return FieldError(loc, "bad_value", same(str(raw["msg"])), value)


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
    """A misspelt key also makes the right one missing: report it once."""
    meant = {
        (*error.loc[:-1], error.suggestion)
        for error in errors
        if error.code == "unknown_key" and error.suggestion
    }
    return tuple(error for error in errors if not (error.code == "missing" and error.loc in meant))


def _scalar(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> Words:
    if isinstance(value, Mapping):
        return Words("a mapping", "映射")
    if isinstance(value, list):
        return Words("a list", "列表")
    if value is None:
        return Words("nothing (null)", "空值（null）")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Words(f"'{text}'", f"“{text}”") if isinstance(value, str) else same(text)
