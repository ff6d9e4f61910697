"""Public sets on a real server: stand-ins made in seconds, originals from a place on loopback, and imports that go on
whatever was killed."""

from __future__ import annotations

import io
import json
import pickle
import tarfile
import threading
import zipfile
from collections.abc import Iterator

import httpx
import pytest

from danlu.sdk import Client, Conflict, Invalid, NotFound
from tests.fakes.web_source import Served, WebPlace, web_place
from tests.live import LiveServer, eventually, live_server
from tools.dev.places import ROOT

MIB = 1 << 20
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    root = tmp_path_factory.mktemp("danlu")
    with live_server(root, "--virtual-nodes", "2xcpu", DANLU_TRANSFER_NETWORKS="127.0.0.0/8") as live:
        yield live


@pytest.fixture
def client(server: LiveServer) -> Client:
    return server.client()


@pytest.fixture(scope="module")
def web() -> Iterator[WebPlace]:
    with web_place() as made:
        yield made


def signed_in(server: LiveServer, name: str) -> Client:
    with httpx.Client(base_url=f"{server.url}/api/v1", headers={"Origin": server.url}, timeout=30) as http:
        session = http.post("/session", json={"username": name, "password": PASSWORD}).json()
        made = http.post("/tokens", json={"name": "test"}, headers={"X-CSRF-Token": session["csrf"]})
    return Client(url=server.url, token=made.json()["secret"])


def tar(files: dict[str, bytes], mode: str = "w") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            one = tarfile.TarInfo(name)
            one.size = len(data)
            archive.addfile(one, io.BytesIO(data))
    return made.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def test_a_stand_in_becomes_a_dataset_with_card_licence_tags_and_schema(server: LiveServer) -> None:
    listed = server.cli("dataset", "recipes", "ls")
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:]] == ["cifar10", "coco2017", "imagenet"]
    shown = server.cli("dataset", "recipes", "show", "imagenet").stdout
    assert "an account at image-net.org" in shown
    assert "1d675b47d978889d74fa0da5fadfb00e" in shown

    made = server.cli("dataset", "import", "cifar10", "--stand-in", "--size", "120")
    assert made.returncode == 0, made.stderr
    assert "cifar10-stand-in@v1" in made.stderr
    client = server.client()
    found = client.datasets.get("cifar10-stand-in")
    assert found.licence == "made up"
    assert "This is a stand-in" in found.card
    version = client.datasets.version("cifar10-stand-in")
    assert version.tags == ("latest", "classification", "stand-in")
    assert version.place == "personal:/datasets/cifar10-stand-in"
    schema = json.loads(client.datasets.read("cifar10-stand-in", "danlu.json"))
    assert (schema["task"], schema["stand_in"], schema["classes"]["3"]) == ("classification", True, "cat")
    batch = client.datasets.read("cifar10-stand-in", "cifar-10-batches-py/data_batch_1")
    assert pickle.loads(batch, encoding="bytes")[b"data"].shape == (20, 3072)
    (act,) = client.datasets.acts("cifar10-stand-in")
    assert (act.kind, act.recipe, act.parts, act.parts_total) == ("snapshot", "cifar10", 1, 1)
    (transfer,) = client.transfers.list()
    assert (transfer.source, transfer.state) == ("recipe:cifar10", "completed")

    again = client.datasets.import_recipe("cifar10", stand_in=True, size=120)
    assert again.act is not None
    assert again.act.version == "v2", "the next version of what is there"
    assert list(client.datasets.diff("cifar10-stand-in@v2")) == [], "the same every time"


