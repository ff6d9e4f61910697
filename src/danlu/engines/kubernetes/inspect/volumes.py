"""What the check of a cluster finds about volumes: whether people can create any, and have their own directories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from danlu.domain.findings import Finding, Level
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import Words, joined, listed, say

_GUIDE = "docs/guides/kubernetes.md#volumes"


def without_them(finding: Finding) -> Finding:
    """Of permissions that jobs do without."""
    text = joined((finding.text, Words("volumes cannot be created there", "因此无法在其中创建存储卷")))
    return replace(finding, code="no_volume_permissions", level=Level.WARNING, text=text)


def classes(cluster: KubernetesCluster, names: Sequence[str]) -> Iterator[Finding]:
    """Of each kind of volume that people create: none is set, or one that does not exist."""
    kinds = {
        "block": (cluster.block_class, Words("block", "块存储")),
        "filesystem": (cluster.filesystem_class, Words("filesystem", "文件存储")),
    }
    unset = [kind for kind, (name, _) in kinds.items() if not name]
    if unset and names:
        text = say(
            "People cannot create volumes of these kinds here, for want of a storage class: {kinds}",
            "未设置存储类，无法在此创建以下类型的存储卷：{kinds}",
            kinds=listed(kinds[kind][1] for kind in unset),
        )
        options = " ".join(f"--{kind}-class {names[0]}" for kind in unset)
        command = f"danlu cluster edit {cluster.name} {options}"
        yield Finding("no_volume_classes", Level.WARNING, text, Words(command, command))
    for kind, (name, said) in kinds.items():
        if name and name not in names:
            text = say(
                "There is no storage class {name}, which is set for {kind} volumes",
                "没有存储类 {name}，而{kind}卷设置为使用它",
                name=name,
                kind=said,
            )
            command = f"danlu cluster edit {cluster.name} --{kind}-class {names[0] if names else 'NAME'}"
            yield Finding("no_such_class", Level.WARNING, text, Words(command, command))


def no_personal(cluster: KubernetesCluster) -> Finding:
    text = Words(
        "Tasks have no personal directory here: neither a filesystem class nor a claim for all is set",
        "此处的子任务没有个人目录：既未设置文件存储的存储类，也未设置公用的 PVC",
    )
    command = f"danlu cluster edit {cluster.name} --filesystem-class NAME"
    fix = Words(f"{command}   # or --personal-claim CLAIM", f"{command}   # 或 --personal-claim CLAIM")
    return Finding("no_personal", Level.WARNING, text, fix)


def personal(cluster: KubernetesCluster) -> Finding:
    text = say(
        "Claim {claim} for personal directories exists",
        "个人目录所用的 PVC {claim} 已存在",
        claim=cluster.personal_claim,
    )
    return Finding("personal_claim", Level.OK, text)


def no_personal_claim(cluster: KubernetesCluster) -> Finding:
    text = say(
        "There is no claim {claim} in namespace {namespace} for personal directories: no task can start",
        "命名空间 {namespace} 中没有个人目录所用的 PVC {claim}：任何子任务都无法启动",
        claim=cluster.personal_claim,
        namespace=cluster.namespace,
    )
    command = f'danlu cluster edit {cluster.name} --personal-claim ""'
    fix = Words(f"Create it (ReadWriteMany), or: {command}", f"请创建它（ReadWriteMany），或执行：{command}")
    return Finding("no_personal_claim", Level.MISSING, text, fix)


def sizes(allowed: bool) -> Finding:
    if allowed:
        return Finding(
            "sizes", Level.OK, Words("How much of volumes is used is measured", "会测量存储卷的已用空间")
        )
    text = Words(
        f"How much of volumes is used is not measured: that needs get nodes/proxy ({_GUIDE})",
        f"不测量存储卷的已用空间：需要 get nodes/proxy 权限（{_GUIDE}）",
    )
    return Finding("sizes", Level.OK, text)
