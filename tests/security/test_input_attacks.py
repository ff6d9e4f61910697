"""Inputs of jobs reach no more than transfers do: not others' volumes, nor this machine's own addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.web_source import Served, web_place
from tests.live import LiveServer, eventually, live_server, training


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("live"), "--virtual-nodes", "1xcpu") as live:
        yield live


def fetched(server: LiveServer, name: str, source: str) -> Any:
    """What became of a job with this input."""
    with server.client() as client:
        file = training(name, "true", inputs=[{"from": source, "to": "personal:/in/"}])
        job = client.submit(file)
        eventually(lambda: client.get(job.id).state in ("failed", "completed"))
        return client.get(job.id)


def test_an_address_of_this_machine_is_refused_and_not_even_asked(server: LiveServer) -> None:
    with web_place() as web:
        web.files["/secret"] = one = Served(b"of this machine's own services")
        job = fetched(server, "own-address", f"{web.url}/secret")
        assert (job.state, job.reason.code) == ("failed", "input_failed")
        assert "which transfers may not reach" in job.reason.text["en"]
        assert one.asked == []
        named = fetched(server, "own-name", f"{web.url.replace('127.0.0.1', 'localhost')}/secret")
        assert named.reason.code == "input_failed"
        assert one.asked == []
    assert not (server.data / "volumes" / "admin" / "in").exists()


def test_the_metadata_service_is_refused(server: LiveServer) -> None:
    job = fetched(server, "metadata", "http://169.254.169.254/latest/meta-data/")
    assert (job.state, job.reason.code) == ("failed", "input_failed")
    assert "which transfers may not reach" in job.reason.text["en"]


def test_a_path_that_leads_out_of_its_volume_is_refused(server: LiveServer) -> None:
    for place in ("personal:/../eve/", "personal:/a/../../b"):
        file = server.root / "out.yaml"
        file.write_text(
            "kind: training\nname: leads-out\ncommand: 'true'\ninputs:\n"
            f"  - {{from: https://example.org/x, to: '{place}'}}\n"
        )
        answer = server.cli("submit", str(file))
        assert answer.returncode == 2
        assert "inputs.0.to" in answer.stderr
