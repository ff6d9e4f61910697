"""What the client's capabilities have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, List, Mapping, Sequence, TypeVar

from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    from danlu.sdk.http.http import Http

T = TypeVar("T")
Items = List[T]
"""A list, in classes whose verb is `list`."""


class Resource:
    """One capability of a server: its verbs."""

    def __init__(self, http: Http) -> None:
        self.http = http

    def _post(self, kind: type[T], path: str, body: Mapping[str, object] | None = None) -> T:
        return read(kind, self.http.json("POST", path, body=body))


class Named(Resource, Generic[T]):
    """Things that are known by their names, at one path of the API; each is answered as `kind`."""

    path: str
    kind: type[T]

    def list(self) -> Items[T]:
        return [read(self.kind, one) for one in self.http.pages(self.path)]

    def get(self, name: str) -> T:
        return read(self.kind, self.http.json("GET", self._at(name)))

    def edit(self, name: str, **changes: object) -> T:
        """Change what is given by its key in the API; what is left out stays, None takes away."""
        return read(self.kind, self.http.json("PATCH", self._at(name), body=spelled(changes)))

    def delete(self, name: str) -> None:
        self.http.json("DELETE", self._at(name))

    def _created(self, name: str, keys: Mapping[str, object]) -> T:
        return self._post(self.kind, self.path, {"name": name, **spelled(keys)})

    def _at(self, name: str, *rest: str) -> str:
        return "/".join([self.path, segment(name), *rest])


def spelled(keys: Mapping[str, object]) -> dict[str, object]:
    """`class` is a word of the language in Python."""
    return {"class" if key == "job_class" else key: value for key, value in keys.items()}


def roster(people: str | Sequence[str]) -> dict[str, object]:
    """Whom a list of names or a text means."""
    return {"text": people} if isinstance(people, str) else {"names": list(people)}
