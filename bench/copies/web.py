"""A web server that knows ranges, for one folder: `python web.py FOLDER` prints its port."""

from __future__ import annotations

import http.server
import os
import sys
from pathlib import Path


class Ranges(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        with Path(sys.argv[1], os.path.basename(self.path)).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            begin, end, wanted = 0, size, self.headers.get("Range")
            if wanted:
                first, _, last = wanted.removeprefix("bytes=").partition("-")
                begin, end = int(first), min(size, int(last) + 1 if last else size)
            self.send_response(206 if wanted else 200)
            if wanted:
                self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{size}")
            for name, value in (
                ("Accept-Ranges", "bytes"),
                ("ETag", f'"{size:x}"'),
                ("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT"),
                ("Content-Length", str(end - begin)),
            ):
                self.send_header(name, value)
            self.end_headers()
            if with_body:
                self.wfile.flush()
                while begin < end:
                    begin += os.sendfile(self.connection.fileno(), file.fileno(), begin, end - begin)

    def log_message(self, *told: object) -> None:
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    print(server.server_port, flush=True)
    server.serve_forever()
