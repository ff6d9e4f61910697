"""What an exit status means."""

import signal

import pytest

from danlu.runtime.supervisor import _ending


@pytest.mark.parametrize(
    ("status", "sandboxed", "code", "number", "reason"),
    [
        (0, False, 0, None, None),
        (3 << 8, False, 3, None, "exit_code"),
        (127 << 8, True, 127, None, "command_not_found"),
        (signal.SIGKILL, False, None, 9, "signal"),
        (143 << 8, False, 143, None, "exit_code"),
        (143 << 8, True, None, 15, "signal"),
        (255 << 8, True, 255, None, "exit_code"),
        (128 << 8, True, 128, None, "exit_code"),
    ],
)
def test_an_exit_status_is_read_as_a_person_would(status, sandboxed, code, number, reason):
    assert _ending(status, sandboxed) == {"code": code, "signal": number, "reason": reason}
