"""What people of the demonstration wished to run: names, sizes, times and fates that look real, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from danlu.domain.job import Time

HOUR: Time = 3_600_000
DAY = 24 * HOUR
SAMPLE = "Made up for the demonstration"
"""What every job of this past has in its description."""

_TASKS: Mapping[str, Sequence[tuple[str, str, Sequence[str], Sequence[str]]]] = {
    "lin": (
        ("vision", "resnet50", ("in1k", "cutmix", "ema", "lr01"), ("A100", "RTX3090")),
        ("vision", "vit-small", ("dino", "mae", "patch8", "wd005"), ("RTX3090",)),
        ("vision", "convnext-tiny", ("warmup5", "sgd", "adamw"), ("RTX3090",)),
    ),
    "wang": (
        ("nlp", "bert-zh", ("wiki", "news", "wwm", "len512"), ("A100",)),
        ("nlp", "tokenizer", ("32k", "64k", "byte"), ("RTX3090",)),
        ("nlp", "llama-7b-sft", ("alpaca", "lora16", "lora64"), ("A100",)),
    ),
    "sara": (
        ("speech", "whisper-small", ("aishell", "noise", "spec-aug"), ("RTX3090",)),
        ("speech", "hifi-gan", ("22k", "44k"), ("RTX3090",)),
        ("speech", "speaker-embed", ("ecapa", "resnet34"), ("RTX3090",)),
    ),
    "chen": (
        ("vision", "yolo-nano", ("coco", "mosaic", "export", "int8"), ("RTX3090",)),
        ("nlp", "reranker", ("base", "large", "hard-neg"), ("A100", "RTX3090")),
        ("public", "diffusion", ("64px", "128px", "cfg"), ("RTX3090",)),
    ),
}
FATES = {
    "done": 70, "gpu_memory": 6, "not_a_number": 4, "module_missing": 4, "loader_killed": 3, "out_of_memory": 3,
    "over_time": 2, "stopped": 9, "stopped_by_staff": 2, "node_lost": 2,
}  # fmt: skip
"""How jobs end, of a hundred or so."""


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """A job that somebody submits at a moment, how long it runs, and how it ends."""

    at: Time
    owner: str
    file: Mapping[str, Any]
    lasts: Time
    fate: str


def plans(began: Time, until: Time, models: Sequence[str], seed: int) -> Iterator[SamplePlan]:
    """In the order of time: much on working days, little at night and on weekends."""
    chance = random.Random(seed)
    numbers: dict[tuple[str, str], int] = {}
    at = began
    while at < until:
        at += int(chance.expovariate(1) * 29 * 60_000 / _busy(at))
        if at >= until - HOUR // 6:
            return
        yield _plan(at, until, models, chance, numbers)


def _busy(at: Time) -> float:
    """How much goes on: most in the afternoon (of China), less on weekends."""
    local = at + 8 * HOUR
    weekend = (local // DAY + 3) % 7 >= 5
    hour = local // HOUR % 24
    return (0.35 if weekend else 1.0) * (1.6 if 9 <= hour < 20 else 0.6 if hour >= 20 else 0.2)


def _plan(
    at: Time, until: Time, models: Sequence[str], chance: random.Random, numbers: dict[tuple[str, str], int]
) -> SamplePlan:
    owner = chance.choice(sorted(_TASKS))
    fate = chance.choices(list(FATES), list(FATES.values()))[0]
    if chance.random() < 0.12:
        lasts = int(chance.uniform(0.5, 7) * HOUR)
        name = _numbered(owner, f"{owner}-notebook", numbers)
        size: dict[str, Any] = {"cpus": 8, "memory": "32GiB", "gpus": 1, "gpu": _model(("RTX3090",), models)}
        desk = {
            "kind": "workspace",
            "name": name,
            "project": "public",
            "resources": size,
            "description": SAMPLE,
        }
        return SamplePlan(at, owner, desk, max(15_000, min(lasts, until - at - HOUR // 12)), "stopped")
    project, base, variants, liked = chance.choice(_TASKS[owner])
    name = _numbered(owner, f"{base}-{chance.choice(variants)}", numbers)
    gpus = chance.choices((1, 2, 4, 8), (20, 22, 30, 28))[0]
    nodes = 2 if gpus == 8 and chance.random() < 0.35 else 1
    lasts = int(min(chance.lognormvariate(1.35, 0.8), 20) * HOUR)
    if fate in ("module_missing", "gpu_memory"):
        lasts = int(chance.uniform(20_000, 240_000))
    file: dict[str, Any] = {
        "kind": "training",
        "name": name,
        "project": project,
        "command": f"torchrun --nproc-per-node {gpus} train.py --run {name}",
        "resources": {
            "cpus": gpus * 6,
            "memory": f"{gpus * 48}GiB",
            "gpus": gpus,
            "gpu": _model(liked, models),
        },
        "nodes": nodes,
        "description": SAMPLE,
        **_times(lasts, fate),
        **({"on": {"node_lost": "requeue"}} if fate == "node_lost" else {}),
    }
    return SamplePlan(at, owner, file, max(15_000, min(lasts, until - at - HOUR // 12)), fate)


def _times(lasts: Time, fate: str) -> dict[str, str]:
    """What its owner expected, and the most it may take: less than it needed where it ran over time."""
    if fate == "over_time":
        return {"max_time": f"{max(1, lasts // 60_000)}m"}
    return {"expected_time": f"{max(1, round(lasts / HOUR))}h"}


def _model(liked: Sequence[str], models: Sequence[str]) -> str:
    return next((one for one in liked if one in models), models[0])


def _numbered(owner: str, name: str, numbers: dict[tuple[str, str], int]) -> str:
    numbers[owner, name] = numbers.get((owner, name), 0) + 1
    return f"{name}-{numbers[owner, name]}"
