"""Compare the journals of events, casual games, pools and the site with the rows of their tables.

What follows from the rows of an event, as digests, is compared with what is stored. The journal has
the digest of the table after each completed round.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from games.core.journal.lines import SITE, find_stored_errors, load_lines
from games.core.journal.rows import Row, expanded, kind_of, rows_of
from games.core.roles.queries import invitations_of
from games.models import Game, JournalHead, JournalLine, Player, Report, Role
from games.models.columns import login_columns
from games.play.verification import (
    JournalledRows,
    find_differences,
    find_misfolded,
    find_unsettled_results,
    fold_lines,
    verify_casual_game,
    verify_site,
)
from ratings.models import Pool
from ratings.runs.filed import find_filed_otherwise, find_filed_without_line
from ratings.runs.verification import find_unstated, verify_pool_rows
from tournament.core.crosstable import standings_digest
from tournament.core.queries import FINISHED_ROUND_STATES
from tournament.models import (
    Bye,
    Certificate,
    Correction,
    Entry,
    Pairing,
    PersonalLink,
    Round,
    Tournament,
)
from tournament.pairing.certificates import CertificateError, digests_of

EVENT, GAME, POOL = "tournament/", "game/", "pool/"
LOCAL = (Role, PersonalLink)
"""The models whose rows belong to logins: they do not travel with the event."""

RETIRED_KINDS = ("snapshot",)
"""The kinds of rows that lines of earlier releases state: they are chained, and not compared."""


def event_querysets(stream: str) -> Iterator["QuerySet[Any]"]:
    """Yield the rows of the event of a stream, by model."""
    events = Tournament.objects.filter(slug=stream.removeprefix("tournament/"))
    yield events
    for model in (Entry, Bye, Round, Certificate, Pairing, Correction):
        yield model._default_manager.filter(tournament__in=events)
    yield Game.objects.filter(stream=stream)
    yield Report.objects.filter(game__stream=stream)
    yield PersonalLink.objects.filter(entry__tournament__in=events)
    yield Role.objects.filter(stream=stream)


def stored_rows(stream: str) -> dict[str, dict[str, Row]]:
    """Return the journalled columns of an event as they are stored, by kind and key."""
    return {kind_of(found.model): rows_of(found) for found in event_querysets(stream)}


def imported_rows(tournament: Tournament) -> dict[str, dict[str, Row | None]]:
    """Return the rows of an event that was imported, but those that it was created with."""
    stored = stored_rows(tournament.stream)
    created = {kind_of(Role)}
    return {kind: {**rows} for kind, rows in stored.items() if kind not in created}


def verify_tournament(stream: str) -> list[str]:
    """Return a sentence for each difference of a tournament's rows from what they follow from.

    Tables are computed only from rows that are right: what is wrong may be impossible to compute.
    """
    differences = [
        *compare_with_journal(stream),
        *find_unsettled_results(Game.objects.filter(stream=stream)),
        *find_derived(stream),
        *_find_strangers(stream),
        *find_misfolded(Tournament.objects.filter(slug=stream.removeprefix("tournament/"))),
        *find_filed_otherwise(stream),
        *_find_unreadable_players(stream),
        *_find_offered_otherwise(stream),
    ]
    return differences or [*_find_wrong_tables(stream)]


def compare_with_journal(stream: str) -> list[str]:
    """Return a sentence for each difference between the rows of a tournament and its journal."""
    journalled, errors = replay_tournament(stream)
    return [*errors, *find_differences(journalled, stored_rows(stream))]


def replay_tournament(stream: str) -> tuple[JournalledRows, list[str]]:
    """Return the rows that the journal of a tournament describes, and what it does not contain.

    What logins of another installation have, from which the event was imported, did not travel, and
    neither did what was done by whom.
    """
    lines = list(load_lines(stream))
    journalled, errors = fold_lines(lines)
    for kind in RETIRED_KINDS:
        journalled.rows.pop(kind, None)
    imported = _find_import(stream)
    head = imported and next(
        (line for line in lines if line.digest == imported.payload.body.get("head")), None
    )
    if imported and head:
        _forget_logins(journalled, head.sequence)
        here, _ = fold_lines(line for line in lines if line.sequence > head.sequence)
        local = {kind_of(model) for model in LOCAL}
        for kind in local:
            journalled.rows[kind] = {}
        for kind, key, row in expanded(imported.payload.rows or {}):
            if kind in local:
                journalled.apply(head.sequence, kind, key, row)
        for kind in local:
            for key, found in here.rows.get(kind, {}).items():
                journalled.apply(head.sequence, kind, key, found)
    return journalled, errors


def _forget_logins(journalled: JournalledRows, until: int) -> None:
    """Remove the logins that lines up to this one named."""
    for model in (found.model for found in event_querysets("")):
        kind = kind_of(model)
        for key, row in journalled.rows.get(kind, {}).items():
            for name in login_columns(model):
                if journalled.lines.get((kind, key, name), 0) <= until:
                    row[name] = None


def _find_import(stream: str) -> JournalLine | None:
    """Return the line of the site about the bundle that an event was imported from."""
    slug = stream.removeprefix("tournament/")
    lines = load_lines(SITE).filter(kind="bundle.imported", payload__body__tournament=slug)
    return lines.last()


def _find_unreadable_players(stream: str) -> Iterator[str]:
    """Yield a sentence for each player of an event of whom no table can be computed."""
    slug = stream.removeprefix("tournament/")
    for player in Player.objects.filter(entries__tournament__slug=slug):
        if not isinstance(player.external_ids, dict):
            yield f"player {player.key}: external_ids cannot be read"


def find_derived(stream: str) -> Iterator[str]:
    """Yield a sentence for each certificate that has not the digests of its text."""
    slug = stream.removeprefix("tournament/")
    for row in Certificate.objects.filter(tournament__slug=slug).select_related("round"):
        try:
            digests = digests_of(row.text)
        except CertificateError:
            digests = "", ""
        if digests != (row.input_digest, row.output_digest):
            name = f"certificate {row.round.number}/{row.version}"
            yield f"{name}: its digests are not those of its text"


def _find_wrong_tables(stream: str) -> Iterator[str]:
    """Yield a sentence for each table that has another digest, without any change since."""
    for number, line, later in _find_other_tables(stream):
        if later is None:
            yield f"the table after round {number} has not the digest of line {line.sequence}"


def find_not_comparable(stream: str) -> Iterator[str]:
    """Yield a sentence for what the journal of a stream does not say, or says of an earlier state.

    That are tables that were changed since the journal stated their digests, and what earlier
    versions did not write.
    """
    for pool in Pool.objects.filter(code=stream.removeprefix(POOL)):
        yield from find_unstated(pool)
    yield from find_filed_without_line(stream)
    for number, _, later in _find_other_tables(stream):
        if later is not None:
            yield (
                f"the table after round {number} cannot be compared with its digest: line"
                f" {later.sequence} ({later.kind}) has changed what it counts"
            )


def _find_other_tables(stream: str) -> Iterator[tuple[int, JournalLine, JournalLine | None]]:
    """Yield the completed rounds whose tables have another digest than the journal states.

    With the line that states it, and the first later one that changes what the table counts.
    """
    lines = load_lines(stream)
    for tournament in Tournament.objects.filter(slug=stream.removeprefix(EVENT)):
        finished = tournament.round_set.filter(state__in=FINISHED_ROUND_STATES).order_by("number")
        for number in finished.values_list("number", flat=True):
            completed = lines.filter(kind="round.complete", payload__body__round=number).last()
            if completed is None:  # the round was imported
                continue
            if completed.payload.body.get("standings") != standings_digest(tournament, number):
                later = lines.filter(sequence__gt=completed.sequence, payload__isnull=False)
                changed = (line for line in later if _has_changed(line, number))
                yield number, completed, next(changed, None)


COUNTED: Mapping[str, frozenset[str]] = {
    kind_of(Tournament): frozenset(
        {"system", "system_options", "rounds", "games_per_pairing", "points"}
    ),
    kind_of(Entry): frozenset({"state", "pairing_number"}),
}
"""The columns of the event and of its entries on which tables depend."""
UNCOUNTED = frozenset({"closed", "round_complete"})
"""The columns of games on which no table depends, though their states change."""


def _has_changed(line: JournalLine, number: int) -> bool:
    """Return True if a line changes what the table after a round counts."""
    rounds = {str(counted) for counted in range(1, number + 1)}
    for kind, key, row in expanded(line.payload.rows or {}):
        if kind in COUNTED and (row is None or COUNTED[kind] & row.keys()):
            return True
        of_round = kind in ("pairing", "game", "report") and key.partition("/")[0] in rounds
        if of_round and (row is None or not row.keys() <= UNCOUNTED):
            return True
    return False


SCOPES: dict[Any, str] = {
    Entry: "tournament__slug",
    Round: "tournament__slug",
    Correction: "tournament__slug",
    Game: "stream",
    Report: "game__stream",
}
"""What must be that of the event in the rows to which others of the event refer."""


def _find_strangers(stream: str) -> Iterator[str]:
    """Yield a sentence for each reference to a row of another event; its key may be the same."""
    slug = stream.removeprefix("tournament/")
    for rows in event_querysets(stream):
        for field in rows.model._meta.concrete_fields:
            if scope := SCOPES.get(field.related_model):
                own = slug if scope.endswith("slug") else stream
                others = rows.exclude(**{f"{field.name}__{scope}": own})
                for row in others.filter(**{f"{field.name}__isnull": False}):
                    yield f"{kind_of(rows.model)} {row.pk}: {field.name} is of another event"


def _find_offered_otherwise(stream: str) -> Iterator[str]:
    """Yield a sentence for each open invitation to another role than the journal says.

    The first line of a draft that got another address replaces those about its invitations.
    """
    lines = load_lines(stream).filter(payload__isnull=False)
    bodies = [line.payload.body for line in lines.filter(kind="role.invited")]
    offered = {body.get("invitation"): body.get("role") for body in bodies}
    is_moved = lines.filter(kind="tournament.moved").exists()
    for link in invitations_of(stream):
        if link.pk not in offered and not is_moved:
            yield f"invitation {link.pk} is not in the journal"
        elif link.role != offered.get(link.pk, link.role):
            yield f"invitation {link.pk}: role is {link.role}, the journal has {offered[link.pk]}"


def find_streams() -> set[str]:
    """Return the streams that have rows or a journal."""
    heads = JournalHead.objects.values_list("stream", flat=True)
    slugs = Tournament.objects.values_list("slug", flat=True)
    games: Iterable[int] = Game.objects.filter(stream="").values_list("pk", flat=True)
    return {
        SITE,
        *(stream for stream in heads if stream.startswith((EVENT, GAME, POOL))),
        *(pool.stream for pool in Pool.objects.all()),
        *(f"{EVENT}{slug}" for slug in slugs),
        *(f"{GAME}{game}" for game in games),
    }


def count_replayed_rows(stream: str) -> dict[str, int]:
    """Return how many rows of each kind the journal of a stream describes."""
    if stream.startswith(EVENT):
        journalled, _ = replay_tournament(stream)
    else:
        journalled, _ = fold_lines(load_lines(stream))
    return {kind: len(rows) for kind, rows in sorted(journalled.rows.items())}


def verify_stream(stream: str) -> list[str]:
    """Return the errors of a stream's chain, and the differences of its rows from the journal."""
    lines = load_lines(stream)
    errors = find_stored_errors(stream, list(lines))
    if stream.startswith(EVENT):
        return [*errors, *verify_tournament(stream)]
    if stream.startswith(POOL):
        return [*errors, *verify_pool_rows(stream)]
    if stream == SITE:
        return [*errors, *verify_site(lines)]
    return [*errors, *verify_casual_game(stream, lines)]
