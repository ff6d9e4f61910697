"""What the disk refuses, as people are told."""

from __future__ import annotations

import errno

from danlu.domain.errors import Conflict, DanluError, DiskFull, FieldError, Invalid, NameTaken, TooLarge
from danlu.domain.file_names import shown_name
from danlu.domain.words import Words
from danlu.server.files.reading import missing
from danlu.server.http.answering import Json, words

NO_ROOT = Words(
    "the volume's own folder cannot be moved, copied or deleted; choose something in it",
    "存储卷的根目录不能移动、复制或删除，请选择其中的内容",
)


def refusal(path: bytes, error: OSError) -> DanluError:
    """About what is at (or was to be at) a path."""
    shown = shown_name(path) or "."
    if error.errno == errno.EDQUOT:
        return TooLarge(_NO_ROOM.fill(path=shown))
    if error.errno == errno.ENOSPC:
        return DiskFull(_FULL.fill(path=shown))
    if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.EISDIR):
        return NameTaken(_TAKEN.fill(path=shown))
    if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
        return Invalid((FieldError(("path",), "bad_path", _TOO_LONG.fill(path=shown), shown),))
    if error.errno == errno.EINVAL:
        return Conflict(_INTO_ITSELF.fill(path=shown))
    return missing(path, error)


def failure(path: str, error: DanluError) -> Json:
    """One of several that could not be."""
    return {"path": path, "code": error.code, "text": words(error.text)}


_TAKEN = Words(
    "'{path}' exists already, and nothing was overwritten; choose another name, or move it away first",
    "“{path}”已存在，未被覆盖；请换一个名称，或先将其移走",
)
_FULL = Words(
    "the server's disk is full: '{path}' was not written; free some space and try again",
    "服务端磁盘已满，“{path}”未写入；请腾出空间后重试",
)
_NO_ROOM = Words(
    "'{path}' does not fit into what is left of the volume's capacity; delete what is no longer needed and empty the "
    "trash, or grow the volume",
    "存储卷剩余容量放不下“{path}”；请删除不再需要的文件并清空回收站，或扩容存储卷",
)
_TOO_LONG = Words(
    "'{path}' is too long, or nested too deeply: a name has at most 255 bytes, a path 128 levels",
    "“{path}”过长或层级过深：名称最多 255 字节，路径最多 128 层",
)
_INTO_ITSELF = Words("'{path}' cannot be moved into itself", "不能将“{path}”移到其自身之中")
