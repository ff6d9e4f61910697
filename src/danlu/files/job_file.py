"""The job file: one model that validates file, form, API and SDK alike."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from danlu.domain.job import HOST_IMAGE, Remedy, Trouble
from danlu.files.forms import DIGEST, ENV_NAME, GPU_MODELS, IMAGE, JOB_NAME, ROLE_NAME, VOLUME_NAME
from danlu.files.quantities import Cpus, Duration, Gpus, NodeCount, Size

MAX_TASKS = 10_000

Command = (
    Annotated[StrictStr, Field(min_length=1)]
    | Annotated[list[Annotated[StrictStr, Field(max_length=131_072)]], Field(min_length=1)]
)
Env = dict[Annotated[str, Field(pattern=ENV_NAME)], StrictStr]


class _JobFilePart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_enum_values=False)


class ResourcesPart(_JobFilePart):
    """What each task of a role gets."""

    cpus: Cpus = Field(1000, description="CPUs of each task; thousandths are allowed.", ge=1)
    memory: Size = Field(2 * 2**30, description="Memory of each task; past it the task ends.", ge=4 * 2**20)
    gpus: Gpus = Field(0, description="GPUs of each task; 0.5 is a share of one GPU.", ge=0)
    gpu: StrictStr | None = Field(
        None,
        description="GPU model, such as A100, or several of which any will do (A100|H100); any when left out.",
        pattern=GPU_MODELS,
    )
    shm: Size = Field(0, description="Shared memory; counts as memory.", ge=0)
    rdma: StrictBool = Field(False, description="Whether it needs RDMA; then it runs where nodes have it.")


class CodePart(_JobFilePart):
    """Where the code comes from; it becomes the working directory of every task."""

    path: StrictStr | None = Field(None, description="A local folder; the client uploads it.")
    archive: StrictStr | None = Field(None, description="SHA-256 of an uploaded tar.gz.", pattern=DIGEST)
    git: StrictStr | None = Field(None, description="A Git repository's address.", min_length=1)
    ref: StrictStr | None = Field(None, description="Branch, tag or commit; default: the repository's.")
    subdir: StrictStr | None = Field(None, description="The folder inside the repository to work in.")


class RolePart(_JobFilePart):
    """A named group of equal tasks."""

    name: StrictStr = Field(description="The role's name; its tasks are name-0, name-1, …", pattern=ROLE_NAME)
    replicas: StrictInt = Field(1, description="How many tasks.", ge=0, le=MAX_TASKS)
    min: StrictInt | None = Field(None, description="The fewest that may start; default: all.", ge=1)
    command: Command | None = Field(None, description="Its own command; default: the job's.")
    resources: ResourcesPart | None = Field(None, description="Its own size; default: the job's.")
    flavor: StrictStr | None = Field(None, description="A named size instead of resources.")
    env: Env = Field(default_factory=dict, description="Variables on top of the job's.")
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
        default_factory=dict, description="What trouble with its tasks leads to; default: as the job says."
    )
    restarts: StrictInt | None = Field(
        None,
        description="How often each of its tasks may be restarted alone; default: the job's.",
        ge=0,
        le=1000,
    )
    serves: StrictBool | None = Field(
        None,
        description="Whether it only serves the others: it ends once they are done. Default: as the framework says.",
    )


class BackoffPart(_JobFilePart):
    """How long a restart waits: twice as long after each trouble."""

    first: Duration = Field(2_000, description="After the first trouble.", ge=0, le=86_400_000)
    most: Duration = Field(600_000, description="At most.", ge=0, le=86_400_000)


class CheckpointPart(_JobFilePart):
    """Where the job saves its progress, and how long it may take to do so before it is ended."""

    path: StrictStr | None = Field(None, description="Given to the tasks as DANLU_CHECKPOINT_DIR.")
    grace: Duration = Field(30_000, description="Time between SIGTERM and SIGKILL.", ge=0, le=3_600_000)


class AppsPart(_JobFilePart):
    """Programs beside a workspace's command."""

    jupyter: StrictBool = False
    vscode: StrictBool = False
    ssh: StrictBool = False
    tensorboard: StrictBool = False


