"""Why a round is paired so: computed once from its certificate, and kept with it.

Small rounds are explained at once, large ones by a task: the row says what is asked for, and is
filled when the answer is there.
"""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from games.broker import send_on_commit
from games.http.errors import Conflict, Unprocessable
from tournament import queries
from tournament.models import Certificate, Explanation, Round, Tournament
from tournament.pairing import certificates as pure
from tournament.pairing.errors import PairingError
from tournament.pairing.explanations import explain_absence, explain_round
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.services.certificates import current_certificate
from tournament.standings.errors import StandingsError

MOST_AT_ONCE = 200
"""Players up to which an answer is not worth a task."""

WHOLE_ROUND = (0, 0)
TASK = "tournament.tasks.explain"


def explain_pairings(this_round: Round) -> Explanation:
    """The explanation of all boards of a round; raises Conflict for a round without certificate."""
    return _asked(_certificate(this_round), *WHOLE_ROUND)


def explain_two(tournament: Tournament, this_round: Round, one: int, other: int) -> Explanation:
    """Why two players, by their pairing numbers of today, do not meet in a round.

    Raises Unprocessable for numbers that are not two players of that round's event, Conflict for
    a round without certificate and for a system that does not tell.
    """
    system = PAIRING_SYSTEMS[tournament.system]
    if not system.compares_alternatives:
        raise Conflict(
            "not_explained",
            f"{system.name} does not tell what a round would lose with another pair",
        )
    certificate = _certificate(this_round)
    numbers = {entry: number for number, entry in enumerate(certificate.entries, start=1)}
    today = queries.entries_by_number(tournament)
    asked = [numbers.get(today.get(number, 0)) for number in (one, other)]
    if one == other or None in asked:
        raise Unprocessable(
            "unknown_player", f"{one} and {other} are no pairing numbers of two in this round"
        )
    first, second = sorted(number for number in asked if number is not None)
    return _asked(certificate, first, second)


def with_reasons(body: dict[str, Any], explanation: Explanation) -> dict[str, Any]:
    """A round's pairings as they are shown, each with its reasons; `numbers` are of that time."""
    entries = explanation.certificate.entries
    boards = (explanation.body or {}).get("boards", ())
    reasons = {entries[board["first"] - 1]: board["reasons"] for board in boards}
    lines = [
        line | {"reasons": reasons.get(line["first"]["entry"], [])} for line in body["pairings"]
    ]
    return body | {"pairings": lines, "numbers": entries}


def compute(explanation: Explanation) -> Explanation:
    """Fill an explanation in, unless it is there already."""
    if explanation.body is None:
        explanation.body = _body(explanation)
        explanation.save(update_fields=["body"])
    return explanation


def _body(explanation: Explanation) -> dict[str, object]:
    certificate = explanation.certificate
    read = pure.Certificate.parse(certificate.text)
    if (explanation.one, explanation.other) == WHOLE_ROUND:
        return {"boards": explain_round(read)}
    return {"reason": explain_absence(read, explanation.one, explanation.other)}


def _certificate(this_round: Round) -> Certificate:
    if this_round.state == Round.State.PLANNED:
        raise Conflict("wrong_state", f"round {this_round.number} is not paired")
    found = current_certificate(this_round)
    if found is None:
        why = f"set by hand: {this_round.reason}" if this_round.reason else "without a certificate"
        raise Conflict(
            "no_certificate",
            f"round {this_round.number} is {why}; the engine has no reasons for it",
        )
    return found


def _asked(certificate: Certificate, one: int, other: int) -> Explanation:
    key = {"certificate": certificate, "one": one, "other": other}
    found = Explanation.objects.select_related("certificate").filter(**key).first()
    if found is None:
        try:
            with transaction.atomic():
                found = Explanation.objects.create(tournament_id=certificate.tournament_id, **key)
        except IntegrityError:
            found = Explanation.objects.select_related("certificate").get(**key)
        if len(certificate.entries) > MOST_AT_ONCE:
            send_on_commit(TASK, found.pk)
    if found.body is None and len(certificate.entries) <= MOST_AT_ONCE:
        try:
            compute(found)
        except (PairingError, StandingsError) as error:
            raise Conflict("not_explained", f"the certificate does not hold: {error}") from error
    return found


def attempt(explanation_id: int) -> None:
    """Fill one in, as a task does; one that fails too often is given up."""
    begun = Explanation.objects.filter(
        pk=explanation_id, body__isnull=True, attempts__lt=queries.MOST_ATTEMPTS
    ).update(attempts=F("attempts") + 1)
    if begun:
        compute(Explanation.objects.select_related("certificate").get(pk=explanation_id))
