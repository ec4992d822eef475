"""The service as a user starts it: `manage.py up` with a state folder and a port of its own."""

import logging
import os
import re
import resource
import signal
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import httpx
import psutil

from deploy import __version__
from tests.processes import Program, eventually, free_port, run_python

LIVE = f'{{"status": "ok", "version": "{__version__}"}}'.encode()
"""The body of /health/live."""


class Service(Program):
    """`manage.py up` with its state in a folder and a port of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        surroundings = {
            "STATE_DIR": str(folder),
            "PORT": str(self.port),
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "PUBLIC_URL": "",
        }
        super().__init__(
            [sys.executable, "manage.py", "up"],
            log=folder.parent / "up.out",
            environment=surroundings | environment,
        )

    def start(self) -> Self:
        """Start it and wait until it has said where it runs."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        super().start()
        eventually(lambda: " runs at " in self.output() or not self.running)
        assert self.running, self.output()
        return self

    @property
    def address(self) -> str:
        """Where it answers, without a slash at the end."""
        return f"http://localhost:{self.port}"

    @property
    def token(self) -> str:
        """The organiser's token."""
        return (self.folder / "organiser-token").read_text().strip()

    @property
    def password(self) -> str:
        """The organiser's password, empty if this start has not printed one."""
        found = re.search(r"password (\S+)", self.output())
        return found[1] if found else ""

    def log_in(self, http: httpx.Client) -> None:
        """Log the organiser in by the form; the client keeps the cookie of the session."""
        form = http.get("/login")
        fields = {
            "login": "organiser@localhost",
            "password": self.password,
            "csrfmiddlewaretoken": form.cookies["csrftoken"],
        }
        answer = http.post("/login", data=fields, headers={"Referer": f"{http.base_url}/login"})
        assert answer.status_code == 302, answer.text

    def children(self) -> list[psutil.Process]:
        """Its children and theirs."""
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def child(self, word: str) -> psutil.Process:
        """The direct child with a name or a log; waits for one that is being restarted."""
        with suppress(AssertionError):
            found = eventually(lambda: self._find_child(word))
            assert found is not None
            return found
        logs = {path.name: path.read_text(errors="replace") for path in self.folder.rglob("*.log")}
        ends = "".join(f"\n{name}:\n{text[-2000:]}" for name, text in sorted(logs.items()))
        raise AssertionError(f"no {word}:\n{self.output()}{ends}")

    def has_child(self, word: str) -> bool:
        """Whether there is a direct child with a name or a log."""
        return self._find_child(word) is not None

    def _find_child(self, word: str) -> psutil.Process | None:
        assert self.process is not None
        with suppress(psutil.Error):
            for child in psutil.Process(self.process.pid).children():
                log = Path(f"/proc/{child.pid}/fd/1").resolve().stem
                names = child.name(), log.replace("-", " ")
                if word in names and child.status() != psutil.STATUS_ZOMBIE:
                    return child
        return None

    def get(self, path: str, *, token: str = "") -> tuple[int, str]:
        """Status and body of a GET; 0 when nothing answers."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._answer(urllib.request.Request(self.address + path, headers=headers))

    def post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        """Status and body of a POST by the organiser."""
        headers = {"Authorization": f"Bearer {self.token}"} | headers
        request = urllib.request.Request(self.address + path, body, headers)
        return self._answer(request, seconds=60)

    def _answer(self, request: urllib.request.Request, seconds: float = 30) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def interrupt(self) -> int:
        """Press Ctrl-C and wait for the end; the exit status."""
        self.send(signal.SIGINT)
        return self.wait()


@contextmanager
def running(service: Service) -> Iterator[Service]:
    """Start a service, and kill it at the end, with its children: they would write for a while."""
    try:
        yield service.start()
    finally:
        children = service.children() if service.running else []
        service.kill()
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(children, timeout=60)


@contextmanager
def new_service(**environment: str) -> Iterator[Service]:
    """Start a service in a folder of its own, whose path leaves room for a socket's name."""
    with (
        tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder,
        running(Service(Path(folder, "var"), **environment)) as service,
    ):
        yield service


@contextmanager
def service_under_load(**environment: str) -> Iterator[Service]:
    """Start a service on the environment's database, for a load from thousands of sockets."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    known = {"DATABASE_URL": os.environ.get("DATABASE_URL", ""), "LOG_LEVEL": "WARNING"}
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        service = Service(Path(folder, "var"), **known, **environment)
        # Apart, because it may take longer than a start may.
        run_python("manage.py", "migrate", environment=os.environ | service.environment)
        with running(service):
            yield service


def start_error(service: Service, said: str = "") -> str:
    """The only line about an error of a service that cannot start, which has said this before."""
    done = run_python(*service.command[1:], environment=os.environ | service.environment)
    assert done.returncode == 1
    assert re.fullmatch(said, done.stdout)
    [line] = done.stderr.splitlines()
    assert line.startswith("perihelion: ")
    return line
