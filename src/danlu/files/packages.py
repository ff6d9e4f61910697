"""The job file's packages: what is wrong with them, and what they become."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from danlu.domain.errors import FieldError
from danlu.domain.job import Packages
from danlu.domain.words import Words, listed, say
from danlu.files.job_file import JobFile, PackagesPart
from danlu.files.mistakes import Loc

_KINDS = ("pip", "conda", "venv")
_FILE = re.compile(r".*(/.*|\.(txt|in|pip|lock))", re.DOTALL)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")
_LOCAL = re.compile(r"[./~]|file:", re.IGNORECASE)
_NO_CODE = Words("the job has no code to find it in", "任务没有代码，无处查找该文件")
_GIVE_CODE = Words(
    "add `code: {path: .}`, or list the packages: `packages: {pip: [numpy]}`",
    "请添加 `code: {path: .}`，或直接列出软件包：`packages: {pip: [numpy]}`",
)


def package_mistakes(file: JobFile) -> Iterator[FieldError]:
    """All errors of packages, at their places."""
    part = file.packages
    if part is None:
        return
    named = [kind for kind in _KINDS if getattr(part, kind) is not None]
    if len(named) != 1:
        text = say(
            "packages takes exactly one of pip, conda or venv; this one has {named}",
            "packages 只能填写 pip、conda 或 venv 之一；这里填写了：{named}",
            named=listed(named) if named else Words("none", "无"),
        )
        hint = Words("for example `packages: {pip: [torch]}`", "例如 `packages: {pip: [torch]}`")
        yield FieldError(("packages",), "contradiction", text, hint=hint)
    if isinstance(part.pip, str):
        yield from _file_mistakes(file, ("packages", "pip"), part.pip)
    else:
        for place, line in enumerate(part.pip or ()):
            yield from _line_mistakes(("packages", "pip", place), line)
    if part.conda is not None:
        yield from _file_mistakes(file, ("packages", "conda"), part.conda)
    if part.venv is not None:
        yield from _venv_mistakes(("packages", "venv"), part.venv)


def read_packages(part: PackagesPart | None) -> Packages | None:
    if part is None:
        return None
    if part.venv is not None:
        return Packages(venv=posixpath.normpath(part.venv))
    if part.conda is not None:
        return Packages(conda=posixpath.normpath(part.conda))
    if isinstance(part.pip, str):
        return Packages(requirements=posixpath.normpath(part.pip))
    return Packages(pip=tuple(line.strip() for line in part.pip or ()))


def write_packages(packages: Packages | None) -> PackagesPart | None:
    if packages is None:
        return None
    pip = packages.requirements or list(packages.pip) or None
    return PackagesPart(pip=pip, conda=packages.conda, venv=packages.venv)


def _file_mistakes(file: JobFile, loc: Loc, path: str) -> Iterator[FieldError]:
    if loc[-1] == "pip" and not _FILE.fullmatch(path):
        text = say("'{path}' is not the name of a requirements file", "“{path}”不是依赖文件的名称", path=path)
        hint = say(
            "write `pip: requirements.txt` for a file, or `pip: [{name}]` for packages",
            "文件请写 `pip: requirements.txt`，软件包请写 `pip: [{name}]`",
            name=path,
        )
        yield FieldError(loc, "bad_value", text, path, hint=hint)
    elif path.startswith("/") or ".." in path.split("/") or _UNSEEN.search(path):
        text = say("'{path}' is not a file inside the code", "“{path}”不是代码中的文件", path=path)
        hint = Words("give its path below the code folder", "请填写它在代码目录中的路径")
        yield FieldError(loc, "bad_value", text, path, hint=hint)
    elif file.code is None:
        yield FieldError(loc, "no_such_file", _NO_CODE, path, hint=_GIVE_CODE)


def _line_mistakes(loc: Loc, line: str) -> Iterator[FieldError]:
    if not line.strip() or _UNSEEN.search(line):
        text = Words("a package is one line of text", "每个软件包为一行文本")
        yield FieldError(loc, "bad_value", text, line)
    elif line.lstrip().startswith("-"):
        text = say(
            "'{line}' is an option of pip, not a package", "“{line}”是 pip 的选项，不是软件包", line=line
        )
        hint = Words(
            "options belong in a requirements file: `pip: requirements.txt`",
            "选项请写在依赖文件中：`pip: requirements.txt`",
        )
        yield FieldError(loc, "bad_value", text, line, hint=hint)
    elif _LOCAL.match(line.lstrip()) or "@ file:" in line:
        text = say("'{line}' is a path, not a package", "“{line}”是路径，不是软件包", line=line)
        hint = Words(
            "code needs no installing: the command runs in the code folder; for wheels of your own, use "
            "`--find-links` in a requirements file",
            "代码无需安装：命令就在代码目录中运行；自己的 wheel 请在依赖文件中用 `--find-links` 指定",
        )
        yield FieldError(loc, "bad_value", text, line, hint=hint)


def _venv_mistakes(loc: Loc, path: str) -> Iterator[FieldError]:
    if not path.startswith("/") or ".." in path.split("/") or _UNSEEN.search(path):
        text = say("'{path}' is not an absolute path", "“{path}”不是绝对路径", path=path)
        hint = Words(
            "for example /mnt/NAME/my-env, in your personal directory", "例如个人目录中的 /mnt/用户名/my-env"
        )
        yield FieldError(loc, "bad_value", text, path, hint=hint)
