"""The job file: one model that validates file, form, API and SDK alike."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    WithJsonSchema,
    model_validator,
)

from danlu.domain.inputs import MOST_INPUTS
from danlu.domain.job import HOST_IMAGE, NetworkPolicy, Remedy, Trouble
from danlu.files.forms import (
    DATASET_REF,
    DIGEST,
    ENV_NAME,
    GIT_REF,
    GPU_MODELS,
    IMAGE,
    JOB_NAME,
    NEW_DATASET_OF,
    OUTPUT_TAG,
    ROLE_NAME,
    TASK_NAME,
    VOLUME_NAME,
)
from danlu.files.quantities import Cpus, Duration, Gpus, NodeCount, Size, SizeOrTrue
from danlu.files.written import as_folder, as_text

MAX_TASKS = 10_000

Command = (
    Annotated[StrictStr, Field(min_length=1)]
    | Annotated[list[Annotated[StrictStr, Field(max_length=131_072)]], Field(min_length=1)]
)
Globs = Annotated[list[Annotated[StrictStr, Field(min_length=1, max_length=500)]], Field(max_length=100)]
_SCALAR = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}
Env = dict[
    Annotated[str, Field(pattern=ENV_NAME)],
    Annotated[StrictStr, BeforeValidator(as_text), WithJsonSchema(_SCALAR)],
]


class _JobFilePart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_enum_values=False, defer_build=True)


class ResourcesPart(_JobFilePart):
    """What each task of a role gets."""

    cpus: Cpus = Field(
        1000,
        description="CPUs per task; up to three decimals, such as 0.5. Default with GPUs: their part of a node.",
        ge=1,
    )
    memory: Size = Field(
        2 * 2**30,
        description="Memory per task; a task that uses more is killed. Default with GPUs: their part of a node.",
        ge=4 * 2**20,
    )
    gpus: Gpus = Field(
        0, description="GPUs per task; 0.5 is a share of one GPU. Default where `gpu` names a model: 1.", ge=0
    )
    gpu: StrictStr | None = Field(
        None,
        description="GPU model, such as A100, or several alternatives (A100|H100); default: any model.",
        pattern=GPU_MODELS,
    )
    shm: Size = Field(
        0,
        description="Shared memory (/dev/shm); counts towards memory. Default with GPUs: half of memory.",
        ge=0,
    )
    rdma: StrictBool = Field(
        False, description="Whether it needs RDMA; it then runs only on nodes that have it."
    )

    @model_validator(mode="before")
    @classmethod
    def _one_of_a_named_model(cls, data: Any) -> Any:
        named = isinstance(data, dict) and data.get("gpu") is not None and "gpus" not in data
        return {**data, "gpus": 1} if named else data


class CodePart(_JobFilePart):
    """Where the code comes from; it becomes the working directory of every task."""

    path: StrictStr | None = Field(None, description="A local folder; the client uploads it.")
    archive: StrictStr | None = Field(None, description="SHA-256 of an uploaded tar.gz.", pattern=DIGEST)
    git: StrictStr | None = Field(None, description="A Git repository's address.", min_length=1)
    ref: StrictStr | None = Field(
        None, description="Branch, tag or commit; default: the repository's default branch."
    )
    subdir: StrictStr | None = Field(
        None, description="The folder inside the repository to use as working directory."
    )


class PackagesPart(_JobFilePart):
    """Packages of one's own, installed once and kept: exactly one of pip, conda or venv."""

    pip: (
        Annotated[StrictStr, Field(min_length=1, max_length=1000)]
        | Annotated[
            list[Annotated[StrictStr, Field(min_length=1, max_length=500)]],
            Field(min_length=1, max_length=200),
        ]
        | None
    ) = Field(
        None,
        description="A requirements file in the code, such as requirements.txt, or a list of packages, such as "
        "[torch, numpy<2].",
    )
    conda: StrictStr | None = Field(
        None,
        description="A conda file in the code, such as environment.yml; the machine or image needs micromamba, mamba "
        "or conda.",
        min_length=1,
        max_length=1000,
    )
    venv: StrictStr | None = Field(
        None,
        description="The path of an environment that exists already, such as /mnt/ann/my-env.",
        min_length=1,
        max_length=1000,
    )


