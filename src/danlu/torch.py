"""Save and resume a PyTorch training in two lines.

    progress = danlu.torch.Progress(model=model, optimizer=optimizer)
    for step in progress.steps(1000, save_every=100):
        ...

Every process of a distributed training does the same; the first one writes."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import threading
import time
from itertools import islice
from typing import Any, Callable, Iterator

import torch
from torch import distributed
from torch.utils.data import IterableDataset, get_worker_info

from danlu.sdk.dataset import dataset
from danlu.sdk.training.training import Resume, checkpoint, resume_from, should_stop

__all__ = ["Progress", "Samples", "worker_init"]

_FORMAT = 1
_NEWEST = "newest.json"
# How long ranks go on before they agree again whether to stop, and how many steps at most.
_AGREE_SECONDS, _AGREE_STEPS = 0.2, 50


class Progress:
    """How far a training is, with all that it takes to go on from there.

    Things are whatever has `state_dict` and `load_state_dict`: model, optimizer, scheduler, scaler; a model inside
    DistributedDataParallel is saved as itself. Random numbers go on where they were. Checkpoints go to `folder`, by
    default DANLU_CHECKPOINT_DIR, which all ranks must see; the last `keep` stay. Made after `init_process_group`, if
    there is one."""

    def __init__(self, *, folder: str | None = None, keep: int = 2, **things: Any) -> None:
        for name, thing in things.items():
            if not (hasattr(thing, "state_dict") and hasattr(thing, "load_state_dict")):
                raise TypeError(f"danlu.torch: '{name}' has no state to save: {type(thing).__name__}")
        self.done = 0
        """Steps that are complete."""
        self.folder = folder or os.environ.get("DANLU_CHECKPOINT_DIR") or "checkpoints"
        self._keep, self._things = max(1, keep), things
        self._random: dict[str, Any] | None = None
        self._saved_at = -1
        self._ranks = _Processes()
        should_stop()  # from now on SIGTERM asks, and does not kill
        self.resumed = self._ranks.as_first(self._newest())
        if self.resumed is not None:
            self._load(self.resumed.path)

    def steps(self, total: int, save_every: int | None = None) -> Iterator[int]:
        """The numbers of the steps that are left of 0 … total - 1. Saves after every `save_every` of them and after the
        last; when Danlu asks the training to stop, saves and ends the program with code 0."""
        if save_every is not None and save_every < 1:
            raise ValueError("danlu.torch: save_every counts steps, from 1")
        if self._random is not None:
            _set_random(self._random)
            self._random = None
        while self.done < total:
            yield self.done
            self.done += 1
            leave = self._ranks.agree(should_stop())
            if leave or self.done == total or (save_every and self.done % save_every == 0):
                self.save()
            if leave and self.done < total:
                raise SystemExit(0)

    def save(self) -> None:
        """Save now, in all ranks together; `steps` does it by itself."""
        if self._saved_at == self.done:
            return
        randoms = self._ranks.gathered(_get_random())
        if self._ranks.rank == 0:
            path = os.path.join(self.folder, f"step-{self.done:09}.pt")
            states = {name: _bare(thing).state_dict() for name, thing in self._things.items()}
            os.makedirs(self.folder, exist_ok=True)
            _write(path, {"danlu": _FORMAT, "step": self.done, "things": states, "random": randoms})
            checkpoint(path, self.done)
            self._note(path)
            self._forget_old(path)
        self._ranks.wait()
        self._saved_at = self.done

    def _newest(self) -> Resume | None:
        """A launcher may have started the ranks again within one attempt: then theirs is newer than what Danlu told."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            with open(os.path.join(self.folder, _NEWEST), encoding="utf-8") as file:
                noted = json.load(file)
            if noted["by"] == _who() and os.path.exists(noted["path"]):
                return Resume(noted["path"], noted["step"])
        return resume_from()

    def _load(self, path: str) -> None:
        data = torch.load(path, map_location="cpu", weights_only=False)
        if not isinstance(data, dict) or data.get("danlu") != _FORMAT:
            raise ValueError(f"danlu.torch: {path} was not saved by Progress; start the job afresh")
        missing = sorted(self._things.keys() ^ data["things"].keys())
        if missing:
            raise ValueError(
                f"danlu.torch: {path} holds other things than this program: {', '.join(missing)}"
            )
        for name, thing in self._things.items():
            _bare(thing).load_state_dict(data["things"][name])
        self.done = self._saved_at = data["step"]
        # A rank that was not there then begins with its own.
        randoms = data["random"]
        self._random = randoms[self._ranks.rank] if self._ranks.rank < len(randoms) else None

    def _note(self, path: str) -> None:
        if _who() is None:
            return
        draft = os.path.join(self.folder, f".{_NEWEST}.{os.getpid()}")
        with open(draft, "w", encoding="utf-8") as file:
            json.dump({"path": os.path.abspath(path), "step": self.done, "by": _who()}, file)
        os.replace(draft, os.path.join(self.folder, _NEWEST))

    def _forget_old(self, newest: str) -> None:
        found = []
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            if name.startswith("step-") and name.endswith(".pt") and path != newest:
                with contextlib.suppress(OSError):
                    found.append((os.stat(path).st_mtime_ns, path))
        for _, path in sorted(found)[: max(0, len(found) - self._keep + 1)]:
            with contextlib.suppress(OSError):
                os.unlink(path)


