"""GitHub on loopback: the REST and GraphQL calls that memory needs, over a bare repository that git keeps.

Strict as the real one: unknown routes, wrong bodies and missing headers are refused and noted in `refused`, never ok.
It runs in threads of its own, so that a blocking client can be tested from any event loop.
"""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.doubles.github import graphql, rest
from tests.doubles.github.answer import Answer, Refusal, refused
from tests.doubles.github.store import GitStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.doubles.github.faults import Fault

TOKEN = "github_pat_double0123456789"


@dataclass
class GitHubDouble:
    """One repository, `owner/name`, on loopback. What an owner can set on the site is a field here."""

    folder: Path
    owner: str = "mara"
    name: str = "memory"
    tokens: set[str] = field(default_factory=lambda: {TOKEN})
    private: bool = True
    archived: bool = False
    gone: bool = False
    protected: bool = False
    may_push: bool = True
    default_branch: str = "main"
    graphql: bool = True
    expires: str = ""
    scopes: str | None = None
    """What a classic token says of itself; None for a fine-grained one."""
    secrets: tuple[bytes, ...] = (b"AKIAIOSFODNN7EXAMPLE",)
    """What push protection finds."""
    limit: int = 5000
    faults: list[Fault] = field(default_factory=list)
    plan: Callable[[str], Fault | None] | None = None
    requests: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    used: int = 0
    received: int = 0
    """Bytes of request bodies."""

    def __post_init__(self) -> None:
        self.store = GitStore(self.folder)
        self.lock = threading.RLock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.double = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What GITHUB_API_URL is set to."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    def head(self, branch: str = "") -> str | None:
        return self.store.ref(f"refs/heads/{branch or self.default_branch}")

    def count(self, method: str = "", part: str = "") -> int:
        """How many requests of a method went to a path with that part."""
        return sum(one.startswith(method) and part in one for one in self.requests)

    def stop(self) -> None:
        self._http.shutdown()
        self._thread.join(timeout=10)
        self._http.hang_up()
        self._http.server_close()
        with self.lock:
            self.store.close()

    def fault(self, what: str) -> Fault | None:
        """The next fault for this request, used up."""
        for fault in self.faults:
            if fault.times > 0 and fault.where in what:
                fault.times -= 1
                return fault
        return self.plan(what) if self.plan else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    double: GitHubDouble

    def __init__(self, *arguments: Any) -> None:
        self._open: set[Any] = set()
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news; the socket is closed all the same."""

    def hang_up(self) -> None:
        for request in list(self._open):
            self.shutdown_request(request)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815

    def _serve(self) -> None:
        double = self.server.double
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        what = f"{self.command} {unquote(urlsplit(self.path).path)}"
        with double.lock:
            double.requests.append(what)
            double.received += length
            fault = double.fault(what)
            if fault and fault.act == "drop":
                self._hang_up()
                return
            answer = _fault(fault) or self._answer(double, body)
        if fault and fault.act == "delay":
            time.sleep(fault.seconds)  # noqa: TID251 - a slow server
        if fault and fault.act == "after":
            self._hang_up()
            return
        self._send(double, answer)

    def _answer(self, double: GitHubDouble, body: bytes) -> Answer:
        try:
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            self._check(double)
            data = json.loads(body) if body else None
            path = unquote(parts.path)
            if path == "/graphql":
                return graphql.run(double, self.command, data)
            return rest.run(double, self.command, path, query, data)
        except Refusal as error:
            if error.unsound:
                double.refused.append(f"{self.command} {self.path}: {error.answer.message}")
            return error.answer
        except json.JSONDecodeError:
            double.refused.append(f"{self.command} {self.path}: no JSON")
            return refused(400, "Problems parsing JSON")

    def _check(self, double: GitHubDouble) -> None:
        if not self.headers.get("User-Agent"):
            raise Refusal(refused(403, "Request forbidden by administrative rules: no User-Agent"), unsound=True)
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        if kind.lower() not in {"token", "bearer"} or token not in double.tokens:
            raise Refusal(refused(401, "Bad credentials"))
        if self.command != "GET" and "json" not in self.headers.get("Content-Type", "") and self.command != "DELETE":
            raise Refusal(refused(400, "Body should be a JSON object"), unsound=True)

    def _send(self, double: GitHubDouble, answer: Answer) -> None:
        body, headers, status = answer.body(), dict(answer.headers), answer.status
        if self.command == "GET" and status == 200:
            tag = f'W/"{hashlib.sha256(body).hexdigest()}"'
            headers["ETag"] = tag
            if self.headers.get("If-None-Match") == tag:
                status, body = 304, b""
        if status not in {304, 302}:
            double.used += 1
        headers |= {
            "X-RateLimit-Limit": str(double.limit),
            "X-RateLimit-Remaining": str(max(double.limit - double.used, 0)),
            "X-RateLimit-Used": str(double.used),
            "X-RateLimit-Reset": "1900000000",
            "X-RateLimit-Resource": "core",
            "X-GitHub-Request-Id": f"D0:{len(double.requests):X}",
        }
        if double.expires:
            headers["GitHub-Authentication-Token-Expiration"] = double.expires
        if double.scopes is not None:
            headers["X-OAuth-Scopes"] = double.scopes
        self.send_response(status)
        headers.setdefault("Content-Type", "application/json; charset=utf-8")
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 304:
            self.wfile.write(body)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _fault(fault: Fault | None) -> Answer | None:
    if fault is None or fault.act != "status":
        return None
    return Answer(fault.status, raw=fault.body(), headers=fault.headers)
