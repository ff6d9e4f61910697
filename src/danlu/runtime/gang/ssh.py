"""Password-less SSH between the tasks of an attempt, where there is OpenSSH.

Connections go through the agents, so that no server listens anywhere and no port is taken: ssh's proxy command asks the
other task's agent, which hands the connection to an sshd of its own."""

from __future__ import annotations

import base64
import os
import pwd
import shutil
import stat
import struct
import subprocess
import sys
from typing import Mapping, NamedTuple

from danlu.runtime.gang import agents
from danlu.runtime.gang.gang import GangSeats
from danlu.runtime.isolation import linux

KEY = "DANLU_SSH_KEY"
"""The variable: the attempt's Ed25519 key, seed and public half, in base64."""

_SERVERS = ("/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd")
_TYPE = b"ssh-ed25519"
_VIEW = "/run/danlu/"
_SEPARATION = "/run/sshd"
_NOT_SHELLS = ("nologin", "false", "")
# chroot, setgid and setuid: what sshd does with root's privileges before it lets anybody in.
_NEEDED_BY_ROOT = 1 << 18 | 1 << 6 | 1 << 7


class SshFiles(NamedTuple):
    """Where this task's keys and configuration are, and the programs that use them."""

    folder: str
    programs: str


def settle(gang: GangSeats, place: str, env: Mapping[str, str]) -> SshFiles | None:
    """Write what `ssh TASK` needs; None where there is no ssh or no key. Own programs in front of those of the machine
    read this configuration besides the account's own; a home that belongs to the task alone holds it as well."""
    key, ssh = env.get(KEY, ""), shutil.which("ssh")
    account = _account()
    if not key or ssh is None or account is None:
        return None
    folder = _own_home(account) or os.path.join(place, "ssh")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    pair = base64.b64decode(key)
    public = f"{_TYPE.decode()} {base64.b64encode(_blob(pair)).decode()} danlu\n"
    _write(folder, "id_ed25519", private_key(pair))
    _write(folder, "id_ed25519.pub", public)
    _write(folder, "authorized_keys", public)
    _write(folder, "known_hosts", f"danlu {public}")
    _write(folder, "config", _client_config(gang, folder, place, account))
    programs = os.path.join(place, "bin")
    inside = {**env, "PATH": os.pathsep.join([programs, env.get("PATH", os.defpath)])}
    _write(folder, "sshd_config", _server_config(folder, account.pw_name, inside))
    os.makedirs(programs, exist_ok=True)
    for name in ("ssh", "scp", "sftp"):
        real = shutil.which(name)
        if real is not None:
            text = f'#!/bin/sh\nexec {real} -F {folder}/config "$@"\n'
            _write(programs, name, text, 0o700)
    return SshFiles(folder, programs)


def serve(line: agents.TrustedConnection, files: SshFiles | None) -> None:
    """Hand the connection to an sshd of its own; a refusal says why there is none."""
    server = next((path for path in _SERVERS if os.access(path, os.X_OK)), None)
    if files is None or server is None:
        line.send(agents.REFUSED, b"there is no OpenSSH server in this task's image")
        return
    account = _account()
    assert account is not None
    if os.geteuid() == 0:
        if not _has(_NEEDED_BY_ROOT):
            line.send(
                agents.REFUSED, b"sshd cannot serve root without root's privileges: let tasks run as a user"
            )
            return
        os.makedirs(_SEPARATION, mode=0o755, exist_ok=True)
    line.send(agents.READY)
    command = [server, "-i", "-e", "-f", os.path.join(files.folder, "sshd_config")]
    if not _may_log_in(account):
        command = [sys.executable, "-I", os.path.join(os.path.dirname(files.programs), "login"), *command]
    connection = line.socket.fileno()
    subprocess.run(command, stdin=connection, stdout=connection, check=False)


def as_account(folder: str, command: list[str]) -> None:
    """Run the command where this user has a shell and this task's directory for a home, whatever the image says of
    them; for that it takes a view of its own. Where that is forbidden, as things are."""
    account = _account()
    assert account is not None
    name, home = account.pw_name, os.environ.get("HOME", "/")
    own = f"{name}:x:{os.geteuid()}:{os.getegid()}::{home}:/bin/sh\n"
    files = {
        "passwd": own + _without(name, "/etc/passwd"),
        "shadow": f"{name}:*:1:0:99999:7:::\n",
        "group": _without(
            "tty", "/etc/group"
        ),  # sshd would give terminals to it, which is not this user's to do
    }
    for file, text in files.items():
        _write(folder, file, text)
    try:
        linux.own_view()
        for file in files:
            if os.path.exists(f"/etc/{file}"):
                linux.bind(os.path.join(folder, file), f"/etc/{file}")
    except OSError as error:
        print(
            f"danlu: user {name} has no login shell in this image, and one cannot be set up: {error.strerror}",
            file=sys.stderr,
        )
    os.execv(command[0], command)


