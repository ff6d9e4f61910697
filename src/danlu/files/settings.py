"""Every setting of a Danlu server: one typed, frozen model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from danlu.domain.job import JobClass, NetworkPolicy
from danlu.domain.rules import Policy
from danlu.files.failures import MOST, KnownFailure
from danlu.files.forms import PUBLIC_URL
from danlu.files.oidc import OidcProvider
from danlu.files.quantities import Duration, Size, SizeOrPart

REGISTRIES = (
    "pypi.org", "files.pythonhosted.org", "download.pytorch.org", "*.anaconda.org", "*.anaconda.com",
    "registry.npmjs.org", "github.com", "*.github.com", "*.githubusercontent.com", "gitlab.com", "gitee.com",
    "huggingface.co", "*.huggingface.co", "*.hf.co", "hf-mirror.com", "modelscope.cn", "*.modelscope.cn",
    "deb.debian.org", "*.ubuntu.com", "*.tuna.tsinghua.edu.cn", "mirrors.ustc.edu.cn", "mirrors.aliyun.com",
)  # fmt: skip


class Settings(BaseModel):
    """Read from `danlu.toml`, then `DANLU_…` variables, then options; the later wins."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: Path = Field(Path("~/.local/share/danlu"), description="The data directory.")
    host: str = Field(
        "127.0.0.1", description="The address to listen on; other than loopback, put TLS in front."
    )
    port: int = Field(8910, description="The port to listen on; 0 takes a free one.", ge=0, le=65535)
    controller_port: int = Field(
        8911,
        description="The port of a controller's health checks and metrics; 0 takes a free one.",
        ge=0,
        le=65535,
    )
    public_url: str | None = Field(
        None,
        description="The URL at which people reach this server, if it is not host and port.",
        pattern=PUBLIC_URL,
    )
    trusted_proxies: tuple[str, ...] = Field(
        (),
        description="Addresses (or networks) of proxies that are trusted to say where a request comes from.",
    )
    database: str | None = Field(
        None,
        description="A database URL (sqlite:///… or postgresql+psycopg://…); default: danlu.db in the data "
        "directory.",
    )
    engine: Literal["local", "simulated", "none"] = Field(
        "local",
        description="What runs tasks in addition to clusters: local (this machine), simulated (nothing really runs) "
        "or none.",
    )
    virtual_nodes: str | None = Field(
        None,
        description="Virtual nodes on this machine, such as 2x8xA100,4x8xRTX3090 (nodes × GPUs × model).",
    )
    isolation: Literal["auto", "sandbox", "process"] = Field(
        "auto",
        description="auto: the strongest that works here; where Danlu runs as root, tasks start only in a sandbox. "
        "process: plain processes, as the user that runs Danlu.",
    )
    share_user: bool = Field(
        False,
        description="Accept that tasks of different people run as one user of the machine. Needed for a second person "
        "where Danlu neither runs as root nor has subordinate user ids.",
    )
    network: NetworkPolicy = Field(
        NetworkPolicy.ALL,
        description="What tasks on this machine reach besides their own job and Danlu, unless their job file says so: "
        "none, registries, all, or shared (the machine's own network, its services and other jobs included).",
    )
    network_limit: NetworkPolicy | None = Field(
        None, description="The most that a job file may ask for as its network; default: as `network`."
    )
    registries: tuple[str, ...] = Field(
        REGISTRIES,
        description="The hosts that `network: registries` reaches, on ports 80 and 443: names, patterns "
        "(*.example.org), or either with a port (host:8080).",
    )
    python: Path | None = Field(
        None, description="The Python environment behind image `host`; default: Danlu's own."
    )
    projects: tuple[str, ...] = Field(
        ("public",),
        description="Projects to create if they are missing, open to everyone; `danlu project` manages them.",
    )
    score_time: Duration = Field(
        6 * 3_600_000,
        description="The time constant of the score: past GPU use counts 37 % after this time.",
        ge=1_000,
    )
    minimum_run_time: Duration = Field(
        10 * 60_000, description="How long a job must have run before it may be evicted.", ge=0
    )
    evict_workspaces: bool = Field(False, description="Whether workspaces may be evicted.")
    default_max_time: dict[JobClass, Annotated[Duration, Field(ge=1)]] = Field(
        {},
        description="The default max_time by job class (workspace, single, distributed, service); as a variable: "
        "single=12h,distributed=2d.",
    )
    maintenance_notice: Duration = Field(
        24 * 3_600_000,
        description="Jobs without max_time start on a node only if its next maintenance is at least this far away.",
        ge=0,
    )
    node_failures: int = Field(
        3,
        description="A node is put aside after this many failures of its own within an hour, in jobs of at least "
        "two people (two jobs, if the node itself went away): nothing starts there until somebody "
        "uncordons it. 0: never.",
        ge=0,
    )
    code_limit: Size = Field(2 * 2**30, description="The largest code archive that can be uploaded.", ge=1)
    code_total: Size = Field(
        20 * 2**30,
        description="How much code each person may keep uploaded for jobs that still exist; 0: no bound.",
        ge=0,
    )
    unpack_limit: Size = Field(64 * 2**30, description="What a code archive may unpack to.", ge=1)
    unpack_entries: int = Field(
        2_000_000, description="How many files, folders and links a code archive may contain.", ge=1
    )
    log_limit: Size = Field(
        2**30,
        description="How much disk space the log of a task may take in the data directory: beyond it the log keeps its "
        "first part and its latest, and says where it was cut. 0: no bound.",
        ge=0,
    )
    scratch_limit: SizeOrPart = Field(
        -90,
        description="How much disk space the working directory of a task on this machine may take (with its reports, "
        "its `local` mounts, deleted files that it keeps open, and in a sandbox its files in /dev/shm and /tmp), as a "
        "size or a part of the disk; beyond it the task is ended (`evicted_disk`). 0: no bound.",
    )
    personal_limit: Size = Field(
        2**40,
        description="How much the personal directory of each person may take before their next start is refused; a "
        "quota (`--storage local=…`) can set it for one person. 0: no bound.",
        ge=0,
    )
    volume_total: Size = Field(
        2**40,
        description="How much capacity all volumes of one kind of each person may have together; a quota (`--storage "
        "block=…`, `filesystem=…`) can set it for one person. 0: no bound.",
        ge=0,
    )
    volume_tolerance: SizeOrPart = Field(
        -10,
        description="How much more than its capacity a volume on this machine may take, as a size or a part of the "
        "capacity (then 1 GiB at least, and at most the capacity again): the jobs that write to it are ended "
        "(`volume_full`) if it still grows beyond that. 0: capacities are only measured.",
    )
    attach_local: bool = Field(
        False,
        description="Whether buckets and NFS exports on the machine that Danlu runs on itself can be attached as "
        "volumes; others reach its services with Danlu's rights then. Addresses where clouds answer machines with "
        "credentials are never allowed.",
    )
    bucket_cache: Size = Field(
        200 * 2**30,
        description="How much this machine keeps of the buckets and NFS exports that jobs on it mount; what was "
        "unused for longest goes first. A job whose bucket or export does not fit is not "
        "started. On Kubernetes: the most that a pod may have of a bucket.",
        ge=1,
    )
    volume_trash_time: Duration = Field(
        7 * 86_400_000,
        description="How long a deleted volume stays in the trash before it is gone for good. 0: until somebody "
        "deletes it for good.",
        ge=0,
    )
    dataset_total: Size = Field(
        2**40,
        description="How much all versions of the datasets of each person may take in the store together; a quota "
        "(`--storage dataset=…`) can set it for one person. 0: no bound.",
        ge=0,
    )
    dataset_cache: Size = Field(
        100 * 2**30,
        description="How much disk versions may take as folders that jobs mount. Those used longest ago are removed "
        "first, those in use never. 0: no bound.",
        ge=0,
    )
    file_trash_time: Duration = Field(
        30 * 86_400_000,
        description="How long a deleted file stays in the trash of its volume before it is gone for good. 0: until "
        "somebody deletes it for good.",
        ge=0,
    )
    results_time: Duration = Field(
        7 * 86_400_000,
        description="How long the working folders of tasks on this machine are kept after their end, unless somebody "
        "asks to keep them (`danlu keep`). 0: until their job is deleted.",
        ge=0,
    )
    results_total: Size = Field(
        50 * 2**30,
        description="How much of such results is kept of each person: the oldest go first; a quota (`--storage "
        "results=…`) can set it for one person. 0: no bound.",
        ge=0,
    )
    transfers_at_once: int = Field(
        4, description="How many transfers run at a time, each in a process of its own.", ge=1, le=64
    )
    transfers_per_person: int = Field(
        2, description="How many transfers of one person run at a time; others wait.", ge=1, le=64
    )
    transfer_networks: tuple[str, ...] = Field(
        (),
        description="Networks (127.0.0.0/8, 169.254.0.0/16 …) that transfers may reach though they are this machine's "
        "own or its link's; all others of that kind are refused.",
    )
    disk_reserve: Size = Field(
        2 * 2**30,
        description="While the disk of the data directory has less space left, nothing starts on this machine, and "
        "the oldest results of jobs are removed. 0: no reserve.",
        ge=0,
    )
    tasks_per_node: int = Field(
        256,
        description="How many tasks may run on a node at a time, however small they are. 0: any number.",
        ge=0,
    )
    tasks_per_person: int = Field(
        10_000,
        description="How many tasks the queued and running jobs of one person may have together, unless a quota "
        "(`--tasks`) says so. 0: any number.",
        ge=0,
    )
    task_cpus: float = Field(
        0.01,
        description="What each task counts for at least, in CPUs: its supervisor and sandbox cost that much, however "
        "little it requests.",
        ge=0,
        le=1,
    )
    task_memory: Size = Field(8 * 2**20, description="What each task counts for at least, in memory.", ge=0)
    gpu_cpus: float | None = Field(
        None,
        description="The CPUs that go with each GPU of a job whose file gives no CPUs. Default: the GPU's part "
        "of its node, the smallest of the nodes that the job could run on; 5 % of a node is the system's.",
        ge=0.1,
        le=1024,
    )
    gpu_memory: Size | None = Field(
        None,
        description="The memory that goes with each GPU, likewise; half of a job's memory may be shared memory.",
        ge=64 * 2**20,
    )
    connections: int = Field(
        4096,
        description="Connections open at once, from all addresses together; at most half of the files that the process "
        "may open.",
        ge=1,
    )
    connections_per_address: int = Field(
        512,
        description="Connections open at once from one address; behind a trusted proxy, requests at once from one "
        "address. Further ones are refused (429).",
        ge=1,
    )
    requests_per_person: int = Field(
        64,
        description="Requests of one person at once; 8 of them run and the others wait for them. Further ones are "
        "refused (429).",
        ge=1,
    )
    streams_per_person: int = Field(
        64,
        description="Streams, exports, uploads, downloads and WebSockets of one person at once. Further ones are "
        "refused (429).",
        ge=1,
    )
    header_time: Duration = Field(
        10_000,
        description="The headers of a request must arrive within this time; a connection over which nothing comes is "
        "closed.",
        ge=100,
    )
    body_time: Duration = Field(
        20_000,
        description="The body of a request must arrive within this time, and 1 s more for every 4 KiB of it (408).",
        ge=100,
    )
    request_time: Duration = Field(
        60_000,
        description="A request must be answered within this time (503); a stream must begin within it.",
        ge=100,
    )
    reader_time: Duration = Field(
        60_000,
        description="A client that reads nothing of its answer for this time is disconnected.",
        ge=100,
    )
    sign_in_attempts: int = Field(
        10,
        description="Failed sign-ins allowed per minute, for one user name from one address (or known browser).",
        ge=1,
    )
    session_life: Duration = Field(
        14 * 86_400_000, description="How long a browser stays signed in.", ge=60_000
    )
    token_life: Duration = Field(
        365 * 86_400_000,
        description="The longest life that people may give a token when they are signed in; a longer one, or none "
        "at all, needs the permission token:extend.",
        ge=60_000,
    )
    link_life: Duration = Field(
        7 * 86_400_000,
        description="How long an invitation or reset link is valid; it works once.",
        ge=60_000,
        le=30 * 86_400_000,
    )
    oidc: tuple[OidcProvider, ...] = Field(
        (),
        description="OpenID Connect providers for sign-in, one table each ([[oidc]] in danlu.toml); as a variable: "
        "a JSON list.",
    )
    failures: tuple[KnownFailure, ...] = Field(
        (),
        description="Failures that are known here, one table each ([[failures]] in danlu.toml; as a variable: a JSON "
        "list): what a line of a failed job's log contains, and what people are told then.",
        max_length=MOST,
    )
    cluster_programs: bool = Field(
        False,
        description="Whether a cluster's kubeconfig may name a program (exec) to sign in with. The program runs as "
        "Danlu's user, so whoever may add clusters could run anything on this server.",
    )
    demo: bool = Field(
        False,
        description="Add sample people, projects and jobs, and three weeks of made-up history if nothing was run yet.",
    )

    def policy(self) -> Policy:
        """The scheduler's part of the settings."""
        return Policy(
            self.score_time,
            self.minimum_run_time,
            self.evict_workspaces,
            dict(self.default_max_time),
            self.maintenance_notice,
            self.tasks_per_node or None,
            round(1000 * self.task_cpus),
            self.task_memory,
            self.network_limit or self.network,
            None if self.gpu_cpus is None else round(1000 * self.gpu_cpus),
            self.gpu_memory,
        )
