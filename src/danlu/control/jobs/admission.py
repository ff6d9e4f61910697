"""Admission: checks at submission, so that nobody can queue for a node that does not exist."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from danlu.control.jobs.defaults import with_defaults
from danlu.control.jobs.gpu_models import with_models
from danlu.control.jobs.gpu_parts import GivenSize, given_sizes, with_gpu_parts
from danlu.control.jobs.inputs import Inputs
from danlu.control.jobs.mounting import Mounting
from danlu.control.jobs.nearest import with_nearest
from danlu.control.jobs.packages import package_misfits
from danlu.control.jobs.too_large import larger_than_any, too_many_tasks
from danlu.control.jobs.training import completed, mistakes
from danlu.control.jobs.unserved import unserved
from danlu.control.outputs.resolving import OutputTargets
from danlu.control.rules.cluster_checks import strange_cluster
from danlu.control.rules.registry import Registry
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobSpec, NetworkPolicy, Topology
from danlu.domain.labels import demanded_labels
from danlu.domain.node import Foreign, Node, NodeState
from danlu.domain.people import User
from danlu.domain.permissions import Caller
from danlu.domain.project_access import may_queue, usable_priorities
from danlu.domain.quantity import show_time, time_said
from danlu.domain.rules import CLUSTER_LABEL, ENGINE_LABEL, RDMA_LABEL, Policy, Project
from danlu.domain.terms import class_said, no_such
from danlu.domain.words import Words, listed, say
from danlu.files.mistakes import Loc, did_you_mean
from danlu.files.reading import read_job_file
from danlu.ports.code import CodeStore
from danlu.scheduler import ask_of, could_ever_start
from danlu.scheduler.cluster import AllNodes


class Admission:
    """Reads job files and checks them against the nodes, the rules and the sender's permissions."""

    def __init__(
        self,
        nodes: Callable[[], Sequence[Node]],
        code: CodeStore,
        registry: Registry,
        images: Collection[str] | None,
        policy: Policy,
        mounting: Mounting | None = None,
        inputs: Inputs | None = None,
        outputs: OutputTargets | None = None,
    ) -> None:
        self._mounting, self._inputs = mounting or Mounting(None), inputs or Inputs()
        self._outputs = outputs
        self._nodes, self._code, self._registry, self._images = nodes, code, registry, images
        self._policy = policy
        self._known: tuple[object, object, AllNodes | None] = (None, None, None)

    def read(self, data: Any, caller: Caller, *, whole: bool = False) -> JobSpec:
        """The specification of a job file, or Invalid with every error in it. The project's defaults fill in what the
        file leaves out."""
        known = self._registry.flavors()
        if not whole:
            data = with_defaults(data, self._registry.projects(), known)
        reading = read_job_file(data, {name: flavor.resources for name, flavor in known.items()})
        errors, spec = list(reading.errors), reading.spec
        if spec is not None:
            spec, unclear = with_models(completed(spec, data), data, self._nodes())
            errors += unclear
            spec, unmounted = self._mounting.resolved(spec, data, caller, self._project_of(spec))
            errors += unmounted
            spec, unfetched = self._inputs.resolved(spec, caller, self._project_of(spec))
            errors += unfetched
            if self._outputs is not None:
                spec, unkept = self._outputs.resolved(spec, caller, self._project_of(spec))
                errors += unkept
            spec = self._charged(spec if whole else self.sized(spec, data))
            # For the same place, the framework's error is more specific than that of the file format.
            better = {error.loc: error for error in reversed([*mistakes(spec, data)])}
            errors = [better.pop(error.loc, error) for error in errors] + list(reversed(better.values()))
            told = {error.loc for error in errors}
            errors += [error for error in self.misfits(spec, data, caller) if error.loc not in told]
        if errors or spec is None:
            raise Invalid(tuple(errors))
        return replace(spec, max_time=spec.max_time or self._policy.default_max_time.get(spec.job_class))

    def given(self, data: Any) -> tuple[GivenSize, ...]:
        """What the roles of a job file, which may be unfinished, get for their GPUs without saying so."""
        known = self._registry.flavors()
        data = with_defaults(data, self._registry.projects(), known)
        spec = read_job_file(data, {name: flavor.resources for name, flavor in known.items()}).spec
        if spec is None or not isinstance(data, Mapping):
            return ()
        asked, _ = with_models(completed(spec, data), data, self._nodes())
        return tuple(given_sizes(asked, self.sized(asked, data), data))

    def sized(self, spec: JobSpec, data: Mapping[str, Any]) -> JobSpec:
        """With what goes with its GPUs on the nodes it could run on."""
        labels, pools = self._narrowed(spec).node_selector, self._registry.pools()
        nodes = [
            node
            for node in self._nodes()
            if node.state is not NodeState.OFF
            and _selected(node, labels)
            and (node.pool not in pools or pools[node.pool].serves(spec.job_class))
        ]
        return with_gpu_parts(spec, data, nodes, self._policy)

    def _charged(self, spec: JobSpec) -> JobSpec:
        """With what each task costs at least: a supervisor and a sandbox, however little it requests."""
        least = self._policy
        if spec.total or not (least.task_cpu_milli or least.task_memory):
            return spec
        roles = tuple(
            replace(role, resources=role.resources.at_least(least.task_cpu_milli, least.task_memory))
            for role in spec.roles
        )
        return replace(spec, roles=roles) if roles != spec.roles else spec

    def still_allowed(self, spec: JobSpec, caller: Caller) -> None:
        """Rules may have changed since the job was created: Invalid if its owner may no longer use its project,
        priority or volumes."""
        wrong = (
            *self._project(spec, caller),
            *self._priority(spec, caller.user),
            *self._network(spec),
            *self._mounting.again(spec, caller),
            *self._inputs.again(spec, caller),
            *(self._outputs.again(spec, caller) if self._outputs is not None else ()),
        )
        if wrong:
            raise Invalid(wrong)

    def without_lost_flavors(self, spec: JobSpec) -> JobSpec:
        """The same specification, with plain resources instead of flavors that no longer exist."""
        known = self._registry.flavors()
        roles = tuple(
            replace(role, flavor=role.flavor if role.flavor in known else None) for role in spec.roles
        )
        return replace(spec, roles=roles)

    def misfits(self, spec: JobSpec, data: Mapping[str, Any], caller: Caller) -> Iterator[FieldError]:
        """What the file requests that does not exist here, or that this person may not use."""
        yield from self._project(spec, caller)
        missing = [*unserved(spec, data, self._nodes(), all_serve=self._images is None)]
        yield from missing
        if spec.code and spec.code.archive and not self._code.has(spec.code.archive):
            yield FieldError(
                ("code", "archive"),
                "not_uploaded",
                Words("no code with this digest was uploaded", "此摘要对应的代码尚未上传"),
                spec.code.archive,
                hint=Words(
                    "upload it first with PUT /api/v1/code/{digest}", "请先用 PUT /api/v1/code/{digest} 上传"
                ),
            )
        yield from package_misfits(spec, caller.name, self._nodes(), self._code)
        yield from self._priority(spec, caller.user)
        yield from self._network(spec)
        yield from self._flavors(spec)
        yield from self._too_long(spec, caller.user)
        if not missing:  # otherwise no node fits anyway, and that was already reported
            yield from self._oversized(spec, data)

    def _project(self, spec: JobSpec, caller: Caller) -> Iterator[FieldError]:
        projects = self._registry.projects()
        if spec.project not in projects:
            yield FieldError(
                ("project",),
                "no_such_project",
                no_such("project", spec.project),
                spec.project,
                hint=did_you_mean(spec.project, sorted(projects)),
            )
        elif not may_queue(caller, projects[spec.project]):
            looks = Words(
                "{name} is only a viewer of project '{project}'", "{name} 在项目组“{project}”中只是查看者"
            )
            stranger = Words(
                "{name} is not a member of project '{project}'", "{name} 不是项目组“{project}”的成员"
            )
            text = looks if spec.project in caller.projects else stranger
            yield FieldError(
                ("project",),
                "not_a_member",
                text.fill(name=caller.name, project=spec.project),
                spec.project,
                hint=say(
                    "ask to join: danlu project join {project}",
                    "申请加入：danlu project join {project}",
                    project=spec.project,
                ),
            )

    def _priority(self, spec: JobSpec, user: User) -> Iterator[FieldError]:
        classes = self._registry.priorities()
        mine = usable_priorities(user, spec.project, self._registry.projects(), classes)
        if spec.priority in mine:
            if classes[spec.priority].needs_reason and not spec.justification.strip():
                yield FieldError(
                    ("justification",),
                    "missing",
                    say(
                        "priority class '{priority}' needs a reason",
                        "优先级“{priority}”需要填写理由",
                        priority=spec.priority,
                    ),
                    hint=Words(
                        "explain in justification why the job is urgent, or leave priority out",
                        "请在 justification 中说明任务为何紧急，或去掉 priority",
                    ),
                )
            return
        if spec.priority not in classes:
            message, code = no_such("priority", spec.priority), "no_such_priority"
        else:
            message = say(
                "{name} may not use priority class '{priority}' in project {project}",
                "优先级“{priority}”未在项目组 {project} 中对 {name} 开放",
                priority=spec.priority,
                name=user.name,
                project=spec.project,
            )
            code = "priority_not_allowed"
        hint = did_you_mean(spec.priority, mine)
        yield FieldError(("priority",), code, message, spec.priority, mine, hint)

    def _network(self, spec: JobSpec) -> Iterator[FieldError]:
        most = self._policy.network_limit
        if spec.network is not None and not spec.network.within(most):
            yield FieldError(
                ("network",),
                "out_of_range",
                say(
                    "network: {asked} reaches more than administrators allow ({most})",
                    "network: {asked} 超出了管理员允许的范围（{most}）",
                    asked=spec.network.value,
                    most=most.value,
                ),
                spec.network.value,
                [policy.value for policy in NetworkPolicy if policy.within(most)],
                Words(
                    "ask for less, or ask an administrator to raise the setting network_limit",
                    "请缩小范围，或请管理员放宽设置 network_limit",
                ),
            )

    def _accounts(self, spec: JobSpec) -> tuple[str, ...]:
        """The project and the one whose share it draws on: limits of both apply."""
        project = self._project_of(spec)
        return (spec.project, project.account) if project else (spec.project,)

    def _flavors(self, spec: JobSpec) -> Iterator[FieldError]:
        if (
            spec.total
            and spec.roles[0].flavor
            and spec.roles[0].resources.gpu_milli % 1000 + (not spec.roles[0].resources.gpu_milli)
        ):
            message = Words(
                "nodes: auto needs a total of whole GPUs to divide, and this flavor has none",
                "nodes: auto 按总量分配整卡 GPU，而该套餐没有整卡 GPU",
            )
            yield FieldError(("nodes",), "contradiction", message, "auto")
        for place, role in enumerate(spec.roles):
            flavor = self._registry.flavors().get(role.flavor or "")
            if flavor and flavor.classes and spec.job_class not in flavor.classes:
                loc: Loc = ("flavor",) if len(spec.roles) == 1 else ("roles", place, "flavor")
                text = say(
                    "flavor '{flavor}' is for {classes} jobs, and this job is {job_class}",
                    "套餐“{flavor}”用于{classes}，而该任务为{job_class}",
                    flavor=flavor.name,
                    classes=listed(class_said(one) for one in flavor.classes),
                    job_class=class_said(spec.job_class),
                )
                yield FieldError(loc, "flavor_not_for_this", text, flavor.name, list(flavor.classes))

    def _too_long(self, spec: JobSpec, user: User) -> Iterator[FieldError]:
        """A run time beyond a limit would wait forever, so it is refused here."""
        for limit in self._registry.limits().values():
            concerned = any(limit.concerns(user.name, name, spec.job_class) for name in self._accounts(spec))
            if limit.max_time is None or not concerned:
                continue
            asked = spec.max_time or self._policy.default_max_time.get(spec.job_class)
            if asked is None or asked > limit.max_time:
                bound = show_time(limit.max_time)
                longer = Words(
                    "{asked} is longer than limit '{limit}' allows ({bound})",
                    "{asked} 超过了限额“{limit}”允许的时长（{bound}）",
                )
                endless = Words(
                    "a job without max_time may run longer than limit '{limit}' allows ({bound})",
                    "未设置 max_time 的任务可能超过限额“{limit}”允许的时长（{bound}）",
                )
                value = show_time(asked) if asked else None
                message = (longer if asked else endless).fill(
                    asked=time_said(asked) if asked else "", limit=limit.name, bound=time_said(limit.max_time)
                )
                hint = say(
                    "set max_time to {bound} or less", "请将 max_time 设为 {bound} 或更短", bound=bound
                )
                yield FieldError(("max_time",), "out_of_range", message, value, bound, hint)
                return

    def _oversized(self, spec: JobSpec, data: Mapping[str, Any]) -> Iterator[FieldError]:
        nodes = self._nodes()
        strange = [*strange_cluster(spec.node_selector, self._registry.clusters(), nodes)]
        if strange:
            yield from strange
            return
        yield from self._two_minds(spec)
        spec = self._narrowed(spec)
        suiting = [node for node in nodes if _selected(node, spec.node_selector)]
        wanted = listed(f"{key}={value}" for key, value in spec.node_selector.items())
        if not suiting:
            message = (
                say("no node has the labels {wanted}", "没有节点带有标签 {wanted}", wanted=wanted)
                if spec.node_selector
                else Words("there are no nodes", "没有节点")
            )
            yield FieldError(
                ("node_selector",),
                "no_such_node",
                message,
                dict(spec.node_selector),
                hint=Words(
                    "`danlu nodes NAME` shows a node's labels", "可用 `danlu nodes NAME` 查看节点的标签"
                ),
            )
            return
        # With nodes: auto, the smallest task has one GPU and its part of the total.
        roles = spec.shapes()[-1]
        wrong = [
            (place, error)
            for place, role in enumerate(roles)
            for error in larger_than_any(role, place, suiting, data, wanted)
        ]
        cluster = self._cluster(nodes)
        flavors = self._registry.flavors().values()
        yield from (with_nearest(error, spec, place, flavors, cluster) for place, error in wrong)
        if not wrong and not could_ever_start(cluster, ask_of(spec)):
            yield (
                self._apart(spec, cluster)
                or self._no_pool(spec, cluster)
                or too_many_tasks(spec, cluster, data)
            )

    def _apart(self, spec: JobSpec, cluster: AllNodes) -> FieldError | None:
        """It fits, but not within one topology domain as it requires."""
        label = spec.topology.same
        if label is None or not could_ever_start(cluster, ask_of(replace(spec, topology=Topology()))):
            return None
        there = len(cluster.domains(label))
        message = (
            say(
                "no single {label} is large enough for all its tasks, even when idle",
                "即使全部空闲，也没有一个 {label} 能容纳它的所有子任务",
                label=label,
            )
            if there
            else say("no node has the label '{label}'", "没有节点带有标签“{label}”", label=label)
        )
        hint = (
            Words(
                "use topology.prefer, or request fewer or smaller tasks",
                "请使用 topology.prefer，或减少子任务数量、缩小规格",
            )
            if there
            else Words("`danlu nodes NAME` shows a node's labels", "可用 `danlu nodes NAME` 查看节点的标签")
        )
        return FieldError(("topology", "same"), "out_of_range", message, label, hint=hint)

    def _no_pool(self, spec: JobSpec, cluster: AllNodes) -> FieldError | None:
        """It fits, but not in the pools that serve its class."""
        if not could_ever_start(AllNodes(cluster.nodes, {}), ask_of(spec)):
            return None
        pools = sorted(name for name, pool in self._registry.pools().items() if pool.serves(spec.job_class))
        message = say(
            "no pool that serves {job_class} jobs is large enough for it ({pools})",
            "没有面向{job_class}的资源池能容纳该任务（{pools}）",
            job_class=class_said(spec.job_class),
            pools=listed(pools) if pools else Words("there is no such pool", "没有这样的资源池"),
        )
        return FieldError(
            ("kind",),
            "no_such_pool",
            message,
            spec.kind.value,
            pools,
            Words("`danlu pool ls` lists the pools", "可用 `danlu pool ls` 查看"),
        )

    def _two_minds(self, spec: JobSpec) -> Iterator[FieldError]:
        for label, value in self._demanded(spec).items():
            asked = spec.node_selector.get(label, value)
            if asked != value:
                of_project = say("jobs of project {project}", "项目组 {project} 的任务", project=spec.project)
                whose = {
                    ENGINE_LABEL: Words("jobs with an image", "使用镜像的任务"),
                    RDMA_LABEL: Words("jobs that need RDMA", "需要 RDMA 的任务"),
                }.get(label, of_project)
                if label == CLUSTER_LABEL and spec.outputs:
                    whose = Words("jobs with outputs", "声明了输出的任务")
                volume = next((mount.volume for mount in spec.mounts if mount.cluster == value), None)
                if label == CLUSTER_LABEL and volume is not None:
                    whose = say("jobs that mount {volume}", "挂载 {volume} 的任务", volume=volume)
                message = say(
                    "{label}={asked}, but {whose} run only on nodes with {label}={value}",
                    "{label}={asked}，但{whose}只能在 {label}={value} 的节点上运行",
                    label=label,
                    asked=asked,
                    whose=whose,
                    value=value,
                )
                yield FieldError(("node_selector", label), "contradiction", message, asked, value)

    def idle(self) -> AllNodes:
        """All nodes that exist or may come back, as if idle."""
        return self._cluster(self._nodes())

    def _cluster(self, nodes: Sequence[Node]) -> AllNodes:
        """All nodes as if idle; rebuilt when nodes or pools have changed."""
        pools = self._registry.pools()
        known, ruled, cluster = self._known
        if cluster is None or known is not nodes or ruled is not pools:
            # A cordoned or unreachable node may come back, and foreign workloads may end: waiting for them makes
            # sense.
            idle = [
                replace(node, state=NodeState.READY, foreign=Foreign())
                for node in nodes
                if node.state is not NodeState.OFF
            ]
            cluster = AllNodes(idle, pools)
            self._known = (nodes, pools, cluster)
        return cluster

    def _narrowed(self, spec: JobSpec) -> JobSpec:
        """With the labels that its project, image, mounts and RDMA require as well."""
        labels = self._demanded(spec)
        return replace(spec, node_selector={**spec.node_selector, **labels}) if labels else spec

    def _demanded(self, spec: JobSpec) -> dict[str, str]:
        return demanded_labels(spec, self._project_of(spec), all_serve=self._images is None)

    def _project_of(self, spec: JobSpec) -> Project | None:
        return self._registry.projects().get(spec.project)


def _selected(node: Node, selector: Mapping[str, str]) -> bool:
    return all(node.labels.get(key) == value for key, value in selector.items())