class RolePart(_JobFilePart):
    """A named group of equal tasks."""

    name: StrictStr = Field(description="The role's name; its tasks are name-0, name-1, …", pattern=ROLE_NAME)
    replicas: StrictInt = Field(1, description="How many tasks.", ge=0, le=MAX_TASKS)
    min: StrictInt | None = Field(
        None, description="The minimum number of tasks to start with; default: all.", ge=1
    )
    command: Command | None = Field(None, description="Its own command; default: the job's.")
    resources: ResourcesPart | None = Field(None, description="Its own size; default: the job's.")
    flavor: StrictStr | None = Field(None, description="A named size instead of resources.")
    env: Env = Field(default_factory=dict, description="Environment variables in addition to the job's.")
    image: StrictStr | None = Field(
        None, description="Its own image; default: the job's.", min_length=1, max_length=1000, pattern=IMAGE
    )
    processes: StrictInt | None = Field(
        None,
        description="Processes the framework starts in each of its tasks; default: the job's.",
        ge=1,
        le=1024,
    )
    on: dict[Trouble, Remedy] = Field(
        default_factory=dict, description="What to do when its tasks have trouble; default: the job's `on`."
    )
    restarts: StrictInt | None = Field(
        None,
        description="How often each of its tasks may be restarted on its own; default: the job's.",
        ge=0,
        le=1000,
    )
    serves: StrictBool | None = Field(
        None,
        description="Whether it only serves the other roles: its tasks are ended once the others are done. Default: "
        "set by the framework.",
    )


class BackoffPart(_JobFilePart):
    """How long to wait before a restart: twice as long after each failure."""

    first: Duration = Field(2_000, description="The wait after the first failure.", ge=0, le=86_400_000)
    most: Duration = Field(600_000, description="The longest wait.", ge=0, le=86_400_000)


class CheckpointPart(_JobFilePart):
    """Where the job saves its progress, and how long it may take to do so before it is ended."""

    path: StrictStr | None = Field(
        None, description="The checkpoint directory; tasks find it in DANLU_CHECKPOINT_DIR."
    )
    grace: Duration = Field(30_000, description="Time between SIGTERM and SIGKILL.", ge=0, le=3_600_000)


class AppsPart(_JobFilePart):
    """Apps that run beside a workspace's command."""

    jupyter: StrictBool = False
    vscode: StrictBool = False
    ssh: StrictBool = False
    tensorboard: StrictBool = False


class MountPart(_JobFilePart):
    """A volume, a folder on the node's own disk, a dataset or a bucket inside the tasks."""

    volume: StrictStr | None = Field(
        None,
        description="A volume: NAME for one of your own, OWNER:NAME for one that is shared with you.",
        pattern=VOLUME_NAME,
    )
    local: SizeOrTrue | None = Field(
        None,
        description="A folder of each task's own on its node's disk, wiped when the task ends; of this size, or true: "
        "bounded only by the setting `scratch_limit`, with which it always counts. It needs no `mode`.",
        ge=0,
    )
    dataset: StrictStr | None = Field(
        None,
        description="A version of a dataset, read-only: NAME for the newest of one of your own, NAME@v3, NAME@TAG, "
        "OWNER:NAME@v3. A tag is resolved when the job is created: restarts read the same bytes.",
        pattern=DATASET_REF,
    )
    bucket: StrictStr | None = None
    path: StrictStr = Field(description="The absolute path at which every task finds it.")
    mode: Literal["ro", "rw"] | None = Field(
        None, description="ro: read-only; rw: read and write. Default: ro; for `local` always rw."
    )
    busy: Literal["wait", "refuse"] = Field(
        "wait",
        description="Where a block volume is taken: wait for it in the queue, or refuse the start.",
    )
    login: Literal["env"] | None = Field(
        None,
        description="env: the tasks of a bucket's owner get its login, as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, "
        "AWS_ENDPOINT_URL and AWS_REGION; where several mounts ask, with the bucket's name before it: "
        "POOL_AWS_ACCESS_KEY_ID.",
    )


