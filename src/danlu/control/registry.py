"""The rules: kept in memory, changed by verbs that check who asks, what for, and what depends on it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast

from danlu.control.rule_checks import KEPT, Book, mistakes, noun, obstacles, strange_models
from danlu.domain.errors import Conflict, FieldError, Invalid, NameTaken, NotAllowed, NotFound
from danlu.domain.job import Job
from danlu.domain.node import Node
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import (
    BUILT_IN,
    EACH,
    KINDS,
    Flavor,
    KubernetesCluster,
    Limit,
    NodeRule,
    Pool,
    PriorityClass,
    Project,
    Rule,
)
from danlu.ports.clock import Clock
from danlu.ports.store import PeopleStore, RuleStore
from danlu.wire.mistakes import near

P = Permission
R = TypeVar("R", bound=Rule)
T = TypeVar("T")

_RIGHTS: Mapping[type[Rule], tuple[Permission, Permission]] = {
    Project: (P.PROJECT_READ, P.PROJECT_WRITE),
    PriorityClass: (P.PRIORITY_READ, P.PRIORITY_WRITE),
    Pool: (P.POOL_READ, P.POOL_WRITE),
    Flavor: (P.FLAVOR_READ, P.FLAVOR_WRITE),
    Limit: (P.LIMIT_READ, P.LIMIT_WRITE),
    NodeRule: (P.NODE_READ, P.NODE_WRITE),
    KubernetesCluster: (P.CLUSTER_READ, P.CLUSTER_WRITE),
}
NO_RULES: Book = {}
_ITSELF = "danlu"
"""Who acts when nobody asked."""


class RulesAndPeople(RuleStore, PeopleStore, Protocol):
    """What of the store is needed here."""


class Registry:
    """All rules. Any thread; reading takes no lock, and a mapping handed out never changes.

    `active` are the jobs that a rule must not be taken away from, `inventory` the nodes as engines report them."""

    def __init__(
        self,
        store: RulesAndPeople,
        clock: Clock,
        active: Callable[[], Iterable[Job]] = tuple,
        inventory: Callable[[], Sequence[Node]] = tuple,
    ) -> None:
        self._store, self._clock = store, clock
        self._active, self._inventory = active, inventory
        self._lock = threading.Lock()
        self._kept: Book | None = None
        self._listeners: list[Callable[[], None]] = []

    # ── what the rules are ───────────────────────────────────────────────────────────────────────────

    def projects(self) -> Mapping[str, Project]:
        return self._of(Project)

    def priorities(self) -> Mapping[str, PriorityClass]:
        return self._of(PriorityClass)

    def pools(self) -> Mapping[str, Pool]:
        return self._of(Pool)

    def flavors(self) -> Mapping[str, Flavor]:
        return self._of(Flavor)

    def limits(self) -> Mapping[str, Limit]:
        return self._of(Limit)

    def node_rules(self) -> Mapping[str, NodeRule]:
        return self._of(NodeRule)

    def clusters(self) -> Mapping[str, KubernetesCluster]:
        return self._of(KubernetesCluster)

    def changed(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change, in the thread that made it."""
        self._listeners.append(listener)

    def seed(self, projects: Iterable[str] = ()) -> None:
        """Write what is there from the first start, once, and these projects wherever they are missing."""

        def seeded(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rules = known or BUILT_IN
            there = {rule.name for rule in rules if isinstance(rule, Project)}
            return (*rules, *(Project(name) for name in projects if name not in there))

        self._write(seeded, _ITSELF)

    def reread(self) -> None:
        """Somebody else may have changed rules: go by what is written."""
        with self._lock:
            before = self._kept
            book = self._kept = _bound(self._store.rules(), before or NO_RULES)
        if before is not None and any(book[kind] is not before.get(kind) for kind in book):
            self._tell()

    # ── the verbs ────────────────────────────────────────────────────────────────────────────────────

    def all(self, caller: Caller, kind: type[R]) -> tuple[R, ...]:
        caller.require(_RIGHTS[kind][0])
        return tuple(self._of(kind).values())

    def one(self, caller: Caller, kind: type[R], name: str) -> R:
        caller.require(_RIGHTS[kind][0])
        return _found(self._of(kind), noun(kind), name)

    def add(self, caller: Caller, rule: R) -> R:
        """A new rule; NameTaken when there is one of this kind and name."""
        if isinstance(rule, Project):
            _may_create(caller, rule)
            rule = replace(rule, creator=caller.name)
        else:
            caller.require(_RIGHTS[type(rule)][1])

        def added(known: tuple[Rule, ...]) -> Iterable[Rule]:
            if rule.name in _bound(known)[type(rule)]:
                raise NameTaken(f"there is a {noun(type(rule))} '{rule.name}' already; choose another name")
            return (*known, rule)

        return self._put(caller, rule, added)

    def edit(self, caller: Caller, kind: type[R], name: str, changes: Mapping[str, Any]) -> R:
        """Change fields of a rule; those not named stay."""
        if kind is not Project:
            caller.require(_RIGHTS[kind][1])

        def edited(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rule = _found(_bound(known)[kind], noun(kind), name)
            if isinstance(rule, Project):
                _may_edit(caller, rule, changes)
            return _with(known, replace(rule, **changes))

        # Looked at twice: the second time nobody comes between.
        newer = replace(_found(self._of(kind), noun(kind), name), **changes)
        return self._put(caller, newer, edited)

    def remove(self, caller: Caller, kind: type[Rule], name: str, *, force: bool = False) -> None:
        """Take a rule away; Conflict names what still uses it, unless by force."""
        caller.require(_RIGHTS[kind][1])
        active = {job.id: job for job in self._active()}.values()

        def removed(known: tuple[Rule, ...]) -> Iterable[Rule]:
            book = _bound(known)
            rule = _found(book[kind], noun(kind), name)
            if (rule.kind, name) in KEPT:
                raise Conflict(f"{noun(kind)} {name} is always there; it can be changed, not removed")
            if not force and (users := list(obstacles(rule, book, active))):
                raise Conflict(f"{noun(kind)} {name} is used by {'; '.join(users)}: change or end that first")
            return [other for other in known if other is not rule]

        self._write(removed, caller.name)

    def edit_node(
        self,
        caller: Caller,
        name: str,
        *,
        pool: str | None = None,
        cordoned: bool | None = None,
        labels: Mapping[str, str | None] | None = None,
    ) -> NodeRule:
        """What holds for a node from now on; what is left out stays, and a label that is None goes."""
        caller.require(P.NODE_WRITE)
        node = _found({node.name: node for node in self._inventory()}, "node", name)
        said = labels or {}
        fixed = [key for key, value in said.items() if value is None and key in node.labels]
        wrong = tuple(
            FieldError(
                ("labels", key), "not_removable", f"{name} itself reports the label '{key}'", key,
                hint="give it another value instead",
            )
            for key in fixed
        )  # fmt: skip

        def ruled(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rule = cast(NodeRule, _bound(known)[NodeRule].get(name, NodeRule(name)))
            kept = {key: value for key, value in {**rule.labels, **said}.items() if value is not None}
            newer = NodeRule(
                name,
                rule.pool if pool is None else pool,
                rule.cordoned if cordoned is None else cordoned,
                kept,
            )
            return _with(known, newer)

        return self._put(caller, NodeRule(name, pool), ruled, wrong)

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _of(self, kind: type[R]) -> Mapping[str, R]:
        return cast(Mapping[str, R], self._book()[kind])

    def _book(self) -> Book:
        if self._kept is None:
            with self._lock:
                if self._kept is None:
                    self._kept = _bound(self._store.rules())
        return self._kept

    def _put(
        self,
        caller: Caller,
        rule: R,
        change: Callable[[tuple[Rule, ...]], Iterable[Rule]],
        earlier: tuple[FieldError, ...] = (),
    ) -> R:
        """Write a rule unless something is wrong with it: then every mistake is told."""
        strangers = tuple(self._strangers(rule))

        def checked(known: tuple[Rule, ...]) -> Iterable[Rule]:
            after = tuple(change(known))
            book = _bound(after)
            wrong = (*earlier, *strangers, *mistakes(book[type(rule)][rule.name], book))
            if wrong:
                raise Invalid(wrong)
            return after

        return cast(R, self._write(checked, caller.name)[type(rule)][rule.name])

    def _strangers(self, rule: Rule) -> Iterable[FieldError]:
        """People and machines are no rules: whether they exist is asked before the store's one writer is at work."""
        if isinstance(rule, Project):
            models = sorted({node.gpu_model for node in self._inventory() if node.gpu_model})
            yield from strange_models(rule, models)
        name = rule.user if isinstance(rule, Limit) else None
        if name not in (None, EACH) and self._store.user(str(name)) is None:
            yield FieldError(("user",), "no_such_user", f"there is no user '{name}'", name)

    def _write(self, change: Callable[[tuple[Rule, ...]], Iterable[Rule]], actor: str) -> Book:
        with self._lock:
            # The lock also keeps what is in memory from being overtaken by an older reading.
            book = _bound(self._store.edit_rules(change, self._clock.now(), actor=actor), self._kept or {})
            self._kept = book
        self._tell()
        return book

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def _bound(rules: Iterable[Rule], before: Book = NO_RULES) -> Book:
    """By kind and name; a kind that is as before stays the same object, by which others know that nothing changed."""
    book: dict[type[Rule], dict[str, Rule]] = {kind: {} for kind in KINDS.values()}
    for rule in rules:
        book[type(rule)][rule.name] = rule
    return {
        kind: before[kind] if before.get(kind) == named else MappingProxyType(named)
        for kind, named in book.items()
    }


def _with(known: tuple[Rule, ...], newer: Rule) -> tuple[Rule, ...]:
    same = (newer.kind, newer.name)
    return (*(rule for rule in known if (rule.kind, rule.name) != same), newer)


def _found(named: Mapping[str, T], what: str, name: str) -> T:
    if name not in named:
        likely = near(name, list(named))
        hint = f"; did you mean '{likely}'?" if likely else ""
        raise NotFound(f"there is no {what} '{name}'{hint}")
    return named[name]


def _may_create(caller: Caller, project: Project) -> None:
    """Everybody who runs jobs may make a project; it gains them no turn, since it has no weight."""
    if caller.may(P.PROJECT_WRITE):
        return
    caller.require(P.PROJECT_CREATE)
    plain = Project(project.name, description=project.description, creator=project.creator)
    _only_words(caller, [key for key in _SETTABLE if getattr(project, key) != getattr(plain, key)])


def _may_edit(caller: Caller, project: Project, changes: Mapping[str, Any]) -> None:
    if caller.may(P.PROJECT_WRITE):
        return
    caller.require(P.PROJECT_CREATE)
    if project.creator != caller.name:
        raise NotAllowed(
            f"{P.PROJECT_WRITE} is not granted to {caller.name}, who did not create {project.name}"
        )
    _only_words(caller, [key for key in changes if key in _SETTABLE])


_SETTABLE = ("weight", "guarantee", "cap", "closed", "reclaimable", "node_selector", "priorities")


def _only_words(caller: Caller, keys: Sequence[str]) -> None:
    if keys:
        raise NotAllowed(
            f"{', '.join(keys)}: set by administrators ({P.PROJECT_WRITE} is not granted to {caller.name})"
        )
