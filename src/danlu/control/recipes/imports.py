"""Imports of public sets, as people ask for them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace

from danlu.control.datasets import DatasetsRoom
from danlu.control.recipes.parts import parts_of, target_of, wish_of
from danlu.control.transfers.ends import checked_ends
from danlu.control.transfers.transfers import cancelled, resumed
from danlu.control.volumes.files import FilesOfVolume, VolumeFiles
from danlu.domain.datasets.dataset import (
    OPEN_ACTS,
    Act,
    ActState,
    ActWish,
    Dataset,
    ImportPart,
    ImportWish,
    SourcePlace,
)
from danlu.domain.datasets.recipes import RECIPES, Recipe, card_of
from danlu.domain.errors import Conflict, FieldError, Invalid, NotFound
from danlu.domain.file_names import escaped_path
from danlu.domain.permissions import Caller, Permission
from danlu.domain.transfers.transfer import Transfer, TransferState, WebLogin
from danlu.domain.words import Words
from danlu.ports.clock import Clock, Ids
from danlu.ports.transfers import Logins, TransferStore

_LONGEST_NAME = 63
S = TransferState


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What somebody wants of a recipe; what is empty follows from it. `stand_in` asks for made-up images, `size` of
    them. `source` is a folder with the archives. Unless `checked`, archives may differ from the originals."""

    name: str = ""
    into: str = ""
    source: str = ""
    stand_in: bool = False
    size: int | None = None
    checked: bool = True
    login: WebLogin | None = None


