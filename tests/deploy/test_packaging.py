"""Containers, units, proxies: real programs read their files, and what these name exists."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from deploy import __version__, programs
from deploy.checks import unread_settings
from tests.deploy.documentation import blocks, page, section
from tests.processes import ROOT, Broker, Program, eventually, free_port, run_python

DEPLOY = ROOT / "deploy"
DOCKERFILE = DEPLOY / "docker" / "Dockerfile"
COMPOSE = sorted((DEPLOY / "docker").glob("compose*.yaml"))
UNITS = sorted((DEPLOY / "systemd").iterdir())
SECRETS = {
    "SECRET_KEY": "a k3y of many different characters",
    "POSTGRES_PASSWORD": "a",
    "VALKEY_PASSWORD": "b",
    "DOMAIN": "example.org",
    "EMAIL_URL": "smtp://host:25",
}
SETTINGS = set(re.findall(r"`([A-Z][A-Z_]+)`", (DEPLOY / "docs/reference/settings.md").read_text()))


def found(program: str) -> str:
    """Return the path of a program; skip the test without it."""
    path = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        pytest.skip(f"needs {program}")
    return path


def checked(*command: str, folder: Path = ROOT, **environment: str) -> str:
    """Return what a program says that has nothing to complain of."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def service_of(path: Path) -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(path.read_text())["services"]
    return services


def test_the_dockerfile_has_nothing_that_hadolint_warns_of() -> None:
    assert checked(found("hadolint"), str(DOCKERFILE)) == ""


