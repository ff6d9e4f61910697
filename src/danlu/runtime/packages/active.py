"""What makes an environment the one that programs are taken from."""

from __future__ import annotations

import os
from typing import Mapping


def activated(env: Mapping[str, str], path: str) -> dict[str, str]:
    """The variables with the environment first, as its own `activate` would set them."""
    changed = {name: value for name, value in env.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    own = os.path.join(path, "bin")
    changed["PATH"] = os.pathsep.join(filter(None, (own, env.get("PATH", ""))))
    is_conda = os.path.isdir(os.path.join(path, "conda-meta"))
    changed["CONDA_PREFIX" if is_conda else "VIRTUAL_ENV"] = path
    return changed