class InputPart(_JobFilePart):
    """A transfer into a volume that is carried out before the job starts."""

    source: StrictStr = Field(
        alias="from",
        description="From where: https://HOST/FILE, git+https://HOST/REPOSITORY, VOLUME:/path or OWNER:VOLUME:/path. "
        "It holds no secrets: where a login is needed, transfer it with `danlu import` first.",
        min_length=1,
        max_length=8192,
    )
    target: StrictStr = Field(
        alias="to",
        description="The place in a volume that you may write to: VOLUME:/path; with / at the end, a folder.",
        min_length=1,
        max_length=8192,
    )
    existing: Literal["update", "overwrite", "refuse"] = Field(
        "update",
        description="What becomes of a file that is there already: update replaces it if it differs, overwrite always, "
        "refuse fails if it differs.",
    )
    ref: StrictStr = Field(
        "",
        description="Of a Git repository: a branch, a tag or a commit; default: its main branch.",
        max_length=250,
        pattern=GIT_REF,
    )
    include: Globs = Field(default_factory=list, description="Only paths that fit one of these globs.")
    exclude: Globs = Field(default_factory=list, description="No paths that fit one of these globs.")
    sha256: StrictStr | None = Field(
        None, description="The SHA-256 that the one file at a URL must have.", pattern=DIGEST
    )
    unpack: StrictBool = Field(False, description="The one file is an archive: unpack it into the target.")


class OutputPart(_JobFilePart):
    """A file or folder of a task's working folder that is kept after the job: as a version of a dataset, or in a
    volume."""

    path: StrictStr = Field(
        description="The path in the working folder, such as out/features; for a dataset a folder.",
        min_length=1,
        max_length=1000,
    )
    task: StrictStr | None = Field(
        None,
        description="Whose working folder, such as worker-1; default: the first task's, with rank 0.",
        pattern=TASK_NAME,
    )
    dataset: StrictStr | None = Field(
        None,
        description="Becomes the next version of this dataset: NAME for one of your own, OWNER:NAME for one that is "
        "shared with you to write.",
        pattern=NEW_DATASET_OF,
    )
    tag: StrictStr | None = Field(
        None, description="With `dataset`: the tag that the version gets.", pattern=OUTPUT_TAG
    )
    to: StrictStr | None = Field(
        None,
        description="Copied into this folder of a volume: VOLUME:/path/, OWNER:VOLUME:/path/ or personal:/path/. "
        "{name}, {run}, {attempt} and {id} stand for those of the job.",
        min_length=1,
        max_length=1000,
    )
    when: Literal["completed", "always"] = Field(
        "completed",
        description="completed: only if the job is completed; always: also if it failed or was stopped.",
    )


class TopologyPart(_JobFilePart):
    """How close the tasks must or should be."""

    same: StrictStr | None = Field(
        None, description="A label that must have the same value on the nodes of all tasks."
    )
    prefer: StrictStr | None = Field(
        None, description="A label that should have the same value on all nodes, if there is room."
    )


