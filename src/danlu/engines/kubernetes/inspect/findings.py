"""The findings of a cluster check, in words, each with a command or advice that fixes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from danlu.domain.findings import Finding, Level
from danlu.domain.words import Words, joined, listed, say
from danlu.engines.kubernetes.objects.gpu_models import NVIDIA

_SHOWN = 5
_PLUGINS = {
    True: "kubectl apply -f https://raw.githubusercontent.com/NVIDIA/k8s-device-plugin/v0.17.1/"
    "deployments/static/nvidia-device-plugin.yml",
    False: "kubectl apply -f https://raw.githubusercontent.com/ROCm/k8s-device-plugin/master/k8s-ds-amdgpu-dp.yaml",
}
_PROVISIONER = (
    "kubectl apply -f https://raw.githubusercontent.com/rancher/local-path-provisioner/v0.0.31/"
    "deploy/local-path-storage.yaml"
)


def reachable(server: str, version: str) -> Finding:
    text = Words(
        "Kubernetes {version} at {server} is reachable", "{server} 上的 Kubernetes {version} 响应正常"
    )
    return _fine("reachable", text.fill(version=version, server=server))


def unreachable(server: str, words: str) -> Finding:
    return Finding(
        "unreachable",
        Level.MISSING,
        Words("The API server cannot be reached: {words}", "无法连接 API 服务器：{words}").fill(words=words),
        Words(
            "Try this on the machine that Danlu runs on: curl -k {server}/version",
            "请在运行丹炉的机器上尝试：curl -k {server}/version",
        ).fill(server=server),
    )


def unknown_to(server: str) -> Finding:
    return Finding(
        "not_signed_in",
        Level.MISSING,
        Words(
            "{server} does not accept the credentials: they have expired or belong to another cluster",
            "{server} 不接受该凭据：凭据已过期，或属于其他集群",
        ).fill(server=server),
        Words(
            "Get a new kubeconfig and test it: kubectl --kubeconfig FILE auth can-i --list",
            "请获取新的 kubeconfig 并验证：kubectl --kubeconfig FILE auth can-i --list",
        ),
    )


def too_slow(seconds: float) -> Finding:
    text = Words(
        "The check did not finish within {seconds:.0f} seconds: the API server is slow",
        "未能在 {seconds:.0f} 秒内检查完毕：API 服务器响应缓慢",
    )
    return Finding(
        "too_slow", Level.WARNING, text.fill(seconds=seconds), Words("Check again later", "请稍后再检查")
    )


def unreadable(what: str, words: str) -> Finding:
    text = Words("{what} could not be checked ({words})", "无法检查 {what}（{words}）")
    return Finding(
        "unreadable", Level.WARNING, text.fill(what=what, words=words), Words("Check again", "请重新检查")
    )


def old_version(version: str) -> Finding:
    text = Words("Kubernetes {version} is older than 1.20", "Kubernetes {version} 早于 1.20")
    fix = Words(
        "Upgrade the cluster: Danlu is not tested with older versions",
        "请升级集群：丹炉未在更早的版本上测试过",
    )
    return Finding("old_version", Level.WARNING, text.fill(version=version), fix)


def namespace(name: str) -> Finding:
    return _fine("namespace", Words("Namespace {name} exists", "命名空间 {name} 已存在").fill(name=name))


def no_namespace(name: str) -> Finding:
    text = Words("There is no namespace {name} for jobs", "没有供任务使用的命名空间 {name}")
    return Finding(
        "no_namespace", Level.MISSING, text.fill(name=name), _paste(f"kubectl create namespace {name}")
    )


def permissions() -> Finding:
    return _fine("permissions", Words("Danlu has all permissions it needs", "丹炉所需的权限齐全"))


def no_permissions(
    everywhere: Sequence[str], inside: Sequence[str], namespace: str, own_account: bool, usual: str
) -> Finding:
    """Permissions that are missing in the whole cluster and in the namespace of jobs, as `verb resource`."""
    parts = []
    if everywhere:
        parts.append(say("{all} (in the whole cluster)", "{all}（整个集群）", all=listed(everywhere)))
    if inside:
        text = Words("{all} (in namespace {namespace})", "{all}（命名空间 {namespace}）")
        parts.append(text.fill(all=listed(inside), namespace=namespace))
    file = f"deploy/manifests/{'danlu' if own_account else 'access'}.yaml"
    command = f"kubectl apply -f {file}"
    if namespace != usual:
        command = f"sed 's/{usual}/{namespace}/g' {file} | kubectl apply -f -"
    fix = _paste(command)
    if not own_account:
        fix = Words(
            f"{command}   # then sign in with the token of the service account danlu, which this creates",
            f"{command}   # 然后使用它创建的服务账号 danlu 的令牌登录",
        )
    return Finding(
        "no_permissions",
        Level.MISSING,
        say("Danlu is not allowed to: {parts}", "丹炉缺少权限：{parts}", parts=joined(parts)),
        fix,
    )


def nodes(ready: int, total: int, models: Mapping[str, int]) -> Finding:
    cards = listed(f"{count} × {model}" for model, count in models.items())
    text = Words(
        "{ready} of {total} nodes are ready, with {gpus}", "{total} 个节点中有 {ready} 个就绪，{gpus}"
    )
    gpus = say("{cards}", "GPU：{cards}", cards=cards) if models else Words("no GPUs", "没有 GPU")
    return _fine("nodes", text.fill(ready=ready, total=total, gpus=gpus))


def no_ready_node(total: int) -> Finding:
    text = Words("None of {total} nodes is ready", "{total} 个节点均未就绪")
    return Finding(
        "no_ready_node",
        Level.MISSING,
        text.fill(total=total),
        Words("See why: kubectl describe nodes", "请查看原因：kubectl describe nodes"),
    )


def no_device_plugin(resource: str, nodes: Sequence[str]) -> Finding:
    text = Words(
        "No device plugin provides the GPUs of these nodes as {resource}: {nodes}",
        "以下节点有 GPU，但没有设备插件将其提供为 {resource}：{nodes}",
    )
    return Finding(
        "no_device_plugin",
        Level.WARNING,
        text.fill(resource=resource, nodes=_few(nodes)),
        _paste(_PLUGINS[resource == NVIDIA]),
    )


def no_gpu_model(nodes: Sequence[str]) -> Finding:
    text = Words(
        "These nodes have no label with their GPU model, so jobs cannot request it: {nodes}",
        "以下节点没有说明 GPU 型号的标签，任务无法按型号申请：{nodes}",
    )
    fix = f"kubectl label node {nodes[0]} nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB"
    return Finding(
        "no_gpu_model",
        Level.WARNING,
        text.fill(nodes=_few(nodes)),
        Words(f"Install GPU feature discovery, or: {fix}", f"请安装 GPU feature discovery，或执行：{fix}"),
    )


def storage(classes: Sequence[str]) -> Finding:
    return _fine("storage", say("Storage classes: {names}", "存储类：{names}", names=_few(classes)))


def no_storage() -> Finding:
    text = Words(
        "There is no storage class: volumes for jobs must be created by hand",
        "没有存储类：任务所需的存储卷须手工创建",
    )
    return Finding("no_storage", Level.WARNING, text, _paste(_PROVISIONER))


def names() -> Finding:
    return _fine("dns", Words("The cluster has a DNS service", "集群有 DNS 服务"))


def no_names(cluster: str) -> Finding:
    text = Words(
        "No DNS service was found (pods with k8s-app=kube-dns): tasks of a job may not find each other",
        "未发现 DNS 服务（带 k8s-app=kube-dns 标签的 Pod）：同一任务的子任务可能无法互相访问",
    )
    return Finding("no_dns", Level.WARNING, text, _paste(f"danlu cluster edit {cluster} --no-dns"))


def no_image(cluster: str) -> Finding:
    text = Words(
        "No default image is set: jobs without an image cannot run",
        "未设置默认镜像：没有指定镜像的任务无法运行",
    )
    return Finding(
        "no_image", Level.WARNING, text, _paste(f"danlu cluster edit {cluster} --image python:3.12-slim")
    )


def no_helper(cluster: str) -> Finding:
    text = Words(
        "No helper image is set: code is fetched with the default image, which must then contain Danlu",
        "未设置辅助镜像：将使用默认镜像获取代码，该镜像须包含丹炉",
    )
    return Finding(
        "no_helper", Level.WARNING, text, _paste(f"danlu cluster edit {cluster} --helper REGISTRY/danlu:TAG")
    )


def _fine(code: str, text: Words) -> Finding:
    return Finding(code, Level.OK, text)


def _paste(command: str) -> Words:
    return Words(command, command)


def _few(names: Sequence[str]) -> Words:
    shown, rest = listed(names[:_SHOWN]), len(names) - _SHOWN
    return say("{shown} … (+{rest})", "{shown} …… (+{rest})", shown=shown, rest=rest) if rest > 0 else shown
