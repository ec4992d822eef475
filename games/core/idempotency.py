"""`Idempotency-Key`: a POST that is sent again acts once and gets the same response.

The key, the write and its response share one transaction, so a crash leaves all of them or none.
The transaction begins where the view calls its service, and ends when the response is rendered. A
second request with the key waits for the first at the unique row of the key. A rejected request
stores nothing: it changed nothing, and may succeed later. Responses are stored for a day. A request
that prefers to wait for a task waits after the transaction; what it is answered with then replaces
the stored response. A repetition of a request that was answered with 202 can wait in the same way.

The keys of an account are its own. A caller without one shares a key with those who send the same
request: the same address with the same body.

The form of a page has a key without asking: the token against forged requests, which is another one
each time a page is made. A form that is sent twice, such as by a double click, acts once.

A response may contain the secret of a token, of which only the hash may be stored. Its content is
therefore encrypted with a key derived from SECRET_KEY and the caller's key; of the latter only a
digest is stored. SECRET_KEY_FALLBACKS decrypt what was stored before SECRET_KEY was replaced. If
none of them does, the request is refused: it has acted.
"""

import hashlib
import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any, Final, Self

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Count, Sum
from django.http import HttpResponse, QueryDict
from django.utils import timezone
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import BadRequest, Conflict, Unprocessable, is_database_busy
from games.core.journal.chain import canonical_json
from games.core.limits import QuotaReached, check_quota
from games.models import Account, StoredResponse, Token
from games.rules.text import Text

VALID_KEY = re.compile(r"[\x20-\x7e]{1,255}", re.ASCII)
SALT: Final = "perihelion.idempotency"
STORED_HEADERS: Final = (
    "Location", "ETag", "Content-Type", "Cache-Control", "Preference-Applied", "Retry-After",
)  # fmt: skip
REPLAYED: Final = "Idempotent-Replayed"
"""The header of the response to a repetition."""
LARGEST_STORED_RESPONSE = 256 * 1024
"""Bytes of a compressed response that is stored."""


def oldest_response() -> datetime:
    """Return the time since which responses are stored."""
    return timezone.now() - timedelta(days=settings.RESPONSE_DAYS)


class KeyInUse(Conflict):
    """The first request with the key is not finished (409)."""

    wait = 1
    """Seconds until the request should be sent again."""

    def __init__(self, *, is_form: bool) -> None:
        of_form = Text(
            "the form was sent twice, and the first is not finished; load the page again"
        )
        of_request = (
            "the first request with this Idempotency-Key is not finished; send this one again"
        )
        super().__init__("idempotency_key_in_use", of_form if is_form else of_request)