class JobFile(_JobFilePart):
    """A job file."""

    kind: Literal["workspace", "training", "service"] = Field(description="The kind of job.")
    name: StrictStr = Field(
        description="4–63 letters, digits, - and _; a name used before makes the next run of that job. Where it is "
        "left out, one is made from the file's name, its folder's (of a job.yaml) or the command.",
        pattern=JOB_NAME,
    )
    project: StrictStr = Field("public", description="The project it queues in.", min_length=1)
    description: StrictStr = Field("", description="A description for people.", max_length=10_000)
    framework: StrictStr = Field(
        "none",
        description="The framework that the tasks use: pytorch, deepspeed, tensorflow, mpi, horovod, jax, paddle, "
        "or a plugin; `danlu framework ls` lists them.",
        min_length=1,
        max_length=63,
    )
    strategy: StrictStr | None = Field(
        None,
        description="How the tasks share the work, as far as the framework supports it: all-reduce, ps or elastic.",
        min_length=1,
        max_length=63,
    )
    processes: StrictInt | None = Field(
        None,
        description="Processes the framework starts in each task; default: one per GPU, else one.",
        ge=1,
        le=1024,
    )
    image: StrictStr = Field(
        HOST_IMAGE,
        description="A container image, on nodes of Kubernetes clusters. `host` is the machine's own Python "
        "environment; on Kubernetes it is the cluster's default image.",
        min_length=1,
        max_length=1000,
        pattern=IMAGE,
    )
    code: Annotated[CodePart | None, BeforeValidator(as_folder)] = Field(
        None, description="Where the code comes from; a text is short for its path."
    )
    packages: PackagesPart | None = Field(
        None,
        description="Packages that the tasks need besides what their machine or image has. They are installed once and "
        "kept for all jobs of their owner.",
    )
    command: Command | None = Field(
        None, description="A string (run by the shell) or a list (run as is). Required for training."
    )
    flavor: StrictStr | None = Field(None, description="A named size instead of resources.")
    resources: ResourcesPart | None = Field(None, description="What each task gets.")
    nodes: NodeCount | None = Field(
        None,
        description="Short for one role `worker` with this many tasks. auto: resources are for the whole job, and "
        "Danlu divides them into as few equal tasks as fit.",
        le=MAX_TASKS,
    )
    min: StrictInt | None = Field(
        None,
        description="The minimum number of tasks in total to start with, in addition to each role's min.",
        ge=1,
    )
    roles: Annotated[list[RolePart], Field(min_length=1, max_length=64)] | None = Field(
        None, description="Named groups of tasks, instead of nodes, for jobs whose tasks differ."
    )
    mounts: list[MountPart] = Field(
        default_factory=list, description="Volumes and folders mounted in every task.", max_length=64
    )
    inputs: list[InputPart] = Field(
        default_factory=list,
        description="What is fetched into volumes before the job starts; it holds no node meanwhile.",
        max_length=MOST_INPUTS,
    )
    outputs: list[OutputPart] = Field(
        default_factory=list,
        description="What is kept of working folders after the job: in volumes, or as versions of datasets.",
        max_length=20,
    )
    env: Env = Field(default_factory=dict, description="Environment variables of every task.")
    priority: StrictStr = Field("normal", description="A priority class.")
    justification: StrictStr = Field(
        "", description="Why the job needs its priority; required by some priority classes.", max_length=500
    )
    node_selector: dict[str, StrictStr] = Field(
        default_factory=dict, description="Labels that a node must have."
    )
    topology: TopologyPart | None = Field(None, description="How close the tasks must or should be.")
    expected_time: Duration | None = Field(None, description="After this time, Danlu sends an alert.", ge=1)
    max_time: Duration | None = Field(
        None, description="After this time, Danlu ends the job as failed (over_time).", ge=1
    )
    checkpoint: CheckpointPart = Field(
        default_factory=CheckpointPart,
        description="Where and how long tasks can save their progress before they end.",
    )
    on: dict[Trouble, Remedy] = Field(
        default_factory=dict,
        description="What to do about each kind of trouble; default: evicted: requeue, task_completed: ignore, "
        "everything else: fail, unless the framework sets another default.",
    )
    restarts: StrictInt | None = Field(
        None,
        description="How often the job may be restarted after trouble; default: 3 if `on` restarts anything, else 0.",
        ge=0,
        le=1000,
    )
    backoff: BackoffPart = Field(
        default_factory=BackoffPart, description="How long to wait before a restart."
    )
    hang_after: Duration | None = Field(
        None,
        description="A job counts as hung after this time without a step, output or GPU use; 0s: never. Default: "
        "set by the framework.",
        ge=0,
    )
    preemptible: StrictBool = Field(
        True, description="Whether the job may be evicted to make room for others."
    )
    network: NetworkPolicy | None = Field(
        None,
        description="What the tasks reach besides each other and Danlu: none; registries (package registries and Git "
        "hosts, by an HTTP proxy); all (the Internet, but not this machine or other jobs); shared (the machine's own "
        "network). Default: the setting `network`. On Kubernetes none and registries are refused.",
    )
    apps: AppsPart | None = Field(None, description="Apps that run beside a workspace's command.")
