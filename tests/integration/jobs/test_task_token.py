"""A task asks a real Danlu for its own job and code, with nothing but what it was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live import LiveServer, training


@pytest.fixture
def server(shared: LiveServer) -> LiveServer:
    return shared


AGAIN = """
import json, os, subprocess, sys, urllib.request

def ask(path):
    headers = {"Authorization": "Bearer " + os.environ["DANLU_TASK_TOKEN"]}
    with urllib.request.urlopen(urllib.request.Request(os.environ["DANLU_URL"] + "/api/v1/" + path, headers=headers)) as answer:
        return json.load(answer)

job = ask("jobs/" + os.environ["DANLU_JOB_ID"])
wanted = {"DANLU_CODE": json.dumps({"archive": job["spec"]["code"]["archive"]}), "DANLU_CODE_DIR": "again"}
subprocess.run([sys.executable, "-m", "danlu.runtime.fetch"], env={**os.environ, **wanted}, check=True)
print(job["name"], open("again/note.txt").read())
try:
    ask("jobs")
except urllib.error.HTTPError as error:
    print("other jobs:", error.code)
"""


def test_a_task_reads_its_job_and_fetches_its_code_and_no_more(server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "again.py").write_text(AGAIN)
    (tmp_path / "note.txt").write_text("from the folder")
    with server.client() as client:
        job = training("asks-again", ["python3", "again.py"], code={"path": str(tmp_path)})
        client.submit(job)
        ended = client.wait("asks-again")
        said = [line.text for line in client.logs("asks-again")]
        assert (ended.state, said) == ("completed", ["asks-again from the folder", "other jobs: 403"])


def test_the_key_outlives_the_server(server: LiveServer) -> None:
    key = server.data / "secrets" / "task-key"
    before = key.read_bytes()
    server.interrupt()
    server.start()
    assert key.read_bytes() == before
    assert key.stat().st_mode & 0o777 == 0o600
