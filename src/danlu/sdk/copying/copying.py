"""What `client.copy` and `client.sync` do: places become ends, and each source a run."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Callable, Sequence, Union

from danlu.domain.words import Words, say
from danlu.sdk.copying import places
from danlu.sdk.copying.ends.bucket import BucketEnd
from danlu.sdk.copying.ends.hands import FolderWay
from danlu.sdk.copying.ends.local import LocalEnd
from danlu.sdk.copying.ends.sign_in import SignIn
from danlu.sdk.copying.ends.volume import VolumeEnd, VolumeWay
from danlu.sdk.copying.ends.web import WebEnd
from danlu.sdk.copying.engine import CopyRun
from danlu.sdk.copying.entries import CopyEntry, TargetEnd, Way
from danlu.sdk.copying.options import CopyProgress, OnChange, Options
from danlu.sdk.copying.places import CopyPlace, place_of
from danlu.sdk.http.errors import BadPlace, NotFound

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http

AnyEnd = Union[LocalEnd, VolumeEnd, BucketEnd, WebEnd]


class Copier:
    """One command's worth: `http` is called for a connection when a volume is named."""

    def __init__(
        self,
        http: Callable[[], Http],
        options: Options,
        sign_in: SignIn,
        progress: CopyProgress | None = None,
        on_change: OnChange | None = None,
        may_delete: Callable[[int], bool] | None = None,
    ) -> None:
        self._http, self._options, self._sign_in = http, options, sign_in
        self.progress = progress or CopyProgress()
        self._on_change, self._may_delete = on_change, may_delete

    def copy(self, sources: Sequence[str], target: str) -> CopyProgress:
        """Each source for itself; several go into the target under their own names."""
        to = place_of(target)
        _require_target(to)
        for place in [place_of(one) for one in sources]:
            self._one(place, to, several=len(sources) > 1)
        return self._ended()

    def sync(self, source: str, target: str) -> CopyProgress:
        """The folder `target` becomes like the folder `source`."""
        place, to = place_of(source), place_of(target)
        _require_target(to)
        _require_apart(place, to)
        found = None if place.kind == places.WEB else self._looked_at(place)
        if found is not None and not found.is_folder:
            raise BadPlace(_ONE_FILE.fill(place=place))
        if found is None:
            raise BadPlace(_ONE_FILE.fill(place=place)) if place.kind == places.WEB else _missing(place)
        self._folder(place, to)
        return self._ended()

    def _one(self, place: CopyPlace, to: CopyPlace, several: bool) -> None:
        if place.kind == places.WEB:
            self._file(place, os.fsencode(_from_address(place)), to, several)
            return
        found = self._looked_at(place)
        if found is None:
            raise _missing(place)
        if found.is_folder:
            below = _joined(to, place.name) if several and place.name and not place.pattern else to
            _require_apart(place, below)
            before = self.progress.found
            self._folder(place, below)
            if place.pattern and self.progress.found == before:
                raise NotFound(_NO_MATCH.fill(place=place))
        else:
            above, name = _parted(place)
            self._file(above, name, to, several)

    def _looked_at(self, place: CopyPlace) -> CopyEntry | None:
        """What is at a place: a file or a folder."""
        above, name = _parted(place)
        with contextlib.closing(self._end(above if name else place)) as end:
            return end.look(name)

    def _file(self, place: CopyPlace, name: bytes, to: CopyPlace, several: bool) -> None:
        """Into a folder that is there, or was written as one; else it becomes that file."""
        above, own = _parted(to)
        if several or to.is_folder or not own or _is_folder(self._looked_at(to)):
            above, own = to, name
        with contextlib.closing(self._end(place)) as end, contextlib.closing(self._target(above)) as target:
            entry = end.look(name)
            if entry is None:
                raise _missing(place)
            self._run(end, target, lambda run: run.file(entry, own))

    def _folder(self, place: CopyPlace, to: CopyPlace) -> None:
        with contextlib.closing(self._end(place)) as end, contextlib.closing(self._target(to)) as target:
            self._run(end, target, lambda run: run.folder(place.pattern))

    def _run(self, end: AnyEnd, target: TargetEnd, act: Callable[[CopyRun], None]) -> None:
        way = _way(end, target, self._options)
        run = CopyRun(end, target, self._options, self.progress, self._on_change, way, self._may_delete)
        try:
            act(run)
        finally:
            run.close()

    def _end(self, place: CopyPlace) -> AnyEnd:
        if place.kind == places.LOCAL:
            return LocalEnd(place.path, self._options.follow)
        if place.kind == places.WEB:
            return WebEnd(place.root)
        if place.kind == places.BUCKET:
            return BucketEnd(place.root, place.path, self._sign_in)
        volume = VolumeEnd(self._http(), place.root, place.path)
        volume.require()
        return volume

    def _target(self, place: CopyPlace) -> TargetEnd:
        end = self._end(place)
        assert not isinstance(end, WebEnd)
        return end

    def _ended(self) -> CopyProgress:
        import time

        self.progress.seconds = time.monotonic() - self.progress.began
        return self.progress