def test_what_is_wrong_is_refused_before_anything_is_made(client: Client) -> None:
    room = client.datasets
    with pytest.raises(Invalid, match=r"an account at image-net\.org"):
        room.import_recipe("imagenet")
    with pytest.raises(Invalid, match="60 to 60000 images"):
        room.import_recipe("cifar10", stand_in=True, size=59)
    with pytest.raises(Invalid, match="only a stand-in has a size"):
        room.import_recipe("cifar10", size=100)
    with pytest.raises(Invalid, match="made here"):
        room.import_recipe("cifar10", stand_in=True, source="https://example.org/")
    with pytest.raises(Invalid, match="folder of a volume"):
        room.import_recipe("cifar10", stand_in=True, into="personal:/")
    with pytest.raises(NotFound, match="nowhere"):
        room.import_recipe("cifar10", stand_in=True, into="nowhere:/x")
    with pytest.raises(NotFound, match="cifar10, coco2017, imagenet"):
        room.import_recipe("mnist")
    assert not {one.name for one in room.list()} & {"imagenet", "cifar10", "mnist"}


def test_coco_comes_from_a_mirror_in_three_archives(client: Client, web: WebPlace) -> None:
    web.files["/coco/train2017.zip"] = Served(zipped({"train2017/000000000001.jpg": b"1"}))
    web.files["/coco/val2017.zip"] = Served(zipped({"val2017/000000000002.jpg": b"2"}))
    web.files["/coco/annotations_trainval2017.zip"] = Served(
        zipped({"annotations/instances_val2017.json": b"{}"})
    )
    made = client.datasets.import_recipe("coco2017", name="coco", source=f"{web.url}/coco?key=hidden")
    assert made.act is not None
    assert (made.act.version, made.act.parts) == ("v1", 4)
    assert [one.path for one in client.datasets.files("coco") if one.kind == "file"] == [
        "annotations/instances_val2017.json",
        "danlu.json",
        "train2017/000000000001.jpg",
        "val2017/000000000002.jpg",
    ]
    assert client.datasets.version("coco").tags == ("latest", "detection", "original")
    assert "hidden" not in json.dumps([str(one) for one in client.datasets.acts("coco")])


def test_archives_of_imagenet_come_from_a_folder_of_a_volume_and_classes_become_folders(
    client: Client, server: LiveServer
) -> None:
    own = server.data / "volumes" / "admin" / "mine"
    own.mkdir(parents=True)
    classes = {f"{name}.tar": tar({f"{name}_1.JPEG": name.encode()}) for name in ("n01440764", "n01443537")}
    (own / "ILSVRC2012_img_train.tar").write_bytes(tar(classes))
    (own / "ILSVRC2012_img_val.tar").write_bytes(tar({"ILSVRC2012_val_00000001.JPEG": b"v"}))
    with pytest.raises(Conflict, match="1d675b47d978889d74fa0da5fadfb00e"):
        client.datasets.import_recipe("imagenet", source="personal:/mine")
    assert client.datasets.get("imagenet").latest is None, "what is not the original never becomes a version"

    made = client.datasets.import_recipe("imagenet", source="personal:/mine/", checked=False)
    assert made.act is not None
    assert made.act.version == "v1"
    assert [one.path for one in client.datasets.files("imagenet")] == [
        "danlu.json",
        "train/n01440764/n01440764_1.JPEG",
        "train/n01443537/n01443537_1.JPEG",
        "val/ILSVRC2012_val_00000001.JPEG",
    ]


def test_a_failed_import_goes_on_where_it_was_once_its_source_is_there(
    server: LiveServer, web: WebPlace
) -> None:
    web.files["/part/train2017.zip"] = first = Served(zipped({"train2017/1.jpg": b"1"}))
    failed = server.cli("dataset", "import", "coco2017", "--name", "late", "--from", f"{web.url}/part")
    assert failed.returncode == 1
    assert "there is nothing at" in failed.stderr
    web.files["/part/val2017.zip"] = Served(zipped({"val2017/2.jpg": b"2"}))
    web.files["/part/annotations_trainval2017.zip"] = Served(zipped({"annotations/a.json": b"{}"}))
    resumed = server.cli("dataset", "resume", "late")
    assert resumed.returncode == 0, resumed.stderr
    assert "late@v1" in resumed.stderr
    assert len(first.asked) == 1, "what came is not fetched again"
    assert server.cli("dataset", "resume", "late").returncode == 1, "it is over"


