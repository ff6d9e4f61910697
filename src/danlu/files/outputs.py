"""The job file's outputs: what is wrong with them, and what they become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from danlu.domain.datasets.reference import may_be_tag
from danlu.domain.errors import FieldError
from danlu.domain.output import FILLED, Output, braces
from danlu.domain.transfers.ends import read_end, show_end
from danlu.domain.transfers.transfer import TransferEnd
from danlu.domain.words import BadValue, Words, listed, say
from danlu.files.job_file import OutputPart
from danlu.files.mistakes import Loc

_ALWAYS = "always"
_BELOW = Words(
    "name a file or folder below it, for example out/features",
    "请填写工作目录之内的文件或目录，例如 out/features",
)
_FOR_EXAMPLE = Words("for example models:/bert/{name}-{run}/", "例如 models:/bert/{name}-{run}/")


def output_mistakes(parts: Sequence[OutputPart]) -> Iterator[FieldError]:
    """All errors of outputs, at their places."""
    for place, part in enumerate(parts):
        loc: Loc = ("outputs", place)
        yield from _path_mistakes((*loc, "path"), part.path)
        yield from _target_mistakes(loc, part)
        yield from _twice(loc, part, parts[:place])


def plain_path(said: str) -> str:
    return "/".join(part for part in said.split("/") if part not in ("", "."))


def read_outputs(parts: Iterable[OutputPart]) -> tuple[Output, ...]:
    return tuple(
        Output(
            plain_path(part.path),
            part.task or "",
            part.when == _ALWAYS,
            part.dataset or "",
            part.tag or "",
            part.to or "",
        )
        for part in parts
    )


def write_outputs(outputs: Iterable[Output]) -> list[OutputPart]:
    return [
        OutputPart.model_construct(
            path=one.path,
            task=one.task or None,
            dataset=one.dataset or None,
            tag=one.tag or None,
            to=one.to or None,
            when="always" if one.always else "completed",
        )
        for one in outputs
    ]


def volume_end(to: str) -> TransferEnd | None:
    """The folder of a volume that `to` names, braces as they are; None where it names none."""
    try:
        end = read_end(to)
    except BadValue:
        return None
    return end if end.kind == TransferEnd.VOLUME else None


def named_end(end: TransferEnd, title: str) -> str:
    """The same folder, of the volume by this name."""
    return show_end(TransferEnd(end.kind, end.address, end.path, title, end.folder))


def _path_mistakes(loc: Loc, said: str) -> Iterator[FieldError]:
    if said.startswith("/") or ".." in said.split("/") or not plain_path(said) or not _is_name(said):
        text = say(
            "'{path}' is no path inside the working folder", "“{path}”不是工作目录之内的路径", path=said
        )
        yield FieldError(loc, "bad_value", text, said, hint=_BELOW)


def _is_name(said: str) -> bool:
    """Whether a file system takes it."""
    try:
        return b"\0" not in said.encode()
    except UnicodeEncodeError:
        return False


def _target_mistakes(loc: Loc, part: OutputPart) -> Iterator[FieldError]:
    named = [key for key in ("dataset", "to") if getattr(part, key) is not None]
    if len(named) != 1:
        text = say(
            "an output takes exactly one of dataset or to; this one has {named}",
            "输出只能填写 dataset 或 to 之一；这里填写了：{named}",
            named=listed(named) if named else Words("none", "无"),
        )
        yield FieldError(loc, "contradiction", text)
    elif part.to is not None:
        yield from _folder_mistakes((*loc, "to"), part.to)
        if part.tag is not None:
            text = Words("only versions of datasets have tags", "只有数据集的版本才有标签")
            yield FieldError((*loc, "tag"), "contradiction", text, part.tag)
    elif part.tag is not None and not may_be_tag(part.tag):
        text = say(
            "'{tag}' cannot be given as a tag: latest and numbers are no tags",
            "“{tag}”不能用作标签：latest 和编号是保留的",
            tag=part.tag,
        )
        yield FieldError((*loc, "tag"), "bad_value", text, part.tag)


def _folder_mistakes(loc: Loc, to: str) -> Iterator[FieldError]:
    if volume_end(to) is None:
        text = say("'{to}' is no folder of a volume", "“{to}”不是存储卷中的目录", to=to)
        yield FieldError(loc, "bad_value", text, to, hint=_FOR_EXAMPLE)
    for name in braces(to):
        if name not in FILLED:
            text = say(
                "nothing is known that {{{name}}} could stand for", "{{{name}}} 没有可代入的值", name=name
            )
            yield FieldError(loc, "bad_value", text, to, [f"{{{one}}}" for one in FILLED])
            return


def _twice(loc: Loc, part: OutputPart, earlier: Sequence[OutputPart]) -> Iterator[FieldError]:
    """One would overwrite the other."""
    if part.to is not None and any(one.to == part.to for one in earlier):
        text = say("another output already goes to {to}", "已有另一个输出写入 {to}", to=part.to)
        yield FieldError((*loc, "to"), "contradiction", text, part.to)
    if part.tag is not None and any((one.dataset, one.tag) == (part.dataset, part.tag) for one in earlier):
        text = say("another output already gets the tag {tag}", "已有另一个输出使用标签 {tag}", tag=part.tag)
        yield FieldError((*loc, "tag"), "contradiction", text, part.tag)
