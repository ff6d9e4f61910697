"""Why a transfer failed or waits: a code, its parameters, and a sentence in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from danlu.domain.quantity import show_size
from danlu.domain.words import NOTHING, Words, one_line, same

_LONGEST = 300


class ProblemKind(NamedTuple):
    """What is said about it, what to do, and whether Danlu tries again by itself."""

    sentence: Words
    advice: Words = NOTHING
    retried: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem; parameters that others wrote are short and without control characters. `size` and the like are
    bytes, `why` is a code of WHYS, a refusal of Danlu in each language, or what another program said."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> ProblemKind:
        return KINDS.get(self.code, _UNKNOWN)

    @property
    def text(self) -> Words:
        return self._filled(self.kind.sentence)

    @property
    def advice(self) -> Words:
        return self._filled(self.kind.advice)

    def _filled(self, words: Words) -> Words:
        shown = {key: show_size(value) if key in _SIZES else value for key, value in self.params.items()}
        try:
            if "why" in shown:
                shown["why"] = _why(shown["why"]).fill(**shown)
            return words.fill(**shown)
        except (KeyError, IndexError):  # one that another version of Danlu wrote
            return _UNKNOWN.sentence


class TransferStopped(Exception):
    """A transfer cannot go on."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.problem = Problem(code, {key: bounded(value) for key, value in params.items()})


