"""One request to a receiver that answers well, badly, or not at all."""

import ssl
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.tournament.webhooks.receiver import (
    LOOPBACK,
    Answer,
    close_early,
    drip,
    endless,
    receiving,
    status,
)
from tournament.webhooks import requests
from tournament.webhooks.requests import DeliveryOutcome, send_request

HOST = "hooks.example.org"


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = LOOPBACK


def send(url: str, **options: Any) -> DeliveryOutcome:
    return send_request(url, b'{"type":"a"}', {"webhook-id": "x/1"}, **options)


def test_a_request_and_its_outcome() -> None:
    with receiving(status(200, b"thank you\x00\xff")) as receiver:
        outcome = send(receiver.url)

    assert outcome == DeliveryOutcome(200, "", "thank you  ".replace("  ", " \ufffd"))
    (request,) = receiver.received
    assert (request.path, request.body) == ("/hook", b'{"type":"a"}')
    assert request.headers["webhook-id"] == "x/1"
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (status(204, b""), DeliveryOutcome(204)),
        (status(500, b"ouch"), DeliveryOutcome(500, "the response has the status 500", "ouch")),
        (
            status(503, b"", Retry_After="120"),
            DeliveryOutcome(503, "the response has the status 503", "", 120.0),
        ),
        (
            status(429, b"", Retry_After="soon"),
            DeliveryOutcome(429, "the response has the status 429"),
        ),
        (
            status(302, b"", Location="http://127.0.0.1:1/"),
            DeliveryOutcome(302, "the response has the status 302; redirects are not followed"),
        ),
        (close_early, None),
        (lambda connection: connection.sendall(b"\x00garbage\r\n\r\n"), None),
    ],
)
def test_outcomes(answer: Answer, outcome: DeliveryOutcome | None) -> None:
    with receiving(answer) as receiver:
        found = send(receiver.url)

    assert len(receiver.received) == 1, "a redirect is not followed, a failure not repeated"
    if outcome is None:
        assert (found.status, found.is_success) == (None, False)
        assert found.problem.startswith("no response: ")
    else:
        assert found == outcome


def test_a_date_to_wait_for() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with receiving(status(503, Retry_After=later)) as receiver:
        assert 3500 < send(receiver.url).retry_after <= 3600


def test_an_attempt_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something arrives all the time."""
    monkeypatch.setattr(requests, "TOTAL_TIMEOUT", 0.5)
    with receiving(drip) as receiver:
        began = time.monotonic()
        outcome = send(receiver.url)

    assert outcome.problem.startswith("no response within")
    assert time.monotonic() - began < 15, "it waited for the receiver"


def test_an_endless_body_is_not_read() -> None:
    with receiving(endless) as receiver:
        outcome = send(receiver.url)

    assert (outcome.status, len(outcome.excerpt)) == (200, 500)


@pytest.mark.parametrize(
    ("addresses", "problem"),
    [
        (["127.0.0.1", "10.0.0.1"], "the host has no public address"),
        (["8.8.8.8", "169.254.169.254"], "only https is allowed to this address"),
        (["x"], "the host has no public address"),
        ([], "the host has no public address"),
        (OSError("Name or service not known"), "the host has no public address"),
    ],
)
def test_a_name_of_a_refused_address(addresses: list[str] | OSError, problem: str) -> None:
    """Which names and addresses the own network has, nobody learns."""

    def resolve(*_: object) -> list[str]:
        if isinstance(addresses, OSError):
            raise addresses
        return addresses

    with receiving() as receiver:
        outcome = send(f"http://{HOST}:{receiver.port}/", resolve=resolve)

    assert (outcome, receiver.received) == (DeliveryOutcome(problem=problem), [])


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        outcome = send(receiver.url)

    assert (outcome.status, len(receiver.received), proxy.received) == (200, 1, [])


def certificate_of(name: str, folder: Path) -> Path:
    """Return a file with a certificate of a host, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return file


def test_the_certificate_must_be_that_of_the_host(tmp_path: Path) -> None:
    file = certificate_of(HOST, tmp_path)
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(file)
    trusted = ssl.create_default_context(cafile=str(file))
    resolved: list[tuple[str, int]] = []

    def resolve(host: str, port: int) -> list[str]:
        resolved.append((host, port))
        return ["127.0.0.1"]

    with receiving(certificate=own) as receiver:
        options = {"resolve": resolve, "certificates": trusted}
        right = send(f"https://{HOST}:{receiver.port}/hook", **options)
        other = send(f"https://other.example.org:{receiver.port}/hook", **options)
        unknown = send(f"https://{HOST}:{receiver.port}/hook", resolve=resolve)

    assert (right.status, other.status, unknown.status) == (200, None, None)
    assert "certificate" in other.problem.lower()
    assert "certificate" in unknown.problem.lower()
    assert [request.headers["host"] for request in receiver.received] == [f"{HOST}:{receiver.port}"]
    assert receiver.names == [HOST, "other.example.org", HOST]
    assert resolved == [(name, receiver.port) for name in receiver.names]


def test_the_address_is_resolved_at_each_attempt() -> None:
    found = iter([["127.0.0.1"], ["10.0.0.1"]])
    with receiving() as receiver:
        url = f"http://{HOST}:{receiver.port}/"
        outcomes = [send(url, resolve=lambda *_: next(found)) for _ in range(2)]

    assert [outcome.status for outcome in outcomes] == [200, None]
    assert len(receiver.received) == 1
