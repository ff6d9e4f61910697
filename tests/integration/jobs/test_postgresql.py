"""The whole of Danlu on PostgreSQL: the same walk, and the same survival."""

from __future__ import annotations

from pathlib import Path

from tests.live import eventually, live_server, training


def test_a_job_runs_is_killed_over_and_survives_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    with live_server(tmp_path, "--virtual-nodes", "2x8xA100", DANLU_DATABASE=postgres_url) as server:
        client = server.client()
        client.submit(training("gang-job", "echo rank $DANLU_RANK; sleep 3", nodes=2, resources={"gpus": 8}))
        client.submit(training("waits", "true", nodes=2, resources={"gpus": 8}))
        eventually(lambda: client.get("gang-job").state == "running")
        waiting = eventually(lambda: client.get("waits").waiting)
        assert waiting.code == "not_enough_gpus"
        server.kill()
        server.start()
        client = server.client()
        assert client.wait("gang-job").state == "completed"
        assert client.wait("waits").state == "completed"
        assert [line.text for line in client.logs("gang-job", task="worker-1")] == ["rank 1"]
        assert not (server.data / "danlu.db").exists()
