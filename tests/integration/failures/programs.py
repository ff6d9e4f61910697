"""Programs that stop working, for tests that look into them."""

from __future__ import annotations

WAITS_FOR_A_PEER = """
import subprocess, time
def waits_for_a_peer():
    time.sleep(1000)
child = subprocess.Popen(["sleep", "1000"])
print("began", flush=True)
waits_for_a_peer()
"""

STOPS_ITSELF = """
import os, signal
def is_stopped():
    os.kill(os.getpid(), signal.SIGSTOP)
print("began", flush=True)
is_stopped()
"""
