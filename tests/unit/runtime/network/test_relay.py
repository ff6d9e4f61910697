"""Bytes between two sockets."""

import select
import socket
import threading

from danlu.runtime.network.relay import Relay


class Pump:
    """A relay between two ends that the test holds, in a thread."""

    def __init__(self, first=b"", back=b""):
        self.client, ours = socket.socketpair()
        self.host, theirs = socket.socketpair()
        self.relay = Relay()
        self.relay.add(ours, theirs, first, back)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while len(self.relay):
            select.select([self.relay], [], [], 0.1)
            self.relay.carry_on()

    def close(self):
        self.client.close()
        self.host.close()
        self.thread.join(10)
        assert not self.thread.is_alive()


def received(end):
    data = b""
    while more := end.recv(1 << 20):
        data += more
    return data


def test_what_goes_first_goes_first():
    pump = Pump(first=b"first ", back=b"back ")
    pump.client.sendall(b"then")
    pump.host.sendall(b"later")
    pump.client.shutdown(socket.SHUT_WR)
    pump.host.shutdown(socket.SHUT_WR)
    assert (received(pump.host), received(pump.client)) == (b"first then", b"back later")
    pump.close()


def test_one_side_may_end_while_the_other_goes_on():
    pump = Pump()
    pump.client.shutdown(socket.SHUT_WR)
    assert received(pump.host) == b""
    pump.host.sendall(b"an answer")
    assert pump.client.recv(100) == b"an answer"
    pump.close()


def test_much_goes_through_whole_though_nobody_reads_at_first():
    pump = Pump()
    much = bytes(range(256)) * 40_000

    def send():
        pump.client.sendall(much)
        pump.client.shutdown(socket.SHUT_WR)

    sender = threading.Thread(target=send)
    sender.start()
    assert received(pump.host) == much
    sender.join()
    pump.close()


def test_an_end_that_is_gone_takes_the_other_with_it():
    pump = Pump()
    pump.host.close()
    assert received(pump.client) == b""
    pump.close()
