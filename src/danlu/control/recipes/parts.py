"""The transfers that an import consists of."""

from __future__ import annotations

from collections.abc import Callable

from danlu.domain.datasets.dataset import ImportPart
from danlu.domain.datasets.recipes import Recipe
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.transfers.ends import read_end, show_end
from danlu.domain.transfers.transfer import OnExisting, TransferEnd, TransferWish
from danlu.domain.words import BadValue, Words


def parts_of(
    recipe: Recipe, source: str, into: TransferEnd, stand_in: int, checked: bool, new_id: Callable[[], str]
) -> tuple[ImportPart, ...]:
    """Danlu's own files first; of the original then each archive, from where it is, or from the folder `source`.
    Invalid."""
    written = ImportPart(new_id(), "", f"{show_end(into).rstrip('/')}/")
    if stand_in:
        return (written,)
    if recipe.own and not source:
        raise Invalid(
            (FieldError(("source",), "missing", _NEEDED.fill(title=recipe.title, needs=recipe.needs)),)
        )
    found = [written]
    for one in recipe.archives:
        at = _below(source, one.name) if source else one.url
        target = f"{written.target}{one.into}/" if one.into else written.target
        found.append(ImportPart(new_id(), at, target, one.md5 if checked else "", one.nested))
    return tuple(found)


def wish_of(part: ImportPart) -> TransferWish:
    return TransferWish(OnExisting.UPDATE, unpack=bool(part.source), md5=part.md5, nested=part.nested)


def target_of(into: str) -> TransferEnd:
    """The folder that a set goes into. Invalid."""
    try:
        end = read_end(into)
    except BadValue as error:
        raise Invalid((FieldError(("into",), "bad_end", error.text, into[:200]),)) from None
    if end.kind != TransferEnd.VOLUME or not end.path:
        raise Invalid((FieldError(("into",), "not_a_folder", _NO_FOLDER, into[:200]),))
    return end


def _below(folder: str, name: str) -> str:
    """A file in a folder that is a URL, perhaps with a query, or in a volume."""
    address, mark, query = folder.partition("?") if "://" in folder else (folder, "", "")
    return f"{address.rstrip('/')}/{name}{mark}{query}"


_NEEDED = Words(
    "the archives of {title} cannot be fetched without you. You need {needs}",
    "{title} 的归档无法代为下载。需要：{needs}",
)
_NO_FOLDER = Words(
    "the set goes into a folder of a volume: VOLUME:/folder", "数据集须放入存储卷的一个目录：VOLUME:/目录"
)
