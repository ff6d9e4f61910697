"""OpenStack Swift with its S3 API in a few small processes, by the Python of the environment `swift`: `… FOLDER`.

Writes the port of its S3 endpoint to FOLDER/port once it listens; what it stores goes with the folder."""

from __future__ import annotations

import getpass
import os
import sys
import warnings
from pathlib import Path
from typing import NoReturn

warnings.filterwarnings("ignore")  # of libraries that announce what they will drop one day

import eventlet  # noqa: E402
import eventlet.debug  # noqa: E402

eventlet.monkey_patch()

from swift.common import utils, wsgi  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402

KINDS = ("account", "container", "object")
PIPELINE = (
    "catch_errors gatekeeper healthcheck listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink "
    "proxy-server"
)
BACKEND = """
[DEFAULT]
swift_dir = {home}
devices = {home}/disks
mount_check = false
user = {user}
workers = 0
fallocate_reserve = 0
disable_fallocate = true

[pipeline:main]
pipeline = {kind}-server

[app:{kind}-server]
use = egg:swift#{kind}
"""
PROXY = """
[DEFAULT]
swift_dir = {home}
user = {user}
workers = 0
client_timeout = 600

[pipeline:main]
pipeline = {pipeline}

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
node_timeout = 120
conn_timeout = 30
recoverable_node_timeout = 120

[filter:tempauth]
use = egg:swift#tempauth
user_danlu_owner = {owner} .admin
user_danlu_reader = {reader}

[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
dns_compliant_bucket_names = true
min_segment_size = 5242880

[filter:slo]
use = egg:swift#slo
rate_limit_after_segment = 1000000
{plain}"""
PLAIN = (
    "catch_errors", "gatekeeper", "healthcheck", "listing_formats", "bulk", "copy", "dlo", "versioned_writes",
    "symlink",
)  # fmt: skip


def main() -> None:
    home = Path(sys.argv[1])
    (home / "disks" / "d1").mkdir(parents=True)
    (home / "swift.conf").write_text(
        "[swift-hash]\nswift_hash_path_prefix = tests\nswift_hash_path_suffix = tests\n"
    )
    # Before anything of Swift reads it from /etc.
    utils.SWIFT_CONF_FILE = str(home / "swift.conf")
    utils.validate_hash_conf()
    sockets = {kind: eventlet.listen(("127.0.0.1", 0)) for kind in (*KINDS, "proxy")}
    user = getpass.getuser()
    for kind in KINDS:
        make_ring(home, kind, sockets[kind].getsockname()[1])
        if os.fork() == 0:  # each wants an event loop of its own
            serve(home, kind, BACKEND.format(home=home, kind=kind, user=user), sockets[kind])
    plain = "".join(f"\n[filter:{name}]\nuse = egg:swift#{name}\n" for name in PLAIN)
    secrets = {"owner": os.environ["S3_OWNER_SECRET"], "reader": os.environ["S3_READER_SECRET"]}
    proxy = PROXY.format(home=home, user=user, pipeline=PIPELINE, plain=plain, **secrets)
    made = home / "port.new"
    made.write_text(str(sockets["proxy"].getsockname()[1]))
    made.rename(home / "port")
    serve(home, "proxy", proxy, sockets["proxy"])


def make_ring(home: Path, kind: str, port: int) -> None:
    builder = RingBuilder(2, 1, 0)
    builder.add_dev(
        {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "d1", "weight": 1.0}
    )
    builder.rebalance()
    builder.get_ring().save(str(home / f"{kind}.ring.gz"))


def serve(home: Path, kind: str, conf: str, sock: object) -> NoReturn:
    file = home / f"{kind}.conf"
    file.touch(0o600)
    file.write_text(conf)
    settings = {**wsgi.appconfig(str(file), name=f"{kind}-server"), "__file__": str(file)}
    wsgi.run_server(settings, utils.get_logger(settings, log_route=kind), sock)
    sys.exit(1)


if __name__ == "__main__":
    main()
