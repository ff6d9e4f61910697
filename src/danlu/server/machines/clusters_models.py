"""Clusters: what administrators send, and what clients get."""

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictStr

from danlu.control.machines import clusters
from danlu.control.machines.clusters import ClusterUse, ModelUse
from danlu.domain.job import Time
from danlu.files.quantities import Bytes, Duration
from danlu.files.rulings import Ruling, ShortText
from danlu.server.http.models import Answer, Finding, Moment, RequestBody, Span, Thousandths
from danlu.server.http.rendering import GIVEN, At, By, Json

ClusterWord = Annotated[StrictStr, Field(min_length=1, max_length=100)]
Image = Annotated[StrictStr, Field(max_length=500)]
KubeconfigText = Annotated[StrictStr, Field(min_length=1, max_length=500_000)]
NameList = Annotated[list[ClusterWord], Field(max_length=50)]
StorageWord = Annotated[StrictStr, Field(max_length=253)]
PullPolicy = Literal["IfNotPresent", "Always", "Never"]

_ACCESS = frozenset({"kubeconfig", "context", "in_cluster", "force"})


class ClusterSettings(Ruling):
    """How Danlu uses a cluster; fields that are left out stay as they are, or have their default."""

    namespace: ClusterWord | None = Field(None, description="The namespace that tasks run in; it must exist.")
    image: Image | None = Field(None, description="The default image, for jobs that name none.")
    helper: Image | None = Field(None, description="The image that fetches code: Danlu's own image.")
    dns: StrictBool | None = Field(
        None, description="Whether tasks reach each other by DNS name; otherwise by IP address."
    )
    pull_policy: PullPolicy | None = None
    pull_secrets: NameList | None = Field(None, description="Secrets in the namespace for pulling images.")
    tolerations: NameList | None = Field(None, description="Keys of the taints that tasks tolerate.")
    rdma_resource: Annotated[StrictStr, Field(max_length=200)] | None = Field(
        None, description="The resource name of RDMA devices in this cluster."
    )
    admission_time: Duration | None = Field(
        None, description="How long the cluster may take to admit a task."
    )
    lost_time: Duration | None = Field(
        None, description="How long an unreachable node is waited for before its tasks count as lost."
    )
    description: ShortText | None = None
    block_class: StorageWord | None = Field(
        None, description="The storage class of block volumes that people create there; empty: they cannot."
    )
    filesystem_class: StorageWord | None = Field(
        None,
        description="The storage class of filesystem volumes and personal directories (ReadWriteMany); empty: none.",
    )
    personal_claim: StorageWord | None = Field(
        None,
        description="A claim in the namespace for everybody's personal directories; empty: each has one of their own.",
    )
    personal_size: Bytes | None = Field(
        None, description="What each person's own claim for personal directories holds."
    )

    def settings(self) -> dict[str, Any]:
        """The given settings, as the domain names them."""
        return {key: value for key, value in self.values().items() if key not in _ACCESS}


class ClusterAccess(ClusterSettings):
    """How Danlu uses a cluster, and how it signs in there."""

    kubeconfig: KubeconfigText | None = Field(
        None, description="The kubeconfig as text, with all certificates and tokens embedded.", repr=False
    )
    context: ClusterWord | None = Field(
        None, description="The context of the kubeconfig; default: its current one."
    )
    in_cluster: StrictBool = Field(
        False, description="Use Danlu's own service account, in the cluster that Danlu runs in."
    )


class ClusterCheck(ClusterAccess):
    """A cluster to check before it is added."""

    name: ClusterWord = Field("my-cluster", description="The name of the cluster.")


class ClusterEdit(ClusterAccess):
    """What to change on a cluster. A kubeconfig (or `in_cluster`) replaces the current credentials after a check of
    the cluster; it is never shown again."""

    force: StrictBool = Field(False, description="Add or change it even if something is missing there.")


class ClusterCreate(ClusterEdit):
    """A new cluster; it is checked first, and refused if something is missing there."""

    name: ClusterWord


class ClusterRemoval(RequestBody):
    """How to remove it."""

    force: bool = Field(False, description="Remove it even if jobs run there; those jobs are lost.")


class ClusterReport(Answer, of=clusters.ClusterReport):
    """What was found, worst first; ready if nothing is missing."""

    ready: bool
    server: str
    findings: list[Finding]


class ClusterGpus(Answer, of=ModelUse):
    """The GPUs of one model: all, used by jobs, and used by workloads outside Danlu."""

    model: str
    total: int
    used: Annotated[Thousandths, At("used_milli")]
    others: int


class ClusterNodes(Answer):
    ready: int
    total: int


def _signed_in_at(use: ClusterUse) -> Time | None:
    return use.cluster.credentials_at or None


def _nodes(use: ClusterUse) -> Json:
    return {"ready": use.ready, "total": use.nodes}


class Cluster(Answer, of=ClusterUse):
    """A Kubernetes cluster that jobs may run on, with its nodes; `server` is shown to those who may change it.
    `findings` is filled if the cluster was checked for this answer."""

    name: Annotated[str, At("cluster.name")]
    state: Literal["ready", "unreachable", "empty", "no_credentials"]
    why: str
    server: Annotated[str | None, GIVEN]
    namespace: Annotated[str, At("cluster.namespace")]
    image: Annotated[str, At("cluster.image")]
    helper: Annotated[str, At("cluster.helper")]
    dns: Annotated[bool, At("cluster.dns")]
    pull_policy: Annotated[str, At("cluster.pull_policy")]
    pull_secrets: Annotated[list[str], At("cluster.pull_secrets")]
    tolerations: Annotated[list[str], At("cluster.tolerations")]
    rdma_resource: Annotated[str, At("cluster.rdma_resource")]
    admission_time: Annotated[Span, At("cluster.admission_time")]
    lost_time: Annotated[Span, At("cluster.lost_time")]
    description: Annotated[str, At("cluster.description")]
    block_class: Annotated[str, At("cluster.block_class")]
    filesystem_class: Annotated[str, At("cluster.filesystem_class")]
    personal_claim: Annotated[str, At("cluster.personal_claim")]
    personal_size: Annotated[int, At("cluster.personal_size")]
    in_cluster: bool
    credentials_at: Annotated[Moment | None, By(_signed_in_at)]
    nodes: Annotated[ClusterNodes, By(_nodes)]
    gpus: list[ClusterGpus]
    tasks: int
    findings: list[Finding]


class ClusterList(Answer):
    items: list[Cluster]
    next_cursor: str | None
