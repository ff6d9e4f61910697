"""Sample volumes with a few files, created through the same use cases as real ones."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from danlu.control.people.rights import Rights
from danlu.control.volumes.volumes import Volumes
from danlu.domain.permissions import Caller
from danlu.domain.volumes.volume import MountMode, SharedWith, Volume, VolumeKind, VolumeShare
from danlu.ports.accounts import PeopleStore
from danlu.ports.governance import MemberStore

WriteFiles = Callable[[Volume, Mapping[str, bytes]], None]
_GIB = 2**30


class PeopleAndMembers(PeopleStore, MemberStore, Protocol):
    """Who there is, and who belongs where."""


@dataclass(frozen=True, slots=True)
class _Sample:
    owner: str
    name: str
    kind: VolumeKind
    capacity: int
    more: Mapping[str, Any]
    shares: tuple[VolumeShare, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    trashed: bool = False


def seed_volumes(volumes: Volumes, store: PeopleAndMembers, write: WriteFiles) -> None:
    """Create what is missing; a second start adds nothing, not even what was thrown away."""
    rights = Rights(store)
    for sample in _samples():
        user = store.user(sample.owner)
        if user is not None:
            _seed(volumes, rights.caller(user), sample, write)


def _seed(volumes: Volumes, caller: Caller, sample: _Sample, write: WriteFiles) -> None:
    had = [one for trashed in (False, True) for one in volumes.all(caller, caller.name, trashed=trashed)]
    if any(one.name == sample.name for one in had):
        return
    made = volumes.create(caller, sample.name, sample.kind, sample.capacity, **sample.more)
    write(made, sample.files)
    if sample.shares:
        volumes.share(caller, made.id, sample.shares)
    if sample.trashed:
        volumes.trash(caller, made.id)


def _samples() -> list[_Sample]:
    block, filesystem = VolumeKind.BLOCK, VolumeKind.FILESYSTEM
    vision = VolumeShare(SharedWith.PROJECT, "vision", MountMode.RO)
    wang = VolumeShare(SharedWith.USER, "wang", MountMode.RW)
    nlp = VolumeShare(SharedWith.PROJECT, "nlp", MountMode.RW)
    tiny, corpus = "ImageNet, ten classes, small", "Chinese web text, cleaned"
    return [
        _Sample("lin", "imagenet-tiny", filesystem, 40 * _GIB, {"description": tiny}, (vision,), _images()),
        _Sample("lin", "checkpoints", block, 100 * _GIB, {"description": "ResNet-50"}, (), _checkpoints()),
        _Sample("wang", "corpus-zh", filesystem, 200 * _GIB, {"description": corpus}, (nlp,), _corpus()),
        _Sample("sara", "voices", filesystem, 80 * _GIB, {"description": "Interviews", "sensitive": True}, (wang,)),
        _Sample("chen", "benchmarks", filesystem, 10 * _GIB, {"description": "For all", "public": True}, (), _curve()),
        _Sample("lin", "old-features", block, 20 * _GIB, {"description": "2023"}, trashed=True),
    ]  # fmt: skip


def _images() -> dict[str, bytes]:
    rows = [f"train/{at:04d}.png,{at % 10}" for at in range(500)]
    return {
        "README.md": b"# ImageNet, tiny\n\nTen classes, 500 images of 64 x 64 pixels.\n",
        "labels.csv": "\n".join(["file,label", *rows, ""]).encode(),
        "classes.json": json.dumps({str(at): name for at, name in enumerate(_CLASSES)}, indent=2).encode(),
    }


def _checkpoints() -> dict[str, bytes]:
    return {f"resnet50/epoch-{at:02d}.pt": bytes(65536 * at) for at in (1, 2, 3)}


def _corpus() -> dict[str, bytes]:
    lines = [json.dumps({"id": at, "text": f"第 {at} 段"}, ensure_ascii=False) for at in range(200)]
    return {
        "part-000.jsonl": "\n".join([*lines, ""]).encode(),
        "2024-03/part-000.jsonl": "\n".join([*lines[:120], ""]).encode(),
        "2024-06/part-000.jsonl": "\n".join([*lines[:100], ""]).encode(),
        "2024-06/part-001.jsonl": "\n".join([*lines[120:], ""]).encode(),
        "说明.md": "# 语料\n\n清洗后的网页文本。\n".encode(),
    }


def _curve() -> dict[str, bytes]:
    rows = [f"{step},{2.3 * math.exp(-step / 300):.4f}" for step in range(0, 1000, 10)]
    return {"loss.csv": "\n".join(["step,loss", *rows, ""]).encode()}


_CLASSES = ("tench", "goldfish", "shark", "ray", "cock", "hen", "ostrich", "finch", "junco", "robin")
