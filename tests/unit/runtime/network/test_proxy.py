"""What the proxy of a job's network understands and allows."""

import socket

import pytest

from danlu.runtime.network import proxy
from danlu.runtime.network.proxy import ProxyRequest, Refused, is_allowed, leads_back, read_request


def request(data):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        return read_request(ours)


def test_a_tunnel_keeps_what_came_after_its_head():
    asked = request(b"CONNECT PyPI.org:443 HTTP/1.1\r\nHost: pypi.org\r\n\r\nhello")
    assert asked == ProxyRequest("pypi.org", 443, b"hello", True)


def test_a_plain_request_goes_on_as_the_host_expects_it():
    asked = request(
        b"POST http://host:8080/a?b=c HTTP/1.1\r\nHost: host:8080\r\nProxy-Authorization: secret\r\n"
        b"Connection: keep-alive\r\nContent-Length: 4\r\n\r\nbody"
    )
    expected = (
        b"POST /a?b=c HTTP/1.1\r\nHost: host:8080\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
    )
    assert asked == ProxyRequest("host", 8080, expected, False)


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET ftp://host/ HTTP/1.1\r\n\r\n",
        b"CONNECT :443 HTTP/1.1\r\n\r\n",
        b"CONNECT host:99999 HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\r\n\r\n",
    ],
)
def test_what_is_no_request_for_a_proxy_is_refused(data):
    with pytest.raises(Refused) as refusal:
        request(data)
    assert refusal.value.answer().startswith(b"HTTP/1.1 400 ")


def test_a_head_has_an_end():
    with pytest.raises(Refused) as refusal:
        request(b"GET http://host/ HTTP/1.1\r\n" + b"X: " + b"x" * 40_000)
    assert refusal.value.status.startswith("431")


def test_a_client_that_leaves_is_no_request():
    with pytest.raises(ConnectionError):
        request(b"CONNECT host")


@pytest.mark.parametrize(
    ("host", "port", "allowed"),
    [
        ("pypi.org", 443, True),
        ("pypi.org", 22, False),
        ("evil-pypi.org", 443, False),
        ("pypi.org.evil.example", 443, False),
        ("a.hf.co", 443, True),
        ("hf.co", 443, False),
        ("mirror", 8081, True),
        ("mirror", 443, False),
    ],
)
def test_names_patterns_and_ports(host, port, allowed):
    assert is_allowed(host, port, ["pypi.org", "*.hf.co", "mirror:8081"]) is allowed


def test_everything_is_any_port():
    assert is_allowed("anything.example", 22, ["*"])
    assert not is_allowed("anything.example", 443, [])


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "169.254.169.254", "fe80::1%lo"],
)
def test_addresses_of_the_machine_and_its_links_lead_back(address):
    assert leads_back(address)


def test_an_address_of_somebody_else_does_not():
    assert not leads_back("203.0.113.7")


def test_a_name_that_leads_back_is_refused_unless_it_is_named_with_its_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        asked = ProxyRequest("127.0.0.1", port, b"", True)
        with pytest.raises(Refused, match="is this machine"):
            proxy.open_way(asked, ["*"])
        proxy.open_way(asked, [f"127.0.0.1:{port}"]).close()