def _way(end: AnyEnd, target: TargetEnd, options: Options) -> Way | None:
    if options.dry_run:
        return None
    if isinstance(end, LocalEnd) and isinstance(target, LocalEnd):
        return FolderWay(end, target)
    if isinstance(end, VolumeEnd) and isinstance(target, VolumeEnd) and not options.limit_rate:
        return VolumeWay(end, target)
    return None


def _parted(place: CopyPlace) -> tuple[CopyPlace, bytes]:
    """The folder it is in, and its name there; no name for what is a root itself."""
    path = place.path.rstrip("/")
    if place.kind == places.LOCAL:
        path = os.path.abspath(path or "/")
        above, name = os.path.split(path)
    else:
        above, _, name = path.rpartition("/")
    return place._replace(path=above, is_folder=True), os.fsencode(name)


def _joined(place: CopyPlace, name: str) -> CopyPlace:
    path = place.path.rstrip("/")
    return place._replace(path=f"{path}/{name}" if path or place.kind == places.LOCAL else name)


def _from_address(place: CopyPlace) -> str:
    from urllib.parse import unquote

    from danlu.sdk.resources.downloads import safe_name

    return safe_name(unquote(place.name) or place.root.split("://", 1)[1].split("/", 1)[0])


def _require_target(to: CopyPlace) -> None:
    if to.kind == places.WEB:
        raise BadPlace(
            say(
                "nothing can be written to {place}; an address of the web is a source only",
                "无法写入 {place}；网址只能作为来源",
                place=to,
            )
        )
    if to.pattern:
        raise BadPlace(
            say(
                "the target {place} has a wildcard; write \\ before a character that is meant as it is",
                "目标 {place} 含有通配符；若要表示字符本身，请在其前写 \\",
                place=to,
            )
        )


def _require_apart(place: CopyPlace, to: CopyPlace) -> None:
    """A folder into itself would never end, and one onto itself has nothing to do."""
    if (place.kind, place.root) != (to.kind, to.root):
        return
    ours, theirs = place.path, to.path
    if place.kind == places.LOCAL:
        ours, theirs = os.path.realpath(ours), os.path.realpath(theirs)
    ours, theirs = ours.rstrip("/") + "/", theirs.rstrip("/") + "/"
    if ours.lstrip("/") == "" or theirs.startswith(ours) or ours.startswith(theirs):
        raise BadPlace(
            say(
                "{place} and {to} lie in each other; choose a target outside the source",
                "{place} 与 {to} 互相包含；请选择来源之外的目标",
                place=place,
                to=to,
            )
        )


def _is_folder(entry: CopyEntry | None) -> bool:
    return entry is not None and entry.is_folder


def _missing(place: CopyPlace) -> NotFound:
    return NotFound(say("there is no {place}", "{place} 不存在", place=place))


_ONE_FILE = Words("{place} is a file; copy it with 'danlu cp'", "{place} 是文件；请用 danlu cp 复制")
_NO_MATCH = Words(
    "nothing matches {place}; write \\ before a character that is meant as it is",
    "没有与 {place} 匹配的内容；若要表示字符本身，请在其前写 \\",
)