def bounded(value: Any) -> Any:
    """Fit for a record: text of others is cut and has no control characters."""
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, Words):
        return {language: bounded(text) for language, text in value.by_language.items()}
    if isinstance(value, dict):
        return bounded(_in_each(value))
    text = one_line(str(value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _why(value: Any) -> Words:
    """Ready to be filled: only our own sentences have places for parameters."""
    if isinstance(value, dict):
        return _literal(_in_each(value))
    return WHYS.get(str(value)) or _literal(same(str(value)))


def _in_each(languages: Mapping[str, Any]) -> Words:
    english = str(languages.get("en", ""))
    return Words(english, str(languages.get("zh", english)))


def _literal(words: Words) -> Words:
    return Words(_escaped(words.en), _escaped(words.zh))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


_SIZES = frozenset({"size", "wanted_size", "bound", "left", "free"})
_UNKNOWN = ProblemKind(Words("the transfer failed", "传输失败"))

KINDS: Mapping[str, ProblemKind] = {
    # ── who may ──────────────────────────────────────────────────────────────────────────────────────
    "no_access": ProblemKind(
        Words("volume {volume} cannot be used any more: {why}", "已不能使用存储卷 {volume}：{why}"),
        Words(
            "ask its owner to share it again, then resume: danlu transfer resume",
            "请联系所有者重新共享，然后继续：danlu transfer resume",
        ),
    ),
    "owner_gone": ProblemKind(
        Words(
            "the account of {owner} is disabled or gone, and a transfer acts as its owner",
            "{owner} 的账号已停用或不存在，而传输以所有者的身份运行",
        ),
    ),
    "login_missing": ProblemKind(
        Words("the login that this transfer was created with is gone", "创建该传输时使用的登录凭据已不存在"),
        Words("create the transfer again with a login", "请带上登录凭据重新创建传输"),
    ),
    # ── the place outside ────────────────────────────────────────────────────────────────────────────
    "address_refused": ProblemKind(
        Words(
            "{host} is at {address}, which transfers may not reach: it is this machine's own, or of its network's "
            "inside",
            "{host} 的地址是 {address}，属于本机或网络内部地址，传输不能访问",
        ),
        Words(
            "an administrator can allow a network: transfer_networks", "管理员可以放行网络：transfer_networks"
        ),
    ),
    "name_unknown": ProblemKind(
        Words("no address is known of {host}", "无法解析 {host} 的地址"), retried=True
    ),
    "not_reached": ProblemKind(
        Words("{host} could not be reached: {why}", "无法连接 {host}：{why}"), retried=True
    ),
    "cut_short": ProblemKind(
        Words(
            "the connection was cut at {size} of {path}: {why}", "传输 {path} 时连接在 {size} 处中断：{why}"
        ),
        retried=True,
    ),
    "not_found_there": ProblemKind(
        Words("there is nothing at {url} ({status})", "{url} 处没有内容（{status}）"),
        Words("check the address", "请检查地址"),
    ),
    "login_refused": ProblemKind(
        Words("{host} refused the login ({status})", "{host} 拒绝了登录凭据（{status}）"),
        Words("check user and password, or the token", "请检查用户名和密码，或令牌"),
    ),
    "login_wanted": ProblemKind(
        Words("{host} wants a login ({status})", "{host} 需要登录凭据（{status}）"),
        Words("create the transfer again with a login", "请带上登录凭据重新创建传输"),
    ),
    "refused_there": ProblemKind(Words("{host} answered {status}", "{host} 返回 {status}")),
    "failing_there": ProblemKind(
        Words("{host} answered {status}, and may serve later", "{host} 返回 {status}，稍后可能恢复"),
        retried=True,
    ),
    "too_many_redirects": ProblemKind(
        Words("{url} leads on more than {most} times", "{url} 的重定向超过 {most} 次")
    ),
    "bad_redirect": ProblemKind(
        Words("{host} leads on to {url}, which is not followed", "{host} 重定向到 {url}，不予跟随")
    ),
    "bad_answer": ProblemKind(
        Words("the answer of {host} makes no sense: {why}", "{host} 的应答无法理解：{why}")
    ),
    "wrong_size": ProblemKind(
        Words(
            "{path} has {size}, and {wanted_size} were announced", "{path} 实为 {size}，应为 {wanted_size}"
        ),
        retried=True,
    ),
    "wrong_checksum": ProblemKind(
        Words(
            "{path} is damaged: its {algorithm} is {found}, and should be {wanted}; it was not put in place",
            "{path} 已损坏：{algorithm} 为 {found}，应为 {wanted}；未放入目标位置",
        ),
        Words("check the checksum, then resume", "请核对校验和，然后继续"),
    ),
    "source_changing": ProblemKind(
        Words("{path} keeps changing while it is read", "{path} 在读取期间不断变化"), retried=True
    ),
    "bucket_away": ProblemKind(Words("the bucket: {why}", "存储桶：{why}"), retried=True),
    "bucket_refused": ProblemKind(
        Words("the bucket: {why}", "存储桶：{why}"),
        Words("whoever attached it can check it: danlu volume check", "接入者可以检查：danlu volume check"),
    ),
    # ── Git ──────────────────────────────────────────────────────────────────────────────────────────
    "no_git": ProblemKind(
        Words("git is not installed on the server", "服务端未安装 git"),
        Words("ask an administrator to install git", "请管理员安装 git"),
    ),
    "git_failed": ProblemKind(Words("git failed: {why}", "git 失败：{why}")),
    "ref_unknown": ProblemKind(
        Words("the repository has no {ref}", "仓库中没有 {ref}"),
        Words("give a branch, a tag or a whole commit id", "请指定分支、标签或完整的提交编号"),
    ),
    "git_too_many": ProblemKind(
        Words(
            "the commit has more than {most} files; nothing was transferred",
            "该提交包含的文件超过 {most} 个；未传输任何内容",
        )
    ),
    "lfs_failed": ProblemKind(
        Words("the repository's LFS server gave no {path}: {why}", "仓库的 LFS 服务未提供 {path}：{why}")
    ),
    # ── archives ─────────────────────────────────────────────────────────────────────────────────────
    "no_archive": ProblemKind(
        Words(
            "{path} is no archive that can be unpacked (zip, tar, tar.gz, tar.bz2, tar.xz, tar.zst)",
            "{path} 不是可解包的归档（zip、tar、tar.gz、tar.bz2、tar.xz、tar.zst）",
        ),
        Words("transfer it without unpacking", "请不解包直接传输"),
    ),
    "archive_damaged": ProblemKind(Words("{path} cannot be unpacked: {why}", "{path} 无法解包：{why}")),
    "archive_leads_out": ProblemKind(
        Words(
            "the archive wants to write to {path}, outside of its folder; nothing was unpacked",
            "归档试图写入其目录之外的 {path}；未解包任何内容",
        )
    ),
    "archive_too_large": ProblemKind(
        Words(
            "the archive unpacks to more than {bound}; nothing was unpacked",
            "归档解包后超过 {bound}；未解包任何内容",
        ),
        Words("an administrator can allow more: unpack_limit", "管理员可以放宽：unpack_limit"),
    ),
    "archive_too_many": ProblemKind(
        Words(
            "the archive has more than {most} entries; nothing was unpacked",
            "归档的条目超过 {most} 个；未解包任何内容",
        )
    ),
    # ── writing ──────────────────────────────────────────────────────────────────────────────────────
    "nothing_there": ProblemKind(
        Words("there is nothing at {path}", "{path} 处没有内容"), Words("check the path", "请检查路径")
    ),
    "exists": ProblemKind(
        Words("{path} is there already and differs", "{path} 已存在且内容不同"),
        Words("choose another place, or let it be replaced", "请更换位置，或允许替换"),
    ),
    "in_the_way": ProblemKind(
        Words(
            "{path} cannot be written: something else is there, or a link is on the way",
            "无法写入 {path}：该处另有内容，或途经链接",
        )
    ),
    "bad_name": ProblemKind(
        Words("{path} cannot be a file's name here: {why}", "{path} 不能用作文件名：{why}")
    ),
    "no_room": ProblemKind(
        Words(
            "{volume} has no room left: {left} of {bound} were left when it began",
            "{volume} 已无剩余容量：开始时剩余 {left}，总容量 {bound}",
        ),
        Words(
            "delete what is no longer needed or grow the volume, then resume", "请清理或扩容存储卷，然后继续"
        ),
    ),
    "disk_full": ProblemKind(
        Words("the server's disk is full: {free} are free", "服务端磁盘已满：剩余 {free}"),
        Words("free some space, then resume: what is there stays", "请腾出空间后继续：已传输的内容会保留"),
    ),
    "not_written": ProblemKind(Words("{path} could not be written: {why}", "无法写入 {path}：{why}")),
    "not_read": ProblemKind(Words("{path} could not be read: {why}", "无法读取 {path}：{why}")),
    # ── the server ───────────────────────────────────────────────────────────────────────────────────
    "busy": ProblemKind(Words("another process still works on it", "另一个进程仍在处理"), retried=True),
    "worker_died": ProblemKind(
        Words("the process that transferred ended by itself ({how})", "传输进程意外结束（{how}）"),
        retried=True,
    ),
    "no_worker": ProblemKind(
        Words("no process could be started for it: {why}", "无法为其启动进程：{why}"), retried=True
    ),
}

WHYS: Mapping[str, Words] = {
    "closed": Words("the connection was closed", "连接已关闭"),
    "silent": Words("no answer in time", "未在时限内应答"),
    "no_reason": Words("no reason was given", "未说明原因"),
    "no_sense": Words("its answer makes no sense", "其应答无法理解"),
    "encoded": Words(
        "it sends the content encoded ({encoding}), which was not asked for",
        "返回了未请求的内容编码（{encoding}）",
    ),
    "object_missing": Words("object {oid} is missing", "缺少对象 {oid}"),
    "object_cut": Words("object {oid} is cut", "对象 {oid} 不完整"),
    "encrypted": Words("it is encrypted", "已加密"),
    "names_nothing": Words("it names no file below the folder", "未指明目录之内的文件"),
    "too_long": Words("it is too long", "过长"),
    "too_deep": Words("it lies deeper than {most} folders", "目录层级超过 {most} 层"),
    "no_utf8": Words("names of objects are UTF-8", "对象名必须是 UTF-8"),
    "no_file": Words("it is no file any more", "已不是文件"),
    "neither": Words("it is neither a file nor a folder", "既不是文件也不是目录"),
    "link": Words("a link is on the way", "途经链接"),
}
"""What `why` stands for, with parameters of the problem."""
