"""Show messages in browsers by Web Push: encrypted for the browser (RFC 8291), signed (RFC 8292).

They are sent by the client of webhooks, so to public addresses only. A device whose push service
says that it is gone (404, 410) is deleted; one that is slow delays no other.
"""

import json
import logging
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils import translation
from py_vapid import Vapid02

from games.core.errors import Unprocessable
from games.rules.text import Text
from tournament.models import Notice, PushDevice, Subscription
from tournament.subscriptions.mails import personal_links, title_of, words_of
from tournament.subscriptions.notices import Told, claim_notices, put_off, tell
from tournament.webhooks.addresses import AddressRefused, check_url
from tournament.webhooks.requests import DeliveryOutcome, send_request

log = logging.getLogger(__name__)

THREADS: Final = 16
TIME_LIMIT: Final = 30.0
"""Seconds after which no attempt begins."""
LIFETIME: Final = 4 * 3600
"""Seconds for which a push service keeps a message for a browser that is not running."""
SIGNED_SECONDS: Final = 12 * 3600
LONGEST_BODY: Final = 600
"""Characters of the lines: a push service takes 4 kB."""
GONE: Final = (404, 410)
MOST_DEVICES: Final = 10
KEY_BYTES, SECRET_BYTES = 65, 16
_is_sending = threading.Lock()


def public_key() -> str:
    """Return the key by which a browser knows this site; empty if it does not push."""
    if not settings.PUSH_KEY:
        return ""
    key = _signer().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(key).decode().rstrip("=")


def _signer() -> Vapid02:
    return Vapid02.from_raw(settings.PUSH_KEY.encode())


def add_device(subscription: Subscription, *, url: str, key: str, secret: str) -> None:
    """Show the messages of a subscription in a browser; raises Unprocessable for what is none."""
    try:
        check_url(url)
        dh = _decoded(key)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), dh)
        is_whole = len(dh) == KEY_BYTES and len(_decoded(secret)) == SECRET_BYTES
    except AddressRefused as error:
        raise Unprocessable("invalid", error.args[0], at="/url") from error
    except ValueError:
        is_whole = False
    if not is_whole:
        raise Unprocessable("invalid", Text("this is no key of a browser"), at="/key")
    values = {"key": key, "secret": secret}
    subscription.devices.update_or_create(url=url, defaults=values)
    oldest = subscription.devices.order_by("-pk").values_list("pk", flat=True)[MOST_DEVICES:]
    subscription.devices.filter(pk__in=[*oldest]).delete()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def send_due_pushes() -> int:
    """Send what is due to browsers; return the number of attempts."""
    if not settings.PUSH_KEY or not _is_sending.acquire(blocking=False):
        return 0
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            return _send_with(pool)
    finally:
        _is_sending.release()


def _send_with(pool: ThreadPoolExecutor) -> int:
    until = time.monotonic() + TIME_LIMIT
    running: dict[Future[DeliveryOutcome], Notice] = {}
    number = 0
    while True:
        free = THREADS - len(running) if time.monotonic() < until else 0
        notices = claim_notices(free, to_devices=True)
        told = tell(notices)
        links = personal_links([each.subscription for each in notices if each.subscription])
        for notice in notices:
            if not told[notice.pk]:
                notice.delete()
                continue
            device: Any = notice.device
            content = _content_of(
                notice, told[notice.pk], links.get(notice.subscription_id or 0, "")
            )
            body, headers = encrypted(device, content)
            # The threads only send: this one alone reads and writes rows.
            running[pool.submit(send_request, device.url, body, headers)] = notice
            number += 1
        if not running:
            return number
        done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
        for future in done:
            _finish(running.pop(future), future)


def _finish(notice: Notice, future: Future[DeliveryOutcome]) -> None:
    outcome = future.result() if future.exception() is None else DeliveryOutcome()
    if outcome.is_success:
        notice.delete()
    elif outcome.status in GONE:
        PushDevice.objects.filter(notices=notice.pk).delete()
    else:
        log.info("%s was not sent: %s", notice, outcome.problem or future.exception())
        put_off(notice)


def _content_of(notice: Notice, told: list[Told], link: str) -> bytes:
    """Return what the service worker shows (static/tournament/worker.js)."""
    subscription: Any = notice.subscription
    with translation.override(subscription.language or settings.LANGUAGE_CODE):
        words = words_of(told, link)
        title = title_of(words)
        titles = [[one["title"]] if len(words) > 1 else [] for one in words]
        lines = [
            line for title, one in zip(titles, words, strict=True) for line in title + one["lines"]
        ]
    body = "\n".join(map(str, lines))[:LONGEST_BODY]
    shown = {"title": title[:LONGEST_BODY], "body": body, "url": words[-1]["link"]}
    return json.dumps(shown).encode()


def encrypted(device: PushDevice, content: bytes) -> tuple[bytes, dict[bytes | str, bytes | str]]:
    """Return the body and the headers of a request to the push service of a device."""
    body = http_ece.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decoded(device.key),
        auth_secret=_decoded(device.secret),
        version="aes128gcm",
    )
    parts = urlsplit(device.url)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        "exp": int(time.time()) + SIGNED_SECONDS,
    }
    headers = {
        **_signer().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(LIFETIME),
        "Urgency": "high",
    }
    return body, headers
