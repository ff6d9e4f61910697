"""Templates as sent and answered."""

from typing import Annotated, Any

from pydantic import Field, StrictStr

from danlu.domain import templates
from danlu.domain.job import Kind
from danlu.files.rulings import RuleName, Ruling, ShortText
from danlu.server.http.models import Answer, ListQuery, Moment
from danlu.server.http.rendering import GIVEN

KeptJobFile = Annotated[dict[StrictStr, Any], Field(description="A job file; its `name` may be missing.")]


class TemplateListQuery(ListQuery):
    """Which templates."""

    owner: str | None = Field(None, max_length=100, description="Of this person; `me` is oneself.")
    project: str | None = Field(None, max_length=200, description="Shared with this project.")


class TemplateEdit(Ruling):
    """What to change of a template; `project: null` shares it no longer."""

    may_be_none = frozenset({"project"})

    name: RuleName | None = None
    description: ShortText | None = None
    project: RuleName | None = Field(None, description="The project whose people may use it.")
    job: KeptJobFile | None = None


class TemplateCreate(Ruling):
    """A job file to keep under a name."""

    name: RuleName
    description: ShortText = ""
    project: RuleName | None = Field(None, description="The project whose people may use it.")
    job: KeptJobFile


class TemplateRow(Answer, of=templates.TemplateRow):
    """A template without its job file. `project` is whom it is shared with; `can_edit`: the caller may change it."""

    id: str
    owner: str
    name: str
    description: str
    project: str | None
    kind: Kind
    created_at: Moment
    changed_at: Moment
    can_edit: Annotated[bool, GIVEN]


class Template(TemplateRow, of=templates.Template):
    """With its job file."""

    job: dict[str, Any]


class TemplateList(Answer):
    items: list[TemplateRow]
    next_cursor: str | None
