"""NumPy, loaded when somebody first computes with it: 15 MB that a server without jobs does not need (ADR 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _LoadedLater:
        """Looks like the module `numpy`. What was asked for once is kept, so that asking again costs nothing."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _LoadedLater()

__all__ = ["Floats", "Ints", "Mask", "np"]

Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"
Mask: TypeAlias = "NDArray[np.bool_]"
