"""What a task tells of its training: the supervisor passes checkpoints on and copies TensorBoard's numbers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.ports import reports, supervision
from tests.fakes.tensorboard import event, record, scalar

SAVE = """
import os, sys
folder = os.environ["DANLU_REPORTS"]
for step in map(int, sys.argv[1:]):
    with open(folder + "/checkpoints.jsonl", "a") as file:
        file.write('[%d,%d,"/ckpt/%d"]\\n' % (1000 + step, step, step))
"""
EVENTS = "import os, sys; os.makedirs('runs/a'); open('runs/a/events.out.tfevents.1', 'wb').write(bytes.fromhex(sys.argv[1]))"
INSIDE = "/run/danlu/reports"


def reporting(runs, program, *arguments, isolation, **fields):
    """A task with a folder to report in, as the engine gives it."""
    folder = Path(reports.reports_folder(str(runs.base / "logs" / f"attempt{len(runs.tasks)}/worker-0.log")))
    os.makedirs(folder, exist_ok=True)
    inside = INSIDE if isolation["bubblewrap"] else str(folder)
    env = {"DANLU_REPORTS": inside, **fields.pop("env", {})}
    binds = [[str(folder), INSIDE, "rw"], *fields.pop("binds", [])]
    task = runs.task(
        isolation=isolation, env=env, argv=["/usr/bin/env", "python3", "-c", program, *arguments]
    )
    file = supervision.read_json(os.path.join(task.dir, supervision.TASK_FILE))
    file["log"], file["binds"] = str(folder).replace(".reports", ".log"), [*file["binds"], *binds]
    supervision.write_json(os.path.join(task.dir, supervision.TASK_FILE), file)
    assert runs.ask({"start": task.name}) == [{"ok": True}]
    return task, str(folder)


def saved(task):
    return [record["step"] for record in task.records() if record["event"] == supervision.CHECKPOINT]


def test_the_last_checkpoint_is_told_before_the_end(runs, isolation):
    task, _ = reporting(runs, SAVE, "1", "2", "3", isolation=isolation)
    assert task.exited()["code"] == 0
    assert saved(task)[-1] == 3
    kinds = [record["event"] for record in task.records()]
    assert kinds[-2:] == [supervision.CHECKPOINT, supervision.EXITED]
    told = task.find(supervision.CHECKPOINT)
    assert (told["path"], told["at"]) == ("/ckpt/3", 1003)


def test_a_checkpoint_from_the_future_is_one_of_now(runs, isolation):
    task, _ = reporting(runs, SAVE, str(2**52), isolation=isolation)
    assert task.exited()["code"] == 0
    told = task.find(supervision.CHECKPOINT)
    assert told["at"] <= told["time"]


def test_checkpoints_are_told_while_the_task_runs_and_not_too_often(runs, isolation):
    program = SAVE + "import time\nwhile True: time.sleep(1)\n"
    task, folder = reporting(runs, program, "1", isolation=isolation)
    task.wait_for(supervision.CHECKPOINT)
    for step in range(2, 40):
        reports.append(folder, reports.CHECKPOINTS_FILE, reports.save_line(reports.Save(step, step, "/x")))
    task.stop(0)
    task.exited()
    assert saved(task) == [1, 39]


def test_a_checkpoint_made_after_the_order_to_stop_counts(runs, isolation):
    program = "import signal, time\ndef save(*_):\n  " + "\n  ".join(SAVE.strip().splitlines())
    program += "\n  sys.exit(0)\nsignal.signal(signal.SIGTERM, save)\nwith open('ready', 'w') as ready: ready.write('\\n')\nwhile True: time.sleep(1)\n"
    task, _ = reporting(runs, program, "77", isolation=isolation)
    task.file("ready")
    task.stop(10_000)
    ended = task.exited()
    assert (ended["code"], ended["stopped"], saved(task)) == (0, True, [77])


def test_tensorboards_scalars_land_among_the_metrics(runs, isolation):
    data = b"".join(record(event(step, scalar("loss", 0.5))) for step in range(3))
    task, folder = reporting(runs, EVENTS, data.hex(), isolation=isolation)
    assert task.exited()["code"] == 0
    points, _ = reports.read_points(folder)
    assert [(point.step, dict(point.values)) for point in points] == [(n, {"loss": 0.5}) for n in range(3)]


def test_those_in_the_folder_for_checkpoints_too(runs, isolation, tmp_path):
    kept = tmp_path / "kept"
    (kept / "job").mkdir(parents=True)
    inside = "/mnt/eve" if isolation["bubblewrap"] else str(kept)
    program = EVENTS.replace("os.makedirs('runs/a')", "os.chdir(os.environ['DANLU_CHECKPOINT_DIR'])")
    program = program.replace("runs/a/", "")
    task, folder = reporting(
        runs,
        program,
        record(event(4, scalar("loss", 0.5))).hex(),
        isolation=isolation,
        env={"DANLU_CHECKPOINT_DIR": f"{inside}/job"},
        binds=[[str(kept), "/mnt/eve", "rw"]] if isolation["bubblewrap"] else [],
    )
    assert task.exited()["code"] == 0
    assert [point.step for point in reports.read_points(folder)[0]] == [4]


@pytest.mark.parametrize("way", ["/etc", "/mnt/eve/out"])
def test_a_sandboxed_task_cannot_send_the_supervisor_elsewhere(runs, tmp_path, way):
    """Neither by naming a folder of the machine that it cannot see, nor by a link."""
    secret, kept = tmp_path / "secret", tmp_path / "kept"
    for folder in (secret, kept):
        folder.mkdir()
    (secret / "events.out.tfevents.1").write_bytes(record(event(4, scalar("loss", 0.5))))
    (kept / "out").symlink_to(secret)
    way = str(secret) if way == "/etc" else way
    task, folder = reporting(
        runs,
        "import time",
        isolation={"bubblewrap": True, "cgroup": False},
        env={"DANLU_CHECKPOINT_DIR": way},
        binds=[[str(kept), "/mnt/eve", "rw"]],
    )
    assert task.exited()["code"] == 0
    assert reports.read_points(folder)[0] == []


def test_a_task_without_a_folder_to_report_in_runs_as_ever(runs):
    task = runs.start(command="true")
    assert task.exited()["code"] == 0
    assert task.find(supervision.CHECKPOINT) is None
