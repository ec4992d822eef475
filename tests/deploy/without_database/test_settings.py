"""Environment variables: their meaning, and one sentence for what is wrong."""

import os
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from tzlocal import reload_localzone

from deploy.checks import first_error, unread_settings, warn_of_unread
from deploy.valkey import celery_address, socket_address, socket_of
from tests.processes import ROOT, run_python

NAMES = (
    "ALLOWED_HOSTS", "BEHIND_PROXY", "DATABASE_URL", "DATABASE_WAIT", "DEBUG", "EMAIL_URL",
    "LOG_FORMAT", "PERIHELION_ENV", "PORT", "PUBLIC_URL", "REDIS_URL", "SECRET_KEY",
    "SECRET_KEY_FALLBACKS", "SITE_TIME_ZONE", "STATE_DIR", "WEBHOOK_NETWORKS", "WEB_THREADS",
)  # fmt: skip

FORMS = {
    "DATABASE_URL": "the name of the database is missing at the end|write sqlite:///folder/file",
    "EMAIL_URL": r"write smtp\+tls://name:secret@host:587",
    "PUBLIC_URL": "write https://host or http://host:8000",
}
"""What the sentence about a wrong address says to do."""

GOOD_KEY = "k3y of many different characters " * 2


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Read the settings with variables."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STATE_DIR", str(tmp_path))

    def run(**variables: str) -> dict[str, Any]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "deploy/settings.py"))

    return run


@pytest.mark.parametrize(
    ("address", "engine", "name", "host", "port", "user", "password"),
    [
        ("sqlite:///var/a.db", "sqlite3", f"{ROOT}/var/a.db", "", "", "", ""),
        ("sqlite:////data/my%20file", "sqlite3", "/data/my file", "", "", "", ""),
        ("postgresql://host/db", "postgresql", "db", "host", "", "", ""),
        ("postgres://a:b%40c@[::1]:5433/db", "postgresql", "db", "::1", "5433", "a", "b@c"),
        ("postgresql://a@/db?host=/run/pg", "postgresql", "db", "/run/pg", "", "a", ""),
    ],
)
def test_a_database_url(
    read: Any, address: str, engine: str, name: str, host: str, port: str, user: str, password: str
) -> None:
    database = read(DATABASE_URL=address)["DATABASES"]["default"]

    assert database["ENGINE"].rpartition(".")[2] == engine
    assert str(database["NAME"]) == name
    server = [str(database.get(key) or "") for key in ("HOST", "PORT", "USER", "PASSWORD")]
    assert server == [host, port, user, password]


def test_parameters_of_the_url_are_passed_to_the_driver(read: Any) -> None:
    address = "postgresql://host/db?sslmode=verify-full&application_name=web"

    options = read(DATABASE_URL=address)["DATABASES"]["default"]["OPTIONS"]

    assert (options["sslmode"], options["application_name"]) == ("verify-full", "web")


def test_each_thread_may_have_a_connection_and_the_pool_soon_connects_again(read: Any) -> None:
    found = read(DATABASE_URL="postgresql://host/db", WEB_THREADS="20", DATABASE_WAIT="5")
    options = found["DATABASES"]["default"]["OPTIONS"]

    assert options["pool"]["max_size"] >= 20
    assert options["pool"]["timeout"] <= 1
    assert options["pool"]["reconnect_timeout"] <= 5
    assert "lock_timeout=5000" in options["options"]


def test_a_server_that_left_the_network_is_given_up_unless_the_url_says_otherwise(
    read: Any,
) -> None:
    address = "postgresql://host/db"
    usual, other = (
        read(DATABASE_URL=url, DATABASE_WAIT="5")["DATABASES"]["default"]["OPTIONS"]
        for url in (address, f"{address}?connect_timeout=60&tcp_user_timeout=9000")
    )

    assert (usual["connect_timeout"], usual["tcp_user_timeout"]) == (5, 5000)
    assert [int(other[name]) for name in ("connect_timeout", "tcp_user_timeout")] == [60, 9000]


@pytest.mark.parametrize(
    ("address", "celery"),
    [
        ("rediss://:secret@host/0", "rediss://:secret@host/0"),
        ("unix:///run/valkey.sock", "redis+socket:///run/valkey.sock?virtual_host=0"),
        ("unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=3"),
    ],
)
def test_a_broker_url(address: str, celery: str) -> None:
    assert celery_address(address) == celery


@pytest.mark.parametrize(
    ("address", "backend", "host", "port"),
    [
        ("consolemail://", "console", None, None),
        ("filemail:///srv/mail", "filebased", None, None),
        ("smtp+tls://name:secret@host:587", "smtp", "host", 587),
    ],
)
def test_a_mail_server(read: Any, address: str, backend: str, host: Any, port: Any) -> None:
    found = read(EMAIL_URL=address)

    assert found["EMAIL_BACKEND"] == f"django.core.mail.backends.{backend}.EmailBackend"
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == (host, port)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("", False), ("0", False), ("1", True), ("YES", True)],
)
def test_a_variable_that_is_true_or_false(read: Any, value: str, expected: bool) -> None:
    assert read(BEHIND_PROXY=value)["BEHIND_PROXY"] is expected


