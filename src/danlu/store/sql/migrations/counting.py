"""The triggers that keep `job_counts` true; a migration that rebuilds `jobs` on SQLite installs them anew."""

from collections.abc import Callable

_KEYS = "owner, project, kind, state"
_ADD = """
    INSERT INTO job_counts (owner, project, kind, state, jobs)
    VALUES (NEW.owner, NEW.project, NEW.kind, NEW.state, 1), (NEW.owner, '', NEW.kind, NEW.state, 1),
        ('', NEW.project, NEW.kind, NEW.state, 1), ('', '', NEW.kind, NEW.state, 1)
    ON CONFLICT (owner, project, kind, state) DO UPDATE SET jobs = job_counts.jobs + 1;
"""
_TAKE = """
    UPDATE job_counts SET jobs = jobs - 1
    WHERE owner IN (OLD.owner, '') AND project IN (OLD.project, '') AND kind = OLD.kind AND state = OLD.state;
"""
_MOVED = " OR ".join(f"OLD.{key} <> NEW.{key}" for key in _KEYS.split(", "))

_SQLITE = (
    f"CREATE TRIGGER jobs_added AFTER INSERT ON jobs BEGIN {_ADD} END",
    f"CREATE TRIGGER jobs_removed AFTER DELETE ON jobs BEGIN {_TAKE} END",
    f"CREATE TRIGGER jobs_moved AFTER UPDATE OF {_KEYS} ON jobs WHEN {_MOVED} BEGIN {_TAKE} {_ADD} END",
)

_FUNCTION = "CREATE FUNCTION {} RETURNS trigger AS $$ BEGIN {} RETURN NULL; END $$ LANGUAGE plpgsql"
_POSTGRESQL = (
    _FUNCTION.format("count_added_job()", _ADD),
    _FUNCTION.format("count_removed_job()", _TAKE),
    _FUNCTION.format("count_moved_job()", _TAKE + _ADD),
    "CREATE TRIGGER jobs_added AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION count_added_job()",
    "CREATE TRIGGER jobs_removed AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION count_removed_job()",
    f"CREATE TRIGGER jobs_moved AFTER UPDATE ON jobs FOR EACH ROW WHEN ({_MOVED})"
    " EXECUTE FUNCTION count_moved_job()",
)


def install(dialect: str, execute: Callable[[str], object]) -> None:
    for statement in _SQLITE if dialect == "sqlite" else _POSTGRESQL:
        execute(statement)
