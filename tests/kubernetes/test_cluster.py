"""The cluster that this tier brings up is a real one: what the other tests rely on, proved without the engine."""

from __future__ import annotations

import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from tests.kubernetes.kube import Json, Kube, ready_status
from tests.kubernetes.places import Place
from tests.live import eventually
from tools.cluster.cluster import Cluster

pytestmark = pytest.mark.own_cluster

GPU = "nvidia.com/gpu"


def test_two_nodes_are_ready_with_eight_gpus_each(kube: Kube):
    nodes = kube.nodes()
    assert {name: ready_status(node) for name, node in nodes.items()} == {"a100-0": "True", "a100-1": "True"}
    for node in nodes.values():
        assert node["status"]["allocatable"][GPU] == "8"
        assert node["metadata"]["labels"]["nvidia.com/gpu.product"] == "NVIDIA-A100-SXM4-80GB"
        assert {"rack", "topology.kubernetes.io/zone"} <= node["metadata"]["labels"].keys()


@pytest.mark.cards
def test_a_pod_is_scheduled_runs_and_its_log_is_read(kube: Kube, place: Place):
    kube.run("hello", place.busybox, ["echo", "hello from a pod"], resources={"limits": {GPU: "8"}})
    kube.wait_pod("hello", "Succeeded")
    assert kube.log("hello") == "hello from a pod\n"


def test_a_pod_that_wants_more_gpus_than_a_node_has_is_not_scheduled(kube: Kube, place: Place):
    kube.run("greedy", place.busybox, ["true"], resources={"limits": {GPU: "9"}})
    condition = kube.wait_condition("greedy", "PodScheduled")
    assert condition["status"] == "False"
    assert f"Insufficient {GPU}" in condition["message"]


def test_pods_on_different_nodes_talk_by_their_addresses(kube: Kube, place: Place):
    serve = ["sh", "-c", "echo across > /tmp/index.html; exec httpd -f -p 8000 -h /tmp"]
    kube.run("server", place.busybox, serve, node="a100-0")
    address = kube.wait_pod("server", "Running")["status"]["podIP"]
    ask = f"for i in 1 2 3 4 5 6 7 8 9; do wget -qO- http://{address}:8000/ && exit 0; sleep 1; done; exit 1"
    kube.run("client", place.busybox, ["sh", "-c", ask], node="a100-1")
    kube.wait_pod("client", "Succeeded")
    assert kube.log("client").endswith("across\n")


def test_a_pod_over_its_memory_limit_is_killed_for_it(kube: Kube, place: Place):
    eat = ["python3", "-c", "b = bytearray(200 << 20); print(len(b))"]
    kube.run("eater", place.python, eat, resources={"limits": {"memory": "32Mi"}})
    status = kube.wait_pod("eater", "Failed")["status"]["containerStatuses"][0]["state"]["terminated"]
    assert (status["reason"], status["exitCode"]) == ("OOMKilled", 137)


def test_exec_runs_a_command_in_a_pod_and_tells_its_exit_code(kube: Kube, place: Place):
    kube.run("shell", place.busybox, ["sleep", "600"])
    kube.wait_pod("shell", "Running")
    printed, status = kube.exec("shell", ["sh", "-c", "read line; echo got $line; exit 3"], b"words\n")
    assert printed == "got words\n"
    assert {"reason": "ExitCode", "message": "3"} in status["details"]["causes"]


def test_the_runtime_of_this_checkout_is_in_the_python_image_for_any_user(kube: Kube, place: Place):
    script = "import tempfile, ssl, sqlite3, danlu.runtime.launcher; tempfile.TemporaryFile(); print('fine')"
    user = {"runAsUser": 12345, "runAsGroup": 12345}
    kube.run("python", place.python, ["python3", "-c", script], securityContext=user)
    kube.wait_pod("python", "Succeeded", "Failed")
    assert kube.log("python") == "fine\n"


