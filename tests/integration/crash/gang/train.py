"""A gang that adds up numbers in lockstep over TCP, and keeps its progress in checkpoints of its own.

Each step every rank sends its part to rank 0 and waits for the sum, as an all-reduce does: when one is gone, all stand
still. Rank 0 notes each step it counted, saves every third one, and goes on until it is told that it is enough."""

import fcntl
import json
import os
import socket
import sys
import time

import danlu

RANK, WORLD = int(os.environ["DANLU_RANK"]), int(os.environ["DANLU_WORLD_SIZE"])
PLACE = (os.environ["DANLU_MASTER_ADDR"], int(os.environ["DANLU_MASTER_PORT"]))
FOLDER = os.environ["DANLU_CHECKPOINT_DIR"]
ENOUGH = os.path.join(FOLDER, "enough")
SAVE_EVERY = 3


def resumed():
    found = danlu.resume_from()
    if found is None:
        return {"counted": [], "total": 0}
    with open(found.path, encoding="ascii") as file:
        return json.load(file)


def save(state):
    path = os.path.join(FOLDER, f"{len(state['counted'])}.json")
    draft = f"{path}.{os.getpid()}"
    with open(draft, "w", encoding="ascii") as file:
        json.dump(state, file)
    os.replace(draft, path)
    danlu.checkpoint(path, len(state["counted"]))


def be_first():
    """Only one attempt may count at a time: a second one beside it would be told so, and the test would see it."""
    lock = os.open(os.path.join(FOLDER, "lock"), os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        with open(os.path.join(FOLDER, "twice"), "a", encoding="ascii") as file:
            file.write(os.environ["DANLU_ATTEMPT"] + "\n")


def lead():
    be_first()
    with socket.create_server(PLACE) as server:
        peers = [server.accept()[0].makefile("rw") for _ in range(WORLD - 1)]
        state = resumed()
        enough = False
        while not enough:
            step, enough = len(state["counted"]), os.path.exists(ENOUGH)
            for peer in peers:
                print(step, file=peer, flush=True)
            parts = [1, *(int(peer.readline()) for peer in peers)]
            state["total"] += sum(parts)
            state["counted"].append(step)
            danlu.log(step, total=state["total"])
            if len(state["counted"]) % SAVE_EVERY == 0 or enough:
                save(state)
            time.sleep(0.02)
        for peer in peers:
            print(-1, file=peer, flush=True)


def follow():
    for _ in range(600):
        try:
            peer = socket.create_connection(PLACE).makefile("rw")
            break
        except OSError:
            time.sleep(0.1)
    else:
        sys.exit("rank 0 is nowhere")
    for line in peer:
        if int(line) < 0:
            return
        print(RANK + 1, file=peer, flush=True)
    sys.exit("rank 0 is gone")


os.makedirs(FOLDER, exist_ok=True)
if RANK == 0:
    lead()
else:
    follow()
