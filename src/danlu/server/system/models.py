"""What the server reports about itself."""

from typing import Literal

from danlu.control.system import doctor
from danlu.domain import weakness
from danlu.domain.weakness import Severity, WeakArea
from danlu.server.http.models import Answer, Moment, Text


class Version(Answer):
    """`client` is the name of the wheel below `/client/`, to install the command line and the Python client from; null
    if this server runs from files that nobody installed."""

    version: str
    api: str
    client: str | None


class Health(Answer):
    status: Literal["alive"]


class Readiness(Answer):
    """Whether the server is ready. `half` is the kind of process: server, or up for server and controller in one."""

    status: Literal["ready"]
    half: Literal["up", "server"]


class Weakness(Answer, of=weakness.Weakness):
    """Something weak about this installation: a stable code, how bad it is, in words, and how to mend it. `subjects`
    are up to 100 of the nodes, files, people or tokens (as owner:name) that it is about."""

    code: str
    area: WeakArea
    severity: Severity
    text: Text
    fix: Text
    subjects: list[str]


class SystemReport(Answer, of=doctor.SystemReport):
    """What is weak about this installation, the worst first; `ok` if nothing is. `checked` are the areas that were
    looked at."""

    ok: bool
    at: Moment
    checked: list[WeakArea]
    weaknesses: list[Weakness]
