"""Examples, as the client asks for them."""

from __future__ import annotations

from danlu.sdk import Client, Example, ExampleDetail
from tests.fakes.http_server import FakeServer

ONE = {
    "id": "one",
    "group": "basics",
    "label": {"en": "One", "zh": "一"},
    "about": {"en": "About.", "zh": "关于。"},
    "framework": "pytorch",
    "strategy": None,
    "file": "kind: training\n",
}


def test_examples_are_listed(server: FakeServer, client: Client):
    server.on("GET", "examples", {"items": [{**ONE, "news": 1}]})
    assert client.examples() == [Example(**ONE)]  # type: ignore[arg-type]


def test_one_example_has_its_files(server: FakeServer, client: Client):
    server.on("GET", "examples/one", {**ONE, "files": {"train.py": "print(1)\n"}})
    assert client.example("one") == ExampleDetail(**ONE, files={"train.py": "print(1)\n"})  # type: ignore[arg-type]