class MountPart(_JobFilePart):
    """A volume, dataset or bucket inside the tasks."""

    volume: StrictStr | None = Field(
        None, description="A volume's name: on Kubernetes, a persistent volume claim.", pattern=VOLUME_NAME
    )
    dataset: StrictStr | None = None
    bucket: StrictStr | None = None
    path: StrictStr = Field(description="Where it appears in every task; absolute.")
    mode: Literal["ro", "rw"] = Field("ro", description="ro to read only, rw to write as well.")


class TopologyPart(_JobFilePart):
    """How close the tasks must or should be."""

    same: StrictStr | None = Field(None, description="A label that must be alike on the nodes of all tasks.")
    prefer: StrictStr | None = Field(None, description="A label that should be alike, if there is room.")


class JobFile(_JobFilePart):
    """What a person writes to have something run."""

    kind: Literal["workspace", "training", "service"] = Field(description="What sort of job it is.")
    name: StrictStr = Field(
        description="4–63 of letters, digits, - and _; unique per user.", pattern=JOB_NAME
    )
    project: StrictStr = Field("public", description="The project it queues in.", min_length=1)
    description: StrictStr = Field("", description="Anything worth knowing.", max_length=10_000)
    framework: StrictStr = Field(
        "none",
        description="Whose conventions the tasks expect: pytorch, deepspeed, tensorflow, mpi, horovod, jax, paddle, or "
        "one that was added; `danlu framework ls` tells.",
        min_length=1,
        max_length=63,
    )
    strategy: StrictStr | None = Field(
        None,
        description="How the work is shared, as the framework offers: all-reduce, ps or elastic.",
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
        description="A container image, for nodes of Kubernetes clusters; host = the machine's own Python environment, "
        "and on Kubernetes the cluster's usual image.",
        min_length=1,
        max_length=1000,
        pattern=IMAGE,
    )
    code: CodePart | None = Field(None, description="Where the code comes from.")
    command: Command | None = Field(
        None, description="A string (run by the shell) or a list (run as it is). Training needs one."
    )
    flavor: StrictStr | None = Field(None, description="A named size instead of resources.")
    resources: ResourcesPart | None = Field(None, description="What each task gets.")
    nodes: NodeCount | None = Field(
        None,
        description="Short for one role `worker` of so many tasks. auto: resources are for the whole job, and Danlu "
        "divides them into as few equal tasks as find room.",
        le=MAX_TASKS,
    )
    min: StrictInt | None = Field(
        None, description="The fewest tasks in all that may start, on top of what roles say.", ge=1
    )
    roles: Annotated[list[RolePart], Field(min_length=1, max_length=64)] | None = Field(
        None, description="Where tasks differ: named groups, instead of nodes."
    )
    mounts: list[MountPart] = Field(
        default_factory=list, description="Volumes inside every task, on Kubernetes.", max_length=64
    )
    env: Env = Field(default_factory=dict, description="Environment variables of every task.")
    priority: StrictStr = Field("normal", description="A priority class.")
    justification: StrictStr = Field(
        "", description="Why it needs its priority, where the class asks for a reason.", max_length=500
    )
    node_selector: dict[str, StrictStr] = Field(default_factory=dict, description="Labels a node must have.")
    topology: TopologyPart | None = Field(None, description="How close the tasks must or should be.")
    expected_time: Duration | None = Field(None, description="Past it, an alert.", ge=1)
    max_time: Duration | None = Field(None, description="Past it, the end: failed (over_time).", ge=1)
    checkpoint: CheckpointPart = Field(
        default_factory=CheckpointPart, description="Saving progress before an end."
    )
    on: dict[Trouble, Remedy] = Field(
        default_factory=dict,
        description="What trouble leads to; default: evicted: requeue, task_completed: ignore, everything else: fail, "
        "unless the framework knows better.",
    )
    restarts: StrictInt | None = Field(
        None,
        description="How often trouble may restart the job; default: 3 where `on` restarts, else 0.",
        ge=0,
        le=1000,
    )
    backoff: BackoffPart = Field(default_factory=BackoffPart, description="How long a restart waits.")
    hang_after: Duration | None = Field(
        None,
        description="Without a step, output or GPU use for so long it counts as hung; 0s: never. Default: as the "
        "framework says.",
        ge=0,
    )
    preemptible: StrictBool = Field(True, description="Whether it may make room for others.")
    apps: AppsPart | None = Field(None, description="Programs beside a workspace's command.")
