"""Job files that people keep to start from."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.errors import NameTaken, NotFound
from danlu.domain.job import Time
from danlu.domain.templates import Template, TemplateRow
from danlu.domain.terms import no_such
from danlu.domain.words import say
from danlu.store.sql import audit_log
from danlu.store.sql.forgetting import when_person_goes, when_project_goes
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import templates

_ROW = select(*(column for column in templates.c if column is not templates.c.job))
_WHOLE = select(*templates.c)
_THIS = templates.c.id == bindparam("this")
_ONE = _WHOLE.where(_THIS)
_FOUND = _WHOLE.where(templates.c.owner == bindparam("of"), templates.c.name == bindparam("named"))
_INSERT = insert(templates)
_UPDATE = update(templates).where(_THIS)
_DELETE = delete(templates).where(_THIS)
_OWN = delete(templates).where(templates.c.owner == bindparam("of"), templates.c.project.is_(None))
_UNSHARE = update(templates).where(templates.c.project == bindparam("of")).values(project=None)


class SqlTemplates(StorePart):
    """Implements ports.governance.TemplateStore."""

    def add_template(self, template: Template, now: Time, *, by: Entry) -> None:
        with self._database.writing(orderly=True, telling=False) as connection:
            _named_once(connection, _INSERT, template)
            audit_log.append(connection, [_entry(by, None, template)], now)

    def template(self, template_id: str) -> Template | None:
        with self._database.reading() as connection:
            return _read(connection, template_id)

    def find_template(self, owner: str, name: str) -> Template | None:
        with self._database.reading() as connection:
            row = connection.execute(_FOUND, {"of": owner, "named": name}).first()
            return None if row is None else _template(row)

    def templates(self, owner: str, projects: Collection[str]) -> tuple[TemplateRow, ...]:
        theirs = or_(templates.c.owner == owner, templates.c.project.in_(sorted(projects)))
        wanted = _ROW.where(theirs).order_by(templates.c.name, templates.c.owner)
        with self._database.reading() as connection:
            return tuple(TemplateRow(**row) for row in connection.execute(wanted).mappings())

    def edit_template(
        self, template_id: str, change: Callable[[Template], Template], now: Time, *, by: Entry
    ) -> Template:
        with self._database.writing(orderly=True, telling=False) as connection:
            before = _read(connection, template_id)
            if before is None:
                raise NotFound(no_such("template", template_id))
            after = change(before)
            _named_once(connection, _UPDATE, after)
            audit_log.append(connection, [_entry(by, before, after)], now)
        return after

    def remove_template(self, template_id: str, now: Time, *, by: Entry) -> bool:
        with self._database.writing(orderly=True, telling=False) as connection:
            before = _read(connection, template_id)
            if before is None:
                return False
            connection.execute(_DELETE, {"this": template_id})
            audit_log.append(connection, [_entry(by, before, None)], now)
        return True


@when_person_goes
def forget_person(connection: Connection, user: str, _now: Time, _by: Entry) -> None:
    """The account is gone, and with it what nobody else could use; what is shared stays with its project."""
    connection.execute(_OWN, {"of": user})


@when_project_goes
def forget_project(connection: Connection, project: str, _now: Time, _by: Entry) -> None:
    """The project is gone: its templates are their owners' alone."""
    connection.execute(_UNSHARE, {"of": project})


def _read(connection: Connection, template_id: str) -> Template | None:
    row = connection.execute(_ONE, {"this": template_id}).first()
    return None if row is None else _template(row)


def _template(row: Any) -> Template:
    return Template(**{**row._mapping, "job": json.loads(row.job)})


def _named_once(connection: Connection, statement: Any, one: Template) -> None:
    values = {column.name: getattr(one, column.name) for column in templates.c}
    try:
        connection.execute(statement, {**values, "job": json.dumps(one.job), "this": one.id})
    except IntegrityError as error:
        raise NameTaken(
            say(
                "{owner} has a template named {name} already: choose another name",
                "{owner} 已有名为 {name} 的模板，请换一个名称",
                owner=one.owner,
                name=one.name,
            )
        ) from error


def _entry(by: Entry, before: Template | None, after: Template | None) -> Entry:
    one = after or before
    assert one is not None
    return replace(by, subject=f"template:{one.owner}:{one.name}", before=_shown(before), after=_shown(after))


def _shown(one: Template | None) -> dict[str, Any] | None:
    """Without the job file, which may hold what is nobody else's business."""
    return None if one is None else {"name": one.name, "description": one.description, "project": one.project}
