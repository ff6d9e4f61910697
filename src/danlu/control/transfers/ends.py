"""Ends of transfers, as their owner may use them."""

from __future__ import annotations

from dataclasses import replace

from danlu.control.volumes.files import FilesOfVolume, VolumeFiles
from danlu.domain.errors import DanluError, FieldError, Invalid
from danlu.domain.permissions import Caller
from danlu.domain.transfers.ends import LONGEST_END, read_end
from danlu.domain.transfers.inputs import EndRefused, TitledEnds
from danlu.domain.transfers.transfer import TransferEnd, TransferWish
from danlu.domain.volumes.volume import RESERVED_NAMES, VolumeKind
from danlu.domain.words import BadValue, Words
from danlu.ports.volumes.changing import IN_BUCKET


def checked_ends(
    files: VolumeFiles, caller: Caller, source: str, target: str, wish: TransferWish
) -> tuple[TransferEnd, TransferEnd]:
    """As they are kept: volumes by id. Invalid with every mistake, and whatever opening the volumes refuses."""
    mistakes: list[FieldError] = []
    ends = [_read(key, text, mistakes) for key, text in (("source", source), ("target", target))]
    if mistakes or ends[0] is None or ends[1] is None:
        raise Invalid(tuple(mistakes))
    return known_ends(files, caller, ends[0], ends[1], wish)


def known_ends(
    files: VolumeFiles, caller: Caller, source: TransferEnd, target: TransferEnd, wish: TransferWish
) -> tuple[TransferEnd, TransferEnd]:
    """The same, of ends that were read."""
    _must_fit(source, target, wish)
    found = _known(files, caller, source, write=False), _known(files, caller, target, write=True)
    _must_reach(files, caller, *found, wish)
    return found


def titled_ends(
    files: VolumeFiles, caller: Caller, source: TransferEnd, target: TransferEnd, wish: TransferWish
) -> TitledEnds:
    """The same with the titles of their volumes: Invalid, or EndRefused with what opening a volume refuses."""
    _must_fit(source, target, wish)
    found = []
    for key, end in (("source", source), ("target", target)):
        try:
            known = _known(files, caller, end, write=key == "target")
            own = known.kind != TransferEnd.VOLUME or known.address in RESERVED_NAMES
            found.append((known, "" if own else files.volume(caller, known.address).title))
        except DanluError as error:
            raise EndRefused(key, error) from None
    _must_reach(files, caller, found[0][0], found[1][0], wish)
    return found[0], found[1]


def _must_reach(
    files: VolumeFiles, caller: Caller, source: TransferEnd, target: TransferEnd, wish: TransferWish
) -> None:
    if _is_bucket(files, caller, target) and (
        source.kind != TransferEnd.VOLUME or wish.unpack or _is_bucket(files, caller, source)
    ):
        raise Invalid((FieldError(("target",), "bucket", _FROM_DISK),))


def opened_end(files: VolumeFiles, caller: Caller, end: TransferEnd, *, write: bool) -> FilesOfVolume | None:
    """The volume of an end, as they may use it now; None for a place outside."""
    return files.open(caller, end.address, write=write) if end.kind == TransferEnd.VOLUME else None


def _is_bucket(files: VolumeFiles, caller: Caller, end: TransferEnd) -> bool:
    opened = opened_end(files, caller, end, write=False)
    return opened is not None and opened.at.files.startswith(IN_BUCKET)


def _known(files: VolumeFiles, caller: Caller, end: TransferEnd, *, write: bool) -> TransferEnd:
    if end.kind != TransferEnd.VOLUME or end.address in RESERVED_NAMES:
        opened_end(files, caller, end, write=write)
        return end
    one = files.volume(caller, end.address)
    if one.kind is VolumeKind.NFS:
        raise Invalid((FieldError(("target" if write else "source",), "nfs", _NO_EXPORTS, one.title),))
    found = replace(end, address=one.id, title=one.name if one.owner == caller.name else one.title)
    opened_end(files, caller, found, write=write)
    return found


def _read(key: str, text: str, mistakes: list[FieldError]) -> TransferEnd | None:
    if len(text) > LONGEST_END:
        mistakes.append(FieldError((key,), "too_long", _TOO_LONG.fill(most=LONGEST_END), None, LONGEST_END))
        return None
    try:
        return read_end(text)
    except BadValue as error:
        told = None if "@" in text else text[:200]  # a login may be in it
        mistakes.append(FieldError((key,), "bad_end", error.text, told))
        return None


def _must_fit(source: TransferEnd, target: TransferEnd, wish: TransferWish) -> None:
    if target.kind != TransferEnd.VOLUME:
        raise Invalid((FieldError(("target",), "not_a_volume", _OUTWARD, target.address),))
    if wish.ref and source.kind != TransferEnd.GIT:
        raise Invalid((FieldError(("ref",), "not_git", _ONLY_GIT, wish.ref),))
    if wish.sha256 and source.kind != TransferEnd.WEB:
        raise Invalid((FieldError(("sha256",), "not_web", _ONLY_WEB, wish.sha256),))
    if wish.unpack and source.kind == TransferEnd.GIT:
        raise Invalid((FieldError(("unpack",), "not_an_archive", _NO_ARCHIVE),))
    same = source.kind == target.kind and source.address == target.address
    if same and (target.path + b"/").startswith(source.path + b"/" if source.path else b""):
        raise Invalid((FieldError(("target",), "into_itself", _INTO_ITSELF),))


_FROM_DISK = Words(
    "what goes to a bucket comes from a volume on Danlu's own disk, and as it is; transfer it to a volume first",
    "传入存储桶的数据须来自丹炉自己磁盘上的存储卷，且不能解包；请先传输到存储卷",
)
_NO_EXPORTS = Words(
    "transfers neither read nor write NFS exports; mount the volume in a job and copy from there, or download its "
    "files and upload them: danlu cp",
    "传输不支持 NFS 导出目录；请在任务中挂载该存储卷后复制，或用 danlu cp 下载后再上传",
)
_TOO_LONG = Words("an address has at most {most} characters", "地址最多 {most} 个字符")
_OUTWARD = Words(
    "a transfer writes to a volume: VOLUME:/path or OWNER:VOLUME:/path",
    "传输的目标必须是存储卷：VOLUME:/path 或 OWNER:VOLUME:/path",
)
_ONLY_GIT = Words(
    "only a Git repository (git+https://…) has a ref", "只有 Git 仓库（git+https://…）可以指定 ref"
)
_ONLY_WEB = Words(
    "only a single file at a URL has a checksum to compare with", "只有 URL 处的单个文件可以核对校验和"
)
_NO_ARCHIVE = Words("a Git repository is no archive to unpack", "Git 仓库不是可解包的归档")
_INTO_ITSELF = Words(
    "this would transfer a folder into itself; choose another place", "不能将目录传输到其自身之中，请更换位置"
)
