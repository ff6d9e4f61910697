"""Looking at a place outside step by step, up to the first that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from danlu.data.outside import NetworkGuard
from danlu.domain.errors import DanluError
from danlu.domain.findings import Finding, Level
from danlu.domain.words import Words

T = TypeVar("T")


class Failed(Exception):
    """A step that failed: none comes after it."""

    def __init__(self, step: str, error: DanluError) -> None:
        super().__init__(step)
        self.finding = Finding(step, Level.MISSING, error.text)


def verdict(steps: Iterator[Finding]) -> tuple[Finding, ...]:
    found = []
    try:
        for one in steps:
            found.append(one)
    except Failed as failed:
        found.append(failed.finding)
    return tuple(found)


def tried(step: str, act: Callable[[], T]) -> T:
    try:
        return act()
    except DanluError as error:
        raise Failed(step, error) from None


def fine(step: str, text: Words) -> Finding:
    return Finding(step, Level.OK, text)


def name_step(guard: NetworkGuard, host: str, port: int) -> Finding:
    found = tried("name", lambda: guard.addresses(host, port))
    return fine("name", _NAME.fill(host=host, addresses=", ".join(found)))


def route_step(host: str, port: int) -> Finding:
    return fine("route", _ROUTE.fill(host=host, port=port))


_NAME = Words("{host} leads to {addresses}", "{host} 解析为 {addresses}")
_ROUTE = Words("{host}:{port} answers", "{host}:{port} 可以连接")
