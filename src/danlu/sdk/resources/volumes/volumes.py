"""Volumes: places for data, your own and those shared with you."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Sequence

from danlu.sdk.models.reading import read
from danlu.sdk.models.volumes import Volume, VolumeFindings, VolumeRow
from danlu.sdk.resources.base import Items, Named

if TYPE_CHECKING:
    from danlu.sdk.models.volumes import VolumeShare
    from danlu.sdk.resources.volumes.files import VolumeFiles


class Volumes(Named[Volume]):
    """Refer to a volume by its id, by its name if it is your own, or as `owner:name`. Sizes are bytes, or such as
    "50GiB"."""

    path, kind = "volumes", Volume

    def list(  # type: ignore[override]
        self, owner: str | None = None, kind: str | None = None, trashed: bool = False
    ) -> Items[VolumeRow]:
        """Your own, those shared with you and public ones; filter by `owner` (`me` is yourself) or by `kind`. With
        `trashed`, those in the trash instead."""
        asked = {"owner": owner, "kind": kind, "trashed": "true" if trashed else None}
        return [read(VolumeRow, one) for one in self.http.pages(self.path, None, asked)]

    def create(
        self,
        name: str,
        capacity: int | str,
        kind: str = "filesystem",
        description: str = "",
        public: bool = False,
        sensitive: bool = False,
        cluster: str | None = None,
        claim: str | None = None,
    ) -> Volume:
        """A volume of your own; `kind` is `filesystem` (any number of jobs write) or `block` (one job writes, or many
        read). With a Kubernetes `cluster` that has a storage class for its kind, it is there; administrators attach a
        `claim` that exists there."""
        body = {"kind": kind, "capacity": capacity, "description": description}
        body.update({name: value for name, value in (("cluster", cluster), ("claim", claim)) if value})
        return self._created(name, {**body, "public": public, "sensitive": sensitive})

    def attach(
        self,
        name: str,
        address: str,
        endpoint: str = "",
        region: str = "",
        key: str | None = None,
        secret: str | None = None,
        writable: bool = False,
        private: bool = True,
        description: str = "",
        uid: int | None = None,
        gid: int | None = None,
    ) -> Volume:
        """Attach a bucket (`s3://bucket/prefix` at an endpoint, with the login that its key and secret are) or an NFS
        export (`nfs://host/export/folder`, read as nobody or as the user `uid` in the group `gid`, which
        administrators may give) as a volume. `NotAttachable` says at which step it fails. Administrators attach what
        is not `private`: that can be shared."""
        asked = [f"{name}={number}" for name, number in (("uid", uid), ("gid", gid)) if number is not None]
        if asked:
            address += ("&" if "?" in address else "?") + "&".join(asked)
        source = {"address": address, "writable": writable, "private": private}
        source.update({name: value for name, value in (("endpoint", endpoint), ("region", region)) if value})
        kind = "nfs" if address.startswith("nfs:") else "bucket"
        body: dict[str, object] = {"kind": kind, "source": source, "description": description}
        if key is not None or secret is not None:
            body["login"] = {"key": key or "", "secret": secret or ""}
        return self._created(name, body)

    def check(self, name: str) -> VolumeFindings:
        """Look whether the place that it is attached to can be used now, step by step."""
        return self._post(VolumeFindings, self._at(name, "check"))

    def set_login(self, name: str, key: str, secret: str) -> Volume:
        """Sign in with another login at the place that it is attached to."""
        body = {"key": key, "secret": secret}
        return read(Volume, self.http.json("PUT", self._at(name, "login"), body=body))

    def remove_login(self, name: str) -> Volume:
        """Forget its login: the place that it is attached to needs none."""
        return read(Volume, self.http.json("DELETE", self._at(name, "login")))

    def grow(self, name: str, capacity: int | str) -> Volume:
        """Give it a larger capacity."""
        return self.edit(name, capacity=capacity)

    def share(
        self, name: str, user: str | None = None, project: str | None = None, mode: str = "ro"
    ) -> Volume:
        """Let a person or the members of a project use it: `ro` to read, `rw` to write too."""
        to, whom = _whom(user, project)
        kept = self._shares_without(name, to, whom)
        return self.share_with(name, [*kept, {"to": to, "name": whom, "mode": mode}])

    def unshare(self, name: str, user: str | None = None, project: str | None = None) -> Volume:
        """Stop sharing it with a person or a project; jobs that run go on."""
        return self.share_with(name, self._shares_without(name, *_whom(user, project)))

    def share_with(self, name: str, shares: Sequence[Mapping[str, str]]) -> Volume:
        """Share it with exactly these: `{"to": "user" or "project", "name": …, "mode": "ro" or "rw"}`."""
        body = {"shares": [dict(one) for one in shares]}
        return read(Volume, self.http.json("PUT", self._at(name, "shares"), body=body))

    def delete(self, name: str, forever: bool = False) -> None:
        """Move it to the trash; with `forever`, delete it for good when it is there."""
        self.http.json("DELETE", self._at(name), {"forever": "true"} if forever else None)

    def files(self, name: str) -> VolumeFiles:
        """The files of a volume; `personal` and `archive` are your own directories."""
        from danlu.sdk.resources.volumes.files import VolumeFiles

        return VolumeFiles(self.http, name)

    def restore(self, name: str) -> Volume:
        """Take it out of the trash."""
        return self._post(Volume, self._at(name, "restore"))

    def _shares_without(self, name: str, to: str, whom: str) -> Items[Mapping[str, str]]:
        return [_plain(one) for one in self.get(name).shares if (one.to, one.name) != (to, whom)]


def _whom(user: str | None, project: str | None) -> tuple[str, str]:
    if (user is None) == (project is None):
        raise TypeError("give either user or project")
    return ("user", user) if user is not None else ("project", project or "")


def _plain(share: VolumeShare) -> Mapping[str, str]:
    return {"to": share.to, "name": share.name, "mode": share.mode}
