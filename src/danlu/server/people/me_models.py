"""The caller's own data: preferences and signed-in browsers."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from danlu.domain import people, preferences
from danlu.domain.words import BadValue, say
from danlu.files.moments import LATEST, parse_moment
from danlu.server.http.models import Answer, Moment, RequestBody
from danlu.server.http.rendering import GIVEN

Short = Annotated[str, Field(min_length=1, max_length=100)]


def _moment(value: str) -> str:
    wrong = say(
        "'{value}' is not a valid time; write 2026-01-31T12:00:00Z",
        "“{value}”不是有效的时间；请写成 2026-01-31T12:00:00Z",
        value=value,
    )
    try:
        read = parse_moment(value)
    except ValueError:
        raise BadValue(wrong) from None
    if read.ago or not 0 <= read.millis <= LATEST:
        raise BadValue(wrong)
    return value


class View(RequestBody):
    """A saved view: a name for the filters of a list."""

    page: Short
    name: Short
    query: Annotated[str, Field(max_length=2_000)]

    def plain(self) -> preferences.View:
        return preferences.View(self.page, self.name, self.query)


class PreferencesEdit(RequestBody):
    """What to change; fields that are left out stay as they are, null removes one."""

    language: Literal["en", "zh-CN"] | None = None
    theme: Literal["light", "dark", "auto"] | None = None
    time_zone: Annotated[str, Field(max_length=64)] | None = None
    views: Annotated[list[View], Field(max_length=50)] | None = None
    dismissed: Annotated[list[Short], Field(max_length=100)] | None = None
    news_seen: Annotated[str, Field(max_length=40), AfterValidator(_moment)] | None = None

    def values(self) -> dict[str, Any]:
        """The given values, as the domain names them."""
        said: dict[str, Any] = {
            "language": self.language,
            "theme": self.theme,
            "time_zone": self.time_zone,
            "views": tuple(view.plain() for view in self.views or ()),
            "dismissed": tuple(dict.fromkeys(self.dismissed or ())),
            "news_seen": None if self.news_seen is None else parse_moment(self.news_seen).millis,
        }
        return {name: value for name, value in said.items() if name in self.model_fields_set}


class SavedView(Answer, of=preferences.View):
    page: str
    name: str
    query: str


class Preferences(Answer, of=preferences.Preferences):
    """A person's preferences for the console; null follows the browser."""

    language: Literal["en", "zh-CN"] | None
    theme: Literal["light", "dark", "auto"] | None
    time_zone: str | None
    views: list[SavedView]
    dismissed: list[str]
    news_seen: Moment | None


class OwnSession(Answer, of=people.Session):
    """A signed-in browser; `current` is the one that sent this request."""

    id: str
    created_at: Moment
    seen_at: Moment
    expires_at: Moment
    agent: str
    address: str
    current: Annotated[bool, GIVEN]


class OwnSessionList(Answer):
    items: list[OwnSession]