def _without(name: str, path: str) -> str:
    """The system's file, without the entry of this name."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return "".join(entry for entry in file if entry.split(":")[0] != name)
    except OSError:
        return ""


def _client_config(gang: GangSeats, folder: str, place: str, account: pwd.struct_passwd) -> str:
    tasks = " ".join(seat.name for seat in gang.seats)
    proxy = f"{sys.executable} -I {os.path.join(place, 'agent')} --ssh %n"
    lines = [
        f"Host {tasks}",
        f"  User {account.pw_name}",
        f"  IdentityFile {folder}/id_ed25519",
        "  IdentitiesOnly yes",
        "  HostKeyAlias danlu",
        f"  UserKnownHostsFile {folder}/known_hosts",
        "  StrictHostKeyChecking yes",
        "  BatchMode yes",
        f"  ProxyCommand {proxy}",
    ]
    if not folder.startswith(account.pw_dir):
        lines += ["Match all", "  Include ~/.ssh/config"]
    return "\n".join([*lines, "Match all", "  Include /etc/ssh/ssh_config", ""])


def _server_config(folder: str, user: str, env: Mapping[str, str]) -> str:
    return "\n".join(
        [
            f"HostKey {folder}/id_ed25519",
            f"AuthorizedKeysFile {folder}/authorized_keys",
            f"AllowUsers {user}",
            "AuthenticationMethods publickey",
            "PermitRootLogin prohibit-password",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "StrictModes no",
            "UsePAM no",
            "PrintMotd no",
            "PrintLastLog no",
            "PidFile none",
            "LogLevel ERROR",
            "Subsystem sftp internal-sftp",
            "SetEnv " + " ".join(_quoted(f"{name}={value}") for name, value in _passed_on(env).items()),
            "",
        ]
    )


def _passed_on(env: Mapping[str, str]) -> dict[str, str]:
    """What a session has of the task's variables: all that fit on a line of the configuration."""
    return {
        name: value for name, value in env.items() if "\n" not in value and name not in ("PWD", "_", "SHLVL")
    }


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def private_key(pair: bytes) -> str:
    """The key as OpenSSH keeps it, not locked with a passphrase."""
    blob = _blob(pair)
    inside = b"\0" * 8 + blob + _string(pair) + _string(b"danlu")
    inside += bytes(range(1, 1 + -len(inside) % 8))
    whole = b"openssh-key-v1\0" + _string(b"none") + _string(b"none") + _string(b"") + struct.pack(">I", 1)
    encoded = base64.encodebytes(whole + _string(blob) + _string(inside)).decode()
    return f"-----BEGIN OPENSSH PRIVATE KEY-----\n{encoded}-----END OPENSSH PRIVATE KEY-----\n"


def _blob(pair: bytes) -> bytes:
    return _string(_TYPE) + _string(pair[32:])


def _string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _account() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(os.geteuid())
    except KeyError:
        return None


def _own_home(account: pwd.struct_passwd) -> str | None:
    """The account's `.ssh` where the task has a view of its own and there is none; people's own is never touched."""
    folder = os.path.join(account.pw_dir, ".ssh")
    if not os.environ.get("DANLU_HOSTS", "").startswith(_VIEW) or os.path.lexists(folder):
        return None
    try:
        os.makedirs(folder, mode=0o700)
    except OSError:
        return None
    return folder


def _may_log_in(account: pwd.struct_passwd) -> bool:
    return os.path.basename(account.pw_shell) not in _NOT_SHELLS and os.path.isdir(account.pw_dir)


def _has(capabilities: int) -> bool:
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        held = next((line.split()[1] for line in file if line.startswith("CapEff:")), "0")
    return int(held, 16) & capabilities == capabilities


def _write(folder: str, name: str, text: str, mode: int = stat.S_IRUSR | stat.S_IWUSR) -> None:
    fd = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
    with os.fdopen(fd, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
