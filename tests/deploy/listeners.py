"""Clients of the event stream, and a process that writes to the journal of the same service."""

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, TextIO

import psutil

from tests.deploy.service import Service
from tests.processes import Program, eventually

WRITER = """
import socket, sys, django
django.setup()
from django.db import transaction
from games.core.journal.lines import append_line

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
lines = connection.makefile("rw")
for line in lines:
    stream, count, kind = line.split()
    for number in range(int(count)):
        with transaction.atomic():
            payload = {"round": 1, "starts_on": f"2026-05-{number % 28 + 1:02}"}
            written = append_line(stream, kind, payload, by=None)
    print(written.sequence, file=lines, flush=True)
"""
"""Write so many lines, each in its own transaction, and print the number of the last."""


@dataclass(slots=True)
class Listener:
    """A client of a stream; it stores what it has received, as a browser does."""

    service: Service
    path: str
    token: str = ""
    ids: list[int] = field(default_factory=list)
    connection: HTTPConnection | None = None
    response: HTTPResponse | None = None
    timeout: float = 20.0

    def open(self, last: int | None = None) -> "Listener":
        """Connect, with the id of the last event if there is one; read the opening lines."""
        self.close()
        last = self.ids[-1] if last is None and self.ids else last
        headers = {"Last-Event-ID": str(last)} if last is not None else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self.connection = HTTPConnection("localhost", self.service.port, timeout=self.timeout)
        self.connection.request("GET", self.path, headers=headers)
        self.response = self.connection.getresponse()
        if self.response.status == 200:
            opening = self._read_lines()
            assert opening[0].startswith("retry: "), opening
        return self

    def close(self) -> None:
        if self.response is not None:
            self.response.close()
        if self.connection is not None:
            self.connection.close()

    @property
    def status(self) -> int:
        assert self.response is not None
        return self.response.status

    @property
    def problem(self) -> dict[str, Any]:
        assert self.response is not None
        problem: dict[str, Any] = json.loads(self.response.read())
        return problem

    def read(self) -> dict[str, Any]:
        """Return the next event; empty at the end of the stream."""
        while lines := self._read_lines():
            if lines == [": alive"]:
                continue
            fields = dict(line.split(": ", 1) for line in lines)
            if "id" in fields:
                self.ids.append(int(fields["id"]))
            return {"event": fields.get("event", ""), **json.loads(fields["data"])}
        return {}

    def read_line(self) -> str:
        """Return what comes next, an event or a comment."""
        return "\n".join(self._read_lines())

    def read_until(self, sequence: int) -> list[int]:
        """Read until the event with this number; return the numbers of this connection."""
        count = len(self.ids)
        while not self.ids[count:] or self.ids[-1] < sequence:
            assert self.read(), "the stream has ended"
        return self.ids[count:]

    def has_ended(self) -> bool:
        with suppress(OSError):
            return self.read() == {}
        return True

    def _read_lines(self) -> list[str]:
        """Return the lines up to the next empty one."""
        assert self.response is not None
        lines = []
        while (line := self.response.readline().decode()) not in ("", "\n"):
            lines.append(line.rstrip("\n"))
        return lines


@dataclass(slots=True)
class Writer:
    """A process that writes to the journal, as a request would."""

    lines: TextIO

    def write(self, stream: str, count: int = 1, kind: str = "round.scheduled") -> int:
        """Write lines, by default such as everybody may read; return the number of the last one."""
        print(stream, count, kind, file=self.lines, flush=True)
        return int(self.lines.readline())


@contextmanager
def writing(service: Service) -> Iterator[Writer]:
    """Start a writer with the database and the broker of a service."""
    environment = service.environment | {"DJANGO_SETTINGS_MODULE": "deploy.settings"}
    address, log = service.folder / "writer.sock", service.folder / "writer.log"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
        listener.listen()
        listener.settimeout(60)
        command = [sys.executable, "-c", WRITER, str(address)]
        writer = Program(command, log=log, environment=environment).start()
        try:
            connection = listener.accept()[0]
            connection.settimeout(60)
            with connection, connection.makefile("rw") as lines:
                yield Writer(lines)
        finally:
            writer.kill()
            address.unlink()


@contextmanager
def listening(service: Service, path: str, **options: Any) -> Iterator[Listener]:
    """Open a stream, and close it at the end."""
    listener = Listener(service, path, **options)
    try:
        listener.open()
        yield listener
    finally:
        listener.close()


@contextmanager
def without_web_server(service: Service) -> Iterator[None]:
    """Kill the web server, and suspend its parent meanwhile, which restarts it at once."""
    child = service.child("web server")
    assert service.process is not None
    parent = psutil.Process(service.process.pid)
    parent.suspend()
    try:
        eventually(lambda: parent.status() == psutil.STATUS_STOPPED)
        child.kill()
        eventually(lambda: _has_closed_its_sockets(child))
        yield
    finally:
        parent.resume()
    eventually(lambda: service.get("/health/live")[0] == 200)


def _has_closed_its_sockets(process: psutil.Process) -> bool:
    """Return True once the last thread has ended: its files stay open until then."""
    threads = Path(f"/proc/{process.pid}/task")
    return process.status() == psutil.STATUS_ZOMBIE and len([*threads.iterdir()]) == 1
