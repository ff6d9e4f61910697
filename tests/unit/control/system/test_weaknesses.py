"""What is weak, from facts alone."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import replace

import pytest

from danlu.control.system.accounts import account_weaknesses
from danlu.control.system.facts import AccountFacts, RecordFacts, ServingFacts, SystemFacts
from danlu.control.system.files import disk_weaknesses, file_weaknesses
from danlu.control.system.network import network_weaknesses
from danlu.control.system.records import record_weaknesses
from danlu.control.system.tasks import task_weaknesses
from danlu.domain.isolation import PODS, Ability, IsolationForm, Lack, LackCause, TaskIsolation
from danlu.domain.people import FIRST_UID, LOCAL_TOKEN, Token, User, UserRole
from danlu.domain.weakness import Severity, Weakness
from danlu.ports.system import DiskSpace, MachineFacts, PlaceFact, PlaceKind

DAY, GIB = 86_400_000, 2**30
NOW = 1_000 * DAY
BEST = TaskIsolation(IsolationForm.SANDBOX, (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS))
MACHINE = MachineFacts(0, (6, 1, 0), (0, 11, 0), DiskSpace(1000 * GIB, 500 * GIB))
ADMIN = User("admin", UserRole.ADMINISTRATOR, NOW - DAY, password_hash="hash")
GOOD = SystemFacts(
    now=NOW,
    nodes={"n1": BEST},
    machine=MACHINE,
    serving=ServingFacts("127.0.0.1", None),
    accounts=(AccountFacts(ADMIN, signed_in_at=NOW - DAY),),
    records=RecordFacts(0, NOW - DAY),
    runs_tasks=True,
)


def every(facts: SystemFacts) -> list[Weakness]:
    rules = (task_weaknesses, file_weaknesses, account_weaknesses, record_weaknesses)
    return [*(one for rule in rules for one in rule(facts)), *network_weaknesses(facts.serving)]


def codes(found: Iterable[Weakness]) -> list[str]:
    weak = list(found)
    for one in weak:
        for words in (one.text, one.fix):
            assert words.en
            assert words.zh
            assert "{" not in words.en + words.zh
    return [one.code for one in weak]


def test_of_a_good_installation_nothing_is_said() -> None:
    assert every(GOOD) == []
    assert every(replace(GOOD, nodes={"pod-1": PODS}, runs_tasks=False)) == []


def lacking(*lacks: Lack, form: IsolationForm = IsolationForm.PROCESS, root: bool = False) -> SystemFacts:
    two = (*GOOD.accounts, AccountFacts(replace(ADMIN, name="eve"), signed_in_at=NOW))
    told = TaskIsolation(form, (), lacks, root)
    return replace(GOOD, nodes={"n1": told, "n2": told, "n3": BEST}, accounts=two)


def test_the_same_lack_of_many_nodes_is_one_weakness() -> None:
    (one,) = task_weaknesses(lacking(Lack(Ability.CGROUP, LackCause.NOT_WORKING, "read-only")))
    assert (one.code, one.severity) == ("isolation_cgroup_not_working", Severity.MEDIUM)
    assert one.subjects == ("n1", "n2")
    assert "read-only" in one.text.zh


@pytest.mark.parametrize("ability", Ability)
def test_all_that_a_node_lacks_is_told_as_danlu_up_tells_it(ability: Ability) -> None:
    lack = Lack(ability, LackCause.NOT_WORKING, "no iptables")
    (one,) = task_weaknesses(lacking(lack))
    assert one.code == f"isolation_{lack.code}"
    assert one.text.en.startswith(lack.text.en)
    assert one.fix == lack.fix


def test_root_s_tasks_without_a_sandbox_are_the_worst() -> None:
    rooted = codes(task_weaknesses(lacking(Lack(Ability.SANDBOX, LackCause.BY_SETTING), root=True)))
    assert rooted == ["tasks_as_root", "isolation_sandbox_by_setting"]
    blocked = lacking(Lack(Ability.SANDBOX, LackCause.NOT_INSTALLED), form=IsolationForm.BLOCKED)
    assert codes(task_weaknesses(blocked)) == ["tasks_blocked", "isolation_sandbox_not_installed"]


def test_one_user_for_all_matters_once_there_are_two_people() -> None:
    shared = lacking(Lack(Ability.OWN_USERS, LackCause.NO_RANGE, "smith"))
    assert [one.severity for one in task_weaknesses(shared)] == [Severity.HIGH]
    alone = replace(shared, accounts=GOOD.accounts)
    assert [one.severity for one in task_weaknesses(alone)] == [Severity.LOW]


def test_what_is_too_old_for_what_is_used_is_told_where_tasks_run() -> None:
    old = replace(GOOD, machine=replace(MACHINE, kernel=(3, 10, 0), bubblewrap=(0, 4, 1)))
    assert codes(task_weaknesses(old)) == ["bubblewrap_old", "kernel_old"]
    assert codes(task_weaknesses(replace(old, runs_tasks=False))) == []


@pytest.mark.parametrize(
    ("serving", "expected"),
    [
        (ServingFacts("0.0.0.0", None), ["no_tls"]),
        (ServingFacts("10.0.0.5", "http://danlu.lab"), ["no_tls"]),
        (ServingFacts("127.0.0.1", "http://danlu.lab"), ["no_tls"]),
        (ServingFacts("127.0.0.1", "http://localhost:8910"), []),
        (ServingFacts("127.0.0.1", "https://danlu.lab", ("127.0.0.1", "10.0.0.0/8")), []),
        (ServingFacts("0.0.0.0", "https://danlu.lab"), ["port_beside_tls"]),
        (ServingFacts("127.0.0.1", None, ("0.0.0.0/0",)), ["proxies_anybody"]),
        (ServingFacts("127.0.0.1", None, ("*",)), ["proxies_anybody"]),
        (ServingFacts("localhost", None, cluster_programs=True), ["cluster_programs"]),
    ],
)
def test_what_can_be_overheard_and_who_is_believed(serving: ServingFacts, expected: list[str]) -> None:
    assert codes(network_weaknesses(serving)) == expected


FOLDER, FILE = stat.S_IFDIR, stat.S_IFREG


def placed(*places: PlaceFact, uid: int = 0, secrets: tuple[str, ...] = ()) -> SystemFacts:
    machine = replace(MACHINE, places=places, uid=uid, settings_secrets=secrets)
    return replace(GOOD, machine=machine)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (PlaceFact(PlaceKind.DATA, "/d", FOLDER | 0o755, 0), ["data_readable"]),
        (PlaceFact(PlaceKind.DATA, "/d", FOLDER | 0o700, 0), []),
        (PlaceFact(PlaceKind.SECRET, "/d/secrets/key", FILE | 0o640, 0), ["secrets_readable"]),
        (PlaceFact(PlaceKind.SETTINGS, "/danlu.toml", FILE | 0o666, 0), ["settings_writable"]),
        (PlaceFact(PlaceKind.CODE, "/danlu/a.py", FILE | 0o646, 0), ["code_writable"]),
        (PlaceFact(PlaceKind.CODE, "/tmp", FOLDER | 0o1777, 0), []),
        (PlaceFact(PlaceKind.PYTHON, "/venv/lib", FOLDER | 0o777, 0), ["python_writable"]),
        (PlaceFact(PlaceKind.PYTHON, "/venv/lib", FOLDER | 0o755, FIRST_UID), ["code_of_tasks"]),
        (PlaceFact(PlaceKind.CODE, "/danlu", FOLDER | 0o755, 1000), ["code_of_others"]),
    ],
)
def test_who_can_read_secrets_and_change_what_runs(place: PlaceFact, expected: list[str]) -> None:
    assert codes(file_weaknesses(placed(place))) == expected


def test_an_ordinary_user_owns_what_it_runs() -> None:
    own = PlaceFact(PlaceKind.CODE, "/home/eve/danlu", FOLDER | 0o755, 1000)
    assert codes(file_weaknesses(placed(own, uid=1000))) == []


def test_a_settings_file_is_to_be_closed_where_it_holds_a_password() -> None:
    file = PlaceFact(PlaceKind.SETTINGS, "/danlu.toml", FILE | 0o644, 0)
    assert codes(file_weaknesses(placed(file))) == []
    (one,) = file_weaknesses(placed(file, secrets=("database",)))
    assert one.code == "settings_readable"
    assert "database" in one.text.en
    assert one.fix.en == "chmod 600 /danlu.toml"


def test_what_lies_in_an_open_folder_is_not_told_again() -> None:
    places = [PlaceFact(PlaceKind.SECRET, path, FOLDER | 0o755, 0) for path in ("/s", "/s/a", "/s/b", "/t")]
    (one,) = file_weaknesses(placed(*places))
    assert one.subjects == ("/s", "/t")


@pytest.mark.parametrize(
    ("total", "free", "full"),
    [
        (1000, 1, True),
        (1000, 49, True),
        (1000, 51, False),
        (20, 0.9, True),
        (20, 3, False),
        (100_000, 60, False),
    ],
)
def test_a_disk_is_nearly_full_before_it_is_full(total: int, free: float, full: bool) -> None:
    found = codes(disk_weaknesses(DiskSpace(total * GIB, int(free * GIB))))
    assert found == (["disk_nearly_full"] if full else [])


def test_volumes_that_are_only_measured_are_told_where_tasks_run() -> None:
    assert codes(every(replace(GOOD, holds_volumes=False))) == ["volumes_only_measured"]
    assert codes(every(replace(GOOD, holds_volumes=False, runs_tasks=False))) == []


@pytest.mark.parametrize(
    ("free", "code"),
    [(9, "disk_below_reserve"), (11, "disk_nearly_full"), (19, "disk_nearly_full"), (21, "")],
)
def test_the_reserve_of_a_disk_is_told_before_it_is_reached_and_when_nothing_starts(
    free: int, code: str
) -> None:
    found = list(disk_weaknesses(DiskSpace(200 * GIB, free * GIB, 10 * GIB)))
    assert codes(found) == ([code] if code else [])
    assert all("disk_reserve" in one.text.zh for one in found if code == "disk_below_reserve")


def of(*accounts: AccountFacts) -> SystemFacts:
    return replace(GOOD, accounts=accounts)


def token(name: str, created: int, expires: int | None = None, used: int | None = None) -> Token:
    return Token(name, "admin", name, "hash", created, (), expires, used)


def test_tokens_that_never_end_or_are_not_used() -> None:
    tokens = (
        token("endless", NOW - DAY),
        token("old", NOW - 100 * DAY, NOW + DAY),
        token("used", NOW - 100 * DAY, NOW + DAY, NOW - DAY),
        token("expired", NOW - 200 * DAY, NOW - DAY),
        token(LOCAL_TOKEN, NOW - DAY),
    )
    found = list(account_weaknesses(of(AccountFacts(ADMIN, tokens, NOW - DAY))))
    assert {one.code: one.subjects for one in found} == {
        "tokens_without_expiry": ("admin:endless",),
        "tokens_unused": ("admin:old",),
    }


def test_accounts_that_nobody_uses() -> None:
    left = AccountFacts(replace(ADMIN, name="left"), signed_in_at=NOW - 91 * DAY)
    never = AccountFacts(User("never", UserRole.ENGINEER, NOW - 31 * DAY, password_hash="hash"))
    new = AccountFacts(User("new", UserRole.ENGINEER, NOW - DAY, password_hash="hash"))
    off = AccountFacts(User("off", UserRole.ADMINISTRATOR, 0, disabled=True))
    found = list(account_weaknesses(of(*GOOD.accounts, left, never, new, off)))
    assert {one.code: one.subjects for one in found} == {
        "accounts_never_used": ("never",),
        "administrators_absent": ("left",),
    }


def test_an_administrator_without_a_password_is_opened_by_a_printed_link() -> None:
    first = AccountFacts(replace(ADMIN, password_hash=None), signed_in_at=NOW)
    assert codes(account_weaknesses(of(first))) == ["administrator_without_password"]
    provided = AccountFacts(replace(ADMIN, password_hash=None, subject="https://id#1"), signed_in_at=NOW)
    assert codes(account_weaknesses(of(provided))) == []


def test_records_that_were_changed_or_lie_in_the_future() -> None:
    assert codes(record_weaknesses(replace(GOOD, records=RecordFacts(7, NOW)))) == ["audit_broken"]
    assert codes(record_weaknesses(replace(GOOD, records=RecordFacts(None, NOW + 120_000)))) == [
        "clock_behind"
    ]
    assert codes(record_weaknesses(replace(GOOD, records=RecordFacts(None, None)))) == []


def test_projects_that_differ_in_case_alone_are_told() -> None:
    twins = replace(GOOD, records=RecordFacts(0, NOW, (("NLP", "nlp"),)))
    (found,) = record_weaknesses(twins)
    assert (found.code, found.severity.value) == ("twin_projects", "low")
    assert "NLP" in found.text.en
