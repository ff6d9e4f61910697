"""Where Danlu is and who we are: options, then variables, then the contexts in config.toml."""

from __future__ import annotations

import importlib
import os
import re
import socket
from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.domain.words import Words, listed, same, say
from danlu.sdk.http.errors import BadConfig

DEFAULT_URL = "http://127.0.0.1:8910"
GIVEN = Words("the address given", "给定的地址")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


@dataclass(frozen=True)
class Context:
    """One Danlu one may talk to."""

    name: str
    url: str
    token: str | None = None
    user: str | None = None


@dataclass(frozen=True)
class Config:
    """The contexts of a person, and which one is meant when none is named."""

    contexts: Mapping[str, Context] = field(default_factory=dict)
    current: str | None = None


@dataclass(frozen=True)
class Target:
    """Whom a client talks to; `said_by` tells a person where that came from."""

    url: str
    token: str | None
    said_by: Words


def folder() -> str:
    """The configuration directory: DANLU_CONFIG_DIR, else danlu/ under XDG_CONFIG_HOME or ~/.config."""
    chosen = os.environ.get("DANLU_CONFIG_DIR")
    if chosen:
        return chosen
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "danlu")


def path() -> str:
    return os.path.join(folder(), "config.toml")


def resolve(url: str | None = None, token: str | None = None, context: str | None = None) -> Target:
    """Explicit arguments win over DANLU_URL and DANLU_TOKEN, and these over the configuration file."""
    given_url = url or (None if context else os.environ.get("DANLU_URL"))
    given_token = token or (None if context else os.environ.get("DANLU_TOKEN"))
    if given_url:
        said_by = GIVEN if url else same("DANLU_URL")
        return Target(normal_url(given_url), given_token or _token_for(given_url), said_by)
    config = load()
    name = context or config.current
    if name is None:
        return Target(DEFAULT_URL, given_token, Words("the default address", "默认地址"))
    if name not in config.contexts:
        known = listed(sorted(config.contexts)) if config.contexts else Words("none yet", "（无）")
        raise BadConfig(
            say(
                "there is no context '{name}' in {path}. There are: {known}.",
                "{path} 中没有上下文“{name}”。现有：{known}。",
                name=name,
                path=path(),
                known=known,
            )
        )
    chosen = config.contexts[name]
    said_by = say("context '{name}'", "上下文“{name}”", name=name)
    return Target(chosen.url, given_token or chosen.token, said_by)


def normal_url(url: str) -> str:
    """Complete an address as people write it: a name is https unless it is this machine's own, a number http."""
    url = url.strip()
    if not url.endswith("://"):
        url = url.rstrip("/")
    if "://" not in url:
        host, slash, rest = url.partition("/")
        if _is_literal(host) and ":" in host:
            host = f"[{host}]"
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        plain = is_loopback(name) or _is_literal(name)
        url = f"{'http' if plain else 'https'}://{host}{slash}{rest}"
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https") or not rest:
        raise BadConfig(
            say(
                "'{url}' is not an address of Danlu; an example is {example}.",
                "“{url}”不是丹炉的地址，正确的地址形如 {example}。",
                url=url,
                example=DEFAULT_URL,
            )
        )
    return url


def is_loopback(name: str) -> bool:
    """Whether a host is this very machine, so that nothing said to it can be overheard."""
    name = name.lower()
    own = name == "localhost" or name.endswith(".localhost")
    return own or name == "::1" or (name.startswith("127.") and _is_literal(name))


def _is_literal(name: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, name)
            return True
        except (OSError, ValueError):
            continue
    return False


def load() -> Config:
    """The configuration file; no file is an empty configuration."""
    try:
        with open(path(), encoding="utf-8") as file:
            data = _read(file.read())
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as why:
        raise BadConfig(
            say("{path} cannot be read: {why}", "无法读取 {path}：{why}", path=path(), why=why)
        ) from why
    tables = data.get("contexts")
    contexts = {
        name: Context(name, str(one["url"]), one.get("token"), one.get("user"))
        for name, one in (tables.items() if isinstance(tables, dict) else ())
        if isinstance(one, dict) and one.get("url")
    }
    return Config(contexts, data.get("current"))


