"""Environment variables: their meaning, and the errors for invalid values."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy.environment import Environment, celery_address, socket_address
from deploy.valkey import socket_of

FOLDER = Path("/srv/perihelion")


@pytest.mark.parametrize(
    ("address", "engine", "name", "host", "port", "user", "password"),
    [
        ("sqlite:///var/a.db", "sqlite3", "/srv/perihelion/var/a.db", "", "", "", ""),
        ("sqlite:////data/my%20file", "sqlite3", "/data/my file", "", "", "", ""),
        ("postgresql://host/db", "postgresql", "db", "host", "", "", ""),
        ("postgres://a:b%40c@[::1]:5433/db", "postgresql", "db", "::1", "5433", "a", "b@c"),
        ("postgresql://a@/db?host=/run/pg", "postgresql", "db", "/run/pg", "", "a", ""),
        ("postgresql:///db?host=/run/pg&user=a", "postgresql", "db", "/run/pg", "", "a", ""),
    ],
)
def test_a_database_url(
    address: str, engine: str, name: str, host: str, port: str, user: str, password: str
) -> None:
    read = Environment({"DB": address}).database("DB", "", folder=FOLDER)

    assert read["ENGINE"] == f"django.db.backends.{engine}"
    assert str(read["NAME"]) == name
    server = [str(read.get(key, "")) for key in ("HOST", "PORT", "USER", "PASSWORD")]
    assert server == [host, port, user, password]


def test_parameters_of_the_url_are_passed_to_the_driver() -> None:
    address = "postgresql://host/db?sslmode=verify-full&application_name=web"

    options = Environment({"DB": address}).database("DB", "", folder=FOLDER)["OPTIONS"]

    assert (options["sslmode"], options["application_name"]) == ("verify-full", "web")


def test_each_thread_may_have_a_connection_and_the_pool_soon_connects_again() -> None:
    environment = Environment({"DB": "postgresql://host/db"})
    pool = environment.database("DB", "", folder=FOLDER, threads=20, wait=5)["OPTIONS"]["pool"]

    assert (pool["max_size"], pool["timeout"]) == (20, 5)
    assert pool["reconnect_timeout"] <= 5


@pytest.mark.parametrize(
    ("address", "celery"),
    [
        ("redis://host:6379/1", "redis://host:6379/1"),
        ("rediss://:secret@host/0", "rediss://:secret@host/0"),
        ("unix:///run/valkey.sock", "redis+socket:///run/valkey.sock?virtual_host=0"),
        ("unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=3"),
    ],
)
def test_a_broker_url(address: str, celery: str) -> None:
    assert celery_address(Environment({"BROKER": address}).broker("BROKER", "")) == celery


@pytest.mark.parametrize(
    ("address", "backend", "host", "port"),
    [
        ("consolemail://", "console", None, None),
        ("smtp+tls://name:secret@host:587", "smtp", "host", 587),
    ],
)
def test_a_mail_server(address: str, backend: str, host: str | None, port: int | None) -> None:
    read = Environment({"EMAIL_URL": address}).mail_server("EMAIL_URL", "")

    assert read["EMAIL_BACKEND"] == f"django.core.mail.backends.{backend}.EmailBackend"
    assert (read["EMAIL_HOST"], read["EMAIL_PORT"]) == (host, port)


@pytest.mark.parametrize("address", ["host", "http://host", "smtp://host:port"])
def test_an_invalid_mail_server(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL"):
        Environment({"EMAIL_URL": address}).mail_server("EMAIL_URL", "")


@pytest.mark.parametrize(
    "address",
    ["", "host", "http://host", "unix://", "unix://host/path", "redis:///0", "redis://h:port/0"],
)
def test_an_invalid_broker_url(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^BROKER(: write redis| is not a valid URL)"):
        Environment({"BROKER": address}).broker("BROKER", address)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("", "DB: the scheme is ''; it must be sqlite or postgresql"),
        ("db", "DB: the scheme is ''; it must be sqlite or postgresql"),
        ("sqlite://file", "DB: write sqlite:///folder/file, three slashes"),
        ("sqlite:///", "DB: write sqlite:///folder/file, three slashes"),
        ("mysql://h/db", "DB: the scheme is 'mysql'; it must be sqlite or postgresql"),
        ("postgresql://h", "DB: the name of the database is missing at the end"),
        ("postgresql://[/db", "DB is not a valid URL"),
    ],
)
def test_an_invalid_database_url(address: str, message: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{message}"):
        Environment({"DB": address}).database("DB", address, folder=FOLDER)


@pytest.mark.parametrize("name", ["short", "with a space", "long" * 30, "\N{WHITE STAR}" * 40])
def test_the_path_of_the_embedded_socket_is_short_enough(name: str) -> None:
    address = socket_address(Path("/srv", name))

    assert len(bytes(socket_of(address))) <= 100
    assert address == socket_address(Path("/srv", name))
    assert address != socket_address(Path("/other", name))


@pytest.mark.parametrize(
    ("value", "flag"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("off", False)]
)
def test_a_flag(value: str, flag: bool) -> None:
    assert Environment({"DEBUG": value}).flag("DEBUG") is flag


@pytest.mark.parametrize("value", ["perhaps", "2x", "truth"])
def test_an_invalid_flag(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"DEBUG='{value}' is neither 1 nor 0"):
        Environment({"DEBUG": value}).flag("DEBUG")


@pytest.mark.parametrize("value", ["many", "0", "-1", "1.5", "$OTHER"])
def test_an_invalid_number(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^PORT='.+' is not a positive integer"):
        Environment({"PORT": value}).number("PORT", 8000)


def test_a_number_has_a_maximum() -> None:
    assert Environment({"TOKEN_DAYS": "366"}).number("TOKEN_DAYS", 90, most=366) == 366
    with pytest.raises(ImproperlyConfigured, match=r"^TOKEN_DAYS=367 is more than 366"):
        Environment({"TOKEN_DAYS": "367"}).number("TOKEN_DAYS", 90, most=366)


@pytest.mark.parametrize("value", ["embedded", "PRODUCTION", ""])
def test_a_choice(value: str) -> None:
    choice = Environment({"KIND": value}).choice("KIND", ("embedded", "production"))

    assert choice == (value.lower() or "embedded")


@pytest.mark.parametrize("value", ["prod", "production,", "1"])
def test_an_invalid_choice(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"is not one of: embedded, production"):
        Environment({"KIND": value}).choice("KIND", ("embedded", "production"))


@pytest.mark.parametrize("value", ["secret", "x" * 50, "abcd" * 20])
def test_a_secret_that_can_be_guessed(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^KEY can be guessed") as error:
        Environment({"KEY": value}).secret("KEY")
    assert value not in str(error.value)


def test_an_empty_variable_has_its_default() -> None:
    env = Environment({"DEBUG": "", "PORT": " ", "HOSTS": "", "HOST": ""})

    assert (env.flag("DEBUG"), env.number("PORT", 8000)) == (False, 8000)
    assert (env.words("HOSTS", ["a"]), env.str("HOST", default="b")) == (["a"], "b")


def test_a_list_of_words() -> None:
    assert Environment({"HOSTS": "a.org, b.org,"}).words("HOSTS", []) == ["a.org", "b.org"]


@pytest.mark.parametrize("secret", ["$a+b", "a$b", "a\\$b", "$"])
def test_a_dollar_sign_is_an_ordinary_character(secret: str) -> None:
    env = Environment({"KEY": secret})

    assert env.str("KEY", default="") == secret
    assert env.words("KEY", []) == [secret]
