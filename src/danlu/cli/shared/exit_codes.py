"""How commands end, by what went wrong."""

from __future__ import annotations

from danlu.sdk.http import errors

FAILED, WRONG_USE, NOT_ALLOWED, NOT_FOUND, UNREACHABLE = 1, 2, 3, 4, 5
NOTHING_DONE = 6
"""Of many files none could be copied; if only some could not, it is FAILED."""
INTERRUPTED = 130
_CODES = (
    (errors.Invalid, WRONG_USE),
    (errors.BadFile, WRONG_USE),
    (errors.BadCode, WRONG_USE),
    (errors.BadConfig, WRONG_USE),
    (errors.BadPlace, WRONG_USE),
    (errors.NeedsExtra, WRONG_USE),
    (errors.NotSignedIn, NOT_ALLOWED),
    (errors.NotAllowed, NOT_ALLOWED),
    (errors.NotFound, NOT_FOUND),
    (errors.Unreachable, UNREACHABLE),
    (errors.StorePassing, UNREACHABLE),
)


def exit_code(error: errors.DanluError) -> int:
    return next((code for kind, code in _CODES if isinstance(error, kind)), FAILED)
