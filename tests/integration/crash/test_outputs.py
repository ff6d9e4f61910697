"""Outputs survive `kill -9` of the server while they are made: there is neither a second version nor none."""

from __future__ import annotations

from pathlib import Path

from danlu.sdk import Client
from tests.live import eventually, live_server, training

FILES, SIZE = 40, 2 << 20
WRITES = f"mkdir out; for n in $(seq {FILES}); do head -c {SIZE} /dev/urandom > out/$n; done"


def test_outputs_are_made_once_though_the_server_is_killed_again_and_again(tmp_path: Path) -> None:
    with live_server(tmp_path, "--virtual-nodes", "2xcpu") as server:
        client = server.client()
        client.datasets.create("features")
        outputs = [{"path": "out", "dataset": "features"}, {"path": "out", "to": "personal:/out/"}]
        job = client.submit(training("make", WRITES, outputs=outputs))

        def states(client: Client) -> list[str]:
            return [one.state for one in client.outputs.list(job.id)]

        for wanted in ({"pending", "making", "done"}, {"making", "done"}, {"done"}):
            eventually(lambda client=client, wanted=wanted: wanted & set(states(client)))
            server.kill()
            server.start()
            client = server.client()
        made = client.outputs.wait(job.id)
        assert [(one.state, one.files) for one in made] == [("done", FILES), ("done", FILES)]
        assert [one.version for one in client.datasets.versions("features")] == ["v1"]
        assert [one.state for one in client.transfers.list()] == ["completed"]
        events = [one.kind for one in client.events(job.id)]
        assert events.count("output_made") == 2
        copied = sorted((server.data / "volumes" / "admin" / "out").iterdir())
        assert [one.stat().st_size for one in copied] == [SIZE] * FILES
