"""The rules: kept in memory; changes check the caller's permissions, the values, and what depends on the rule."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast

from danlu.control.rules.checks import KEPT, Book, mistakes, more_than_there_is, obstacles, strange_models
from danlu.control.rules.cluster_checks import strange_cluster
from danlu.control.rules.node_checks import bygone, cordoning, strange_nodes
from danlu.domain.audit import ITSELF, Entry
from danlu.domain.errors import Conflict, FieldError, Invalid, NameTaken, NotAllowed, NotFound
from danlu.domain.job import Job
from danlu.domain.members import MemberRole, Membership
from danlu.domain.node import Node
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import (
    BUILT_IN,
    EACH,
    GPUS,
    KINDS,
    Flavor,
    Group,
    KubernetesCluster,
    Limit,
    Maintenance,
    NodeRule,
    Pool,
    PriorityClass,
    Project,
    Quota,
    Rule,
)
from danlu.domain.terms import no_such, thing
from danlu.domain.words import Words, joined, listed, say
from danlu.files.mistakes import guess, near
from danlu.ports.accounts import PeopleStore
from danlu.ports.clock import Clock
from danlu.ports.store import RuleStore

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
    Group: (P.GROUP_READ, P.GROUP_WRITE),
    Quota: (P.QUOTA_WRITE, P.QUOTA_WRITE),
    Maintenance: (P.NODE_READ, P.NODE_WRITE),
}
NO_RULES: Book = {}
_CREATORS_PART = frozenset({"description", "default_flavor", "default_image"})


class RulesAndPeople(RuleStore, PeopleStore, Protocol):
    """The parts of the store that are needed here."""


class Registry:
    """All rules. Any thread; reading takes no lock, and a returned mapping never changes.

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

    def groups(self) -> Mapping[str, Group]:
        return self._of(Group)

    def quotas(self) -> Mapping[str, Quota]:
        return self._of(Quota)

    def maintenance(self) -> Mapping[str, Maintenance]:
        return self._of(Maintenance)

    def gpu_models(self) -> list[str]:
        """The GPU models that nodes have, by name."""
        return sorted({node.gpu_model for node in self._inventory() if node.gpu_model})

    def _gpus_there(self) -> Mapping[str, int]:
        """How many GPUs all nodes have, by model and together, in thousandths; nothing where there are none."""
        there: Counter[str] = Counter()
        for node in self._inventory():
            if node.gpu_model:
                for key in (GPUS, node.gpu_model):
                    there[key] += 1000 * len(node.gpus)
        return there

    def changed(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change, in the thread that made it."""
        self._listeners.append(listener)

    def seed(self, projects: Iterable[str] = ()) -> None:
        """Write the built-in rules once, and create these projects, open to everybody, if they are missing."""

        def seeded(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rules = known or BUILT_IN
            there = {rule.name for rule in rules if isinstance(rule, Project)}
            return (*rules, *(Project(name, open=True) for name in projects if name not in there))

        self._write(seeded, Entry(ITSELF, "", ""))

    def reread(self) -> None:
        """Another process may have changed rules: read them again."""
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
        return _found(self._of(kind), kind.kind, name)

    def add(self, caller: Caller, rule: R) -> R:
        """A new rule; NameTaken if there is one of this kind and name, in whatever case. The creator of a project
        becomes its first member."""
        joining = None
        if isinstance(rule, Project):
            _may_create(caller, rule)
            rule = replace(rule, creator=caller.name)
            joining = Membership(
                rule.name, caller.name, MemberRole.CREATOR, self._clock.now(), by=caller.name
            )
        else:
            caller.require(_RIGHTS[type(rule)][1])

        def added(known: tuple[Rule, ...]) -> Iterable[Rule]:
            alike = {name.casefold(): name for name in _bound(known)[type(rule)]}
            taken = alike.get(rule.name.casefold())
            if taken is not None:
                raise NameTaken(
                    say(
                        "there is already a {kind} '{name}'; choose another name",
                        "已有名为“{name}”的{kind}，请换一个名称",
                        kind=thing(rule.kind),
                        name=taken,
                    )
                )
            return (*known, rule)

        return self._put(caller, rule, added, joining=joining)

    def check(self, caller: Caller, rule: Rule) -> None:
        """Invalid where adding a rule would be, for what is wrong with it; nothing is written."""
        caller.require(_RIGHTS[type(rule)][1])
        wrong = (*self._strangers(rule), *mistakes(rule, self._book()))
        if wrong:
            raise Invalid(wrong)

    def edit(self, caller: Caller, kind: type[R], name: str, changes: Mapping[str, Any]) -> R:
        """Change fields of a rule; those not named stay."""
        if kind is not Project:
            caller.require(_RIGHTS[kind][1])

        def edited(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rule = _found(_bound(known)[kind], kind.kind, name)
            if isinstance(rule, Project):
                _may_edit(caller, rule, changes)
            return _with(known, replace(rule, **changes))

        # Checked twice: the second time under the lock.
        newer = replace(_found(self._of(kind), kind.kind, name), **changes)
        return self._put(caller, newer, edited)

    def put_all(
        self,
        caller: Caller,
        kind: type[R],
        change: Callable[[Mapping[str, R]], Iterable[R]],
        *,
        act: str = "",
        reason: str = "",
    ) -> tuple[R, ...]:
        """Write what `change` makes of the rules of a kind: each is new or replaces the one of its name. All of them,
        or none and Invalid with every error. The audit log records `act`, if given, and why."""
        caller.require(_RIGHTS[kind][1])
        # Checked twice: the second time under the lock.
        strangers = [wrong for rule in change(self._of(kind)) for wrong in self._strangers(rule)]
        put: list[R] = []

        def changed(known: tuple[Rule, ...]) -> Iterable[Rule]:
            put[:] = change(cast(Mapping[str, R], _bound(known)[kind]))
            newer = {rule.name: rule for rule in put}
            kept = [rule for rule in known if not (isinstance(rule, kind) and rule.name in newer)]
            book = _bound([*kept, *newer.values()])
            wrong = (*strangers, *(error for rule in put for error in mistakes(rule, book)))
            if wrong:
                raise Invalid(wrong)
            return (*kept, *newer.values())

        self._write(changed, caller.entry(act, "", reason=reason))
        return tuple(put)

    def remove(self, caller: Caller, kind: type[Rule], name: str, *, force: bool = False) -> None:
        """Remove a rule; Conflict names what still uses it, unless forced."""
        caller.require(_RIGHTS[kind][1])
        active = {job.id: job for job in self._active()}.values()

        def removed(known: tuple[Rule, ...]) -> Iterable[Rule]:
            book = _bound(known)
            rule = _found(book[kind], kind.kind, name)
            if (rule.kind, name) in KEPT:
                raise Conflict(
                    say(
                        "{kind} {name} is built in; it can be changed, but not removed",
                        "{kind} {name} 始终存在，只能修改，不能删除",
                        kind=thing(kind.kind),
                        name=name,
                    )
                )
            if not force and (users := list(obstacles(rule, book, active))):
                raise Conflict(
                    say(
                        "{kind} {name} is used by {users}: change or end those first",
                        "{kind} {name} 正在使用中：{users}；请先修改或结束它们",
                        kind=thing(kind.kind),
                        name=name,
                        users=joined(users),
                    )
                )
            return [other for other in known if other is not rule]

        self._write(removed, caller.entry("", ""))

    def edit_node(
        self,
        caller: Caller,
        name: str,
        *,
        pool: str | None = None,
        cordoned: bool | None = None,
        labels: Mapping[str, str | None] | None = None,
    ) -> NodeRule:
        """Change the rule of a node; what is left out stays, and a label set to None is removed."""
        caller.require(P.NODE_WRITE)
        node = _found({node.name: node for node in self._inventory()}, "node", name)
        said = labels or {}
        given = self.node_rules().get(name, NodeRule(name)).labels
        fixed = [key for key, value in said.items() if value is None and key in {*node.labels} - {*given}]
        wrong = tuple(
            FieldError(
                ("labels", key),
                "not_removable",
                say(
                    "node {name} itself reports the label '{key}', so it cannot be removed",
                    "{name} 自身上报了标签“{key}”",
                    name=name,
                    key=key,
                ),
                key,
                hint=Words("give it another value instead", "可以改为给它设置其他值"),
            )
            for key in fixed
        )

        def ruled(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rule = cast(NodeRule, _bound(known)[NodeRule].get(name, NodeRule(name)))
            kept = {key: value for key, value in {**rule.labels, **said}.items() if value is not None}
            newer = replace(rule, pool=rule.pool if pool is None else pool, labels=kept)
            return _with(known, newer if cordoned is None else cordoning(newer, cordoned))

        return self._put(caller, NodeRule(name, pool), ruled, wrong)

    def edit_nodes(
        self, caller: Caller, names: Collection[str], change: Callable[[NodeRule], NodeRule]
    ) -> None:
        """Change the rules of several nodes: all of them, or none if there is any error."""
        caller.require(P.NODE_WRITE)
        there = [node.name for node in self._inventory()]
        wrong = tuple(strange_nodes(names, there))

        def ruled(known: tuple[Rule, ...]) -> Iterable[Rule]:
            before = _bound(known)[NodeRule]
            newer = {name: change(cast(NodeRule, before.get(name, NodeRule(name)))) for name in names}
            others = [rule for rule in known if rule.kind != NodeRule.kind or rule.name not in newer]
            book = _bound((*others, *newer.values()))
            mistaken = {error: None for rule in newer.values() for error in mistakes(rule, book)}
            if wrong or mistaken:
                raise Invalid((*wrong, *mistaken))
            return (*others, *newer.values())

        self._write(ruled, caller.entry("", ""))

    def put_aside(self, name: str, note: str) -> None:
        """Cordon a node on Danlu's own decision, with the reason. A node that is already cordoned is left as it is."""

        def ruled(known: tuple[Rule, ...]) -> Iterable[Rule]:
            rule = cast(NodeRule, _bound(known)[NodeRule].get(name, NodeRule(name)))
            return (
                known
                if rule.cordoned
                else _with(known, replace(rule, cordoned=True, note=note, put_aside=True))
            )

        self._write(ruled, Entry(ITSELF, "", "", reason=note))

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
        joining: Membership | None = None,
    ) -> R:
        """Write a rule, or raise Invalid with every error."""
        strangers = tuple(self._strangers(rule))

        def checked(known: tuple[Rule, ...]) -> Iterable[Rule]:
            after = tuple(change(known))
            book = _bound(after)
            wrong = (*earlier, *strangers, *mistakes(book[type(rule)][rule.name], book))
            if wrong:
                raise Invalid(wrong)
            return after

        return cast(R, self._write(checked, caller.entry("", ""), joining)[type(rule)][rule.name])

    def _strangers(self, rule: Rule) -> Iterable[FieldError]:
        """People and nodes are not rules: whether they exist is checked before the write transaction."""
        if isinstance(rule, Project):
            yield from strange_models(rule, self.gpu_models())
            before = self._of(Project).get(rule.name)
            kept = before.guarantee if before else {}
            yield from more_than_there_is(rule.guarantee, kept, self._gpus_there())
            if before is None or before.node_selector != rule.node_selector:
                yield from strange_cluster(rule.node_selector, self.clusters(), self._inventory())
        if isinstance(rule, Maintenance):
            named = self._of(Maintenance).get(rule.name, rule)
            there = [node.name for node in self._inventory()]
            known = () if named is rule else named.nodes  # what existed before may be gone by now
            yield from strange_nodes(rule.nodes, (*there, *known))
            yield from bygone(rule, self._clock.now())
        name = rule.user if isinstance(rule, Limit) else None
        if name not in (None, EACH) and self._store.user(str(name)) is None:
            yield FieldError(("user",), "no_such_user", no_such("user", name), name)

    def _write(
        self,
        change: Callable[[tuple[Rule, ...]], Iterable[Rule]],
        by: Entry,
        joining: Membership | None = None,
    ) -> Book:
        with self._lock:
            # The lock also prevents an older read from replacing newer rules in memory.
            written = self._store.edit_rules(change, self._clock.now(), by=by, joining=joining)
            book = _bound(written, self._kept or {})
            self._kept = book
        self._tell()
        return book

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def _bound(rules: Iterable[Rule], before: Book = NO_RULES) -> Book:
    """Rules by kind and name; an unchanged kind stays the same object, so that others can see that nothing changed."""
    book: dict[type[Rule], dict[str, Rule]] = {kind: {} for kind in KINDS.values()}
    for rule in rules:
        book[type(rule)][rule.name] = rule
    return {
        kind: before[kind] if before.get(kind) == named else MappingProxyType(named)
        for kind, named in book.items()
    }


