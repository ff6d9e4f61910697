"""Why a task failed, as the last lines of its own log tell; what is quoted was cut and cleaned before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.reasons.base import AtNode
from danlu.domain.words import Words

_SAID = Words("Its log says: {line}", "日志内容：{line}")


@dataclass(frozen=True, slots=True)
class FromLog(AtNode):
    """What the log of a failed task tells: `line` is quoted from there. Only words: nothing is decided by it. The exit
    code or signal is the one that it stands for."""

    meaning = _SAID
    task: str
    line: str
    node: str = ""
    exit_code: int = 0
    signal: str = ""

    def shown(self) -> dict[str, Any]:
        return {
            **AtNode.shown(self),
            "where": f" ({self.task} on {self.node})" if self.node else f" ({self.task})",
        }

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.shown(), "where": f"（{self.task}，{self.node}）" if self.node else f"（{self.task}）"}


@dataclass(frozen=True, slots=True)
class GpuMemory(FromLog):
    code = "gpu_memory"
    sentence = Words("CUDA out of memory{sizes}{where}", "GPU 显存不足{sizes}{where}")
    advice = Words(
        "Use less GPU memory: a smaller batch with gradient accumulation, shorter sequences, bf16, activation "
        "checkpointing, or a sharded model (FSDP, ZeRO); or ask for a GPU with more memory.",
        "请减少显存用量：减小 batch size 并配合梯度累积、缩短序列、使用 bf16、激活重计算或模型分片（FSDP、ZeRO）；"
        "或申请显存更大的 GPU。",
    )
    tried: str = ""
    total: str = ""
    free: str = ""

    def shown(self) -> dict[str, Any]:
        sizes = f": {self.tried} asked for" if self.tried else ""
        if self.tried and self.total:
            sizes += f", {self.free} of {self.total} free" if self.free else f" of {self.total}"
        return {**FromLog.shown(self), "sizes": sizes}

    def shown_in_chinese(self) -> dict[str, Any]:
        sizes = f"：请求 {self.tried}" if self.tried else ""
        if self.tried and self.total:
            sizes += f"，共 {self.total}" + (f"，剩余 {self.free}" if self.free else "")
        return {**FromLog.shown_in_chinese(self), "sizes": sizes}


@dataclass(frozen=True, slots=True)
class ModuleMissing(FromLog):
    code = "module_missing"
    sentence = Words("Python module {module} was not found{where}", "找不到 Python 模块 {module}{where}")
    advice = Words(
        "Add the package that provides it to the job's environment (`packages:` in the job file), or use an image that "
        "contains it. If it is a module of your own, check that it is in the code folder and that the command runs "
        "there.",
        "请将提供该模块的软件包加入任务环境（任务文件中的 `packages:`），或使用包含它的镜像。"
        "如果是自己的模块，请确认它在代码目录中，且命令在该目录下运行。",
    )
    module: str = ""


@dataclass(frozen=True, slots=True)
class LibraryMissing(FromLog):
    code = "library_missing"
    sentence = Words("shared library {library} was not found{where}", "找不到动态库 {library}{where}")
    advice = Words(
        "Install the package that contains the library, or use an image that has it. For a library of CUDA, install "
        "the build of the framework for the CUDA version of this environment.",
        "请安装包含该动态库的软件包，或使用包含它的镜像。如果是 CUDA 的库，请安装与当前环境 CUDA 版本一致的框架。",
    )
    library: str = ""


@dataclass(frozen=True, slots=True)
class CudaMismatch(FromLog):
    code = "cuda_mismatch"
    sentence = Words(
        "the CUDA build of a library does not fit this GPU or its driver{where}",
        "软件的 CUDA 版本与 GPU 或驱动不匹配{where}",
    )
    advice = Words(
        "Install the build of the framework for a CUDA version that the node's driver supports (`nvidia-smi` shows "
        "it), or ask an administrator for a newer driver.",
        "请安装节点驱动所支持 CUDA 版本的框架（`nvidia-smi` 可查看），或请管理员升级驱动。",
    )


@dataclass(frozen=True, slots=True)
class NoGpuSeen(FromLog):
    code = "no_gpu_seen"
    sentence = Words("the program found no GPU that it can use{where}", "程序找不到可用的 GPU{where}")
    advice = Words(
        "Ask for GPUs (`resources.gpus`, or a flavor with GPUs), and check that the framework is built with "
        "CUDA.",
        "请为任务申请 GPU（`resources.gpus`，或带 GPU 的套餐），并确认框架支持 CUDA。",
    )


@dataclass(frozen=True, slots=True)
class DeviceAssertion(FromLog):
    code = "device_assertion"
    sentence = Words("an assertion failed on the GPU{where}", "GPU 上的断言失败{where}")
    advice = Words(
        "Most often an index is out of range: a label outside the classes, a token outside the vocabulary. Run it on "
        "the CPU or with CUDA_LAUNCH_BLOCKING=1 to see the line.",
        "通常是索引越界：标签超出类别数，或 token 超出词表。"
        "可在 CPU 上运行，或设置 CUDA_LAUNCH_BLOCKING=1 以定位代码行。",
    )


@dataclass(frozen=True, slots=True)
class CudaFailed(FromLog):
    code = "cuda_failed"
    sentence = Words("CUDA error: {message}{where}", "CUDA 错误：{message}{where}")
    advice = Words(
        "Run it with CUDA_LAUNCH_BLOCKING=1 to see the line. If it fails on one node only, tell an administrator: the "
        "GPU may be at fault.",
        "请设置 CUDA_LAUNCH_BLOCKING=1 以定位代码行。若只在某个节点上出错，请告知管理员：可能是 GPU 故障。",
    )
    message: str = ""


@dataclass(frozen=True, slots=True)
class GpusDisconnected(FromLog):
    code = "gpus_disconnected"
    sentence = Words(
        "communication between GPUs failed (NCCL){what}{where}", "GPU 间通信失败（NCCL）{what}{where}"
    )
    advice = Words(
        "Look for the task or rank that failed first: others time out when it is gone or far behind. If none did, run "
        "with NCCL_DEBUG=INFO, and check the network between the nodes.",
        "请查找最先出错的子任务或进程：它退出或严重落后时，其他进程会超时。若都没有出错，请设置 NCCL_DEBUG=INFO "
        "并检查节点间的网络。",
    )
    timed_out: str = ""

    def shown(self) -> dict[str, Any]:
        return {**FromLog.shown(self), "what": ": timeout" if self.timed_out else ""}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**FromLog.shown_in_chinese(self), "what": "：超时" if self.timed_out else ""}


@dataclass(frozen=True, slots=True)
class PeerLost(FromLog):
    code = "peer_lost"
    sentence = Words("the connection to another task was lost{where}", "与其他子任务的连接中断{where}")
    advice = Words(
        "Look for the task that ended first and read its log; if none did, check that the tasks use the address and "
        "port that Danlu gives them.",
        "请查找最先结束的子任务并查看其日志；若都没有结束，请确认各子任务使用的是丹炉提供的地址和端口。",
    )


@dataclass(frozen=True, slots=True)
class NetworkUnreachable(FromLog):
    code = "network_unreachable"
    sentence = Words("{host} could not be reached{where}", "无法访问 {host}{where}")
    advice = Words(
        "Check the address, and what the job's `network:` reaches (none, registries, all). Use a mirror, or data and "
        "models that are already on the machine.",
        "请检查地址，以及任务的 `network:` 允许访问的范围（none、registries、all）。也可使用镜像站，"
        "或机器上已有的数据和模型。",
    )
    host: str = ""

    def shown(self) -> dict[str, Any]:
        return {**FromLog.shown(self), "host": self.host or "the network"}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**FromLog.shown_in_chinese(self), "host": self.host or "网络"}


@dataclass(frozen=True, slots=True)
class NoSpaceLeft(FromLog):
    code = "disk_full"
    sentence = Words("no space left on the device{where}", "磁盘空间不足{where}")
    advice = Words(
        "Delete what is no longer needed, keep fewer checkpoints, and write large files to your personal directory or "
        "a volume. If the path is /dev/shm, raise resources.shm.",
        "请删除不再需要的文件、减少保留的检查点，并将大文件写入个人目录或存储卷。"
        "若路径为 /dev/shm，请增大 resources.shm。",
    )


@dataclass(frozen=True, slots=True)
class BusError(FromLog):
    code = "bus_error"
    sentence = Words("bus error: shared memory is full{where}", "总线错误（bus error）：共享内存不足{where}")
    advice = Words(
        "Raise resources.shm: data-loader workers pass batches through it; or use fewer workers (num_workers).",
        "请增大 resources.shm（数据加载进程通过共享内存传递数据），或减少 num_workers。",
    )


@dataclass(frozen=True, slots=True)
class LoaderKilled(FromLog):
    code = "loader_killed"
    sentence = Words("a data-loader worker was killed{where}", "数据加载进程被终止{where}")
    advice = Words(
        "Most often memory ran out: raise resources.memory and resources.shm, or use fewer workers (num_workers). "
        "With num_workers=0, an error of its own is shown.",
        "通常是内存不足：请增大 resources.memory 和 resources.shm，或减少 num_workers。"
        "设为 num_workers=0 可看到其自身的错误。",
    )


@dataclass(frozen=True, slots=True)
class MemoryShort(FromLog):
    code = "memory_short"
    sentence = Words("not enough memory for an allocation{where}", "内存分配失败{where}")
    advice = Words(
        "Raise resources.memory, or use less: read data in parts, fewer data-loader workers, a smaller batch.",
        "请增大 resources.memory，或减少用量：分批读取数据、减少数据加载进程、减小 batch size。",
    )


@dataclass(frozen=True, slots=True)
class Killed(FromLog):
    code = "killed"
    sentence = Words("its program was killed{where}", "程序被强制终止（SIGKILL）{where}")
    advice = Words(
        "Most often memory ran out: look at the memory curve of the job, and raise resources.memory.",
        "通常是内存不足：请查看任务的内存曲线，并增大 resources.memory。",
    )


@dataclass(frozen=True, slots=True)
class PortTaken(FromLog):
    code = "port_taken"
    sentence = Words("a port is already in use{where}", "端口已被占用{where}")
    advice = Words(
        "Use the port that Danlu gives the job (DANLU_MASTER_PORT), or port 0 for a free one.",
        "请使用丹炉分配的端口（DANLU_MASTER_PORT），或使用端口 0 由系统选择。",
    )


@dataclass(frozen=True, slots=True)
class FileMissing(FromLog):
    code = "file_missing"
    sentence = Words("{path} does not exist{where}", "{path} 不存在{where}")
    advice = Words(
        "Check the path. Relative paths begin in the code folder; your files are in $DANLU_PERSONAL_DIR, volumes where "
        "`mounts` puts them. .gitignore and .danluignore keep files from being uploaded.",
        "请检查路径。相对路径从代码目录开始；个人文件位于 $DANLU_PERSONAL_DIR，存储卷位于 `mounts` 指定的路径。"
        ".gitignore 和 .danluignore 中的文件不会上传。",
    )
    path: str = ""

    def shown(self) -> dict[str, Any]:
        return {**FromLog.shown(self), "path": self.path or "a file"}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**FromLog.shown_in_chinese(self), "path": self.path or "文件"}


@dataclass(frozen=True, slots=True)
class NoCode(FromLog):
    code = "no_code"
    sentence = Words(
        "this job has no code, so {path} is not there{where}", "该任务没有代码，因此找不到 {path}{where}"
    )
    advice = Words(
        "Add `code: .` to the job file to upload the folder it lies in, or choose the code in the form; then submit "
        "the job again.",
        "请在任务文件中添加 `code: .` 以上传其所在目录，或在表单中选择代码，然后重新提交任务。",
    )
    path: str = ""


@dataclass(frozen=True, slots=True)
class AccessDenied(FromLog):
    code = "access_denied"
    sentence = Words("permission denied: {path}{where}", "没有权限：{path}{where}")
    advice = Words(
        "Write to the working directory, $DANLU_PERSONAL_DIR or $DANLU_CHECKPOINT_DIR; a program needs the x bit "
        "(chmod +x) or an interpreter before it.",
        "请写入工作目录、$DANLU_PERSONAL_DIR 或 $DANLU_CHECKPOINT_DIR；"
        "程序需要可执行权限（chmod +x），或在前面加上解释器。",
    )
    path: str = ""

    def shown(self) -> dict[str, Any]:
        return {**FromLog.shown(self), "path": self.path or "a file"}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**FromLog.shown_in_chinese(self), "path": self.path or "文件"}


@dataclass(frozen=True, slots=True)
class TooManyFiles(FromLog):
    code = "too_many_files"
    sentence = Words("too many open files{where}", "打开的文件过多{where}")
    advice = Words(
        "Close files after use, use fewer data-loader workers, or call "
        "torch.multiprocessing.set_sharing_strategy('file_system').",
        "请及时关闭文件、减少数据加载进程，或调用 torch.multiprocessing.set_sharing_strategy('file_system')。",
    )


@dataclass(frozen=True, slots=True)
class WrongSyntax(FromLog):
    code = "wrong_syntax"
    sentence = Words("Python cannot read the program: {message}{where}", "Python 语法错误：{message}{where}")
    advice = Words(
        "Correct the line that the log names; check as well that the Python version is the one it was written for.",
        "请修正日志中指出的代码行，并确认 Python 版本与代码相符。",
    )
    message: str = ""


@dataclass(frozen=True, slots=True)
class WrongArguments(FromLog):
    code = "wrong_arguments"
    sentence = Words(
        "the program does not accept its arguments: {message}{where}",
        "程序不接受给定的参数：{message}{where}",
    )
    advice = Words(
        "Compare the job's command with what the program takes (`--help`).",
        "请对照程序的用法（`--help`）检查任务的命令。",
    )
    message: str = ""


@dataclass(frozen=True, slots=True)
class ShapesDiffer(FromLog):
    code = "shapes_differ"
    sentence = Words(
        "the shapes of tensors do not match: {message}{where}", "张量形状不匹配：{message}{where}"
    )
    advice = Words(
        "Compare the sizes in the message with the model and its input; a checkpoint must come from the same model.",
        "请将消息中的尺寸与模型及其输入对照；检查点必须来自同一模型。",
    )
    message: str = ""


@dataclass(frozen=True, slots=True)
class NotANumber(FromLog):
    code = "not_a_number"
    sentence = Words("the loss is no number any more (NaN){where}", "损失变为 NaN{where}")
    advice = Words(
        "Lower the learning rate, clip gradients, use bf16 instead of fp16, and look for bad samples in the data.",
        "请降低学习率、裁剪梯度、用 bf16 代替 fp16，并检查数据中的异常样本。",
    )


@dataclass(frozen=True, slots=True)
class WrongJson(FromLog):
    code = "wrong_json"
    sentence = Words(
        "a file or an answer is not valid JSON: {message}{where}", "JSON 格式无效：{message}{where}"
    )
    advice = Words(
        "Check the file that the traceback names: it may be empty, cut short, or a web page instead of data.",
        "请检查调用栈中指出的文件：它可能为空、不完整，或是网页而非数据。",
    )
    message: str = ""


@dataclass(frozen=True, slots=True)
class AssertionBroken(FromLog):
    code = "assertion_broken"
    sentence = Words("an assertion failed: {message}{where}", "断言失败：{message}{where}")
    advice = Words(
        "Read the traceback in the log of {task}: a condition that the program relies on does not hold.",
        "请查看 {task} 日志中的调用栈：程序所依赖的条件不成立。",
    )
    message: str = ""

    def shown(self) -> dict[str, Any]:
        return {**FromLog.shown(self), "message": self.message or "assert"}


@dataclass(frozen=True, slots=True)
class ProgramError(FromLog):
    """An exception for which there is no better word."""

    code = "program_error"
    sentence = Words("{what}{where}", "程序异常 {what}{where}")
    advice = Words(
        "Read the traceback in the log of {task}, fix the cause, then restart the job.",
        "请查看 {task} 日志中的调用栈，排除原因后重启任务。",
    )
    kind: str = ""
    message: str = ""

    def shown(self) -> dict[str, Any]:
        what = f"{self.kind}: {self.message}" if self.message else self.kind
        return {**FromLog.shown(self), "what": what}


@dataclass(frozen=True, slots=True)
class SiteFailure(FromLog):
    """A failure that administrators described (setting `failures`); their sentences are kept with it."""

    code = "site_failure"
    sentence = Words("{headline}{where}", "任务出错：{headline}{where}")
    advice = Words("{said} (advice of your administrators)", "{said}（管理员提供的建议）")
    name: str = ""
    headline: str = ""
    headline_zh: str = ""
    advice_en: str = ""
    advice_zh: str = ""

    def shown(self) -> dict[str, Any]:
        return {**FromLog.shown(self), "said": Words(self.advice_en, self.advice_zh)}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**FromLog.shown_in_chinese(self), "headline": self.headline_zh}
