"""Danlu shares a pool of GPU machines among people who train models."""

__version__ = "0.1.0.dev0"

TYPE_CHECKING = False  # typing's own would cost more than the rest of this file
if TYPE_CHECKING:
    from typing import Any

# From danlu.sdk, loaded when first used: `import danlu` costs a training next to nothing.
_SDK = ("Client", "DanluError", "Event", "Job", "JobRow", "LogLine", "Node", "Task")
_TRAINING = ("Resume", "checkpoint", "log", "resume_from", "should_stop")
_DATA = ("dataset",)
__all__ = [*_SDK, *_TRAINING, *_DATA]


def __getattr__(name: str) -> "Any":
    # By name: what asks this package for its version does not depend on the client.
    from importlib import import_module

    if name in _TRAINING:
        value = globals()[name] = getattr(import_module("danlu.sdk.training.training"), name)
        return value
    if name in _DATA:
        value = globals()[name] = getattr(import_module("danlu.sdk.dataset"), name)
        return value
    if name == "torch":
        return import_module("danlu.torch")
    if name not in _SDK:
        raise AttributeError(f"module 'danlu' has no attribute '{name}'")
    return getattr(import_module("danlu.sdk"), name)


def __dir__() -> "list[str]":
    from importlib.util import find_spec

    # help() looks at all of these: without PyTorch there is no danlu.torch.
    return sorted({*globals(), *__all__, *(("torch",) if find_spec("torch") else ())})
