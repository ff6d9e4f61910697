"""Stand-ins have the form of the originals, are the same every time, and agree with themselves."""

from __future__ import annotations

import hashlib
import json
import pickle

import pytest

from danlu.data.recipes.jpeg import jpeg
from danlu.data.recipes.stand_ins import files_of
from danlu.domain.datasets.classes import CIFAR10, COCO
from danlu.domain.datasets.recipes import RECIPES


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_stand_in_is_the_same_every_time_and_tells_its_schema(recipe: str) -> None:
    least = RECIPES[recipe].stand_in.least
    files = dict(files_of(recipe, least))
    assert files == dict(files_of(recipe, least))
    schema = json.loads(files["danlu.json"])
    assert (schema["recipe"], schema["task"]) == (recipe, RECIPES[recipe].task.value)
    assert [path for path, _ in files_of(recipe, 0)] == ["danlu.json"]


@pytest.mark.parametrize("encoding", ["bytes", "latin1"])
def test_batches_of_cifar10_are_read_as_the_original_is(encoding: str) -> None:
    """With either encoding that programs use."""
    files = dict(files_of("cifar10", 61))
    key = (lambda name: name.encode()) if encoding == "bytes" else str
    sizes, labels = [], set()
    for name in [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"]:
        told = pickle.loads(files[f"cifar-10-batches-py/{name}"], encoding=encoding)
        data = told[key("data")]
        assert (data.dtype, data.shape[1]) == ("uint8", 3072)
        assert len(data) == len(told[key("labels")]) == len(told[key("filenames")])
        sizes.append(len(data))
        labels |= set(told[key("labels")])
    assert sizes == [11, 10, 10, 10, 10, 10]
    assert labels == set(range(10))
    names = pickle.loads(files["cifar-10-batches-py/batches.meta"], encoding="latin1")["label_names"]
    assert names == list(CIFAR10.values())


def test_annotations_of_coco_agree_with_its_images() -> None:
    files = dict(files_of("coco2017", 30))
    assert len(COCO) == 80
    seen = set()
    for split, count in (("train", 25), ("val", 5)):
        told = json.loads(files[f"annotations/instances_{split}2017.json"])
        images = {one["id"]: one for one in told["images"]}
        assert {f"{split}2017/{one['file_name']}" for one in images.values()} == {
            path for path in files if path.startswith(f"{split}2017/")
        }
        assert len(images) == count
        assert {one["image_id"] for one in told["annotations"]} == set(images)
        for one in told["annotations"]:
            x, y, width, height = one["bbox"]
            image = images[one["image_id"]]
            assert 0 <= x < x + width <= image["width"]
            assert 0 <= y < y + height <= image["height"]
            assert one["area"] == width * height
            seen.add(one["id"])
        assert {one["id"] for one in told["categories"]} == {number for number, _, _ in COCO}
        for one in images.values():
            size = _size(files[f"{split}2017/{one['file_name']}"])
            assert size == (one["width"], one["height"])
        captions = json.loads(files[f"annotations/captions_{split}2017.json"])
        assert {one["image_id"] for one in captions["annotations"]} == set(images)
    assert len(seen) == sum(
        len(json.loads(files[f"annotations/instances_{split}2017.json"])["annotations"])
        for split in ("train", "val")
    )


def test_imagenet_has_a_folder_for_each_class() -> None:
    paths = [path for path, _ in files_of("imagenet", 60)]
    assert len({path.split("/")[1] for path in paths if path.startswith("train/")}) == 10
    assert sum(path.startswith("train/") for path in paths) == 50
    assert sum(path.startswith("val/ILSVRC2012_val_") for path in paths) == 10


def test_a_jpeg_is_as_browsers_were_seen_to_show_it() -> None:
    """Its bytes, of which Chromium made these squares within one step of every colour."""
    made = jpeg([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]])
    assert _size(made) == (16, 16)
    assert hashlib.sha256(made).hexdigest()[:16] == "4f28d4e697e9e563"


def _size(data: bytes) -> tuple[int, int]:
    at = data.index(b"\xff\xc0") + 5
    return int.from_bytes(data[at + 2 : at + 4], "big"), int.from_bytes(data[at : at + 2], "big")
