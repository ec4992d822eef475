"""Addresses that get no messages which others send by this site: invitations, proposals of games.

An address is stored as a digest with the key of the service, which is also what the address of the
page at the end of each message contains. Neither shows whose it is.
"""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.core import signing
from django.utils.crypto import salted_hmac

from games.models import MailRefusal
from games.models.addresses import same_address

SALT: Final = "games.mail.refusal"
PAGE: Final = "mail"


def digests_of(email: str) -> list[str]:
    """Return the digests of an address: under today's key of the service, and earlier ones."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [
        salted_hmac(SALT, same_address(email), secret=key, algorithm="sha256").hexdigest()
        for key in keys
    ]


def has_refused(digests: Sequence[str]) -> bool:
    """Return True if an address, by its digests, gets no messages that others send."""
    return MailRefusal.objects.filter(digest__in=digests).exists()


def change_refusal(digests: Sequence[str], *, is_refused: bool) -> None:
    """Refuse the messages that others send to an address, or want them again."""
    if is_refused:
        MailRefusal.objects.get_or_create(digest=digests[0])
    else:
        MailRefusal.objects.filter(digest__in=digests).delete()


def refusal_page(email: str) -> str:
    """Return the address of the page by which the recipient of a message refuses further ones."""
    token = signing.dumps(digests_of(email)[0], salt=SALT)
    return f"{settings.PUBLIC_URL}/{PAGE}/{token}"


def read_refusal(token: str) -> str:
    """Return the digest in the address of such a page; empty if the site has not made it."""
    try:
        return str(signing.loads(token, salt=SALT))
    except (signing.BadSignature, ValueError, TypeError):
        return ""
