"""Load the explanation of a round, and its progress."""

from typing import Any

from games.queries import rows_as_dicts
from tournament.models import Entry, Explanation
from tournament.pairing.findings import with_names

MOST_ATTEMPTS = 3
"""The number of failed attempts after which an explanation is abandoned."""


def explanation_with_names(explanation: Explanation) -> dict[str, Any] | None:
    """Return an explanation with the current names in its sentences; None until it is filled."""
    body = explanation.body
    if body is None:
        return None
    certificate = explanation.certificate
    entries = Entry.objects.filter(tournament=certificate.tournament_id)
    rows = rows_as_dicts(entries, "pk", "player__name")
    name_of = {row["pk"]: row["player__name"] for row in rows}
    names = {
        number: name_of.get(entry, "") for number, entry in enumerate(certificate.entries, start=1)
    }

    def named(reason: dict[str, Any]) -> dict[str, Any]:
        return reason | {"sentence": with_names(reason["sentence"], names)}

    if "reason" in body:
        return {"reason": named(body["reason"])}
    return {
        "boards": [
            board | {"reasons": [named(reason) for reason in board["reasons"]]}
            for board in body["boards"]
        ]
    }


def explanation_progress(explanation_id: int) -> dict[str, Any] | None:
    """Return the task of an explanation as JSON, with its result once done; None if unknown."""
    explanation = (
        Explanation.objects.filter(pk=explanation_id)
        .select_related("certificate__round__tournament")
        .first()
    )
    if explanation is None:
        return None
    certificate, body = explanation.certificate, explanation_with_names(explanation)
    tournament = certificate.round.tournament
    is_done = body is not None
    has_failed = not is_done and explanation.attempts >= MOST_ATTEMPTS
    place = {"tournament": tournament.slug, "round": certificate.round.number}
    return {
        "id": f"explanation-{explanation.pk}",
        "state": "done" if is_done else "failed" if has_failed else "waiting",
        "progress": 1 if is_done else 0,
        "stream": tournament.stream,
        "result": {**place, **body, "numbers": certificate.entries} if body is not None else None,
    }
