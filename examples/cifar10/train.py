"""Trains a linear classifier on CIFAR-10, read through `danlu.dataset`: the original or its stand-in."""

from __future__ import annotations

import argparse
import json
import os
import pickle
from typing import Any

import numpy as np

import danlu


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--epochs", type=int, default=20)
    options.add_argument("--dataset", default="", help="default: the one that this job mounts")
    chosen = options.parse_args()
    # Rank and world are given: every process needs all batches here, not a share of the files.
    data = danlu.dataset(chosen.dataset or mounted(), rank=0, world=1)
    schema = json.loads(data.read("danlu.json"))
    print(f"{schema['recipe']}, stand-in: {schema['stand_in']}, for {schema['task']}", flush=True)
    batches = [batch(data, f"data_batch_{number}") for number in range(1, 6)]
    images = np.concatenate([one[0] for one in batches])
    labels = np.concatenate([one[1] for one in batches])
    weights = np.zeros((images.shape[1], len(schema["classes"])))
    chance = np.random.default_rng(0)
    for epoch in range(chosen.epochs):
        order = chance.permutation(len(images))
        losses = [
            step(weights, images[some], labels[some]) for some in np.array_split(order, len(order) // 50)
        ]
        danlu.log(epoch, loss=float(np.mean(losses)))
    tests, wanted = batch(data, "test_batch")
    right = float(np.mean(np.argmax(tests @ weights, axis=1) == wanted))
    print(f"{right:.0%} of the test images are right", flush=True)


def mounted() -> str:
    """The one version that the job mounts."""
    return next(iter(json.loads(os.environ["DANLU_DATASETS"])))


def batch(data: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Images as rows of numbers around 0, and their classes. Unpickling runs what is in the file: read only sets that
    you trust."""
    told = pickle.loads(data.read(f"cifar-10-batches-py/{name}"), encoding="bytes")
    images = told[b"data"].astype(np.float64) / 255 - 0.5
    ones = np.ones((len(images), 1))
    return np.hstack([images, ones]), np.array(told[b"labels"])


def step(weights: np.ndarray, images: np.ndarray, labels: np.ndarray, rate: float = 0.01) -> float:
    """One step of gradient descent; the loss before it."""
    scores = images @ weights
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    picked = chances[np.arange(len(labels)), labels]
    chances[np.arange(len(labels)), labels] -= 1
    weights -= rate * images.T @ chances / len(labels)
    return float(-np.log(np.maximum(picked, 1e-12)).mean())


if __name__ == "__main__":
    main()
