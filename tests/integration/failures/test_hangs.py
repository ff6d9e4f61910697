"""A real job that hangs is recognised, looked into, and started again as its file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.failures.programs import STOPS_ITSELF, WAITS_FOR_A_PEER
from tests.live import eventually, live_server, training

SMALL = {"cpus": 1, "memory": "256MiB"}
TALKS = ["sh", "-c", "while true; do echo step; sleep 1; done"]


@pytest.mark.timeout(240)
def test_hung_jobs_are_seen_their_stacks_kept_and_their_policies_followed(tmp_path: Path) -> None:
    with live_server(tmp_path, "--isolation", "process", "--virtual-nodes", "1x8xA100") as server:
        client = server.client()
        again = {"on": {"hung": "restart_job"}, "restarts": 1, "backoff": {"first": "0s"}}
        for name, command, more in (
            ("waits", ["python", "-c", WAITS_FOR_A_PEER], again),
            ("stopped", ["python", "-c", STOPS_ITSELF], {}),
            ("talks", TALKS, {}),
        ):
            client.submit(training(name, command, hang_after="5s", resources=SMALL, **more))
        client.submit(training("quiet", ["sleep", "1000"], hang_after="0s", resources=SMALL))
        eventually(lambda: client.get("waits").state == "running")
        server.kill()
        server.start()  # what was silent before is silent still
        client = server.client()

        failed = eventually(lambda: (job := client.get("stopped")).state == "failed" and job)
        assert failed.reason is not None
        assert failed.reason.code == "hung"
        (stopped,) = client.stacks("stopped")
        assert stopped.cause == "hung"
        assert "is_stopped (<string>:4)" in stopped.text

        restarted = eventually(lambda: len((job := client.get("waits")).attempts) == 2 and job)
        first = restarted.attempts[0]
        assert first.reason is not None
        assert first.reason.code == "hung"
        assert first.story["en"].endswith("; the job restarted from the beginning")
        (waited,) = client.stacks("waits", attempt=1)
        assert "waits_for_a_peer" in waited.text

        for name in ("talks", "quiet"):
            job = client.get(name)
            assert (job.state, len(job.attempts)) == ("running", 1)
