"""Transfers: data on its way into volumes, carried out by the server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from danlu.sdk.http.errors import Unreachable
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read
from danlu.sdk.models.transfers import Transfer, TransferSchedule
from danlu.sdk.resources.base import Items, Resource

if TYPE_CHECKING:
    OnProgress = Callable[[Transfer], None]

UNFINISHED = ("queued", "running")


class Transfers(Resource):
    """A source is `https://…`, `git+https://…`, `VOLUME:/path` or `OWNER:VOLUME:/path`; a target is a place in a
    volume, with / at the end a folder."""

    path = "transfers"

    def list(self, owner: str | None = None, state: str | None = None) -> Items[Transfer]:
        """Those that you may see, the latest first; filter by `owner` (`me` is yourself) or by `state`."""
        asked = {"owner": owner, "state": state}
        return [read(Transfer, one) for one in self.http.pages(self.path, None, asked)]

    def get(self, transfer: str) -> Transfer:
        return read(Transfer, self.http.json("GET", self._at(transfer)))

    def create(
        self,
        source: str,
        target: str,
        login: tuple[str, str] | None = None,
        **more: Any,
    ) -> Transfer:
        """Begin one. `login` is user and password, or ("", token); `more`: `existing` (`update`, `overwrite` or
        `refuse`), `ref`, `include`, `exclude`, `sha256`, `unpack`."""
        return self._post(Transfer, self.path, {"source": source, "target": target, **_told(login), **more})

    def cancel(self, transfer: str) -> Transfer:
        """What is in its place stays; it can be resumed."""
        return self._post(Transfer, self._at(transfer, "cancel"))

    def resume(self, transfer: str, login: tuple[str, str] | None = None) -> Transfer:
        """Go on with one that failed or was cancelled."""
        return self._post(Transfer, self._at(transfer, "resume"), _told(login))

    def delete(self, transfer: str) -> None:
        """The record of one that is over; what was transferred stays."""
        self.http.json("DELETE", self._at(transfer))

    def wait(self, transfer: str, progress: OnProgress | None = None, every: float = 0.5) -> Transfer:
        """Until it is over; `progress` is called with what is known meanwhile. A server that is away for a moment is
        waited for."""
        while True:
            try:
                found = self.get(transfer)
            except Unreachable:
                pass
            else:
                if progress is not None:
                    progress(found)
                if found.state not in UNFINISHED:
                    return found
            time.sleep(every)

    @property
    def schedules(self) -> Schedules:
        """Transfers that are created again and again."""
        return Schedules(self.http)

    def _at(self, transfer: str, *rest: str) -> str:
        return "/".join([self.path, segment(transfer), *rest])


class Schedules(Resource):
    """By id."""

    path = "transfers/schedules"

    def list(self, owner: str | None = None) -> Items[TransferSchedule]:
        return [read(TransferSchedule, one) for one in self.http.pages(self.path, None, {"owner": owner})]

    def get(self, schedule: str) -> TransferSchedule:
        return read(TransferSchedule, self.http.json("GET", self._at(schedule)))

    def create(
        self,
        source: str,
        target: str,
        cron: str,
        zone: str = "UTC",
        login: tuple[str, str] | None = None,
        **more: Any,
    ) -> TransferSchedule:
        """At the times of `cron` (`30 2 * * *`, `@daily`) in a time zone; `login` and `more` as of a transfer."""
        body = {"source": source, "target": target, "cron": cron, "zone": zone, **_told(login), **more}
        return self._post(TransferSchedule, self.path, body)

    def edit(self, schedule: str, **changes: object) -> TransferSchedule:
        """`cron`, `zone`, or whether it is `paused`."""
        return read(TransferSchedule, self.http.json("PATCH", self._at(schedule), body=changes))

    def delete(self, schedule: str) -> None:
        """A transfer that it has created goes on."""
        self.http.json("DELETE", self._at(schedule))

    def _at(self, schedule: str) -> str:
        return f"{self.path}/{segment(schedule)}"


def _told(login: Sequence[str] | None) -> Mapping[str, object]:
    return {} if login is None else {"login": {"user": login[0], "secret": login[1]}}
