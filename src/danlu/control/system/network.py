"""Whether what people and Danlu say to each other can be overheard, and whom Danlu believes."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from danlu.control.system.facts import ServingFacts
from danlu.domain.weakness import Severity, WeakArea, Weakness
from danlu.domain.words import Words, say

_WIDEST_IPV4, _WIDEST_IPV6 = 8, 32
"""A network of proxies with fewer fixed bits than this is everybody."""


def network_weaknesses(serving: ServingFacts) -> Iterator[Weakness]:
    public = urlsplit(serving.public_url or "")
    beyond = not _is_loopback(serving.host)
    if public.scheme == "http" and not _is_loopback(public.hostname or ""):
        yield _weak("no_tls", Severity.HIGH, _no_tls(serving.public_url or ""), _USE_TLS)
    elif beyond and public.scheme != "https":
        yield _weak("no_tls", Severity.HIGH, _no_tls(serving.host), _USE_TLS)
    elif beyond:
        text = say(
            "Danlu itself listens on {host}: whoever reaches that port goes past the proxy, and past TLS",
            "丹炉直接监听 {host}：能访问该端口的人会绕过代理和 TLS",
            host=serving.host,
        )
        yield _weak("port_beside_tls", Severity.MEDIUM, text, _LISTEN_INSIDE)
    wide = [proxy for proxy in serving.trusted_proxies if _is_everybody(proxy)]
    if wide:
        text = say(
            "trusted_proxies contains {wide}: anybody can claim to come from any address, which defeats the limits on "
            "sign-ins and falsifies the audit log",
            "trusted_proxies 包含 {wide}：任何人都能冒充任意地址，登录限制因此失效，审计日志中的地址也不可信",
            wide=wide[0],
        )
        yield _weak("proxies_anybody", Severity.HIGH, text, _NAME_PROXIES)
    if serving.cluster_programs:
        yield _weak("cluster_programs", Severity.MEDIUM, _PROGRAMS_TEXT, _PROGRAMS_FIX)


def _weak(code: str, severity: Severity, text: Words, fix: Words) -> Weakness:
    return Weakness(code, WeakArea.NETWORK, severity, text, fix)


def _no_tls(where: str) -> Words:
    return say(
        "people reach Danlu at {where} without TLS: passwords and tokens can be read on the way",
        "访问 {where} 上的丹炉未使用 TLS：密码和令牌在传输途中可被读取",
        where=where,
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_everybody(proxy: str) -> bool:
    try:
        network = ipaddress.ip_network(proxy, strict=False)
    except ValueError:
        return proxy == "*"
    return network.prefixlen < (_WIDEST_IPV4 if network.version == 4 else _WIDEST_IPV6)


_USE_TLS = Words(
    "put a proxy with TLS in front (docs/guides/hardening.md), set public_url to its https address, and host to "
    "127.0.0.1",
    "在前面放置启用 TLS 的代理（见 docs/guides/hardening.md），将 public_url 设为其 https 地址，host 设为 127.0.0.1",
)
_LISTEN_INSIDE = Words(
    "set host to 127.0.0.1, or let a firewall admit the proxy alone",
    "将 host 设为 127.0.0.1，或用防火墙只放行代理",
)
_NAME_PROXIES = Words(
    "name the addresses of your proxies alone in trusted_proxies", "在 trusted_proxies 中只写代理自身的地址"
)
_PROGRAMS_TEXT = Words(
    "cluster_programs is on: whoever may add clusters can run any program as Danlu's user",
    "cluster_programs 已开启：能添加集群的人都可以用丹炉的系统用户运行任意程序",
)
_PROGRAMS_FIX = Words(
    "turn it off, and use a service account's token in the kubeconfig (danlu cluster --help)",
    "关闭它，在 kubeconfig 中改用服务账号的令牌（见 danlu cluster --help）",
)
