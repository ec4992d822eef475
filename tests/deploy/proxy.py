"""nginx and Caddy with the files of the project before web servers of a test."""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest

from tests.processes import ROOT, Program, eventually, free_port


def found(program: str) -> str:
    """Return the path of a program; skip the test without it."""
    path = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        pytest.skip(f"needs {program}")
    return path


class Listening(Program):
    """A program that listens on a port."""

    port: int

    def start(self) -> Self:
        """Start it, and wait until it listens."""
        super().start()
        eventually(self._listens, seconds=30)
        return self

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("localhost", self.port), timeout=5):
            return True
        return False


class Caddy(Listening):
    """Caddy with deploy/Caddyfile, without a certificate."""

    def __init__(self, folder: Path, server: int) -> None:
        self.port = free_port()
        self.address = f"http://localhost:{self.port}"
        file = str(ROOT / "deploy" / "Caddyfile")
        command = [found("caddy"), "run", "--adapter", "caddyfile", "--config", file]
        environment = {
            "DOMAIN": self.address,
            "UPSTREAM": f"127.0.0.1:{server}",
            "CADDY_ADMIN": f"localhost:{free_port()}",
            **{name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")},
        }
        super().__init__(command, log=folder / "caddy.log", environment=environment)


class Proxy(Listening):
    """nginx with deploy/nginx.conf, but for its ports, its folders and the servers behind it."""

    def __init__(self, folder: Path, *servers: int) -> None:
        self.port, plain = free_port(), free_port()
        nginx, openssl = found("nginx"), found("openssl")
        subprocess.run(
            [
                *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj"),
                *("/CN=example.org", "-out", "fullchain.pem", "-keyout", "privkey.pem"),
            ],
            cwd=folder,
            capture_output=True,
            check=True,
        )
        site = (ROOT / "deploy" / "nginx.conf").read_text()
        server = next(line for line in site.splitlines() if "127.0.0.1:8000" in line)
        for old, new in {
            "/etc/ssl/perihelion": str(folder),
            "/var/cache/nginx": str(folder),
            "/var/log/nginx": str(folder),
            "443 ssl": f"{self.port} ssl",
            "listen 80": f"listen {plain}",
            "listen [::]:80": f"listen [::]:{plain}",
            server: "\n".join(server.replace("8000", str(port)) for port in servers) or server,
        }.items():
            site = site.replace(old, new)
        self.site = folder / "site.conf"
        self.site.write_text(site)
        folder.chmod(0o711)  # if root starts it, its workers are of another user
        paths = "".join(
            f"{name}_temp_path {folder}/{name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid; error_log stderr; daemon off;"
            f" events {{ worker_connections 4096; }}\n"
            f"http {{ access_log off; {paths} include {folder}/site.conf; }}\n"
        )
        command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        super().__init__(command, log=folder / "nginx.log", environment={})

    def leave_out(self, server: int) -> None:
        """Send no more requests to a server, as an administrator does before it is stopped."""
        self._change(f":{server} max_fails=0;", f":{server} max_fails=0 down;")

    def take_back(self, server: int) -> None:
        """Send requests to it again."""
        self._change(f":{server} max_fails=0 down;", f":{server} max_fails=0;")

    def _change(self, before: str, after: str) -> None:
        text = self.site.read_text()
        assert before in text
        self.site.write_text(text.replace(before, after))
        self.send(signal.SIGHUP)
        time.sleep(2)  # its old process finishes what it has

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"https://localhost:{self.port}"
