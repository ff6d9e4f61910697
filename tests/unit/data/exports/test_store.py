"""What a worker says is believed only where it makes sense: whoever serves the export may have taken it over."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.data.exports.process import WorkerGone
from danlu.data.exports.store import MOST_ENTRIES, ExportStore
from danlu.data.outside import NetworkGuard
from danlu.domain.errors import BadAnswer, ForbiddenAddress, NotAllowed, NotFound
from danlu.domain.volumes.exports import ExportAddress


class Liar:
    """A worker that answers what it is told to."""

    def __init__(self, *answers: Any, data: bytes = b"") -> None:
        self.answers, self.data, self.ended = list(answers), data, False

    def ask(self, what: object) -> Any:
        return self.line()

    def line(self) -> Any:
        if not self.answers:
            raise WorkerGone
        return self.answers.pop(0)

    def bytes(self, count: int) -> bytes:
        return self.data[:count]

    def end(self) -> None:
        self.ended = True


def told_by(liar: Liar) -> ExportStore:
    """Nothing else is asked: where it would be started anew is where it must not go."""
    store = ExportStore(ExportAddress("127.0.0.1", 9, "/x"), NetworkGuard())
    store._worker = liar  # type: ignore[assignment]
    return store


def entry(name: Any, *, folder: Any = False, file: Any = True, size: Any = 1) -> list[Any]:
    return [name, folder, file, size, 1, "tag"]


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "../../etc/passwd", "/abs", "a\0b", "k" * 256])
def test_names_that_no_folder_holds_are_left_out_and_counted(name: str) -> None:
    store = told_by(Liar({"entries": [entry(name), entry("fine\n")], "left_out": 2}))
    found, left_out = store.entries("")
    assert ([one.name for one in found], left_out) == (["fine\n"], 3)


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"entries": "x"},
        {"entries": [["a"]]},
        {"entries": [entry(1)]},
        {"entries": [entry("a", size=-1)]},
        {"entries": [entry("a", size="9")]},
        {"entries": [], "left_out": None},
        {"entries": [[*entry("a")[:5], "t" * 999]]},
    ],
)
def test_what_makes_no_sense_ends_the_worker(said: dict[str, Any]) -> None:
    liar = Liar(said)
    with pytest.raises(ForbiddenAddress):  # another would be started, if this were a place to go
        told_by(liar).entries("")
    assert liar.ended


def test_a_worker_sends_no_more_than_was_asked_for() -> None:
    liar = Liar({"bytes": 5, "tag": "t"}, data=b"12345")
    with pytest.raises(ForbiddenAddress):
        told_by(liar).read("a", 0, 4)
    assert liar.ended


def test_a_folder_without_end_is_refused() -> None:
    some = {"entries": [entry("a")] * 1000}
    liar = Liar(*[some] * (MOST_ENTRIES // 1000 + 1))
    with pytest.raises(BadAnswer):
        told_by(liar).entries("")
    assert liar.ended


def test_folders_in_folders_come_to_an_end() -> None:
    class Endless(Liar):
        def ask(self, what: object) -> Any:
            return {"entries": [entry("a", folder=True, file=False)], "left_out": 0}

    assert len(told_by(Endless()).page().objects) == 129


def test_nothing_is_written_and_no_path_leads_out() -> None:
    store = told_by(Liar())
    for act in (lambda: store.write("a", iter(())), lambda: store.remove("a"), lambda: store.copy("a", "b")):
        with pytest.raises(NotAllowed):
            act()
    for path in ("../a", "a/../b", "/a", "a//b", ".", ""):
        with pytest.raises(NotFound):
            store.read(path, 0, 1)