def _with(known: tuple[Rule, ...], newer: Rule) -> tuple[Rule, ...]:
    key = (newer.kind, newer.name)
    return (*(rule for rule in known if (rule.kind, rule.name) != key), newer)


def _found(named: Mapping[str, T], what: str, name: str) -> T:
    if name not in named:
        likely = near(name, list(named))
        raise NotFound(joined((no_such(what, name), *([guess(likely)] if likely else []))))
    return named[name]


def _may_create(caller: Caller, project: Project) -> None:
    """Everybody who runs jobs may create a project; it gives them no advantage, since it has no weight."""
    if caller.may(P.PROJECT_WRITE):
        return
    caller.require(P.PROJECT_CREATE)
    plain = Project(project.name, creator=project.creator)
    _only_own(
        caller, [one.name for one in fields(plain) if getattr(project, one.name) != getattr(plain, one.name)]
    )


def _may_edit(caller: Caller, project: Project, changes: Mapping[str, Any]) -> None:
    if caller.may(P.PROJECT_WRITE):
        return
    caller.require(P.PROJECT_CREATE)
    if caller.projects.get(project.name) is not MemberRole.CREATOR:
        raise NotAllowed(
            say(
                "{name} does not have the permission {permission} and is not a creator of project {project}",
                "{name} 没有权限 {permission}，也不是 {project} 的创建者",
                permission=P.PROJECT_WRITE,
                name=caller.name,
                project=project.name,
            )
        )
    _only_own(caller, list(changes))


def _only_own(caller: Caller, keys: Iterable[str]) -> None:
    """NotAllowed for fields of a project that only administrators set."""
    beyond = [key for key in keys if key not in _CREATORS_PART]
    if beyond:
        raise NotAllowed(
            say(
                "{beyond}: only administrators can set this ({name} does not have the permission {permission})",
                "{beyond}：由管理员设置（{name} 没有权限 {permission}）",
                beyond=listed(beyond),
                permission=P.PROJECT_WRITE,
                name=caller.name,
            )
        )
