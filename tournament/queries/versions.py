"""The versions of a round's pairings: who set them, when, why, and what became of them.

The pairings of all versions are stored. The rest is in the journal, so that it is recorded once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Count, Q, QuerySet

from games.core.journal.chain import format_time
from games.core.journal.lines import load_lines
from games.models import JournalLine
from tournament.models import Pairing, Round, Tournament, references

STATES_OF_VERSIONS = {
    "paired": Round.State.DRAFTED,
    "set_by_hand": Round.State.DRAFTED,
    "changed": Round.State.DRAFTED,
    "published": Round.State.PUBLISHED,
    "complete": Round.State.COMPLETE,
    "reopened": Round.State.PUBLISHED,
}
"""The state of a version after a line, by the second word of its kind."""
VERSION_ACTIONS = (*STATES_OF_VERSIONS, "unpaired", "restored")


@dataclass(frozen=True, slots=True)
class RoundVersion:
    """A version of a round, with its journal lines; `state` is its last one.

    `system`, `reason`, `notes` and `relaxed` are those of the round while it was current.
    """

    version: int
    state: str
    is_current: bool
    boards: int
    system: str = ""
    reason: str = ""
    notes: list[dict[str, Any]] = field(default_factory=list)
    relaxed: list[str] = field(default_factory=list)
    history: tuple[dict[str, Any], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the version for the API."""
        return {name: getattr(self, name) for name in self.__slots__}


def load_versions(tournament: Tournament, this_round: Round) -> list[RoundVersion]:
    """Load the versions of a round, oldest first; two queries."""
    return describe_versions(tournament, this_round, version_rows(this_round))


def version_rows(this_round: Round) -> "QuerySet[Pairing, Any]":
    """Return the versions of a round, oldest first, with the numbers of their boards and games."""
    rows = Pairing.objects.filter(round=this_round).values("version").order_by("version")
    return rows.annotate(boards=Count("pk", filter=Q(kind=Pairing.Kind.GAME)), games=Count("game"))


def describe_versions(
    tournament: Tournament, this_round: Round, rows: Iterable[Mapping[str, Any]]
) -> list[RoundVersion]:
    """Return the versions of some of these rows, with their journal lines; one query."""
    versions = {
        row["version"]: RoundVersion(
            version=row["version"],
            state=Round.State.PUBLISHED if row["games"] else Round.State.DRAFTED,
            is_current=row["version"] == this_round.version,
            boards=row["boards"],
        )
        for row in rows
    }
    kinds = [f"round.{action}" for action in VERSION_ACTIONS]
    of_round = Q(kind__in=kinds, payload__body__round=this_round.number)
    lines = load_lines(tournament.stream).filter(of_round | Q(kind="tournament.imported"))
    for line in lines.filter(payload__isnull=False):
        _add_line(versions, this_round.number, line)
    return _with_entries(tournament, list(versions.values()))


def notes_by_ordinal(
    tournament: Tournament, notes: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the notes of a round as lines have them, with the ordinals of entries."""
    if not notes:
        return []
    ordinals = dict(tournament.entries.values_list("pk", "ordinal"))
    found: list[dict[str, Any]] = references.notes(notes, lambda _, entry: ordinals[entry])
    return found


def _with_entries(tournament: Tournament, versions: list[RoundVersion]) -> list[RoundVersion]:
    """Return versions whose notes have the ids of the entries instead of their ordinals."""
    if not any(version.notes for version in versions):
        return versions
    ids = dict(tournament.entries.values_list("ordinal", "pk"))
    return [
        replace(version, notes=references.notes(version.notes, lambda _, entry: ids[entry]))
        for version in versions
    ]


def _add_line(versions: dict[int, RoundVersion], round_number: int, line: JournalLine) -> None:
    word, payload = line.kind.partition(".")[2], line.payload.body
    content: Mapping[str, Any] = payload
    if word == "imported":
        content = next(row for row in payload["rounds"] if row["round"] == round_number)
    number = content["unpaired"] if word == "unpaired" else content["version"]
    if number not in versions:
        return
    version = versions[number]
    event = {
        "action": word,
        "by": line.actor,
        "at": format_time(line.at),
        "reason": payload.get("reason", ""),
    }
    version = replace(version, history=(*version.history, event))
    if "system" in content:
        version = replace(
            version,
            system=content["system"],
            reason=content["reason"],
            notes=content.get("notes", []),
            relaxed=content.get("relaxations", []),
        )
    state = content.get("state") or STATES_OF_VERSIONS.get(word, version.state)
    versions[number] = replace(version, state=str(state))
