"""`client.copy` and `client.sync`, for programs: the choices as keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from danlu.sdk.copying.copying import Copier
    from danlu.sdk.copying.ends.sign_in import SignIn
    from danlu.sdk.copying.options import CopyProgress, OnChange
    from danlu.sdk.http.http import Http


class Copies:
    """The verbs of a client that move files; mixed into `Client`."""

    http: Http

    def copy(
        self,
        source: str | Sequence[str],
        target: str,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        differs: str = "refuse",
        checksum: bool = False,
        follow: bool = False,
        dry_run: bool = False,
        parallel: int = 8,
        limit_rate: int | None = None,
        sign_in: SignIn | None = None,
        progress: CopyProgress | None = None,
        on_change: OnChange | None = None,
    ) -> CopyProgress:
        """Copy files and folders between this machine, volumes (`vol:NAME/path`, `OWNER:NAME:/path`), buckets
        (`s3://…`) and the web (`https://…`, a source only). What is there already and has not changed is left alone; of
        what differs `differs` says whether to `refuse` it, `overwrite` it, `skip` it, or overwrite it if the source is
        `newer`. Failures of single files are in the answer."""
        chosen = (checksum, False, dry_run, follow, parallel, limit_rate)
        copying = _copying(self.http, include, exclude, differs, chosen, sign_in, progress, on_change)
        return copying.copy([source] if isinstance(source, str) else source, target)

    def sync(
        self,
        source: str,
        target: str,
        *,
        delete: bool = False,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        checksum: bool = False,
        follow: bool = False,
        dry_run: bool = False,
        parallel: int = 8,
        limit_rate: int | None = None,
        sign_in: SignIn | None = None,
        progress: CopyProgress | None = None,
        on_change: OnChange | None = None,
    ) -> CopyProgress:
        """Make the folder `target` like the folder `source`; with `delete`, also by removing what the source does not
        have. Excluded files are neither copied nor removed."""
        chosen = (checksum, delete, dry_run, follow, parallel, limit_rate)
        copying = _copying(self.http, include, exclude, "overwrite", chosen, sign_in, progress, on_change)
        return copying.sync(source, target)


def _copying(
    http: Http,
    include: Sequence[str],
    exclude: Sequence[str],
    differs: str,
    chosen: tuple[Any, ...],
    sign_in: SignIn | None,
    progress: CopyProgress | None,
    on_change: OnChange | None,
) -> Copier:
    # Loaded when first used: most programs copy nothing.
    from danlu.sdk.copying.copying import Copier
    from danlu.sdk.copying.ends.sign_in import SignIn
    from danlu.sdk.copying.globs import GlobRule
    from danlu.sdk.copying.options import Differs, Options

    rules = [GlobRule(True, one) for one in include] + [GlobRule(False, one) for one in exclude]
    options = Options(rules, Differs(differs), *chosen)
    return Copier(lambda: http, options, sign_in or SignIn(), progress, on_change)
