"""Apps: programs of others, which act for an account that has allowed it (OAuth 2)."""

from typing import Any
from urllib.parse import urlsplit

from django.db import models
from django.utils.translation import gettext_lazy as _
from oauth2_provider.models import AbstractApplication

from games.models.columns import Columns


class App(AbstractApplication):
    """A program that an account has registered; its codes and tokens are django-oauth-toolkit's."""

    class Kind(models.TextChoices):
        """Where the program runs: only a server keeps a secret."""

        SERVER = "server", _("on a server, which keeps a secret")
        BROWSER = "browser", _("in a browser")
        NATIVE = "native", _("on a device, where it is installed")

    kind = models.CharField(max_length=8, choices=Kind)
    homepage = models.URLField()
    disabled_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "client_id", "user", "redirect_uris", "post_logout_redirect_uris", "client_type",
            "authorization_grant_type", "client_secret", "hash_client_secret", "name",
            "skip_authorization", "created", "updated", "algorithm", "allowed_origins",
            "registration_source", "cimd_expires_at", "kind", "homepage", "disabled_at",
        ),
        personal=(),
    )  # fmt: skip

    def __str__(self) -> str:
        return self.name

    def is_usable(self, request: Any) -> bool:
        """Return True unless staff has disabled the app, or its author's account is closed."""
        return self.disabled_at is None and self.user is not None and self.user.is_active

    def get_allowed_schemes(self) -> list[str]:
        """Return the schemes of the addresses to which a person may be sent back."""
        return [urlsplit(uri).scheme for uri in self.redirect_uris.split()]