class AlreadyDone(Exception):
    """A request with the same key has been answered; `response` is the stored response."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


class KeyedWrite:
    """A POST with an `Idempotency-Key`: its digests and, once it has begun, its transaction.

    `account` is None for a caller who has none.
    """

    @classmethod
    def of_request(cls, request: Request, account: Account | None, key: str) -> Self:
        """Return the write of a request; raises BadRequest for a wrong key."""
        if not VALID_KEY.fullmatch(key):
            raise BadRequest(
                "wrong_idempotency_key",
                "an Idempotency-Key has 1 to 255 printable ASCII characters",
            )
        token = request.auth.pk if isinstance(request.auth, Token) else ""
        digest = _digest_of([token, request.get_full_path(), *_body_parts(request)])
        return cls(account, key, digest)

    @classmethod
    def of_form(cls, request: Request, account: Account | None) -> Self | None:
        """Return the write of a form, None without a key; what is typed later is another write."""
        if not (key := request.POST.get("csrfmiddlewaretoken")):
            return None
        fields = canonical_json([*request.POST.lists()])
        digest = _digest_of([request.get_full_path(), fields, *_contents(request.FILES)])
        return cls(account, f"{key[:64]} {digest}", digest, is_form=True)

    def __init__(
        self, account: Account | None, key: str, request_digest: str, *, is_form: bool = False
    ) -> None:
        self.account = account
        self.is_form = is_form
        self.request_digest = request_digest
        caller = request_digest if account is None else f"account/{account.pk}"
        self.key_digest = _digest_of([SALT, caller, key])
        keys = (
            salted_hmac(SALT, f"{caller} {key}", secret=secret, algorithm="sha256").digest()
            for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        )
        self._cipher = MultiFernet(Fernet(urlsafe_b64encode(derived)) for derived in keys)
        self._row: StoredResponse | None = None
        self._stored: StoredResponse | None = None
        self._transaction = ExitStack()

    @property
    def has_begun(self) -> bool:
        return self._row is not None

    def require_new(self) -> None:
        """Raise AlreadyDone if there is a response; Unprocessable if it is that of another request.

        Those older than RESPONSE_DAYS do not count. Raises Conflict if it is unreadable.
        """
        row = StoredResponse.objects.filter(
            key_digest=self.key_digest, created_at__gt=oldest_response()
        ).first()
        if row is None:
            return
        if row.request_digest != self.request_digest:
            raise Unprocessable(
                "idempotency_key_reused",
                "this Idempotency-Key was sent with another address, body or token;"
                " send another key",
                parameter="Idempotency-Key",
            )
        try:
            content = zlib.decompress(self._cipher.decrypt(bytes(row.content)))
        except InvalidToken:
            raise Conflict(
                "idempotent_response_lost",
                "the request with this Idempotency-Key was carried out, but the secret key of the"
                " service was replaced since, and its response cannot be read any more; look at"
                " what it has changed",
            ) from None
        self._stored = row
        headers = {**row.headers, REPLAYED: "true"}
        raise AlreadyDone(HttpResponse(content, status=row.status, headers=headers))

    def begin(self) -> None:
        """Begin the transaction of the write with the row of its key.

        Raises AlreadyDone if another request with the key was faster, KeyInUse if it takes too
        long, and QuotaReached.
        """
        if self._row is not None:
            return
        try:
            self._check_quotas()
        except QuotaReached:
            if self.is_form:
                return  # nobody asked for the key
            raise
        self._transaction.enter_context(transaction.atomic())
        try:
            with transaction.atomic():
                old = StoredResponse.objects.filter(created_at__lte=oldest_response())
                old.filter(key_digest=self.key_digest).delete()
                row = StoredResponse(
                    account=self.account,
                    key_digest=self.key_digest,
                    request_digest=self.request_digest,
                )
                row.save(force_insert=True)
                self._row = row
        except IntegrityError:
            self._transaction.close()
            self.require_new()
            raise KeyInUse(is_form=self.is_form) from None
        except OperationalError as error:
            self.abandon(error)
            if not is_database_busy(error):
                raise
            raise KeyInUse(is_form=self.is_form) from error

    def _check_quotas(self) -> None:
        if self.account is None:
            return  # the limits of requests are those of an address
        stored = StoredResponse.objects.filter(account=self.account)
        sizes = stored.aggregate(number=Count("pk"), size=Sum("size", default=0))
        check_quota("responses", sizes["number"] + 1, by=self.account)
        check_quota("response_bytes", sizes["size"] + 1, by=self.account)

    def finish(self, response: Response) -> None:
        """Commit a successful write with its response; of a rejected one, no row remains."""
        if self._row is None:
            return
        row, self._row = self._row, None
        response.render()
        if not connection.needs_rollback:
            if response.status_code < 400:
                self._store(row, response)
                self._stored = row
            else:
                row.delete()
        self._transaction.close()

    def replace(self, response: Response) -> None:
        """Store what the request is answered with after a wait, unless that is too large."""
        response.render()
        content = zlib.compress(response.content, 1)
        if self._stored is not None and len(content) <= LARGEST_STORED_RESPONSE:
            row = StoredResponse.objects.filter(pk=self._stored.pk)
            row.update(**self._values(response, content))

    def _store(self, row: StoredResponse, response: Response) -> None:
        content = zlib.compress(response.content, 1)
        if len(content) > LARGEST_STORED_RESPONSE and self.is_form:
            row.delete()
            return
        if len(content) > LARGEST_STORED_RESPONSE:
            raise Unprocessable(
                "response_too_large",
                "the response is too large to be stored, and nothing was changed;"
                " send the request without an Idempotency-Key",
            )
        values = self._values(response, content)
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=[*values])

    def _values(self, response: Response, content: bytes) -> dict[str, Any]:
        """Return the columns of a stored response with its compressed content."""
        return {
            "status": response.status_code,
            "headers": {
                name: response.headers[name] for name in STORED_HEADERS if name in response.headers
            },
            "content": self._cipher.encrypt(content),
            "size": len(content),
        }

    def abandon(self, error: BaseException) -> None:
        self._row = None
        self._transaction.__exit__(type(error), error, error.__traceback__)


def _digest_of(parts: Iterable[str | bytes]) -> str:
    """Return a digest of the parts, which differs if they are divided otherwise."""
    contents = [part.encode() if isinstance(part, str) else part for part in parts]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in contents)).hexdigest()


def _body_parts(request: Request) -> list[str | bytes]:
    """Return what a body consists of: JSON in its canonical form, and the content of files."""
    data = request.data
    if isinstance(data, QueryDict):
        return _contents(request.FILES)
    return [data if isinstance(data, bytes) else canonical_json(data)]


def _contents(files: Mapping[str, Any]) -> list[str | bytes]:
    """Return the name and the content of each file."""
    parts: list[str | bytes] = []
    for _, file in sorted(files.items()):
        parts += [str(file.name), file.read()]
        file.seek(0)
    return parts
