"""Rules: one JSON document each, all of them edited together under the lock of the event log."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from danlu.domain.audit import Entry
from danlu.domain.events import RuleChanged
from danlu.domain.job import Time
from danlu.domain.members import Membership
from danlu.domain.rules import Group, Project, Rule, changed
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.codec import dump, load_rule
from danlu.store.sql.forgetting import project_gone
from danlu.store.sql.part import StorePart
from danlu.store.sql.people import people
from danlu.store.sql.projects import members
from danlu.store.sql.schema import rules

_ALL = select(rules.c.kind, rules.c.data).order_by(rules.c.kind, rules.c.name)
_INSERT = insert(rules)
_THIS = (rules.c.kind == bindparam("of")) & (rules.c.name == bindparam("named"))
_UPDATE = update(rules).where(_THIS).values(version=rules.c.version + 1)
_DELETE = delete(rules).where(_THIS)

# Nearly all of them are as they were when they were last read.
_load = lru_cache(maxsize=65_536)(load_rule)


class SqlRules(StorePart):
    """Implements ports.store.RuleStore."""

    def rules(self) -> tuple[Rule, ...]:
        with self._database.reading() as connection:
            return _read(connection)

    def edit_rules(
        self,
        change: Callable[[tuple[Rule, ...]], Iterable[Rule]],
        now: Time,
        *,
        by: Entry,
        joining: Membership | None = None,
    ) -> tuple[Rule, ...]:
        with self._writing(orderly=True) as connection:
            before = {(rule.kind, rule.name): rule for rule in _read(connection)}
            after = {(rule.kind, rule.name): rule for rule in change(tuple(before.values()))}
            told, notes = [], []
            for kind, name in sorted(before.keys() | after.keys()):
                old, new = before.get((kind, name)), after.get((kind, name))
                if old is not new and old != new:
                    done = _write(connection, old, new, now)
                    done = changed(old, new) or done
                    told.append((RuleChanged(by.by, kind, name, done), None))
                    notes.append(_entry(by, kind, name, done, old, new))
                    if isinstance(old, Project) and new is None:
                        project_gone(connection, name, now, by)
            event_log.record_all(connection, told, now, by.by)
            audit_log.append(connection, notes, now)
            for kind, name in sorted(before.keys() - after.keys()):
                if kind == Group.kind:
                    people.leave_group(connection, name, now, by)
            if joining is not None:
                members.join(connection, joining, now, by)
        return tuple(after[key] for key in sorted(after))


def _entry(by: Entry, kind: str, name: str, done: str, old: Rule | None, new: Rule | None) -> Entry:
    before, after = (None if rule is None else json.loads(dump(rule)) for rule in (old, new))
    return replace(by, act=by.act or done, subject=f"{kind}:{name}", before=before, after=after)


def _read(connection: Connection) -> tuple[Rule, ...]:
    found = (_load(kind, data) for kind, data in connection.execute(_ALL))
    return tuple(rule for rule in found if rule is not None)


def _write(connection: Connection, old: Rule | None, new: Rule | None, now: Time) -> str:
    """Write one rule; returns the event's word for the change."""
    if new is None:
        assert old is not None
        connection.execute(_DELETE, {"of": old.kind, "named": old.name})
        return "removed"
    values = {"data": dump(new), "changed_at": now}
    if old is None:
        connection.execute(_INSERT, [{"kind": new.kind, "name": new.name, "version": 1, **values}])
        return "added"
    connection.execute(_UPDATE, {"of": new.kind, "named": new.name, **values})
    return "edited"