@pytest.mark.parametrize(
    ("variables", "zone"),
    [
        ({}, "Europe/Warsaw"),
        ({"SITE_TIME_ZONE": "America/Lima"}, "America/Lima"),
    ],
)
def test_the_time_zone_is_that_of_the_machine(
    read: Any, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], zone: str
) -> None:
    monkeypatch.setenv("TZ", "Europe/Warsaw")
    reload_localzone()
    assert read(**variables)["SITE_TIME_ZONE"] == zone
    assert os.environ["SITE_TIME_ZONE"] == zone  # of the processes that it starts


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BEHIND_PROXY", "nginx"),
        ("DATABASE_URL", "db"),
        ("DATABASE_URL", "sqlite:///"),
        ("DATABASE_URL", "mysql://h/db"),
        ("DATABASE_URL", "postgresql://h"),
        ("EMAIL_FROM", "ratings"),
        ("DEBUG", "maybe"),
        ("EMAIL_URL", "http://host"),
        ("EMAIL_URL", "smtp+tls://:587"),
        ("LOG_FORMAT", "xml"),
        ("PERIHELION_ENV", "prod"),
        ("PORT", "-1"),
        ("PORT", "8_000"),
        ("PUBLIC_URL", "ftp://host"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "https://host:99999"),
        ("PUBLIC_URL", "https://host/ratings"),
        ("PUBLIC_URL", "https://name:secret@host"),
        ("PUBLIC_URL", "https://host?page=1"),
        ("PUBLIC_URL", "https://one.org,two.org"),
        ("SECURITY_CONTACT", "board"),
        ("SECURITY_CONTACT", "http://example.org/"),
        ("WEBHOOK_NETWORKS", "10.1.0.0/99"),
    ],
)
def test_a_wrong_variable_is_named_in_one_sentence(read: Any, name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name}: .+") as error:
        read(**{name: value})
    assert len(str(error.value).splitlines()) == 1
    assert re.search(FORMS.get(name, ""), str(error.value))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", 0, "PORT is 0: set a positive number."),
        ("PORT", 99999999, "PORT is 99999999: set a number from 1 to 65535."),
        ("SECRET_KEY", "secret", "SECRET_KEY can be guessed"),
        ("SECRET_KEY", "abcd" * 20, "SECRET_KEY can be guessed"),
        (
            "SECRET_KEY_FALLBACKS",
            [GOOD_KEY, "short"],
            "SECRET_KEY_FALLBACKS: key 2 was no SECRET_KEY",
        ),
        ("REDIS_URL", "http://host", "REDIS_URL is no address"),
        ("ALLOWED_HOSTS", ["https://host"], "ALLOWED_HOSTS: https://host is no host"),
        ("ALLOWED_HOSTS", ["host:8000"], "ALLOWED_HOSTS: host:8000 has a port"),
        ("SESSION_DAYS", 10**9, "SESSION_DAYS is 1000000000: set at most 36500."),
        ("REDIS_URL", "redis://host:port/0", "REDIS_URL is no address"),
        ("REDIS_URL", "redis://host/first", "REDIS_URL is no address"),
        ("REDIS_URL", "rediss://host?ssl=on", "REDIS_URL is no address"),
        ("REDIS_URL", "unix://host/path", "REDIS_URL is no address"),
        ("OIDC_URL", "https://login.example.org", "OIDC_URL is set alone"),
    ],
)
def test_a_setting_that_stops_the_start(
    settings: Any, name: str, value: Any, sentence: str
) -> None:
    settings.SECRET_KEY = GOOD_KEY
    assert first_error() == ""

    setattr(settings, name, value)

    assert first_error().startswith(sentence)


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        ({}, []),
        (
            {"PUBLIC_URL": "http://example.org", "HTTPS": False},
            ["passwords and tokens are sent unencrypted: set PUBLIC_URL=https://..."],
        ),
        (
            {"BEHIND_PROXY": False},
            [
                "PUBLIC_URL is https, but BEHIND_PROXY is 0: all visitors count as one address:"
                " set BEHIND_PROXY=1 and let the proxy set X-Forwarded-For and -Proto."
            ],
        ),
        (
            {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"},
            [
                "EMAIL_URL is consolemail://: messages, with secret links, go to the log only:"
                " set EMAIL_URL=smtp+tls://name:secret@host:587."
            ],
        ),
        (
            {"SECRET_KEY_FALLBACKS": [GOOD_KEY]},
            ["SECRET_KEY is one of SECRET_KEY_FALLBACKS: set SECRET_KEY to a new key."],
        ),
        (
            {"ALLOWED_HOSTS": ["*"]},
            ["any Host header is accepted: set ALLOWED_HOSTS to the names of the service."],
        ),
    ],
)
def test_a_setting_that_is_a_risk_for_others(
    settings: Any, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], sentences: list[str]
) -> None:
    safe = {
        "PRODUCTION": True,
        "PUBLIC_URL": "https://example.org",
        "HTTPS": True,
        "BEHIND_PROXY": True,
        "SECRET_KEY": GOOD_KEY,
        "SECRET_KEY_FALLBACKS": [],
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "ALLOWED_HOSTS": ["example.org"],
    }
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    for name, value in {**safe, **changes}.items():
        setattr(settings, name, value)

    found = run_checks(tags=["settings"], include_deployment_checks=True)

    assert [f"{each.msg}: {each.hint}" for each in found] == sentences


