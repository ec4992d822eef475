"""Applications: players apply for a place, with their account or by the event's link.

The link serves everyone who has it and gives no other right. A person without an account sends
their details, which `games.players.matching` compares with the registered players.
"""

import secrets
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from games.core.errors import Conflict
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.core.uploads.progress import no_progress
from games.models import Account, Player
from games.players.matching import PlayerDetails, match_players, register_new_players
from games.quotas import check_quota
from games.rules.text import Text
from tournament.core.actions import require_event_action
from tournament.models import Entry, Tournament
from tournament.services.entry_edits import check_birth_year
from tournament.services.entry_payloads import entry_payload
from tournament.services.locking import lock_tournament

KEY_BYTES = 16


def create_application_key(tournament: Tournament, *, by: Account) -> str:
    """Create the key of the link for applications; an earlier link does not work any more."""
    return _set_key(tournament, secrets.token_urlsafe(KEY_BYTES), "applications.opened", by)


def delete_application_key(tournament: Tournament, *, by: Account) -> None:
    """Revoke the link for applications; raises Conflict if there is none."""
    if not tournament.application_key:
        raise Conflict("nothing_to_do", Text("the event has no link for applications"))
    _set_key(tournament, "", "applications.closed", by)


def _set_key(tournament: Tournament, key: str, kind: str, by: Account) -> str:
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        tournament.application_key = key
        tournament.save(update_fields=["application_key"])
        append_line(tournament.stream, kind, {}, by=by)
    return key


def find_by_key(slug: str, key: str) -> Tournament | None:
    """Return the tournament if this is the key of its link for applications."""
    tournament = Tournament.objects.filter(slug=slug).exclude(application_key="").first()
    if tournament and constant_time_compare(tournament.application_key, key):
        return tournament
    return None


def apply(
    tournament: Tournament,
    applicant: Player | PlayerDetails,
    *,
    by: Account | None,
    **personal: Any,
) -> Entry:
    """Enter a player as `applied`: this one, or the person with these details.

    Raises Conflict unless the registration is open, if the player has applied already, and if the
    details fit several players.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_action(tournament, "apply")
        check_birth_year(tournament, personal.get("birth_year"))
        ordinal = tournament.entries.count() + 1
        check_quota("entries", ordinal, by=by or Account())
        player = applicant
        if isinstance(player, PlayerDetails):
            player = _find_or_register(player, by)
        is_own = by is not None and player.account_id == by.pk
        try:
            with transaction.atomic():
                entry = Entry.objects.create(
                    tournament=tournament,
                    ordinal=ordinal,
                    player=player,
                    state=Entry.State.APPLIED,
                    seed_rating=player.seed_rating or 0,
                    consented_at=timezone.now() if is_own else None,
                    **personal,
                )
        except IntegrityError as error:
            raise Conflict(
                "entered_already", Text("%(name)s has already applied", name=player.name)
            ) from error
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.applied", entry_payload(entry), by=by, rows=rows)
    return entry


def _find_or_register(details: PlayerDetails, by: Account | None) -> Player:
    """Return the registered player of these details, or a new one.

    The refusal of ambiguous details names no candidates, because anyone can read it.
    """
    (found,) = match_players([details], is_distinct=True, progress=no_progress)
    if found.problem:
        detail = Text("these details may mean another person; ask the organiser to enter you")
        raise Conflict(found.problem.code, detail)
    register_new_players([found], by=by, progress=no_progress)
    return found.player
