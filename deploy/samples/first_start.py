"""The first start: create an organiser account and load a finished sample tournament."""

import os
import secrets
from functools import partial
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import transaction

from games.core.accounts.services import note_first_staff
from games.core.accounts.tokens import issue_token
from games.core.permissions import SCOPES
from games.models import Account, Token
from ratings.models import Pool

ORGANISER: Final = "organiser@localhost"


def create_organiser() -> str | None:
    """Set up an installation that has no accounts, completely or not at all.

    The organiser is site staff and a rating officer of the pool of the samples. Return their
    password, or None if there are accounts already. Their token, with every scope, is written to
    `organiser-token` in the state folder (mode 0600). The file is written before the commit and
    gets its name after it, or at the next start if the service is killed in between. The token does
    not expire: anyone who can read that folder can read the database and the secret key too.
    """
    path = settings.STATE_DIR / "organiser-token"
    if Account.objects.exists():
        if draft_of(path).exists():
            draft_of(path).replace(path)
        return None
    # Later starts do without these, which would keep 20 MB in the process that watches the others.
    from deploy.samples.event import SAMPLE_POOL
    from deploy.samples.lantern_masters import load_lantern_masters
    from ratings.pools.services import add_officer

    password = secrets.token_urlsafe(12)
    with transaction.atomic():
        organiser = Account.objects.create_superuser(ORGANISER, password, name="Organiser")
        note_first_staff(organiser)
        token, secret = issue_token(
            organiser, list(SCOPES), name="first start", preconditions=Token.Preconditions.OPTIONAL
        )
        Token.objects.filter(pk=token.pk).update(expiry=None)
        transaction.on_commit(partial(write_draft(path, secret).replace, path))
        add_officer(Pool.objects.get(code=SAMPLE_POOL), organiser, by=organiser)
        load_lantern_masters(by=organiser)
    return password


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner can read, completely or not at all."""
    write_draft(path, text).replace(path)


def draft_of(path: Path) -> Path:
    """Return the file that becomes `path` by renaming it."""
    return path.with_name(path.name + ".new")


def write_draft(path: Path, text: str) -> Path:
    """Write the draft of a file that only its owner can read, and return it."""
    draft = draft_of(path)
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    return draft
