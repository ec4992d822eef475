"""Personal links: create them for all entries, revoke one, and open a session with one.

A link is for players without a login. It is exchanged for a session, a token that ends after half a
day: so the secret of the link need not stay in the address bar. What is reported with it counts as
known to the director who created the link, as with every token that a director issues.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.core import signing
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.core.accounts.tokens import SESSION, issue_personal_token
from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, updated_rows
from games.models import Account, Token
from games.rules.text import Text
from tournament.models import Entry, PersonalLink, Tournament

ENTRY_LINK_SALT: Final = "tournament.links"
LIFETIME: Final = timedelta(hours=12)


def token_of(link: PersonalLink) -> str:
    """Return the token in the address of a link."""
    return signing.Signer(salt=ENTRY_LINK_SALT).sign_object([link.entry_id, link.version])


def find_link(slug: str, token: str) -> PersonalLink | None:
    """Return the link of a token if it works in this event."""
    try:
        entry, version = signing.Signer(salt=ENTRY_LINK_SALT).unsign_object(token)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    links = PersonalLink.objects.filter(entry__tournament__slug=slug, revoked_at=None)
    return links.filter(entry=entry, version=version).select_related("entry__tournament").first()


def create_links(
    tournament: Tournament, *, by: Account, replaced: Collection[int] = ()
) -> list[int]:
    """Create a link for each accepted entry without one, and new ones for the `replaced` entries.

    Return the ids of these entries. The earlier link of a replaced one does not work any more.
    Raises Unprocessable for an entry that is not accepted.
    """
    with transaction.atomic():
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        numbers = set(accepted.values_list("pk", flat=True))
        if unknown := sorted(set(replaced) - numbers):
            detail = Text(
                "entry %(number)s is not an accepted entry of %(event)s",
                number=unknown[0],
                event=tournament.name,
            )
            raise Unprocessable("unknown_entry", detail, at="/entries")
        links = PersonalLink.objects.select_for_update().filter(entry__in=numbers)
        existing = dict(links.values_list("entry", "revoked_at"))
        ended = {entry for entry, revoked_at in existing.items() if revoked_at} | set(replaced)
        again = sorted(ended & existing.keys())
        _end_sessions(tournament, again)
        links.filter(entry__in=again).update(
            version=F("version") + 1, issued_by=by, issued_at=timezone.now(), revoked_at=None
        )
        new = sorted(numbers - existing.keys())
        PersonalLink.objects.bulk_create(PersonalLink(entry_id=pk, issued_by=by) for pk in new)
        created = sorted([*new, *again])
        if created:
            stored = PersonalLink.objects.filter(entry__in=created)
            rows = updated_rows(stored, "entry", "version", "issued_at", "revoked_at")
            payload = {"entries": created}
            append_line(tournament.stream, "links.created", payload, by=by, rows=rows)
    return created


def revoke_link(entry: Entry, *, by: Account) -> None:
    """Revoke the link of an entry, and end its sessions; raises Conflict if there is none."""
    with transaction.atomic():
        link = PersonalLink.objects.filter(entry=entry, revoked_at=None).first()
        if link is None:
            raise Conflict("nothing_to_do", Text("%(name)s has no link", name=entry.player.name))
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        _end_sessions(entry.tournament, [entry.pk])
        payload, rows = {"entry": entry.pk}, changed_rows(link)
        append_line(entry.tournament.stream, "link.revoked", payload, by=by, rows=rows)


def open_session(link: PersonalLink) -> tuple[Token, str]:
    """Return a new token of the player for half a day, with its secret."""
    entry = link.entry
    return issue_personal_token(
        entry.player, entry.tournament.stream, by=link.issued_by, lifetime=LIFETIME
    )


def _end_sessions(tournament: Tournament, entries: Collection[int]) -> None:
    """Delete the tokens that the links of these entries were exchanged for."""
    players = tournament.entries.filter(pk__in=entries).select_related("player__merged_into")
    accounts = [entry.player.current.account_id for entry in players]
    Token.objects.filter(user__in=accounts, stream=tournament.stream, name=SESSION).delete()