def test_a_cancelled_import_stops_its_transfer(client: Client, web: WebPlace) -> None:
    gate = threading.Event()
    data = zipped({"train2017/1.jpg": b"x" * 8 * MIB})
    web.files["/slow/train2017.zip"] = one = Served(data, gate=gate, gate_at=4 * MIB)
    begun = client.datasets.import_recipe(
        "coco2017", name="slow", source=f"{web.url}/slow", into="personal:/slow", wait=False
    )
    act = begun.act
    assert act is not None
    transfer = eventually(lambda: one.asked and client.datasets.act("slow", act.id).transfer)
    client.datasets.cancel("slow", act.id)
    assert client.datasets.act("slow", act.id).state == "cancelled"
    eventually(lambda: client.transfers.get(transfer).state == "cancelled")
    gate.set()


def test_an_import_goes_on_after_its_server_was_killed_in_every_step(
    server: LiveServer, web: WebPlace
) -> None:
    gate = threading.Event()
    train = zipped({f"train2017/{number}.jpg": b"x" * MIB for number in range(12)})
    web.files["/cut/train2017.zip"] = one = Served(train, gate=gate, gate_at=8 * MIB)
    web.files["/cut/val2017.zip"] = Served(zipped({"val2017/2.jpg": b"2"}))
    web.files["/cut/annotations_trainval2017.zip"] = Served(zipped({"annotations/a.json": b"{}"}))
    source = f"{web.url}/cut"
    begun = server.client().datasets.import_recipe("coco2017", name="cut", source=source, wait=False)
    server.kill()  # when all that there is of it is in the store
    server.start()
    client = server.client()
    assert begun.act is not None
    act = begun.act.id
    eventually(lambda: one.asked and client.datasets.act("cut", act).parts == 1)
    server.kill()  # amid a transfer
    gate.set()
    server.start()
    client = server.client()
    eventually(lambda: client.datasets.act("cut", act).parts >= 2)
    server.kill()  # between two of them
    server.start()
    client = server.client()
    done = client.datasets.wait("cut", client.datasets.act("cut", act))
    assert (done.version, done.parts) == ("v1", 4)
    assert [one.number for one in client.datasets.versions("cut")] == [1]
    assert client.datasets.version("cut").files == 12 + 2 + 1
    made = [one for one in client.transfers.list() if "/cut/" in one.target]
    assert len(made) == 4, "no transfer was created twice"


def test_the_example_trains_on_the_stand_in(server: LiveServer) -> None:
    if not any(one.name == "cifar10-stand-in" for one in server.client().datasets.list()):
        server.client().datasets.import_recipe("cifar10", stand_in=True)
    ran = server.cli("run", str(ROOT / "examples" / "cifar10" / "job.yaml"), timeout=200)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "of the test images are right" in ran.stdout


def test_an_import_acts_as_who_began_it_and_nobody_else_goes_on_with_it(
    client: Client, server: LiveServer
) -> None:
    client.people.create("mallory", password=PASSWORD)
    client.volumes.create("closed", "1GiB")
    mallory = signed_in(server, "mallory")
    for act in ("import", "source"):
        into, source = ("admin:closed:/x", "") if act == "import" else ("", "admin:closed:/x")
        with pytest.raises(NotFound, match="admin:closed"):
            mallory.datasets.import_recipe("imagenet", stand_in=not source, into=into, source=source)
    with pytest.raises(Conflict, match="there is nothing"):
        client.datasets.import_recipe("coco2017", name="ours", source="personal:/nothing-there")
    (failed,) = client.datasets.acts("ours")
    with pytest.raises(NotFound):
        mallory.datasets.resume_import("admin:ours", failed.id)
    client.datasets.share_with("ours", [{"to": "user", "name": "mallory", "mode": "rw"}])
    with pytest.raises(Conflict, match="admin began this import"):
        mallory.datasets.resume_import("admin:ours", failed.id)
    assert not list(mallory.transfers.list())