def test_pods_reach_a_server_that_a_test_runs(kube: Kube, place: Place, cluster: Cluster):
    server = HTTPServer(("", 0), Greeter, bind_and_activate=False)
    server.socket.close()
    server.socket = cluster.listen()
    port = server.socket.getsockname()[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        kube.run("caller", place.busybox, ["wget", "-qO-", f"http://{cluster.address}:{port}/"])
        kube.wait_pod("caller", "Succeeded", "Failed")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert kube.log("caller") == "hello"


def test_a_pod_reaches_the_api_server_with_its_service_account(kube: Kube, place: Place):
    home = "/var/run/secrets/kubernetes.io/serviceaccount"
    script = f"""
import os, ssl, urllib.request
context = ssl.create_default_context(cafile="{home}/ca.crt")
url = "https://" + os.environ["KUBERNETES_SERVICE_HOST"] + "/api"
headers = {{"Authorization": "Bearer " + open("{home}/token").read()}}
print(urllib.request.urlopen(urllib.request.Request(url, headers=headers), context=context).status)
"""
    kube.run("inside", place.python, ["python3", "-c", script])
    kube.wait_pod("inside", "Succeeded", "Failed")
    assert kube.log("inside") == "200\n"


@pytest.mark.alone
def test_a_node_without_its_link_is_not_ready_until_it_has_it_back(
    kube: Kube, place: Place, cluster: Cluster
):
    kube.run("patient", place.busybox, ["sleep", "600"], node="a100-1")
    kube.wait_pod("patient", "Running")
    cluster.cut("a100-1")
    try:
        kube.wait_node("a100-1", "Unknown")
    finally:
        cluster.mend("a100-1")
    kube.wait_node("a100-1", "True")
    assert kube.pod("patient")["status"]["phase"] == "Running"


@pytest.mark.alone
def test_a_restarted_kubelet_keeps_its_pods_and_its_gpus(kube: Kube, place: Place, cluster: Cluster):
    kube.run("patient", place.busybox, ["sh", "-c", "echo one; sleep 600"], node="a100-0")
    kube.wait_pod("patient", "Running")
    cluster.kill("kubelet@a100-0")
    last = heartbeat(kube.nodes()["a100-0"])
    cluster.restart("kubelet@a100-0")
    eventually(lambda: heartbeat(kube.nodes()["a100-0"]) > last, 60)
    node = kube.wait_node("a100-0", "True")
    assert node["status"]["allocatable"][GPU] == "8"
    eventually(lambda: printed(kube, "patient") == "one\n")
    (status,) = kube.pod("patient")["status"]["containerStatuses"]
    assert status["restartCount"] == 0


def heartbeat(node: Json) -> str:
    """When kubelet last told how the node is; a new one does so first of all."""
    return next(
        str(one["lastHeartbeatTime"]) for one in node["status"]["conditions"] if one["type"] == "Ready"
    )


def printed(kube: Kube, name: str) -> str | None:
    """What a pod printed; a kubelet that has just started may not know its pods yet."""
    try:
        return kube.log(name)
    except httpx.HTTPStatusError:
        return None


@pytest.mark.alone
def test_the_api_server_comes_back_with_what_it_knew(kube: Kube, place: Place, cluster: Cluster):
    kube.run("lasting", place.busybox, ["sleep", "600"])
    uid = kube.wait_pod("lasting", "Running")["metadata"]["uid"]
    cluster.restart_api_server()
    with Kube(place.kubeconfig, kube.namespace) as again:
        assert again.pod("lasting")["metadata"]["uid"] == uid


@pytest.mark.alone
def test_a_frozen_api_server_answers_nobody_until_it_is_thawed(kube: Kube, cluster: Cluster):
    cluster.freeze("apiserver")
    try:
        with pytest.raises(httpx.ReadTimeout):
            kube.http.get("/version", timeout=1)
    finally:
        cluster.thaw("apiserver")
    cluster.wait_for_api_server()


def test_the_api_server_tells_what_it_was_asked(kube: Kube, place: Place, cluster: Cluster):
    before = cluster.requests().get(("POST", "pods"), 0)
    kube.run("counted", place.busybox, ["true"])
    assert cluster.requests()[("POST", "pods")] > before
    seen = [one["objectRef"] for one in cluster.audit() if one["verb"] == "create"]
    here = [ref["name"] for ref in seen if ref["namespace"] == kube.namespace and ref["resource"] == "pods"]
    assert "counted" in here


def test_a_guest_that_is_cut_off_does_not_reach_the_api_server(cluster: Cluster):
    guest = cluster.guest("visitor")
    knock = f"import socket; socket.create_connection(('{cluster.address}', 443), timeout=2)"
    command = guest.inside([sys.executable, "-c", knock])
    try:
        assert subprocess.run(command, check=False).returncode == 0
        guest.cut()
        assert subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode != 0
        guest.mend()
        # A moment ago it looked for the hub in vain, and gives up on that before it looks again.
        eventually(lambda: subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0)
    finally:
        guest.leave()


class Greeter(BaseHTTPRequestHandler):
    """Answers every question with a greeting."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Say nothing."""
