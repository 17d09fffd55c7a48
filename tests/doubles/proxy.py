"""A line in front of another server that passes calls on, and by script refuses, delays or drops them."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.doubles.github.faults import Fault

HOP = {"connection", "transfer-encoding", "content-length", "content-encoding", "keep-alive"}


@dataclass
class Proxy:
    """Passes on to `port`; a fault `after` drops the answer to what was carried out."""

    port: int
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.http = _Server(("127.0.0.1", 0), _Handler)
        self.http.proxy = self
        self._thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def stop(self) -> None:
        self.http.shutdown()
        self._thread.join(timeout=10)
        self.http.server_close()

    def fault(self, what: str) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and fault.where in what:
                fault.times -= 1
                return fault
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    proxy: Proxy

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""

    def do_GET(self) -> None:
        proxy = self.server.proxy
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        what = f"{self.command} {self.path}"
        proxy.requests.append(what)
        fault = proxy.fault(what)
        if fault and fault.act == "drop":
            self._hang_up()
            return
        if fault and fault.act == "status":
            self._answer(fault.status, dict(fault.headers), fault.body())
            return
        status, headers, found = self._passed_on(proxy, body)
        if fault and fault.act == "delay":
            time.sleep(fault.seconds)  # noqa: TID251 - a slow line
        if fault and fault.act == "after":
            self._hang_up()
            return
        self._answer(status, headers, found)

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815

    def _passed_on(self, proxy: Proxy, body: bytes) -> tuple[int, dict[str, str], bytes]:
        line = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=30)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
        line.request(self.command, self.path, body or None, headers)
        answer = line.getresponse()
        found = answer.read()
        kept = {name: value for name, value in answer.getheaders() if name.lower() not in HOP}
        line.close()
        return answer.status, kept, found

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
