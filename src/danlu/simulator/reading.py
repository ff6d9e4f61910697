"""From the state file to the state, reporting all errors at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from danlu.control.rules.checks import Book, mistakes
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Time
from danlu.domain.node import Foreign, Gpu, Node
from danlu.domain.rules import BUILT_IN, Flavor, Limit, Policy, Pool, PriorityClass, Project, Rule
from danlu.domain.score import Charge
from danlu.domain.terms import no_such
from danlu.domain.words import Words, say
from danlu.files.mistakes import Loc, did_you_mean, field_errors
from danlu.files.rulings import Ruling
from danlu.files.state_file import NodePart, StateFile
from danlu.scheduler import Rules
from danlu.simulator.jobs import JobReader
from danlu.simulator.state import State

ANY_GPU = "GPU"
NUMBER = "{}"
_KINDS: Mapping[str, type[Rule]] = {
    "pools": Pool,
    "projects": Project,
    "priorities": PriorityClass,
    "flavors": Flavor,
    "limits": Limit,
}


def read_state(data: Any) -> State:
    """Read a state file; Invalid names all its errors."""
    try:
        return StateReader(data, StateFile.model_validate(data), ()).state()
    except ValidationError as error:
        errors = field_errors(error, StateFile, data)
    rest = _rest(data, errors)
    if rest is None:
        raise Invalid(errors)
    return StateReader(data, rest, errors).state()


def _rest(data: Any, errors: tuple[FieldError, ...]) -> StateFile | None:
    """The file without its invalid parts: the rest may have errors of another kind."""
    if not isinstance(data, Mapping):
        return None
    wrong = {error.loc[0] for error in errors if error.loc}
    try:
        return StateFile.model_validate({"nodes": [], **{key: data[key] for key in data if key not in wrong}})
    except ValidationError:
        return None


class StateReader:
    """Checks a well-formed file part by part, and collects contradictions."""

    def __init__(self, data: Mapping[str, Any], file: StateFile, earlier: tuple[FieldError, ...]) -> None:
        self._data, self._file = data, file
        self._errors = list(earlier)
        self._wrong = {str(error.loc[0]) for error in earlier if error.loc}
        self._now = file.now.seen(0)

    def state(self) -> State:
        if self._file.now.ago:
            hint = Words(
                "write 2026-01-31T12:00:00Z, or milliseconds since 1970",
                "请写成 2026-01-31T12:00:00Z，或 1970 年以来的毫秒数",
            )
            self._errors.append(
                FieldError(
                    ("now",),
                    "bad_value",
                    Words("now cannot be relative to itself", "now 不能是相对时间"),
                    hint=hint,
                )
            )
        nodes = self._nodes()
        book = self._book()
        policy = Policy(**dict(self._file.policy))
        rules = Rules(
            projects=_of(Project, book),
            priorities=_of(PriorityClass, book),
            limits=tuple(limit for _, limit in sorted(_of(Limit, book).items())),
            policy=policy,
        )
        self._pools_of_nodes(book)
        ledger = tuple(self._ledger())
        sizes = {name: flavor.resources for name, flavor in _of(Flavor, book).items()}
        reader = JobReader(self._data, self._now, nodes, rules, sizes, frozenset(self._wrong))
        jobs = reader.read(self._file.running, self._file.pending)
        self._errors += reader.errors
        if self._errors:
            raise Invalid(
                tuple(self._errors),
                say(
                    "{errors} error(s) in the state file",
                    "状态文件中有 {errors} 处错误",
                    errors=len(self._errors),
                ),
            )
        told = {(user, model): score for user, by in self._file.scores.items() for model, score in by.items()}
        return State(
            self._now, tuple(nodes.values()), _of(Pool, book), rules, jobs, reader.firm, told, ledger
        )

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────────

    def _nodes(self) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        for place, part in enumerate(self._file.nodes):
            for name in numbered(part.name, part.count):
                if name in nodes:
                    text = say("two nodes are named '{name}'", "已有另一个名为“{name}”的节点", name=name)
                    hint = _number_hint(part.name, part.count)
                    self._note(("nodes", place, "name"), "duplicate", text, name, hint)
                    break
                nodes[name] = _node(name, part, self._now)
            if len(set(part.gpus)) < len(part.gpus):
                self._note(
                    ("nodes", place, "gpus"),
                    "duplicate",
                    Words("a GPU appears twice here", "有 GPU 重复出现"),
                    None,
                    None,
                )
        return nodes

    def _pools_of_nodes(self, book: Book) -> None:
        pools = sorted(book[Pool])
        for place, part in enumerate(self._file.nodes):
            if part.pool not in pools and "pools" not in self._wrong:
                hint = did_you_mean(part.pool, pools)
                self._note(
                    ("nodes", place, "pool"),
                    "no_such_pool",
                    no_such("pool", part.pool),
                    part.pool,
                    hint,
                )

    # ── rules ────────────────────────────────────────────────────────────────────────────────────────

    def _book(self) -> dict[type[Rule], dict[str, Rule]]:
        """All rules by kind and name: the built-in ones, with the file's changes and additions."""
        book: dict[type[Rule], dict[str, Rule]] = {kind: {} for kind in _KINDS.values()}
        for rule in BUILT_IN:
            book[type(rule)][rule.name] = rule
        places: dict[tuple[type[Rule], str], Loc] = {}
        for section, kind in _KINDS.items():
            parts: list[Ruling] = getattr(self._file, section)
            for place, part in enumerate(parts):
                values = part.values()
                name = values.pop("name")
                loc: Loc = (section, place)
                if (kind, name) in places:
                    self._note(
                        (*loc, "name"),
                        "duplicate",
                        say("'{name}' appears twice here", "“{name}”重复出现", name=name),
                        name,
                        None,
                    )
                    continue
                places[kind, name] = loc
                known = book[kind].get(name)
                book[kind][name] = replace(known, **values) if known else kind(name, **values)
        for (kind, name), loc in places.items():
            for mistake in mistakes(book[kind][name], book):
                if not (mistake.code.startswith("no_such_") and self._section(mistake.code) in self._wrong):
                    self._errors.append(replace(mistake, loc=(*loc, *mistake.loc)))
        return book

    @staticmethod
    def _section(code: str) -> str:
        kinds = {kind.kind: section for section, kind in _KINDS.items()}
        return kinds.get(code.removeprefix("no_such_"), "")

    # ── the rest ─────────────────────────────────────────────────────────────────────────────────────

    def _ledger(self) -> Iterator[Charge]:
        for place, row in enumerate(self._file.ledger):
            began, ended = row.began.seen(self._now), row.ended.seen(self._now)
            if not began <= ended <= self._now:
                message = (
                    Words("it ended before it began", "结束时间早于开始时间")
                    if ended < began
                    else Words("it ends later than now", "结束时间晚于 now")
                )
                self._note(("ledger", place, "ended"), "bad_value", message, str(row.ended), None)
            yield Charge(row.user, row.model, row.amount, began, ended, "", "", 1, "")

    def _note(self, loc: Loc, code: str, message: Words, value: Any, hint: Words | None) -> None:
        self._errors.append(FieldError(loc, code, message, value, hint=hint))


def numbered(name: str, count: int) -> Iterable[str]:
    """`n{}` three times is n0, n1, n2."""
    return [name.replace(NUMBER, str(number)) for number in range(count)]


def _number_hint(name: str, count: int) -> Words:
    if count == 1 or NUMBER in name:
        return Words("give each its own name", "名称不能重复")
    return say(
        "put {number} where the number should go: {name}{number}",
        "请用 {number} 表示序号的位置：{name}{number}",
        number=NUMBER,
        name=name,
    )


def _node(name: str, part: NodePart, now: Time) -> Node:
    cards = tuple(Gpu(index, f"{name}-{index}", part.gpu or ANY_GPU) for index in sorted(set(part.gpus)))
    foreign = Foreign(part.foreign.cpus, part.foreign.memory, part.foreign.gpus)
    return Node(
        name, "", part.cpus, part.memory, cards, part.labels, part.state,
        pool=part.pool, cluster=part.cluster, foreign=foreign,
        closes_at=None if part.closes_in is None else now + part.closes_in,
    )  # fmt: skip


def _of(kind: type[Any], book: Mapping[type[Rule], Mapping[str, Rule]]) -> dict[str, Any]:
    return dict(book[kind])
