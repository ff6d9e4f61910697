"""What a newcomer gets wrong in the first minutes: a sentence with the way out, never a traceback."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import pytest

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

FILES = {
    "job.yaml": "kind: training\nname: train-bert\ncommand: echo hi\n",
    "empty.yaml": "",
    "comment.yaml": "# nothing yet\n",
    "tabs.yaml": "kind: training\nresources:\n\tgpus: 1\n",
    "quote.yaml": 'kind: training\nname: "train\n',
    "bracket.yaml": "kind: training\nresources: {gpus: 1\nname: x\n",
    "indent.yaml": "kind: training\n  name: x\n",
    "colon.yaml": "kind: training\ncommand: echo a: b\n",
    "nocolon.yaml": "kind: training\nname\ncommand: x\n",
    "tight.yaml": "kind:training\n",
    "twice.yaml": "kind: training\nname: a\nname: b\n",
    "two.yaml": "kind: training\n---\nkind: training\n",
    "list.yaml": "- kind: training\n",
    "at.yaml": "name: @me\n",
    "alias.yaml": "name: *me\n",
    "latin.yaml": "",
    "binary.yaml": "",
    "broken.json": '{"kind": "training", "name": }\n',
    "deep.json": "[" * 100_000,
    "deep.yaml": "name: " + "[" * 100_000,
    "tag.yaml": "kind: training\ncommand: !!python/object/apply:os.system [ls]\n",
    "codeless.yaml": "kind: training\nname: train-bert\ncode: {path: ./nowhere}\ncommand: x\n",
    "folder/job.yaml": "kind: training\n",
}

# Words on the command line; exit code; what standard error must say.
CASES: list[tuple[str, int, list[str]]] = [
    ("sumbit job.yaml", 2, ["no command 'sumbit'", "Did you mean 'danlu submit'?"]),
    ("ps", 2, ["no command 'ps'", "Did you mean 'danlu ls'?"]),
    ("delete x", 2, ["Did you mean 'danlu rm'?"]),
    ("cancel x", 2, ["Did you mean 'danlu stop'?"]),
    ("xyzzy", 2, ["no command 'xyzzy'", "danlu --help"]),
    ("token creat x", 2, ["no command 'creat'", "Did you mean 'danlu token create'?"]),
    ("ls --stat running", 2, ["danlu ls has no option --stat", "Did you mean --state?"]),
    ("ls --state runing", 2, ["'runing'", "did you mean 'running'?", "--state"]),
    ("cp --recursiv a b", 2, ["danlu cp has no option --recursiv", "Did you mean --recursive?"]),
    ("cp -z a b", 2, ["danlu cp has no option -z.\n"]),
    ("ls --limit many", 2, ["--limit", "'many'"]),
    ("ls --owner", 2, ["--owner", "requires an argument"]),
    ("logs --tail -3 x", 2, ["--tail", "-3"]),
    ("stop", 2, ["missing argument 'JOB...'"]),
    ("show a b", 2, ["unexpected extra argument (b)"]),
    ("submit", 2, ["missing argument 'FILE'"]),
    ("submit jb.yaml", 2, ["no file jb.yaml", "Did you mean job.yaml?"]),
    ("submit folder", 2, ["folder is a folder", "folder/job.yaml"]),
    ("submit gone/job.yaml", 2, ["no file gone/job.yaml", "no folder gone"]),
    ("submit empty.yaml", 2, ["empty.yaml:1:1: it is empty", "kind, name and command"]),
    ("submit comment.yaml", 2, ["comment.yaml:1:1: it is empty"]),
    ("submit tabs.yaml", 2, ["tabs.yaml:3:1: there is a tab", "spaces"]),
    ("submit quote.yaml", 2, ["quote.yaml:2:7: a quote is opened", 'close it with "']),
    ("submit bracket.yaml", 2, ["bracket.yaml:2:12: a bracket"]),
    ("submit indent.yaml", 2, ["indent.yaml:2:3: this is indented deeper", "align it with 'kind: training'"]),
    ("submit colon.yaml", 2, ["colon.yaml:2:16: there are two colons", "quotes"]),
    ("submit nocolon.yaml", 2, ["nocolon.yaml:2:1: 'name' is neither a key", "name: …"]),
    ("submit tight.yaml", 2, ["tight.yaml:1:5:", "a space after the colon: 'kind: …'"]),
    ("submit twice.yaml", 2, ["twice.yaml:3:1: the key 'name'", "twice.yaml:2:1: the first 'name'"]),
    ("submit two.yaml", 2, ["two.yaml:2:1: a second document"]),
    ("submit list.yaml", 2, ["list.yaml:1:1: a job file must be a mapping, but this is a list"]),
    ("submit at.yaml", 2, ["at.yaml:1:7: no value can begin with '@'"]),
    ("submit alias.yaml", 2, ["alias.yaml:1:7: *me refers to nothing"]),
    ("submit latin.yaml", 2, ["latin.yaml:2:1: byte", "UTF-8"]),
    ("submit binary.yaml", 2, ["binary.yaml: it is not text"]),
    ("submit broken.json", 2, ["broken.json:1:30: not valid JSON: expecting value"]),
    ("submit deep.json", 2, ["deep.json:1:65: it is nested too deeply"]),
    ("submit deep.yaml", 2, ["deep.yaml:1:70: it is nested too deeply"]),
    ("submit tag.yaml", 2, ["tag.yaml:2:10: the tag !!python/object/apply:os.system is not supported here"]),
    ("run", 2, ["give a job file, or a command after --"]),
    ("run python train.py", 2, ["put -- before it: danlu run -- python train.py"]),
    ("run python", 2, ["no file python", "danlu run -- python"]),
    ("run --gpus lots -- x", 2, ["--gpus", "'lots'"]),
    ("run --gpu=A100 --gpuss 1 -- x", 2, ["no option --gpuss", "--gpus"]),
    ("run --env LR -- x", 2, ["--env", "'LR' is not of the form NAME=VALUE"]),
    ("context use lab", 2, ["no context 'lab'"]),
    ("--context lab ls", 2, ["no context 'lab'"]),
    ("--url ftp://lab ls", 2, ["'ftp://lab' is not an address"]),
    ("--url http://127.0.0.1:99999 ls", 2, ["http://127.0.0.1:99999 is not an address", "port out of range"]),
    ("--url http://127.0.0.1:http ls", 2, ["http://127.0.0.1:http is not an address", "port"]),
    ("--url http://[::1 logs -f x", 2, ["http://[::1 is not an address"]),
    (f"--url http://{'a' * 70}.org ls", 2, ["is not an address", "its host name is not valid"]),
    ("login http://127.0.0.1:99999 --token x", 2, ["is not an address", "port out of range"]),
    ("login http://127.0.0.1:1 --token a\u00a0b", 2, ["the token from --token is not valid"]),
    ("up --virtual-nodes foo", 2, ["--virtual-nodes: 'foo' does not describe nodes; write"]),
    ("up --virtual-nodes 0x0x", 2, ["--virtual-nodes: '0x0x' does not describe nodes"]),
    (
        "up --virtual-nodes 99999x8xA100",
        2,
        ["--virtual-nodes: '99999x8xA100' describes more than 60000 nodes"],
    ),
    ("up --port 99999", 2, ["--port: 99999 is out of range: at most 65535\n"]),
    (
        "up --engine docker",
        2,
        ["--engine: 'docker' is not one of local, simulated", "  hint: choose from: local"],
    ),
    ("completion basch", 2, ["'basch'", "did you mean 'bash'?"]),
    ("user create x --role admin", 2, ["'admin'", "did you mean 'administrator'?"]),
    ("user edit ann", 2, ["nothing to change", "--role"]),
    ("login 127.0.0.1:1", 2, ["no terminal", "--token"]),
]


@pytest.fixture(autouse=True)
def files(a_place_of_its_own: None) -> None:
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("latin.yaml").write_bytes(b"kind: training\nname: caf\xe9\n")
    Path("binary.yaml").write_bytes(b"\x7fELF\x00\x01")


@pytest.mark.parametrize(("words", "code", "says"), CASES, ids=[case[0] for case in CASES])
def test_a_mistake_on_the_command_line(danlu: Danlu, words: str, code: int, says: list[str]):
    result = danlu(*words.split(" "))
    assert (result.code, result.out) == (code, ""), result
    for part in says:
        assert part in result.err
    assert "Traceback" not in result.err
    assert "bug in Danlu" not in result.err
    assert "in the request" not in result.err


@pytest.mark.parametrize("habit", ["-r", "-R", "--recursive"])
def test_who_asks_for_whole_folders_out_of_habit_gets_them(danlu: Danlu, habit: str):
    result = danlu("cp", habit, "folder", "copy")
    assert result.code == 0, result
    assert Path("copy/job.yaml").read_text() == FILES["folder/job.yaml"]


# What standard error must say of some of them where the reader's language is Chinese; of all it must say something.
IN_CHINESE: dict[str, list[str]] = {
    "sumbit job.yaml": ["没有命令“sumbit”。你是想写“danlu submit”吗？"],
    "xyzzy": ["danlu --help 列出全部。"],
    "ls --stat running": ["danlu ls 没有选项 --stat。你是想写“--state”吗？", "查看帮助：danlu ls --help"],
    "ls --state runing": ["-s / --state 的值无效：“runing”无效；你是想写“running”吗？"],
    "stop": ["缺少 JOB..."],
    "submit jb.yaml": ["没有文件 jb.yaml。你是想写“job.yaml”吗？"],
    "submit folder": ["folder 是目录，需要的是任务文件。你是想写“folder/job.yaml”吗？"],
    "submit gone/job.yaml": ["目录 gone 也不存在。"],
    "submit empty.yaml": ["empty.yaml:1:1: 文件为空", "  提示：任务文件至少需要 kind、name 和 command"],
    "submit tabs.yaml": ["tabs.yaml:3:1: 缩进中有制表符"],
    "submit twice.yaml": ["twice.yaml:3:1: 键“name”在此重复出现", "twice.yaml:2:1: 第一个“name”"],
    "submit list.yaml": ["list.yaml:1:1: 任务文件应为映射，而这是列表"],
    "submit broken.json": ["broken.json:1:30: 不是有效的 JSON：expecting value"],
    "run --env LR -- x": ["--env 的值无效：“LR”不是 NAME=VALUE 的形式。"],
    "context use lab": ["没有上下文“lab”。danlu context ls 列出全部。"],
    "--url ftp://lab ls": ["“ftp://lab”不是丹炉的地址"],
    "up --virtual-nodes foo": ["--virtual-nodes: “foo”不是有效的节点描述"],
    "user edit ann": ["没有要修改的内容：请给出 --role"],
    "login 127.0.0.1:1": ["当前不是终端，无法询问密码"],
}
BY_CLICK = {"ls --owner", "show a b"}
"""Sentences of the library that reads the command line."""


@pytest.mark.parametrize(("words", "code"), [case[:2] for case in CASES if case[0] not in BY_CLICK])
def test_a_mistake_on_the_command_line_is_told_in_chinese(danlu: Danlu, monkeypatch, words: str, code: int):
    monkeypatch.setenv("DANLU_LANG", "zh")
    result = danlu(*words.split(" "))
    assert (result.code, result.out) == (code, ""), result
    assert re.search("[\u4e00-\u9fff]", result.err.splitlines()[0]), result.err
    for part in IN_CHINESE.get(words, []):
        assert part in result.err


def test_what_is_told_in_chinese_is_among_the_mistakes():
    assert IN_CHINESE.keys() <= {case[0] for case in CASES}


@pytest.mark.parametrize(
    ("language", "says"),
    [
        (
            "en",
            ["Danlu cannot be reached at http://127.0.0.1:1: nothing is listening there.\n", "'danlu up'"],
        ),
        (
            "zh",
            ["无法连接 http://127.0.0.1:1 的丹炉：该地址没有服务在监听。\n", "请用 danlu up 在本机启动丹炉"],
        ),
    ],
)
def test_a_server_that_is_not_there_is_told_in_both_languages(
    danlu: Danlu, monkeypatch, language: str, says: list[str]
):
    monkeypatch.setenv("DANLU_LANG", language)
    result = danlu("--url", "http://127.0.0.1:1", "ls")
    assert result.code == 5
    for part in says:
        assert part in result.err


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "{url} does not accept the token from DANLU_TOKEN: it may have expired or been removed.\n"),
        ("zh", "{url} 不接受来自DANLU_TOKEN的令牌：它可能已过期或被删除。\n"),
    ],
)
def test_a_token_that_is_not_accepted_is_told_in_both_languages(
    danlu: Danlu, server: FakeServer, monkeypatch, language: str, said: str
):
    monkeypatch.setenv("DANLU_LANG", language)
    server.on("GET", "jobs", problem(401, "not_signed_in", "send a token"))
    assert danlu("ls").err.startswith("danlu: " + said.format(url=server.url))


@pytest.mark.parametrize(
    ("language", "last"),
    [("en", "2 errors; nothing was submitted."), ("zh", "共 2 处错误，未提交。")],
)
def test_how_many_mistakes_there_are_is_told_in_both_languages(
    danlu: Danlu, server: FakeServer, monkeypatch, language: str, last: str
):
    monkeypatch.setenv("DANLU_LANG", language)
    server.on("POST", "jobs", problem(422, "invalid", "2 errors", [WRONG, WRONG]))
    assert danlu("run", "--", "echo", "hi").err.splitlines()[-1] == last


def test_mistakes_that_are_not_listed_are_counted_and_told_last(danlu: Danlu, server: FakeServer):
    more = {"loc": [], "code": "more_mistakes", "message": "and 7 more", "params": {"count": 7}}
    server.on("POST", "jobs", problem(422, "invalid", "8 errors", [more, WRONG]))
    *_, told, last = danlu("run", "--", "echo", "hi").err.splitlines()
    assert told.endswith("and 7 more")
    assert last == "8 errors; nothing was submitted."


@pytest.mark.parametrize("token", ["a\nb", "a b", "密钥"])
@pytest.mark.parametrize("words", ["ls", "logs -f x", "exec x ls", "run -d -- x"])
def test_a_token_that_cannot_be_one_is_named(
    danlu: Danlu, server: FakeServer, monkeypatch, words: str, token: str
):
    monkeypatch.setenv("DANLU_TOKEN", token)
    result = danlu(*words.split())
    assert result.code == 2
    assert result.err.startswith("danlu: the token from DANLU_TOKEN is not valid")
    assert server.requests == []


def test_a_mistake_in_the_settings_file_is_named_by_file_and_key(danlu: Danlu, monkeypatch):
    Path("danlu.toml").write_text("port = 99999\n")
    result = danlu("up")
    assert (result.code, result.err) == (2, "danlu.toml: port: 99999 is out of range: at most 65535\n")
    monkeypatch.setenv("DANLU_PORT", "x")
    assert danlu("up").err.startswith("DANLU_PORT: 'x' is not a whole number")


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setenv("DANLU_URL", url)
    return url


@pytest.mark.parametrize(
    "words", ["ls", "submit job.yaml", "show x", "logs -f x", "nodes", "schema", "exec x ls"]
)
def test_a_server_that_is_not_there_is_exit_5_with_the_address(
    danlu: Danlu, nobody: str, words: str, monkeypatch
):
    monkeypatch.setattr("danlu.sdk.resources.logs.PATIENCE", 0)
    result = danlu(*words.split())
    assert result.code == 5
    assert nobody in result.err
    assert "danlu up" in result.err
    assert "Traceback" not in result.err


def test_an_unknown_host_is_exit_5(danlu: Danlu):
    result = danlu("--url", "http://danlu.invalid:8910", "ls")
    assert result.code == 5
    assert "the host name 'danlu.invalid' cannot be resolved" in result.err


def test_no_token_is_exit_3_with_the_command_to_sign_in(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.delenv("DANLU_TOKEN")
    server.on("GET", "jobs", problem(401, "not_signed_in", "Sign in first"))
    result = danlu("ls")
    assert result.code == 3
    assert f"not signed in at {server.url}. Sign in with: danlu login {server.url}" in result.err


def test_a_wrong_token_says_where_it_came_from(danlu: Danlu, server: FakeServer):
    server.on("GET", "jobs", problem(401, "not_signed_in", "Sign in first"))
    result = danlu("ls")
    assert result.code == 3
    assert "does not accept the token from DANLU_TOKEN" in result.err


def test_not_allowed_is_exit_3(danlu: Danlu, server: FakeServer):
    server.on("GET", "users", problem(403, "not_allowed", "only administrators see people"))
    assert (danlu("user", "ls").code, danlu("user", "ls").err) == (
        3,
        "danlu: only administrators see people\n",
    )


@pytest.mark.parametrize(
    "words", ["show tran-bert", "stop tran-bert", "logs tran-bert", "rm -y tran-bert", "why tran-bert"]
)
def test_an_unknown_job_is_exit_4_with_the_nearest_name(danlu: Danlu, server: FakeServer, words: str):
    server.on("GET", "jobs", {"items": [{"id": "j1", "name": "train-bert"}], "next_cursor": None})
    result = danlu(*words.split())
    assert result.code == 4
    assert "there is no job 'tran-bert'. Did you mean 'train-bert'?" in result.err


@pytest.mark.parametrize(
    "words", ["logs --task worker-9 train", "logs -f --task worker-9 train", "exec --task worker-9 train ls"]
)
def test_an_unknown_task_is_not_an_unknown_job(danlu: Danlu, server: FakeServer, words: str):
    server.on("GET", "jobs/train", {"id": "j1", "name": "train", "state": "running"})
    for path in ("logs", "exec"):
        server.on("GET", f"jobs/j1/{path}", problem(404, "not_found", "the job has no task 'worker-9'"))
    result = danlu(*words.split())
    assert (result.code, result.err) == (4, "danlu: the job has no task 'worker-9'\n")


def test_an_unknown_user_is_exit_4_with_the_nearest_name(danlu: Danlu, server: FakeServer):
    server.on("GET", "users", {"items": [{"name": "alice"}]})
    result = danlu("user", "rm", "-y", "alise")
    assert result.code == 4
    assert "there is no user 'alise'. Did you mean 'alice'?" in result.err


def test_a_wrong_state_is_exit_1_with_the_servers_sentence(danlu: Danlu, server: FakeServer):
    server.on("POST", "jobs/x/start", problem(409, "wrong_state", "x is running already"))
    result = danlu("start", "x")
    assert (result.code, result.err) == (1, "danlu: x is running already\n")


def test_a_missing_code_folder_is_named(danlu: Danlu, server: FakeServer):
    server.on("POST", "jobs/check", {"valid": True, "errors": []})
    result = danlu("submit", "codeless.yaml")
    assert result.code == 2
    assert "nowhere does not exist" in result.err


def test_mistakes_the_server_finds_stand_at_their_lines_in_order(danlu: Danlu, server: FakeServer):
    Path("job.yaml").write_text("kind: traning\nname: x\nresources:\n  gpus: 9\n  gpuss: 1\n")
    errors = [
        {
            "loc": ["resources", "gpuss"],
            "code": "unknown_key",
            "message": "there is no key 'gpuss' here",
            "hint": "did you mean 'gpus'?",
        },
        {"loc": ["resources", "gpus"], "code": "out_of_range", "message": "9 is more than any node has (8)"},
        {
            "loc": ["kind"],
            "code": "not_one_of",
            "message": "'traning' is not one of training",
            "hint": "did you mean 'training'?",
        },
        {"loc": ["command"], "code": "missing", "message": "a training job needs a command"},
    ]
    server.on("POST", "jobs", problem(422, "invalid", "4 errors", errors))
    result = danlu("submit", "job.yaml")
    assert result.code == 2
    assert result.err.splitlines() == [
        "job.yaml:1:1: command: a training job needs a command",
        "job.yaml:1:7: kind: 'traning' is not one of training",
        "  hint: did you mean 'training'?",
        "job.yaml:4:9: resources.gpus: 9 is more than any node has (8)",
        "job.yaml:5:3: resources.gpuss: there is no key 'gpuss' here",
        "  hint: did you mean 'gpus'?",
        "4 errors; nothing was submitted.",
    ]


def test_a_mistake_in_an_option_names_the_option(danlu: Danlu, server: FakeServer):
    errors = [
        {"loc": ["resources", "gpus"], "code": "out_of_range", "message": "9 is more than any node has (8)"}
    ]
    server.on("POST", "jobs", problem(422, "invalid", "1 error", errors))
    result = danlu("run", "--gpus", "9", "--", "echo", "hi")
    assert (result.code, result.err) == (2, "--gpus: 9 is more than any node has (8)\n")


@pytest.mark.parametrize("words", ["run --env DANLU_RANK=7 -- x", "submit --env DANLU_RANK=7 job.yaml"])
def test_a_mistake_in_a_variable_names_the_variable(danlu: Danlu, server: FakeServer, words: str):
    said = "names that start with DANLU_ are reserved for Danlu"
    errors = [{"loc": ["env", "DANLU_RANK"], "code": "reserved", "message": said}]
    server.on("POST", "jobs", problem(422, "invalid", "1 error", errors))
    assert danlu(*words.split()).err == f"--env DANLU_RANK: {said}\n"


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("too many failed sign-ins; try again in 59 s", "too many failed sign-ins; try again in 59 s."),
        ("too many requests", "too many requests. Try again in 1 s."),
    ],
)
def test_when_to_try_again_is_said_once(danlu: Danlu, server: FakeServer, detail: str, said: str):
    more = {"text": {"en": detail, "zh": "x"}} if "in 59 s" in detail else {}
    server.on("GET", "jobs", problem(429, "too_many", detail, None, **more))
    assert danlu("ls").err == f"danlu: {said}\n"


TAKEN = {"en": "lin has a job named bert already", "zh": "lin 已有名为 bert 的任务"}
WRONG = {
    "loc": ["resources", "gpus"],
    "code": "out_of_range",
    "message": "9 is more than any node has (8)",
    "text": {"en": "9 is more than any node has (8)", "zh": "9 超过了任何节点的容量（8）"},
    "hint": "ask for fewer",
    "hint_text": {"en": "ask for fewer", "zh": "请减少数量"},
}


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "DANLU_LANG": "en"}, "en"),
        ({"LC_ALL": "C.UTF-8", "DANLU_LANG": "zh-CN"}, "zh"),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_reader(
    danlu: Danlu, server: FakeServer, monkeypatch, variables: dict[str, str], language: str
):
    for name in ("DANLU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    server.on("GET", "jobs", problem(409, "name_taken", TAKEN["en"], None, text=TAKEN))
    assert danlu("ls").err == f"danlu: {TAKEN[language]}\n"


def test_mistakes_and_their_hints_are_told_in_chinese_too(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setenv("DANLU_LANG", "zh")
    server.on("POST", "jobs", problem(422, "invalid", "1 error", [WRONG]))
    assert danlu("run", "--gpus", "9", "--", "echo", "hi").err == (
        "--gpus: 9 超过了任何节点的容量（8）\n  提示：请减少数量\n"
    )


def test_what_an_older_server_refuses_stays_as_it_is(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setenv("DANLU_LANG", "zh")
    server.on("GET", "jobs", problem(409, "conflict", "not now"))
    assert danlu("ls").err == "danlu: not now\n"


def test_on_a_terminal_the_line_is_shown_with_a_caret(danlu: Danlu, monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    result = danlu("submit", "colon.yaml")
    assert "  2 | command: echo a: b\n    |                ^\n" in result.err


def test_something_unexpected_is_one_line_and_a_file(danlu: Danlu, server: FakeServer):
    server.on("GET", "nodes", Reply(body={"no": "items"}))
    result = danlu("nodes")
    assert result.code == 1
    assert "unexpected error: KeyError: 'items'" in result.err
    assert "Traceback" not in result.err
    path = os.path.join(os.environ["DANLU_CONFIG_DIR"], "last-error.txt")
    assert path in result.err
    assert "Traceback" in Path(path).read_text()


def test_a_debugging_session_shows_the_traceback(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.setenv("DANLU_DEBUG", "1")
    server.on("GET", "nodes", Reply(body={"no": "items"}))
    assert "Traceback" in danlu("nodes").err


def test_a_broken_configuration_names_file_and_line(danlu: Danlu):
    folder = Path(os.environ["DANLU_CONFIG_DIR"])
    folder.mkdir()
    (folder / "config.toml").write_text("current: lab\n")
    result = danlu("ls")
    assert result.code == 2
    assert "config.toml:1: not understood: current: lab" in result.err


def test_the_table_holds_thirty_cases_at_least():
    assert len(CASES) >= 30
