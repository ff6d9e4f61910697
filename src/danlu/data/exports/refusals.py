"""What NFS servers refuse, in our words."""

from __future__ import annotations

import errno
import os

from danlu.domain.errors import BadAnswer, DanluError, LoginMayNot, NoSuchExport, NotFound
from danlu.domain.file_names import shown_name
from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.words import Words

_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.ENAMETOOLONG})


def not_mounted(number: object, address: ExportAddress) -> DanluError:
    if number in _ABSENT:
        return NoSuchExport(_NO_EXPORT.fill(path=address.path))
    return refused(number, address)


def refused(number: object, address: ExportAddress, path: str = "") -> DanluError:
    if number in _ABSENT:
        return NotFound(NOTHING)
    if number in (errno.EACCES, errno.EPERM):
        shown = shown_name(os.fsencode(f"{address.path}/{path}".rstrip("/")))
        return LoginMayNot(_MAY_NOT.fill(uid=address.uid, gid=address.gid, path=shown))
    return BadAnswer(NO_NFS.fill(host=address.host, port=address.port))


BROKEN = Words(
    "the connection to {host} broke off, or it did not answer in time; try again later",
    "与 {host} 的连接中断或超时，请稍后重试",
)
NO_NFS = Words(
    "what answers at {host}:{port} is no NFS server of version 4, or breaks off; is the port right?",
    "{host}:{port} 不是 NFS v4 服务，或连接中断；请检查端口",
)
NO_LIBRARY = Words(
    "Danlu's server lacks what speaks NFS: an administrator installs libnfs 4 there (Debian: apt-get install libnfs13)",
    "丹炉服务端缺少 NFS 客户端库：请管理员安装 libnfs 4（Debian：apt-get install libnfs13）",
)
TOO_MANY = Words(
    "a folder there has more than {most} entries; nothing of it was used",
    "其中一个目录的条目超过 {most} 个，已放弃",
)
CHANGED = Words("it changed meanwhile: start again", "内容已变化，请重新开始")
READ_ONLY = Words("NFS exports are only read", "NFS 导出目录只能读取")
NOTHING = Words("nothing is there under this name", "该名称下没有内容")
_NO_EXPORT = Words("the server has no export or folder {path}", "服务器上没有导出目录 {path}")
_MAY_NOT = Words(
    "the server does not let user {uid} in group {gid} read {path}, or not from this machine: whoever exports it "
    "permits that user and machine (with the option insecure, unless Danlu's server runs as root)",
    "服务器不允许用户 {uid}（组 {gid}）读取 {path}，或不允许本机访问：请在导出端放行该用户和丹炉服务端的机器"
    "（服务端不以 root 运行时还需 insecure 选项）",
)