def test_in_production_what_is_left_to_a_default_and_debug_stop_the_start(read: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^SECRET_KEY is not set"):
        read(PERIHELION_ENV="production")
    with pytest.raises(ImproperlyConfigured, match=r"^EMAIL_URL is not set"):
        read(SECRET_KEY=GOOD_KEY, EMAIL_URL=" ")
    assert read(EMAIL_URL="consolemail://")["EMAIL_BACKEND"].endswith("console.EmailBackend")
    with pytest.raises(ImproperlyConfigured, match=r"^DEBUG is set; in production"):
        read(DEBUG="1")


def test_an_empty_variable_has_its_default(read: Any) -> None:
    found = read(DEBUG="", PORT=" ", ALLOWED_HOSTS="", DATABASE_URL="")

    assert (found["DEBUG"], found["PORT"]) == (False, 8000)
    assert "localhost" in found["ALLOWED_HOSTS"]
    assert str(found["DATABASES"]["default"]["NAME"]).endswith("/perihelion.sqlite3")


def test_a_list_of_words(read: Any) -> None:
    assert read(ALLOWED_HOSTS="a.org, b.org,")["ALLOWED_HOSTS"] == ["a.org", "b.org"]


@pytest.mark.parametrize("secret", ["$a+b", "a\\$b"])
def test_a_dollar_sign_is_an_ordinary_character(read: Any, secret: str) -> None:
    assert read(SECRET_KEY=secret)["SECRET_KEY"] == secret
    assert read(SECRET_KEY_FALLBACKS=f"a, {secret},")["SECRET_KEY_FALLBACKS"] == ["a", secret]


@pytest.mark.parametrize("name", ["short", "\N{WHITE STAR}" * 40])
def test_the_path_of_the_embedded_socket_is_short_enough(name: str) -> None:
    address = socket_address(Path("/srv", name))

    assert len(bytes(socket_of(address))) <= 100
    assert address == socket_address(Path("/srv", name))
    assert address != socket_address(Path("/other", name))


@pytest.mark.parametrize(
    ("value", "contact"),
    [
        ("", ""),
        ("mailto:security@example.org", "mailto:security@example.org"),
        ("https://example.org/report", "https://example.org/report"),
    ],
)
def test_the_contact_for_weaknesses(read: Any, value: str, contact: str) -> None:
    assert read(SECURITY_CONTACT=value)["SECURITY_CONTACT"] == contact


def test_a_misspelled_variable_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_error() == ""
    other = ("HOSTNAME", "PORTS", "LANG", "TEST_DATABASE_URL")
    for name in ("SIGNUP", "PUBLIK_URL", "secret_key", *other):
        monkeypatch.setenv(name, "x")

    found = [f"{each.msg}: {each.hint}" for each in run_checks(tags=["settings"])]

    assert found == [
        "there is no setting PUBLIK_URL: write PUBLIC_URL, or remove it.",
        "there is no setting SIGNUP: write SIGN_UP, or remove it.",
        "there is no setting secret_key: write SECRET_KEY, or remove it.",
    ]
    assert first_error() == found[0]


def test_a_variable_that_nothing_reads_is_named_in_production(
    monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    of_others = (
        "BACKUP_OPTIONS", "COMPOSE_PROJECT_NAME", "POSTGRES_PASSWORD", "GPG_KEY", "HOSTNAME",
        "INVOCATION_ID", "KUBERNETES_SERVICE_HOST", "LC_ALL", "PATH", "PYTHON_VERSION",
        "STATE_DIRECTORY", "VALKEY_PORT_6379_TCP", "HTTPS_PROXY", "container",
    )  # fmt: skip
    names = ("SIGN_UP", "SENTRY_DSN", "SMTP_HOST", "OIDC_REALM", *of_others)
    monkeypatch.setattr(os, "environ", dict.fromkeys(names, "x"))

    assert unread_settings() == []  # on a laptop
    settings.PRODUCTION = True
    assert unread_settings() == ["OIDC_REALM", "SMTP_HOST"]
    warn_of_unread()
    (message,) = caplog.messages
    assert "nothing reads them: OIDC_REALM, SMTP_HOST;" in message


def test_no_command_takes_sqlite_because_of_a_misspelled_address(tmp_path: Path) -> None:
    wrong = {"DATABASE_URL": "", "DATABSE_URL": "postgresql:///perihelion"}
    environment = dict(os.environ) | wrong | {"STATE_DIR": str(tmp_path / "var")}

    done = run_python("manage.py", "migrate", environment=environment)

    sentence = "there is no setting DATABSE_URL: write DATABASE_URL, or remove it."
    assert (done.returncode, done.stderr) == (1, f"perihelion: {sentence}\n")
    assert not (tmp_path / "var" / "perihelion.sqlite3").exists()
