"""The known endings: what a line of the log contains, and what that means. The first pattern that fits counts."""

from __future__ import annotations

from danlu.domain import reasons as why
from danlu.domain.failures.patterns import Pattern
from danlu.domain.reasons import FromLog

_TRIED = "CUDA out of memory. Tried to allocate {tried}. GPU {gpu} has a total "

_KNOWN: tuple[tuple[type[FromLog], tuple[str, ...]], ...] = (
    (
        why.GpuMemory,
        (
            _TRIED + "capacity of {total} of which {free} is free",
            _TRIED + "capacty of {total} of which {free} is free",
            "CUDA out of memory. Tried to allocate {tried} (GPU {gpu}; {total} total capacity; {used}; {free} free",
            "CUDA out of memory. Tried to allocate {tried} (",
            "HIP" + _TRIED[4:] + "capacity of {total} of which {free} is free",
            "CUDA out of memory",
            "CUDA error: out of memory",
            "cudaErrorMemoryAllocation",
            "CUDA_ERROR_OUT_OF_MEMORY",
            "CUBLAS_STATUS_ALLOC_FAILED",
            "RESOURCE_EXHAUSTED: Out of memory while trying to allocate {tried} bytes",
            "OOM when allocating tensor",
            "Out of memory error on GPU",
        ),
    ),
    (
        why.ModuleMissing,
        (
            "ModuleNotFoundError: No module named '{module}'",
            "ImportError: No module named '{module}'",
            "ImportError: No module named {module}",
            "Error while finding module specification for '{module}'",
            ": No module named {module}",
        ),
    ),
    (
        why.BusError,
        (
            "is killed by signal: Bus error",
            "It is possible that dataloader's workers are out of shared memory",
            "Unexpected bus error encountered in worker",
            "Bus error (core dumped)",
            "unable to write to file </torch_{file}",
        ),
    ),
    (
        why.LoaderKilled,
        (
            "DataLoader worker (pid {pid}) is killed by signal",
            "DataLoader worker (pid(s) {pid}) exited unexpectedly",
            "DataLoader worker (pid {pid}) exited unexpectedly",
        ),
    ),
    (
        why.CudaMismatch,
        (
            "CUDA driver version is insufficient for CUDA runtime version",
            "The NVIDIA driver on your system is too old",
            "no kernel image is available for execution on the device",
            "detected CUDA version ({version}) mismatches the version that was used to compile",
            "forward compatibility was attempted on non supported HW",
            "Failed to initialize NVML: Driver/library version mismatch",
            "CUDA error: system has unsupported display driver / cuda driver combination",
            "undefined symbol: nccl",
            "undefined symbol: cuda",
            "undefined symbol: cublas",
            "undefined symbol: cudnn",
        ),
    ),
    (
        why.NoGpuSeen,
        (
            "Found no NVIDIA driver on your system",
            "No CUDA GPUs are available",
            "Torch not compiled with CUDA enabled",
            "torch.cuda.is_available() is False",
            "no CUDA-capable device is detected",
            "CUDA error: invalid device ordinal",
        ),
    ),
    (
        why.LibraryMissing,
        (
            "error while loading shared libraries: {library}: cannot open",
            "ImportError: {library}: cannot open shared object file",
            "OSError: {library}: cannot open shared object file",
        ),
    ),
    (why.DeviceAssertion, ("device-side assert triggered", "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED")),
    (why.NoSpaceLeft, ("No space left on device", "Disk quota exceeded", "PytorchStreamWriter failed writing file")),
    (why.TooManyFiles, ("Too many open files", "received 0 items of ancdata")),
    (
        why.MemoryShort,
        (
            "DefaultCPUAllocator: can't allocate memory",
            "DefaultCPUAllocator: not enough memory",
            "numpy.core._exceptions._ArrayMemoryError",
            "numpy._core._exceptions._ArrayMemoryError",
            "Cannot allocate memory",
            "std::bad_alloc",
        ),
    ),
    (
        why.PortTaken,
        ("Address already in use", "EADDRINUSE", "address already in use", "The server socket has failed to listen"),
    ),
    (
        why.NetworkUnreachable,
        (
            "HTTPSConnectionPool(host='{host}'",
            "HTTPConnectionPool(host='{host}'",
            "couldn't connect to '{host}'",
            "Could not resolve host: {host}",
            "Temporary failure in name resolution",
            "Name or service not known",
            "Network is unreachable",
        ),
    ),
    (
        why.FileMissing,
        (
            "can't open file '{path}': [Errno 2]",
            "[Errno 2] No such file or directory: '{path}'",
            "[Errno 2] No such file or directory: b'{path}'",
            ": cannot access '{path}': No such file",
            "cp: cannot stat '{path}'",
            "cat: {path}: No such file or directory",
        ),
    ),
    (
        why.AccessDenied,
        ("[Errno 13] Permission denied: '{path}'", "[Errno 30] Read-only file system: '{path}'", ": Permission denied"),
    ),
    (
        why.WrongSyntax,
        ("SyntaxError: {message}", "IndentationError: {message}", "TabError: {message}"),
    ),
    (
        why.WrongArguments,
        (
            ": error: unrecognized arguments: {message}",
            ": error: the following arguments are required: {message}",
            ": error: argument {message}",
        ),
    ),
    (
        why.ShapesDiffer,
        (
            "size mismatch for {message}",
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied {message}",
            "RuntimeError: The size of tensor a {message}",
            "RuntimeError: shape '{message}",
            "RuntimeError: Sizes of tensors must match {message}",
            "RuntimeError: Given groups={message}",
            "ValueError: operands could not be broadcast together {message}",
            "ValueError: Expected input batch_size {message}",
        ),
    ),
    (
        why.NotANumber,
        ("Loss is nan", "loss is nan", "Loss is NaN", "loss is NaN", "returned nan values in its"),
    ),
    (why.WrongJson, ("JSONDecodeError: {message}",)),
    (why.AssertionBroken, ("AssertionError: {message}",)),
)  # fmt: skip

_WEAK: tuple[tuple[type[FromLog], tuple[str, ...]], ...] = (
    (
        why.GpusDisconnected,
        (
            "Watchdog caught collective operation timeout{timed_out}",
            "[Rank {rank}] Watchdog caught collective{timed_out}",
            "NCCL operation timed out{timed_out}",
            "Some NCCL operations have failed or timed out{timed_out}",
            "ncclInternalError",
            "ncclSystemError",
            "ncclRemoteError",
            "ncclUnhandledCudaError",
            "NCCL error",
            "NCCL communicator was aborted",
        ),
    ),
    (
        why.PeerLost,
        (
            "Connection closed by peer",
            "Connection reset by peer",
            "Connection refused",
            "Broken pipe",
            "DistNetworkError",
            "RendezvousConnectionError",
            "RendezvousTimeoutError",
            "DistStoreError",
            "Horovod has been shut down",
            "Socket Timeout",
        ),
    ),
    (why.CudaFailed, ("CUDA error: {message}",)),
)
"""What a program says too when another one failed: quoted only where nothing better is."""

KNOWN: tuple[tuple[Pattern, type[FromLog]], ...] = tuple(
    (Pattern.of(text), kind) for kind, texts in _KNOWN for text in texts
)
WEAK: tuple[tuple[Pattern, type[FromLog]], ...] = tuple(
    (Pattern.of(text), kind) for kind, texts in _WEAK for text in texts
)
