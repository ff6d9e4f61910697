"""A cluster's names, addresses and images follow from where it is kept and what is put in."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.cluster.archive import WORLD_WRITABLE, Image, Layer, write_archive
from tools.cluster.guests import Guest
from tools.cluster.images import write_danlu_layer
from tools.cluster.layout import (
    Layout,
    check_nodes,
    check_state,
    key_of,
    prefix_of,
    read_layout,
    subnet_candidates,
)
from tools.cluster.node import kubelet_settings, labels, network_plugins
from tools.cluster.processes import Process, Processes, is_still, members, start_time
from tools.cluster.temporary import is_abandoned
from tools.dev.cluster import understand
from tools.dev.steps import Stop

HERE = Layout(Path("/tmp/here"), "10.130.7")


def test_clusters_in_different_folders_share_no_name_and_try_different_networks():
    one, other = key_of(Path("/tmp/one")), key_of(Path("/tmp/other"))
    assert one != other
    assert prefix_of(one) != prefix_of(other)
    assert subnet_candidates(one)[0] != subnet_candidates(other)[0]


def test_a_cluster_has_the_same_names_by_whatever_path_its_folder_is_reached(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert key_of(tmp_path / "link") == key_of(tmp_path / "real")


def test_networks_to_try_are_different_private_ones():
    tried = subnet_candidates("ffffffff")
    assert len(set(tried)) == len(tried)
    assert all(
        len(numbers) == 3 and numbers[0] == 10 and 128 <= numbers[1] <= 255 for numbers in parsed(tried)
    )


def parsed(subnets: list[str]) -> list[list[int]]:
    return [[int(number) for number in subnet.split(".")] for subnet in subnets]


def test_device_names_are_short_enough_for_the_kernel():
    assert len(HERE.root_device) <= 15
    assert len(Guest(HERE, "a-guest-with-a-long-name", "10.130.7.199").port) <= 15


def test_every_machine_has_an_address_and_every_node_a_range_for_its_pods():
    addresses = [HERE.address(machine) for machine in HERE.machines]
    assert addresses == ["10.130.7.1", "10.130.7.10", "10.130.7.11"]
    assert [HERE.pod_range(node) for node in HERE.nodes] == ["10.244.0.0/24", "10.244.1.0/24"]


def test_a_layout_is_read_as_it_was_saved(tmp_path: Path):
    layout = Layout(tmp_path.resolve(), "10.130.7", ("one",), 4)
    layout.save()
    assert read_layout(tmp_path) == layout


def test_a_folder_without_a_cluster_holds_no_layout(tmp_path: Path):
    assert read_layout(tmp_path) is None


@pytest.mark.parametrize(
    "names", [["A100"], ["hub"], ["-a"], [""], ["a", "a"], [], [f"n{i}" for i in range(21)]]
)
def test_names_that_cannot_be_nodes_are_refused(names: list[str]):
    with pytest.raises(Stop):
        check_nodes(names)


def test_a_folder_too_deep_for_a_socket_is_refused():
    with pytest.raises(Stop, match="too long"):
        check_state(Path("/tmp") / ("d" * 80), ["a100-0"])


def test_a_node_without_gpus_carries_no_label_of_one():
    without = Layout(HERE.state, HERE.subnet, HERE.nodes, 0)
    assert not [label for label in labels(without, "a100-0") if label.startswith("nvidia.com/")]
    assert labels(HERE, "a100-1")["nvidia.com/gpu.count"] == "8"


def test_nodes_keep_apart_what_kubelet_and_containerd_write():
    first, second = (json.dumps([kubelet_settings(HERE, n), network_plugins(HERE, n)]) for n in HERE.nodes)
    assert "a100-1" not in first
    assert "a100-0" not in second


def test_a_process_is_not_taken_for_a_later_one_with_its_pid():
    started = start_time(os.getpid())
    assert started is not None
    assert Process("me", os.getpid(), started, ()).alive
    assert not Process("before me", os.getpid(), started - 1, ()).alive


@pytest.mark.parametrize(("started", "abandoned"), [(0, False), (-1, True)])
def test_a_temporary_cluster_is_abandoned_when_its_owner_is_gone(
    tmp_path: Path, started: int, abandoned: bool
):
    owner = tmp_path / "owner.json"
    owner.write_text(json.dumps({"pid": os.getpid(), "started": (start_time(os.getpid()) or 0) + started}))
    assert is_abandoned(owner) is abandoned


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[Process]:
    """Two processes in one group, one of them with four threads that never rest."""
    spin = "import threading; [threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start() for _ in range(3)]"
    script = f'{sys.executable} -c "{spin}; print(1, flush=True); [None for _ in iter(int, 1)]"; exit'
    process = Processes(tmp_path).start("busy", ["sh", "-c", script], tmp_path / "log")
    while "1" not in (tmp_path / "log").read_text():
        time.sleep(0.01)
    yield process
    process.end()
    assert members(process.pid) == []


@pytest.mark.processes
def test_what_is_frozen_stands_still_at_once_and_goes_on_when_it_is_thawed(busy: Process):
    group = members(busy.pid)
    assert len(group) == 2
    for _ in range(5):
        busy.freeze()
        assert all(is_still(pid) for pid in group)
        busy.thaw()
        while any(is_still(pid) for pid in group):
            time.sleep(0.001)


def test_a_temporary_cluster_in_the_making_is_left_alone(tmp_path: Path):
    assert not is_abandoned(tmp_path / "owner.json")


def test_an_archive_holds_its_layers_under_their_digests(tmp_path: Path):
    layer, archive = tmp_path / "layer", tmp_path / "archive.tar"
    with Layer(layer) as tar:
        tar.folder("tmp", WORLD_WRITABLE)
        tar.file("bin/tool", b"#!/bin/sh\n", 0o755)
        tar.link("bin/other", "tool")
    write_archive(Image("danlu.test/tool:1", (layer,), ("tool",), {"A": "b"}), archive)
    with tarfile.open(archive) as tar:
        (manifest,) = json.loads(content_of(tar, "manifest.json"))
        config = json.loads(content_of(tar, manifest["Config"]))
        packed = content_of(tar, manifest["Layers"][0])
    assert manifest["RepoTags"] == ["danlu.test/tool:1"]
    assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(packed).hexdigest()}"]
    assert config["config"] == {"Cmd": ["tool"], "Env": ["A=b"]}
    with tarfile.open(fileobj=io.BytesIO(packed)) as inner:
        modes = {entry.name: (entry.mode, entry.linkname) for entry in inner}
    assert modes == {"tmp": (0o1777, ""), "bin/tool": (0o755, ""), "bin/other": (0o777, "tool")}


def content_of(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(name)
    assert file is not None
    return file.read()


def test_the_same_content_makes_the_same_layer(tmp_path: Path):
    (tmp_path / "tree" / "folder").mkdir(parents=True)
    (tmp_path / "tree" / "folder" / "file").write_text("words")
    for name in ("one", "two"):
        with Layer(tmp_path / name) as tar:
            tar.tree(tmp_path / "tree")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_layer_of_the_checkout_has_the_runtime_and_not_the_server(tmp_path: Path):
    write_danlu_layer(tmp_path / "layer")
    with tarfile.open(tmp_path / "layer") as tar:
        names = tar.getnames()
    assert "opt/danlu/danlu/runtime/launcher.py" in names
    assert not [name for name in names if name.startswith("opt/danlu/danlu/server")]


def test_the_habit_takes_its_options_after_the_word():
    asked = understand(["up", "--nodes", "one,two", "--gpus", "4", "--state", "/tmp/elsewhere"])
    assert (asked.what, asked.nodes, asked.gpus, asked.state) == ("up", "one,two", 4, Path("/tmp/elsewhere"))


@pytest.mark.parametrize("args", [[], ["start"], ["down", "--gpus", "4"], ["node", "break", "a100-0"]])
def test_the_habit_refuses_what_it_does_not_know(args: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        understand(args)
    assert ended.value.code == 2
    assert "usage: ./dev cluster" in capsys.readouterr().err
