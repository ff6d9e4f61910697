"""Fits a line through noisy points, step by step; resumes from its checkpoint after an interruption."""

from __future__ import annotations

import argparse
import json
import os
import random
import time

import danlu

SLOPE, HEIGHT = 2.0, -1.0


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--steps", type=int, default=300)
    options.add_argument("--every", type=int, default=25, help="save after so many steps")
    options.add_argument("--pause", type=float, default=0.1, help="seconds that a step takes")
    chosen = options.parse_args()
    model, step = resumed()
    while step < chosen.steps:
        step += 1
        loss = train(model, step)
        danlu.log(step, loss=loss)
        time.sleep(chosen.pause)
        leaving = danlu.should_stop()
        if leaving or step % chosen.every == 0 or step == chosen.steps:
            save(model, step)
            print(f"step {step} of {chosen.steps}: loss {loss:.4f}, saved", flush=True)
        if leaving:
            print("asked to leave: the rest is done by the next attempt", flush=True)
            return
    print(f"y = {model['slope']:.2f} x {model['height']:+.2f}", flush=True)


def train(model: dict[str, float], step: int) -> float:
    """One step of gradient descent. The points depend on the step alone, so a resumed run sees the same ones."""
    points = random.Random(step)
    slope = height = loss = 0.0
    batch = 32
    for _ in range(batch):
        x = points.uniform(-1, 1)
        error = model["slope"] * x + model["height"] - (SLOPE * x + HEIGHT + points.gauss(0, 0.1))
        slope += 2 * error * x / batch
        height += 2 * error / batch
        loss += error * error / batch
    model["slope"] -= 0.05 * slope
    model["height"] -= 0.05 * height
    return loss


def resumed() -> tuple[dict[str, float], int]:
    last = danlu.resume_from()
    if last is None:
        return {"slope": 0.0, "height": 0.0}, 0
    with open(last.path, encoding="utf-8") as file:
        saved = json.load(file)
    print(f"going on after step {saved['step']}", flush=True)
    return saved["model"], saved["step"]


def save(model: dict[str, float], step: int) -> None:
    """Written to a temporary file and then renamed: a checkpoint is complete or does not exist."""
    folder = os.environ.get("DANLU_CHECKPOINT_DIR", "checkpoints")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"step-{step}.json")
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        json.dump({"model": model, "step": step}, file)
    os.replace(f"{path}.part", path)
    danlu.checkpoint(path, step)


if __name__ == "__main__":
    main()
