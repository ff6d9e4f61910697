"""System calls that no training needs and break-outs are made of: the kernel refuses them to tasks, as to containers.

Everything else is allowed. Refused calls answer "not permitted"; `clone3`, whose flags a filter cannot read, answers
"not implemented", whereupon libraries use `clone`. Programs for another architecture (32 bit) get nothing at all."""

from __future__ import annotations

import ctypes
import errno
import os
import struct

_NUMBERS: dict[str, tuple[int, int]] = {
    # name: (x86_64, aarch64); -1 where there is no such call
    # other views, users and networks
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # the kernel itself
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "lookup_dcookie": (212, 18),
    "syslog": (103, 116),
    "reboot": (169, 142),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
    "ustat": (136, -1),
    "sysfs": (139, -1),
    "_sysctl": (156, -1),
    "vhangup": (153, 58),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "nfsservctl": (180, 42),
    # things that namespaces do not keep apart
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "kcmp": (312, 272),
    "fanotify_init": (300, 262),
}
_CLONE, _CLONE3, _IOCTL, _SOCKET = (56, 220), (435, 435), (16, 29), (41, 198)
_NEW_NAMESPACES = 0x7E020000
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_AF_VSOCK = 40
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _MISSING = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2


def available() -> bool:
    """Whether there is a filter for this machine's processor and the kernel takes it."""
    return os.uname().machine in _ARCHITECTURES and os.path.exists("/proc/sys/kernel/seccomp")


def program() -> bytes:
    """The filter in the kernel's form; empty where there is none for this machine."""
    if not available():
        return b""
    column, architecture = _ARCHITECTURES[os.uname().machine]
    refused = sorted(numbers[column] for numbers in _NUMBERS.values() if numbers[column] >= 0)
    lines = [_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, architecture, 1, 0), _step(_RETURN, _MISSING)]
    lines += [_step(_LOAD, _NUMBER)]
    if column == 0:
        lines += [_step(_AT_LEAST, _X32, 0, 1), _step(_RETURN, _MISSING)]
    for number in refused:
        lines += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _REFUSE)]
    lines += [_step(_EQUAL, _CLONE3[column], 0, 1), _step(_RETURN, _MISSING)]
    lines += _unless(_CLONE[column], 0, [(_ANY_BIT, _NEW_NAMESPACES)])
    lines += _unless(_IOCTL[column], 1, [(_EQUAL, _TIOCSTI), (_EQUAL, _TIOCLINUX)])
    lines += _unless(_SOCKET[column], 0, [(_EQUAL, _AF_VSOCK)])
    return b"".join([*lines, _step(_RETURN, _ALLOW)])


def put_on() -> None:
    """Refuse the calls to this process and all that it will start."""
    code = program()
    if not code:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(code, len(code))
    whole = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer))
    for option, value, argument in (
        (_PR_SET_NO_NEW_PRIVS, 1, None),
        (_PR_SET_SECCOMP, _FILTER, ctypes.c_char_p(whole)),
    ):
        if libc.prctl(option, ctypes.c_ulong(value), argument, 0, 0) != 0:
            code_of = ctypes.get_errno()
            raise OSError(code_of, os.strerror(code_of))


def _unless(number: int, argument: int, tests: list[tuple[int, int]]) -> list[bytes]:
    """Refuse this call where a test holds of the lower half of its argument."""
    body = [_step(_LOAD, _ARGUMENTS + 8 * argument)]
    for test, value in tests:
        body += [_step(test, value, 0, 1), _step(_RETURN, _REFUSE)]
    body += [_step(_RETURN, _ALLOW)]
    return [_step(_EQUAL, number, 0, len(body)), *body]


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)
