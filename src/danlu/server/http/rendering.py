"""How an answer is rendered follows from its declaration; the function is written and compiled at its first use.

class Token(Answer, of=people.Token):            what it is made of; its annotations say how each key is
    name: str                                    one.name
    scopes: list[str]                            list(one.scopes); answers in lists are rendered each
    role: UserRole                               one.role.value
    created_at: Moment                           instant(one.created_at); what may be None stays null
    cpus: Annotated[Count, At("cpu_milli")]      plain_number(one.cpu_milli); a path may have dots
    sign_in: Annotated[str, By(means)]           means(one), as the annotation says; finished JSON as it is
    secret: Annotated[str, GIVEN]                said by whoever renders: Token.render(one, secret=…)

With `base="user"`, keys inherited from another answer are read from `one.user`. Where all is more than this, the
answer has a `render` of its own.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

Json = dict[str, Any]
Render = Callable[..., Json]


@dataclass(frozen=True, slots=True)
class Via:
    """Converted from the value by this function."""

    make: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class At:
    """Read from another attribute, or from a nested one."""

    path: str


@dataclass(frozen=True, slots=True)
class By:
    """Computed by this function from the whole object."""

    tell: Callable[[Any], Any]


class GivenMarker(Enum):
    GIVEN = "given"


GIVEN = GivenMarker.GIVEN
"""Not an attribute of the object: the caller of `render` passes it."""


class Rendered:
    """A placeholder for `render` until its first use."""

    def __get__(self, _: None, answer: type[Any]) -> Render:
        made = Writing(answer).compiled()
        answer.render = staticmethod(made)
        return made


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where a key comes from: the path of attributes, and how the value is written."""

    path: tuple[str, ...]
    key: str
    hint: Any


class Writing:
    """Writes the function of one answer. Wrong declarations raise TypeError; a test compiles all of them."""

    def __init__(self, answer: type[Any]) -> None:
        if answer.made_of is None:
            raise TypeError(f"{answer.__name__} does not say what it is made of")
        self._answer, self._of = answer, answer.made_of
        self._names: dict[str, Any] = {}
        self._given: list[str] = []

    def compiled(self) -> Render:
        code = self.source()
        exec(compile(code, f"<{self._answer.__name__}.render>", "exec"), self._names)
        made: Render = self._names["render"]
        return made

    def source(self) -> str:
        keys = [f"        {place.key!r}: {self._value(place)}," for place in _places(self._answer).values()]
        given = f", *, {', '.join(self._given)}" if self._given else ""
        return "\n".join([f"def render(one{given}):", "    return {", *keys, "    }"])

    def _value(self, place: KeySource) -> str:
        hint, marks = _unwrapped(place.hint)
        parent = ".".join(("one", *place.path[:-1]))
        for mark in marks:
            if mark is GIVEN:
                self._given.append(place.path[-1])
                return place.path[-1]
            if isinstance(mark, By):
                return self._converted(hint, _told_by(mark.tell), f"{self._named(mark.tell)}({parent})")
        path = place.path
        for mark in marks:
            if isinstance(mark, At):
                path = (*path[:-1], *mark.path.split("."))
        source: Any = self._of
        for name in path:
            source = _hint_of(source, name)
        return self._converted(place.hint, source, ".".join(("one", *path)))

    def _converted(self, hint: Any, source: Any, value: str) -> str:
        hint, marks = _unwrapped(hint)
        made = next((mark.make for mark in marks if isinstance(mark, Via)), None)
        kinds = [kind for kind in _kinds(hint) if kind is not NoneType]
        if len(kinds) < len(_kinds(hint)):
            return self._unless_none(kinds, made, source, value)
        if made is not None:
            return f"{self._named(made)}({value})"
        if len(kinds) > 1:
            return value
        return self._single(hint, source, value)

    def _unless_none(self, kinds: list[Any], made: Any, source: Any, value: str) -> str:
        if made is None and len(kinds) > 1:
            return value
        held = self._new("v")
        hint = Annotated[kinds[0], Via(made)] if made else kinds[0]
        shown = self._converted(hint, _without_none(source), held)
        return value if shown == held else f"None if ({held} := {value}) is None else {shown}"

    def _single(self, hint: Any, source: Any, value: str) -> str:
        origin = get_origin(hint)
        if origin is list:
            return self._each(get_args(hint)[0], source, value)
        if origin is dict:
            return value if get_args(hint)[1] is Any else f"dict({value})"
        if isinstance(hint, type) and hasattr(hint, "made_of"):
            return self._answered(hint, source, value)
        return f"{value}.value" if isinstance(source, type) and issubclass(source, Enum) else value

    def _answered(self, kind: Any, source: Any, value: str) -> str:
        if get_origin(source) is dict:
            return value  # rendered already
        if isinstance(source, type) and kind.made_of and not issubclass(source, kind.made_of):
            raise TypeError(f"{self._answer.__name__}: a {kind.__name__} is not made of {source.__name__}")
        return f"{self._named(kind.render)}({value})"

    def _each(self, hint: Any, source: Any, value: str) -> str:
        several = get_args(source)
        item = self._new("x")
        shown = self._converted(hint, several[0] if several else Any, item)
        if shown != item:
            return f"[{shown} for {item} in {value}]"
        return value if get_origin(source) is list else f"list({value})"

    def _named(self, thing: Any) -> str:
        for name, known in self._names.items():
            if known is thing:
                return name
        name = self._new("f")
        self._names[name] = thing
        return name

    def _new(self, letter: str) -> str:
        name = f"{letter}{len(self._names)}"
        self._names[name] = None
        return name


def _places(answer: type[Any]) -> Mapping[str, KeySource]:
    """The keys in their order; inherited keys are read from `base`."""
    above = next((kind for kind in answer.__bases__ if getattr(kind, "model_fields", None)), None)
    base = vars(answer).get("base", "")
    prefix = tuple(base.split(".")) if base else ()
    found = {
        name: KeySource((*prefix, *place.path), place.key, place.hint)
        for name, place in (_places(above) if above else {}).items()
    }
    hints = get_type_hints(answer, include_extras=True)
    for name, field in answer.model_fields.items():
        if name not in found or name in inspect.get_annotations(answer):
            found[name] = KeySource((name,), field.alias or name, hints[name])
    return found


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(hint) is not Annotated:
        return hint, ()
    inner, *marks = get_args(hint)
    return inner, tuple(marks)


def _kinds(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _without_none(hint: Any) -> Any:
    kinds = [kind for kind in _kinds(hint) if kind is not NoneType]
    return kinds[0] if len(kinds) == 1 else Any


def _hint_of(kind: Any, name: str) -> Any:
    """The declared type of one attribute. One at a time, because not all annotations of a class can be resolved at
    runtime."""
    if not isinstance(kind, type):
        return Any
    for owner, hint in _declared(kind, name):
        return _looked_up(hint, owner.__module__)
    raise TypeError(f"{kind.__name__} has no {name}")


def _told_by(tell: Callable[[Any], Any]) -> Any:
    return _looked_up(getattr(tell, "__annotations__", {}).get("return", Any), tell.__module__)


def _looked_up(hint: Any, module: str) -> Any:
    return eval(hint, vars(sys.modules[module])) if isinstance(hint, str) else hint


def _declared(kind: type[Any], name: str) -> Iterator[tuple[type[Any], Any]]:
    for owner in kind.__mro__:
        if name in (hints := inspect.get_annotations(owner)):
            yield owner, hints[name]
        elif isinstance(told := owner.__dict__.get(name), property) and told.fget:
            yield owner, told.fget.__annotations__.get("return", Any)
