"""The page of the frameworks, written from what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from danlu.domain.job import USUAL_REMEDIES, Remedy, Trouble
from danlu.domain.quantity import show_time
from danlu.frameworks.base import Framework, RoleShape, Strategy
from danlu.frameworks.catalog import frameworks
from danlu.frameworks.sample import variables

INTRO = """# Frameworks

What `framework` and `strategy` of a job file mean; [the guide](../guides/training.md) says which to choose.
`danlu framework show NAME` shows the same for a running Danlu, including what plugins add.

"""
POLICIES = """## Default policies

What happens on failures unless the job file says otherwise; each value under `on`, `restarts` and `hang_after` replaces
its default.

| framework | strategy | on | restarts | hang_after |
|---|---|---|---|---|"""


def render() -> str:
    return "\n".join(
        [
            INTRO + POLICIES,
            *_policies(),
            "",
            *(line for one in frameworks().values() for line in _framework(one)),
        ]
    )


def _policies() -> Iterator[str]:
    for one in frameworks().values():
        for chosen in one.strategies:
            hung = show_time(chosen.hang_after) if chosen.hang_after else "never"
            yield f"| `{one.name}` | {_named(chosen)} | {_remedies(chosen.on)} | {chosen.restarts} | {hung} |"
    yield f"\nEverything else: {_remedies(USUAL_REMEDIES)}."


def _framework(one: Framework) -> Iterator[str]:
    yield f"## {one.label.en}\n\n`framework: {one.name}`. {one.about.en}\n"
    for chosen in one.strategies:
        if chosen.name:
            yield f"### `{one.name}`, {_named(chosen)}\n"
        yield f"{chosen.about.en}\n"
        yield "| role | tasks | usual | GPUs | ends | what it does |\n|---|---|---|---|---|---|"
        yield from map(_role, chosen.roles)
        names = ", ".join(f"`{name}`" for name in variables(one, chosen))
        yield f"\nEach task gets {names}.\n" if names else ""


def _role(one: RoleShape) -> str:
    most = "as many as workers" if one.one_for else one.most
    tasks = (
        f"{one.least} or more"
        if most is None
        else f"{most}"
        if most == one.least
        else f"{one.least} to {most}"
    )
    ends = "with the others" if one.serves else "by itself"
    return f"| `{one.name}` | {tasks} | {one.usual.en} | {'yes' if one.gpus else 'no'} | {ends} | {one.about.en} |"


def _named(chosen: Strategy) -> str:
    return f"`{chosen.name}`" if chosen.name else ""


def _remedies(on: Mapping[Trouble, Remedy]) -> str:
    return ", ".join(f"{trouble}: {remedy}" for trouble, remedy in on.items())
