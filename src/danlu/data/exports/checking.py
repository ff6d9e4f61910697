"""Whether an export can be read."""

from __future__ import annotations

from collections.abc import Iterator

from danlu.data.exports.store import ExportStore
from danlu.data.outside import NetworkGuard
from danlu.data.verdicts import Failed, fine, name_step, route_step, tried
from danlu.domain.errors import DanluError, LoginMayNot
from danlu.domain.findings import Finding
from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.words import Words

_MOST_READ = 5


def export_steps(guard: NetworkGuard, address: ExportAddress) -> Iterator[Finding]:
    store = ExportStore(address, guard)
    try:
        yield name_step(guard, address.host, address.port)
        tried("route", lambda: guard.connect(address.host, address.port).close())
        yield route_step(address.host, address.port)
        _mount(store)
        yield fine("export", _EXPORT.fill(path=address.path))
        left_out = tried("right", lambda: _use(store))
        said = _READS_SOME if left_out else _READS
        yield fine("right", said.fill(uid=address.uid, gid=address.gid, count=left_out))
    finally:
        store.close()


def _mount(store: ExportStore) -> None:
    try:
        store.start()
    except LoginMayNot as error:
        raise Failed("right", error) from None
    except DanluError as error:
        raise Failed("export", error) from None


def _use(store: ExportStore) -> int:
    """How many entries are left out. Of many files somebody else's may be closed: one that can be read is enough."""
    entries, left_out = store.entries("")
    refused: LoginMayNot | None = None
    for one in [one for one in entries if not one.is_folder][:_MOST_READ]:
        try:
            store.read(one.name, 0, 1)
            return left_out
        except LoginMayNot as error:
            refused = error
    if refused is not None:
        raise refused
    return left_out


_EXPORT = Words("{path} is there", "{path} 存在")
_READS = Words("user {uid} in group {gid} may list and read", "用户 {uid}（组 {gid}）可以列出和读取")
_READS_SOME = Words(
    "user {uid} in group {gid} may list and read; links and the like are left out, of which the folder has {count}",
    "用户 {uid}（组 {gid}）可以列出和读取；链接等特殊文件不显示，该目录下有 {count} 个",
)
