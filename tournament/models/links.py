"""The personal links of entries."""

from typing import Final

from django.core import signing
from django.db import models
from django.utils import timezone

from games.models import Account
from games.models.columns import Columns, Journalled
from tournament.models.events import Entry

SALT: Final = "tournament.links"


class PersonalLink(Journalled):
    """A link with which a player opens their page of an event without a login.

    Its token is a signature of the entry and of `version`, so no secret is stored, and a new link
    replaces an older one.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="link")
    version = models.PositiveIntegerField(default=1)
    issued_by = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    issued_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=("entry", "version", "issued_by", "issued_at", "revoked_at"),
        derived=(),
        technical=("id",),
        personal=(),
        key=("entry",),
    )

    @property
    def token(self) -> str:
        """Return the token in the address of the link."""
        return signing.Signer(salt=SALT).sign_object([self.entry_id, self.version])

    def __str__(self) -> str:
        return f"link {self.version} of {self.entry}"
