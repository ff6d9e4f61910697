"""All frameworks: Danlu's own, and plugins of installed packages."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from danlu.frameworks.base import Framework, Strategy
from danlu.frameworks.deepspeed import DeepSpeed
from danlu.frameworks.horovod import Horovod
from danlu.frameworks.jax import Jax
from danlu.frameworks.mpi import Mpi
from danlu.frameworks.paddle import Paddle
from danlu.frameworks.plain import Plain
from danlu.frameworks.pytorch import PyTorch
from danlu.frameworks.sample import variables
from danlu.frameworks.tensorflow import TensorFlow

ENTRY_POINTS = "danlu.frameworks"
PLAIN = Plain()

log = logging.getLogger(__name__)


@cache
def frameworks() -> Mapping[str, Framework]:
    """All frameworks by name; a plugin that cannot be loaded, or fails for a small sample gang, is left out with a log
    line."""
    own: tuple[Framework, ...] = (
        PLAIN,
        PyTorch(),
        DeepSpeed(),
        TensorFlow(),
        Mpi(),
        Horovod(),
        Jax(),
        Paddle(),
    )
    known = {one.name: one for one in own}
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            plugin: Framework = entry.load()()
            for one in plugin.strategies:
                variables(plugin, one)
        except Exception:
            log.exception("framework plugin %s could not be loaded", entry.name)
            continue
        known.setdefault(plugin.name, plugin)
    return known


def framework(name: str) -> Framework:
    """The framework of this name; the plain one if it no longer exists."""
    return frameworks().get(name, PLAIN)


def strategy(of: Framework, name: str) -> Strategy:
    """The strategy of this name, or the framework's usual one."""
    return next((one for one in of.strategies if one.name == name), of.strategies[0])