def find_compose() -> list[str]:
    """Return the command of Docker Compose 2; nothing without it."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            version = [*command, "version", "--short"]
            done = subprocess.run(version, capture_output=True, text=True, check=False)
            if done.returncode == 0 and not done.stdout.startswith("1."):
                return command
    return []


@pytest.fixture
def containers(tmp_path: Path) -> Path:
    """The folder of the containers with `.env` as the handbook writes it."""
    shutil.copytree(DEPLOY / "docker", tmp_path / "deploy" / "docker")
    typed = blocks(section(page("howto/install.md"), "Containers"), "sh")
    checked("sh", "-euc", typed.partition("docker compose up")[0], folder=tmp_path)
    return tmp_path / "deploy" / "docker"


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_docker_refuses_an_empty_secret(path: Path, containers: Path) -> None:
    if not (compose := find_compose()):
        pytest.skip("needs docker compose")
    command = [*compose, "--file", path.name, "config", "--quiet"]

    assert checked(*command, folder=containers) == ""
    for name in set(re.findall(r"\$\{(\w+):\?", path.read_text())):
        done = subprocess.run(
            command, cwd=containers, env=os.environ | {name: ""}, capture_output=True, check=False
        )
        assert f"set {name} in .env".encode() in done.stderr


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_every_setting_of_env_reaches_all_programs(
    path: Path, containers: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    more = {
        "SIGN_UP": "closed", "OIDC_URL": "https://id.example.org", "OIDC_CLIENT_SECRET": "s",
        "SENTRY_DSN": "https://k@e.org/1", "SECURITY_CONTACT": "a@b.org", "LEGAL_DIR": "/srv/legal",
    }  # fmt: skip
    lines = "".join(f"{name}={value}\n" for name, value in more.items())
    file = containers / ".env"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(file.read_text() + lines)

    if compose := find_compose():
        command = [*compose, "--file", path.name, "config", "--format", "json"]
        services = json.loads(checked(*command, folder=containers))["services"]
    else:
        services = service_of(path)
        read = dict(line.split("=", 1) for line in file.read_text().splitlines())
        for service in services.values():
            if service.get("env_file") == ".env":
                service["environment"] = read | service["environment"]

    programs = [one for one in services.values() if one["image"].startswith("perihelion:")]
    assert len(programs) == (1 if "small" in path.name else 7)
    settings.PRODUCTION = True
    for service in programs:
        found = service["environment"]
        assert more.items() <= found.items()
        assert (found["SITE_TIME_ZONE"], found["PORT"]) == ("Europe/Warsaw", "8000")
        monkeypatch.setattr(os, "environ", found)
        assert unread_settings() == []
        monkeypatch.undo()


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_secrets_have_no_default(path: Path) -> None:
    for name in SECRETS:
        assert f"${{{name}}}" not in path.read_text()
        assert f"${{{name}:-" not in path.read_text()


def test_caddy_reads_its_file(tmp_path: Path) -> None:
    folders = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    file = str(DEPLOY / "Caddyfile")

    said = checked(
        *(found("caddy"), "validate", "--adapter", "caddyfile", "--config", file),
        DOMAIN="example.org",
        **folders,
    )

    assert "Valid configuration" in said


def test_nginx_reads_its_file(tmp_path: Path) -> None:
    nginx, openssl = found("nginx"), found("openssl")
    names = ("fullchain.pem", "privkey.pem")
    checked(
        *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=example.org"),
        *("-out", names[0], "-keyout", names[1]),
        folder=tmp_path,
    )
    site = (DEPLOY / "nginx.conf").read_text()
    for installed in ("/etc/ssl/perihelion", "/var/cache/nginx", "/var/log/nginx"):
        site = site.replace(installed, str(tmp_path))
    (tmp_path / "site.conf").write_text(site)
    paths = "".join(
        f"{name}_temp_path {tmp_path}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = tmp_path / "nginx.conf"
    main.write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {paths} include {tmp_path}/site.conf; }}\n"
    )

    said = checked(nginx, "-t", "-p", str(tmp_path), "-c", str(main))

    assert "test is successful" in said
    assert "[warn]" not in said


def test_nginx_knows_a_login_and_the_language_by_their_cookies() -> None:
    cookies = re.findall(r"\$cookie_(\w+)", (DEPLOY / "nginx.conf").read_text())

    assert cookies == [settings.SESSION_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME]


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    analyze = found("systemd-analyze")
    for unit in UNITS:
        text = unit.read_text().replace("/srv/perihelion/.venv/bin/python", sys.executable)
        (tmp_path / unit.name).write_text(text.replace("/srv/perihelion", str(ROOT)))
    for name in programs_of_units():
        shutil.copy(tmp_path / "perihelion@.service", tmp_path / f"perihelion@{name}.service")
    units = [str(path) for path in tmp_path.iterdir() if "@." not in path.name]

    assert checked(analyze, "verify", "--man=no", *units) == ""


@pytest.mark.parametrize(
    ("options", "failing", "steps"),
    [
        ("--recipient=age1x", "", ["verify_journal", "verify_state", "verify_ratings"]),
        ("", "", ["verify_journal", "verify_state", "verify_ratings", "restore"]),
        ("", "verify_state", ["verify_journal", "verify_state", "verify_ratings", "restore"]),
        ("", "restore", ["verify_journal", "verify_state", "verify_ratings", "restore"]),
    ],
)
def test_the_verification_runs_every_step_and_leaves_an_encrypted_backup_out(
    tmp_path: Path, options: str, failing: str, steps: list[str]
) -> None:
    unit = (DEPLOY / "systemd" / "perihelion-verify.service").read_text().replace("\\\n", "")
    shell, option, line = shlex.split(re.findall(r"^ExecStart=(.+)", unit, re.M)[0])
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$2" >>steps; [ "$2" != "{failing}" ]\n')
    python.chmod(0o700)

    done = subprocess.run(
        [shell, option, line.replace("$$", "$")],
        cwd=tmp_path,
        env=os.environ | {"BACKUP_OPTIONS": options},
        check=False,
        capture_output=True,
    )

    assert (tmp_path / "steps").read_text().split() == steps
    assert done.returncode == bool(failing)


def programs_of_units() -> list[str]:
    """Return the programs that the first lines of the unit enable."""
    head = (DEPLOY / "systemd" / "perihelion@.service").read_text().partition("[Unit]")[0]
    return re.findall(r"perihelion@(\w+)", head)


def test_the_units_run_all_programs() -> None:
    assert programs_of_units() == ["web", "worker", "imports", "analyses", "beat"]


def test_each_queue_has_a_worker_in_the_containers() -> None:
    queues = [
        queue
        for service in service_of(DEPLOY / "docker" / "compose.yaml").values()
        for word in service.get("command", ())
        if word.startswith("--queues=")
        for queue in word.partition("=")[2].split(",")
    ]

    assert sorted(queues) == sorted(programs.QUEUES.split(","))


def commands_of_files() -> list[str]:
    """Return the command of manage.py in each line of a file that has one."""
    compose = [
        service["command"][2]
        for path in COMPOSE
        for service in service_of(path).values()
        if service.get("command", [""])[0] == "python"
    ]
    texts = [DOCKERFILE.read_text(), *(unit.read_text() for unit in UNITS)]
    others = re.findall(r"manage\.py(?:\", \"| )(\w+)\b(?!\.)", "\n".join(texts))
    return [*compose, *others]


def test_the_files_name_commands_and_settings_that_exist() -> None:
    variables = {
        name
        for path in COMPOSE
        for service in service_of(path).values()
        if service["image"].startswith("perihelion:")
        for name in service["environment"]
    }
    docker = set(re.findall(r"^(?:ENV|    )\s*([A-Z_]+)=", DOCKERFILE.read_text(), re.M))

    assert set(commands_of_files()) - set(get_commands()) == set()
    assert variables - SETTINGS == set()
    assert docker - SETTINGS == {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


def test_the_files_name_the_image_of_this_version() -> None:
    texts = [path.read_text() for path in (DOCKERFILE, *COMPOSE)]
    tags = {tag for text in texts for tag in re.findall(r"perihelion:(\d[\w.]*)", text)}

    assert tags == {__version__}


def test_the_image_and_the_repository_take_no_settings() -> None:
    assert "**/.env" in (ROOT / ".dockerignore").read_text().splitlines()
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


def test_an_unknown_queue_and_missing_tables_are_named(tmp_path: Path) -> None:
    variables = os.environ | {"STATE_DIR": str(tmp_path), "DATABASE_URL": ""}

    wrong = run_python("manage.py", "run", "worker", "--queues=post", environment=variables)
    early = run_python("manage.py", "run", "beat", environment=variables)

    assert wrong.returncode == 2
    assert "there is no queue 'post'; there are results, ratings, mail, webhooks" in wrong.stderr
    assert early.returncode == 1
    assert re.fullmatch(
        r"perihelion: the tables are older than this version \(\w+.\w+ is missing\): run"
        r" 'manage.py migrate' or 'manage.py up'.\n",
        early.stderr,
    )


@pytest.mark.processes
@pytest.mark.long
def test_the_programs_of_the_containers_run_together(database: str) -> None:
    """With the commands and the environment of the files, but for where things are."""
    services = service_of(DEPLOY / "docker" / "compose.yaml")
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as name:
        folder, port = Path(name), free_port()
        broker = Broker(folder).start()
        here = {
            "PERIHELION_ENV": "production",
            "STATE_DIR": name,
            "STATIC_ROOT": f"{name}/static",
            "DATABASE_URL": database,
            "REDIS_URL": broker.address,
            "PUBLIC_URL": "https://example.org",
            "PORT": str(port),
            "ALLOWED_HOSTS": "127.0.0.1",
        }
        variables = {
            key: re.sub(r"\$\{(\w+):-?(\w*)[^}]*\}", lambda m: SECRETS.get(m[1], m[2]), text)
            for key, text in services["web"]["environment"].items()
        } | here
        for command in ("migrate", "collectstatic"):
            checked(sys.executable, "manage.py", command, "--no-input", **variables)
        running = [
            Program(
                [sys.executable, *service["command"][1:]],
                log=folder / f"{key}.log",
                environment=variables,
            )
            for key, service in services.items()
            if service.get("command", ["", "", ""])[2] == "run"
        ]
        try:
            for program in running:
                program.start()
            eventually(lambda: is_ready(port), seconds=180)
            before = requests_counted(port)
            for _ in range(20):
                urlopen(f"http://127.0.0.1:{port}/api/v1/pools", timeout=20).close()
            # By both processes together, each of which stores its figures for a second.
            eventually(lambda: requests_counted(port) >= before + 20)
            for program in running:
                program.send(signal.SIGTERM)
            assert [program.wait(seconds=60) for program in running] == [0] * len(running)
        finally:
            for program in running:
                program.kill()
            broker.kill()
    assert len(running) == 6


def requests_counted(port: int) -> int:
    """Return how many requests have been answered before this one."""
    with urlopen(f"http://127.0.0.1:{port}/health/metrics", timeout=20) as response:
        lines = response.read().decode().splitlines()
    name = "django_http_requests_before_middlewares_total "
    return int(float(next(line for line in lines if line.startswith(name)).split()[1]))


def is_ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=20) as response:
            return b'"status": "ok"' in response.read()
    except OSError:
        return False
