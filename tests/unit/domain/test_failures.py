"""What the last lines of a log tell of a failure."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from danlu.domain import reasons as why
from danlu.domain.failures import LAST_BYTES, LAST_LINES, Pattern, SitePattern, read_failure
from danlu.domain.reasons import FromLog, Reason
from danlu.domain.words import BadValue, Words

ENDED = why.ExitCode("worker-0", 1, "n1")
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of "
    "which 1.10 GiB is free. Process 71 has 78.04 GiB memory in use."
)
TORCHRUN = """\
W1118 10:00:00.123000 9 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 12 closing signal SIGTERM
E1118 10:00:00.456000 9 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: 1) local_rank: 0 (pid: 11)
Traceback (most recent call last):
  File "/opt/venv/bin/torchrun", line 8, in <module>
    sys.exit(main())
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-18_10:00:00
  host      : n1
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 11)
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================"""
MPIRUN = """\
--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[4711,1],0]
  Exit code:    1
--------------------------------------------------------------------------"""
DEEPSPEED = """\
[2026-11-18 10:00:00,123] [INFO] [launch.py:319:sigkill_handler] Killing subprocess 11
[2026-11-18 10:00:00,456] [ERROR] [launch.py:325:sigkill_handler] ['/usr/bin/python', '-u', 'train.py'] exits with return \
code = 1"""


def traceback(*last: str, prefix: str = "") -> list[str]:
    lines = [
        "Traceback (most recent call last):",
        '  File "train.py", line 3, in <module>',
        "    main()",
        *last,
    ]
    return [prefix + line for line in lines]


def read(lines: Sequence[str], reason: Reason = ENDED, site: Sequence[SitePattern] = ()) -> FromLog:
    found = read_failure(reason, lines, site)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (OOM, "gpu_memory", "CUDA out of memory: 2.00 GiB asked for, 1.10 GiB of 79.15 GiB free"),
        ("RuntimeError: CUDA error: out of memory", "gpu_memory", "CUDA out of memory"),
        ("ModuleNotFoundError: No module named 'flash_attn'", "module_missing", "flash_attn"),
        ("/usr/bin/python: No module named lightning", "module_missing", "lightning"),
        ("ImportError: libcudart.so.11.0: cannot open shared object file: No such file", "library_missing", "libcudart"),
        ("RuntimeError: The NVIDIA driver on your system is too old (found version 11040).", "cuda_mismatch", "driver"),
        ("RuntimeError: No CUDA GPUs are available", "no_gpu_seen", "no GPU"),
        ("RuntimeError: CUDA error: device-side assert triggered", "device_assertion", "on the GPU"),
        ("RuntimeError: CUDA error: an illegal memory access was encountered", "cuda_failed", "illegal memory access"),
        ("[rank3]:[E1118] [PG 0 Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7)",
         "gpus_disconnected", "timeout"),
        ("torch.distributed.DistBackendError: NCCL error in: ../NCCLUtils.hpp:275", "gpus_disconnected", "NCCL"),
        ("RuntimeError: [../gloo/transport/tcp/pair.cc:525] Connection closed by peer [10.0.0.2]:4711", "peer_lost", "lost"),
        ("OSError: [Errno 28] No space left on device: '/work/ckpt.pt'", "disk_full", "no space left"),
        ("RuntimeError: DataLoader worker (pid 44) is killed by signal: Bus error. It is possible that dataloader's "
         "workers are out of shared memory.", "bus_error", "shared memory"),
        ("RuntimeError: DataLoader worker (pid(s) 44, 45) exited unexpectedly", "loader_killed", "data-loader worker"),
        ("OSError: [Errno 98] Address already in use", "port_taken", "port"),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/data/train.bin'", "file_missing", "/data/train.bin"),
        ("python: can't open file '/w/trian.py': [Errno 2] No such file or directory", "file_missing", "/w/trian.py"),
        ("PermissionError: [Errno 13] Permission denied: '/data/out'", "access_denied", "/data/out"),
        ("OSError: [Errno 24] Too many open files: 'a'", "too_many_files", "open files"),
        ("SyntaxError: '(' was never closed", "wrong_syntax", "never closed"),
        ("train.py: error: unrecognized arguments: --epoch 3", "wrong_arguments", "--epoch 3"),
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x512 and 256x10)", "shapes_differ", "8x512"),
        ("Loss is nan, stopping training", "not_a_number", "NaN"),
        ("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)", "wrong_json", "line 1 column 1"),
        ("AssertionError: labels out of range", "assertion_broken", "labels out of range"),
        ("AssertionError", "assertion_broken", "assertion failed"),
        ("MemoryError", "memory_short", "memory"),
        ("requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries",
         "network_unreachable", "huggingface.co"),
        ("ValueError: the answer is 42", "program_error", "ValueError: the answer is 42"),
        ("mylab.errors.Stop: enough", "program_error", "mylab.errors.Stop: enough"),
    ],
)  # fmt: skip
def test_a_known_ending_has_a_headline_and_advice_of_its_own(line: str, code: str, told: str) -> None:
    found = read(["step 1", *traceback(line)])
    assert found.code == code
    assert told in found.text().en
    assert found.text().en.endswith("(worker-0 on n1)")
    assert found.text().zh.endswith("（worker-0，n1）")
    assert found.line == line.removeprefix("[rank3]:")


@pytest.mark.parametrize("launcher", [TORCHRUN, MPIRUN, DEEPSPEED], ids=["torchrun", "mpirun", "deepspeed"])
def test_what_launchers_print_is_looked_through(launcher: str) -> None:
    lines = [*traceback("ValueError: bad batch", prefix="[rank0]: "), *launcher.splitlines()]
    assert read(lines).text().en == "ValueError: bad batch (worker-0 on n1)"


def test_a_traceback_that_torchrun_recorded_is_read() -> None:
    recorded = [
        "  traceback : Traceback (most recent call last):",
        '    File "a.py", line 1',
        "  KeyError: 'x'",
    ]
    lines = [line for line in TORCHRUN.splitlines() if "traceback :" not in line]
    assert (
        read([*lines[:-1], *recorded[:-1], "KeyError: 'x'", lines[-1]]).text().en.startswith("KeyError: 'x'")
    )


def test_a_rank_that_failed_by_itself_counts_before_those_that_lost_it() -> None:
    mine = traceback("KeyError: 'label'", prefix="[rank3]: ")
    others = traceback("torch.distributed.DistBackendError: NCCL error in: x", prefix="[rank0]: ")
    assert read([*mine, *others]).code == "program_error"
    assert read(others).code == "gpus_disconnected"


def test_the_last_failure_counts_and_one_that_was_handled_long_ago_does_not() -> None:
    handled = ["CUDA out of memory, trying a smaller batch"]
    assert read([*handled, *["step"] * 60, "ValueError: later"]).code == "program_error"
    assert read_failure(ENDED, [*handled, *["step"] * 60]) is None


def test_a_message_of_several_lines_is_read_to_its_end() -> None:
    lines = traceback(
        "RuntimeError: Error(s) in loading state_dict for Net:",
        "\tsize mismatch for fc.weight: copying a param with shape torch.Size([10, 5])",
    )
    assert read([*lines, *["bye"] * 50]).code == "shapes_differ"


def test_the_way_it_ended_tells_where_the_log_does_not() -> None:
    assert read([], why.Signal("worker-0", "SIGBUS")).code == "bus_error"
    assert read([], why.ExitCode("worker-0", 137)).code == "killed"
    assert read_failure(why.ExitCode("worker-0", 3), ["hello"]) is None


def test_the_exit_code_and_the_signal_are_kept_for_those_who_ask() -> None:
    assert read(["KeyError: 1"], why.ExitCode("worker-0", 7)).exit_code == 7
    assert read(["KeyError: 1"], why.Signal("worker-0", "SIGABRT")).signal == "SIGABRT"


def test_a_reason_that_is_not_the_programs_own_end_stays() -> None:
    assert read_failure(why.OutOfMemory("worker-0", 2**30), [OOM]) is None
    assert read_failure(why.NodeLost("worker-0", "n1"), [OOM]) is None


def test_what_is_quoted_is_short_and_has_neither_commands_nor_secrets() -> None:
    hostile = (
        "ValueError: \x1b]0;evil\x07 https://bob:hunter2@host/?token=abc123 hf_abcdefghijklmnopqrstuv "
        + "x" * 5_000
    )
    found = read(traceback(hostile))
    both = found.text()
    for text in (both.en, both.zh, found.line):
        assert len(text) < 500
        assert "\x1b" not in text
        assert "\x07" not in text
        assert not any(secret in text for secret in ("hunter2", "abc123", "hf_abc"))


@pytest.mark.parametrize(
    "piece",
    [
        "a", "Error", "a.", "{", " ", "\r", "\x1b[", "[rank0]: ", "://", "token=", "CUDA out of memory. Tried to allocate ",
        "Traceback (most recent call last):", "HTTPSConnectionPool(host='", "[Errno 2] No such file or directory: '", "x-",
    ],
)  # fmt: skip
def test_hostile_lines_take_time_by_their_length_alone(piece: str) -> None:
    def seconds(length: int) -> float:
        lines = [(piece * length)[:length]] * (LAST_BYTES // 2_000)
        began = time.process_time()
        read_failure(ENDED, lines)
        return time.process_time() - began

    seconds(100)
    # Quadratic work would take 400 times as long; what is beyond a line's bound costs nothing.
    assert seconds(2_000) < 60 * max(seconds(100), 0.001)
    assert seconds(200_000) < 30 * max(seconds(2_000), 0.002)


def test_only_the_last_lines_are_looked_at() -> None:
    assert read_failure(ENDED, ["ValueError: old", *["step"] * LAST_LINES]) is None


LUSTRE = SitePattern(
    "lustre",
    Pattern.of("lustre: mount of {volume} failed"),
    Words("the file system {volume} is away", "文件系统 {volume} 不可用"),
    Words("Ask in the storage channel.", "请联系存储组。"),
)


def test_what_administrators_describe_comes_first() -> None:
    found = read(["lustre: mount of /scratch failed (-5)", *traceback("OSError: no")], site=[LUSTRE])
    assert found.text() == Words(
        "the file system /scratch is away (worker-0 on n1)",
        "任务出错：文件系统 /scratch 不可用（worker-0，n1）",
    )
    assert found.advice.fill(**found.shown()).zh == "请联系存储组。（管理员提供的建议）"


@pytest.mark.parametrize(
    "text", ["{a}", "x {a}{b} longer", "x" * 301, "two\nlines", "a {B} text", "text {a} {a} more"]
)
def test_a_text_that_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        Pattern.of(text)