def save(config: Config) -> None:
    """Write the file whole or not at all, readable by its owner only."""
    os.makedirs(folder(), mode=0o700, exist_ok=True)
    draft = f"{path()}.{os.getpid()}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(render(config))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path())
    except OSError:
        os.unlink(draft)
        raise


def save_context(context: Context, use: bool = True) -> None:
    """Add or replace one context; `use` makes it the one that is meant when none is named."""
    config = load()
    contexts = {**config.contexts, context.name: context}
    save(Config(contexts, context.name if use else config.current))


def forget_context(name: str) -> bool:
    """Remove a context; False when there was none of that name."""
    config = load()
    if name not in config.contexts:
        return False
    contexts = {key: one for key, one in config.contexts.items() if key != name}
    save(Config(contexts, None if config.current == name else config.current))
    return True


def render(config: Config) -> str:
    lines = [f"current = {_quoted(config.current)}"] if config.current else []
    for name in sorted(config.contexts):
        one = config.contexts[name]
        key = name if _PLAIN_KEY.fullmatch(name) else _quoted(name)
        lines += ["", f"[contexts.{key}]", f"url = {_quoted(one.url)}"]
        lines += [
            f"{word} = {_quoted(value)}"
            for word, value in (("token", one.token), ("user", one.user))
            if value
        ]
    return "\n".join(lines).lstrip("\n") + "\n"


def parse(text: str) -> dict[str, Any]:
    """Read the part of TOML that `render` writes: tables, plain or quoted keys, strings, numbers, booleans.

    Python 3.8 has no TOML reader, and importing the later ones' costs more than this file is worth.
    """
    root: dict[str, Any] = {}
    table = root
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        header = re.fullmatch(r"\[([^\[\]]+)\]\s*(#.*)?", line)
        if header:
            table = _open_table(root, header.group(1), number)
            continue
        found = re.fullmatch(r'([A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*")\s*=\s*(.*)', line)
        if not found:
            raise _bad_line(number, say("not understood: {line}", "无法识别：{line}", line=line))
        table[_unquoted(found.group(1))] = _value(found.group(2), number)
    return root


def _read(text: str) -> dict[str, Any]:
    """Our own reader first; a file with more of TOML in it goes to Python's, where there is one."""
    try:
        return parse(text)
    except BadConfig:
        try:
            # Needed for unusual files only, and missing before Python 3.11.
            found: dict[str, Any] = importlib.import_module("tomllib").loads(text)
            return found
        except (ImportError, ValueError):
            pass
        raise


def _open_table(root: dict[str, Any], header: str, number: int) -> dict[str, Any]:
    table = root
    for key in re.findall(r'[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"', header):
        table = table.setdefault(_unquoted(key), {})
        if not isinstance(table, dict):
            both = say("[{header}] is both a table and a value", "[{header}] 既是表又是值", header=header)
            raise _bad_line(number, both)
    return table


def _value(text: str, number: int) -> Any:
    string = re.match(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'", text)
    if string:
        rest = text[string.end() :].strip()
        value: Any = _unquoted(string.group(0))
    else:
        word, hash_, comment = text.partition("#")
        rest = hash_ + comment
        value = _plain(word.strip())
        if value is None:
            raise _bad_line(number, say("put text in quotes: {text}", "文本应加引号：{text}", text=text))
    if rest and not rest.startswith("#"):
        unknown = say("not understood after the value: {rest}", "值之后的内容无法识别：{rest}", rest=rest)
        raise _bad_line(number, unknown)
    return value


def _bad_line(number: int, what: Words) -> BadConfig:
    place = f"{path()}:{number}"
    return BadConfig(say("{place}: {what}", "{place}：{what}", place=place, what=what))


def _plain(word: str) -> bool | int | float | None:
    if word in ("true", "false"):
        return word == "true"
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return None


def _quoted(text: str | None) -> str:
    spelled = {value: "\\" + key for key, value in _ESCAPES.items()}
    return '"' + "".join(spelled.get(char, char) for char in text or "") + '"'


def _unquoted(text: str) -> str:
    if text.startswith("'"):
        return text[1:-1]
    if not text.startswith('"'):
        return text
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found.group(1), found.group(1)), text[1:-1])


def _token_for(url: str) -> str | None:
    """A context for the very same address lends its token to DANLU_URL."""
    wanted = normal_url(url)
    return next((one.token for one in load().contexts.values() if one.url == wanted), None)
