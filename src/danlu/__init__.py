"""Danlu shares a pool of GPU machines among people who train models."""

__version__ = "0.1.0.dev0"

# From danlu.sdk, loaded when first used: `import danlu` costs a training next to nothing.
_SDK = ("Client", "DanluError", "Event", "Job", "JobRow", "LogLine", "Node", "Task")


def __getattr__(name: str) -> object:
    if name not in _SDK:
        raise AttributeError(f"module 'danlu' has no attribute '{name}'")
    from danlu import sdk

    return getattr(sdk, name)


def __dir__() -> "list[str]":
    return sorted({*globals(), *_SDK})