class Imports:
    """Any thread. What is asked for here is carried out by whoever leads."""

    def __init__(
        self,
        store: TransferStore,
        datasets: DatasetsRoom,
        files: VolumeFiles,
        logins: Logins,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store, self._room, self._files = store, datasets, files
        self._logins, self._clock, self._ids = logins, clock, ids

    def begin(self, caller: Caller, recipe_id: str, wanted: ImportRequest) -> tuple[Dataset, Act]:
        """Into a dataset of that name: a new one, or the next version of one that is there. Whatever is wrong is told
        before anything is made: Invalid, NotAllowed, NotFound."""
        recipe = recipe_named(recipe_id)
        caller.require(Permission.TRANSFER_WRITE, caller.name)
        stand_in = _size(recipe, wanted)
        name = wanted.name or (f"{recipe.id}-stand-in" if stand_in else recipe.id)
        into = target_of(wanted.into or f"personal:/datasets/{name}")
        parts = parts_of(recipe, wanted.source, into, stand_in, wanted.checked, self._ids.new)
        for part in parts:
            self._checked(caller, part)
        opened = self._files.open(caller, into.address, write=True)
        one = self._dataset(caller, name, recipe, stand_in, opened)
        login = None if wanted.login is None else self._logins.seal(wanted.login)
        place = SourcePlace(opened.id or opened.name, opened.title or opened.name, escaped_path(into.path))
        tags = (recipe.task.value, "stand-in" if stand_in else "original")
        note = f"{recipe.title}, stand-in: {stand_in:,}" if stand_in else recipe.title
        wish = ActWish(place, tags, note, imported=ImportWish(recipe.id, stand_in, parts, login))
        return one, self._room.acts.import_(caller, one.id, wish)

    def resume(self, caller: Caller, ref: str, act_id: str) -> Act:
        """Go on with one that failed or was cancelled: what has come is not transferred again. Conflict."""
        one = self._room.datasets.usable(caller, ref, write=True)
        act = self._room.acts.get(caller, one.id, act_id)
        if not act.wish.imported.recipe or act.state not in (ActState.FAILED, ActState.CANCELLED):
            raise Conflict(_NOT_OVER)
        if act.by != caller.name:
            raise Conflict(_NOT_YOURS.fill(by=act.by))
        self._again(caller, act)
        return self._room.acts.import_(caller, one.id, act.wish, act.progress.parts)

    def cancel(self, caller: Caller, ref: str, act_id: str) -> Act:
        """Any act. What an import has transferred stays."""
        one = self._room.datasets.usable(caller, ref, write=True)
        act = self._room.acts.get(caller, one.id, act_id)
        transfer = self.transfer(act)
        if transfer is not None and act.state in OPEN_ACTS and transfer.unfinished:
            now, by = self._clock.now(), caller.entry("cancelled", "")
            with contextlib.suppress(Conflict, NotFound):  # it is over by now
                self._store.edit_transfer(transfer.id, lambda it: cancelled(it, now), now, by=by)
        return self._room.acts.cancel(caller, one.id, act_id)

    def transfer(self, act: Act) -> Transfer | None:
        """The one that is under way, or stopped the import."""
        part = current(act)
        return None if part is None else self._store.transfer(part.transfer)

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _checked(self, caller: Caller, part: ImportPart) -> None:
        if not part.source:
            return
        wish = wish_of(part)
        checked_ends(self._files, caller, part.source, part.target, replace(wish, md5="", nested=False))

    def _dataset(
        self, caller: Caller, name: str, recipe: Recipe, stand_in: int, opened: FilesOfVolume
    ) -> Dataset:
        """One's own of that name is kept as it is."""
        for one in self._room.datasets.all(caller, caller.name):
            if one.name == name:
                return one
        return self._room.datasets.create(
            caller,
            name,
            description=f"{recipe.title}: {recipe.task.value}",
            licence="made up" if stand_in else recipe.licence,
            card=card_of(recipe, stand_in),
            sensitive=opened.sensitive,
        )

    def _again(self, caller: Caller, act: Act) -> None:
        transfer = self.transfer(act)
        if transfer is None or transfer.state not in (S.FAILED, S.CANCELLED):
            return
        by, login = caller.entry("resumed", ""), transfer.login
        with contextlib.suppress(Conflict, NotFound):  # somebody did so meanwhile
            self._store.edit_transfer(transfer.id, lambda it: resumed(it, login), self._clock.now(), by=by)


def current(act: Act) -> ImportPart | None:
    """What is transferred now; None when all is there."""
    parts = act.wish.imported.parts
    return parts[act.progress.parts] if act.progress.parts < len(parts) else None


def recipe_named(recipe_id: str) -> Recipe:
    """NotFound."""
    found = RECIPES.get(recipe_id)
    if found is None:
        raise NotFound(_NO_RECIPE.fill(recipe=recipe_id[:100], known=", ".join(RECIPES)))
    return found


def _size(recipe: Recipe, wanted: ImportRequest) -> int:
    """How many images a stand-in has; 0: it is the original. Invalid."""
    bounds = recipe.stand_in
    if not wanted.stand_in:
        if wanted.size is not None:
            raise Invalid((FieldError(("size",), "not_a_stand_in", _NO_SIZE, str(wanted.size)),))
        return 0
    if wanted.source:
        raise Invalid(
            (FieldError(("source",), "stand_in", _NO_SOURCE, wanted.source.partition("?")[0][:200]),)
        )
    size = bounds.usual if wanted.size is None else wanted.size
    if not bounds.least <= size <= bounds.most:
        told = _SIZES.fill(title=recipe.title, least=bounds.least, most=bounds.most)
        raise Invalid((FieldError(("size",), "out_of_bounds", told, str(size), bounds.most),))
    return size


_NO_RECIPE = Words(
    "there is no recipe '{recipe}'; there are {known}", "没有名为“{recipe}”的公开数据集；可选：{known}"
)
_NO_SIZE = Words(
    "only a stand-in has a size; ask for one (--stand-in), or leave the size out",
    "只有替身数据可以指定大小；请同时要求替身数据（--stand-in），或去掉大小",
)
_NO_SOURCE = Words(
    "a stand-in is made here and comes from nowhere; leave the source out",
    "替身数据由服务端生成，无需来源；请去掉来源",
)
_SIZES = Words(
    "a stand-in of {title} has {least} to {most} images", "{title} 的替身数据可有 {least} 到 {most} 张图像"
)
_NOT_OVER = Words(
    "only an import that failed or was cancelled can be resumed", "只有失败或已取消的导入可以继续"
)
_NOT_YOURS = Words(
    "{by} began this import, with their own access; import it yourself",
    "该导入由 {by} 以其本人的权限发起，请自行导入",
)
