"""What a job's own network covers besides its sockets: code from Git, and what /sys tells of interfaces."""

from __future__ import annotations

import socket
import threading

import pytest

from tests.security.networks import NONE

INTERFACES = """
import os
print(*sorted(os.listdir("/sys/class/net")))
found = [os.path.join(at, one) for at, folders, _ in os.walk("/sys/devices") if at.endswith("/net") for one in folders]
print(*sorted({os.path.basename(path) for path in found}))
"""


@pytest.fixture
def knocked():
    """A service of the machine's own, and who came."""
    visitors = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            try:
                while True:
                    visitor, address = server.accept()
                    visitors.append(address)
                    visitor.close()
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1], visitors
        server.shutdown(socket.SHUT_RDWR)


def test_code_from_git_is_fetched_in_the_job_s_network_and_not_in_the_machine_s(either_runs, knocked):
    """It was fetched in the machine's: an address in a job file reached whatever listens on its loopback."""
    port, visitors = knocked
    git = {"url": f"http://127.0.0.1:{port}/code.git"}
    ended = either_runs.start(command="true", git=git, network=NONE).exited()
    assert ended["reason"] == "code_failed", ended
    assert visitors == []
    # The same without a network of its own does reach it: the service is there.
    ended = either_runs.start(command="true", git=git).exited()
    assert ended["reason"] == "code_failed"
    assert visitors, ended["text"]


def test_a_task_sees_the_interfaces_of_its_own_network_alone(either_runs):
    task = either_runs.python(INTERFACES, network=NONE)
    assert task.exited()["code"] == 0
    assert task.output().decode().splitlines() == ["lo", "lo"]