class Samples(IterableDataset[Any]):  # type: ignore[misc,unused-ignore]
    """A version of a dataset for a DataLoader: `decode` makes a sample of a path and the bytes there. Every process of
    a distributed training, and every worker of its loaders, gets files of its own.

        samples = danlu.torch.Samples("cifar@v3", decode, shuffle=True, seed=7)
        loader = DataLoader(samples, batch_size=64, num_workers=4)
        for epoch in range(10):
            samples.set_epoch(epoch)

    Workers that are `persistent` hear of a new epoch only where the loader is made anew. `even` leaves out the last
    files that not every rank has one of, so that all ranks make as many steps; every epoch leaves out others."""

    def __init__(
        self,
        ref: str,
        decode: Callable[[str, bytes], Any],
        shuffle: bool = False,
        seed: int = 0,
        even: bool = False,
        **more: Any,
    ) -> None:
        super().__init__()
        self._reader, self._decode = dataset(ref, **more), decode
        self._explicit = "rank" in more
        self._shuffle, self._seed, self._even = shuffle, seed, even
        self._epoch = self._done = 0
        self._total: int | None = None

    def set_epoch(self, epoch: int, done: int = 0) -> None:
        """Which epoch comes, before it is iterated over; of it this process has had `done` samples already: exactly
        these are left out where `done` is a multiple of batch size times workers."""
        if epoch < 0 or done < 0:
            raise ValueError("danlu.torch: epochs and samples count from 0")
        self._epoch, self._done = epoch, done

    def __len__(self) -> int:
        """How many samples this process gets from here on in the epoch, all of its workers together."""
        rank, world = self._own()
        if self._total is None:
            self._total = len(self._reader.shard(0, 1))
        more = 0 if self._even else world - 1 - rank
        return max(0, (self._total + more) // world - self._done)

    def __iter__(self) -> Iterator[Any]:
        rank, world = self._own()
        reader = self._reader.shuffle(self._seed, self._epoch) if self._shuffle else self._reader
        info = get_worker_info()
        workers, number = (info.num_workers, info.id) if info else (1, 0)
        last = self._done + len(self) if self._even else None
        # Of what is left to this process, every worker takes every so many.
        for path in islice(reader.shard(rank, world).files(), self._done + number, last, workers):
            yield self._decode(path, reader.read(path))

    def _own(self) -> tuple[int, int]:
        if not self._explicit and distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank(), distributed.get_world_size()
        return self._reader.rank, self._reader.world


def worker_init(worker: int) -> None:  # noqa: ARG001
    """For `DataLoader(..., worker_init_fn=danlu.torch.worker_init)`: workers go on loading while the training saves.

    Every process of a task is asked to leave at the same time. Workers that did would fail the step in which their
    training waits for them; so they leave when the training tells them to."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=_leave_when_told_by, args=(os.getppid(),), daemon=True).start()


def _leave_when_told_by(parent: int) -> None:
    while signal.sigwaitinfo({signal.SIGTERM}).si_pid != parent:
        pass
    os._exit(0)


class _Processes:
    """The processes of the training; alone, where there is no process group."""

    def __init__(self) -> None:
        self._many = distributed.is_available() and distributed.is_initialized()
        self.rank = distributed.get_rank() if self._many else 0
        # Words between ranks go over the processor: they must not make it wait for the cards.
        self._group = distributed.new_group(backend="gloo") if self._many else None
        self._countdown, self._agreed_at, self._since = 1, time.monotonic(), 0

    def agree(self, stop: bool) -> bool:
        """Whether any of them was asked to stop; all are told the same at the same step. Asked after every step, they
        compare a few times a second."""
        if not self._many:
            return stop
        self._since += 1
        if self._since < self._countdown:
            return False
        now = time.monotonic()
        pace = max(1e-6, (now - self._agreed_at) / self._since)
        wish = min(_AGREE_STEPS, max(1, int(_AGREE_SECONDS / pace)))
        said = torch.tensor([int(stop), -wish])
        distributed.all_reduce(said, op=distributed.ReduceOp.MAX, group=self._group)
        self._countdown, self._agreed_at, self._since = -int(said[1]), now, 0
        return bool(said[0])

    def gathered(self, mine: Any) -> list[Any]:
        """What every rank has, by rank, for the first; the others need not care."""
        if not self._many:
            return [mine]
        everybodys: list[Any] = [None] * distributed.get_world_size()
        distributed.all_gather_object(everybodys, mine, group=self._group)
        return everybodys

    def as_first(self, mine: Any) -> Any:
        """What the first rank has: all go on from the same place."""
        if not self._many:
            return mine
        told = [mine]
        distributed.broadcast_object_list(told, src=0, group=self._group)
        return told[0]

    def wait(self) -> None:
        if self._many:
            distributed.barrier(group=self._group)


def _bare(thing: Any) -> Any:
    wrappers = (torch.nn.parallel.DistributedDataParallel, torch.nn.DataParallel)
    return thing.module if isinstance(thing, wrappers) else thing


def _who() -> list[str] | None:
    """The attempt that runs; None outside Danlu."""
    job = os.environ.get("DANLU_JOB_ID")
    return [job, os.environ.get("DANLU_ATTEMPT", "")] if job else None


def _write(path: str, data: Any) -> None:
    """Whole or not at all, and on the disk before anybody hears of it."""
    draft = f"{path}.{os.getpid()}.draft"
    try:
        with open(draft, "wb") as file:
            torch.save(data, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _get_random() -> dict[str, Any]:
    state = {"python": random.getstate(), "torch": torch.get_rng_state()}
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        state["cuda"] = torch.cuda.get_rng_state()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        state["numpy"] = numpy.random.get_state()
    return state


def _set_random(state: dict[str, Any]) -> None:
    random.setstate(state["python"])
    torch.set_rng_state(state["torch"])
    if "cuda" in state and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["cuda"])
    numpy = sys.modules.get("numpy")
    if numpy is not None and "numpy" in state:
        numpy.random.set_state(state["numpy"])
