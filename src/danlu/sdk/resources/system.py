"""The installation itself, for administrators."""

from __future__ import annotations

from danlu.sdk.models.reading import read
from danlu.sdk.models.system import SystemReport
from danlu.sdk.resources.base import Resource


class System(Resource):
    """What is weak about the installation, and how to mend it."""

    def health(self) -> SystemReport:
        """What is quickly seen: isolation of tasks, network, disk space."""
        return read(SystemReport, self.http.json("GET", "system/health"))

    def doctor(self) -> SystemReport:
        """Everything: also files, accounts, tokens and the audit log."""
        return read(SystemReport, self.http.json("GET", "system/doctor"))
