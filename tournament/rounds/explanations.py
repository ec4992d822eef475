"""Explain a round's pairings, computed once from its certificate and stored with it.

Small rounds are explained immediately, large ones by a task: the row is the request, and the task
fills it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from games.core.broker import send_on_commit
from games.core.errors import Conflict, NotFound, Unprocessable
from games.core.limits import check_quota
from games.core.turns import TaskProgress
from games.core.uploads.tasks import Task
from games.core.waits import given_up
from games.models import Account
from games.models.attempts import count_attempt
from games.rules.text import Text
from tournament.core.queries import entries_by_number
from tournament.core.references import NumberedEntry, references_of
from tournament.models import Certificate, Entry, Explanation, Round
from tournament.pairing import certificates as pure
from tournament.pairing.errors import PairingError
from tournament.pairing.explanations import NotExplained, explain_absence, explain_round
from tournament.pairing.findings import FindingCode, StatedFinding, with_names
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.pairing import current_certificate
from tournament.rounds.queries import PairingRow, RoundPairings
from tournament.standings.errors import StandingsError

MOST_EXPLAINED_AT_ONCE = 200
"""The number of players up to which a request is answered without a task."""
MOST_ATTEMPTS = 3
"""The number of failed attempts after which an explanation is abandoned."""
SEAT_CODES = (FindingCode.SEATS, FindingCode.NOT_GRANTED)
WHOLE_ROUND = (0, 0)
NO_BOARD: Final[Mapping[str, Any]] = {"first": 0, "second": None, "reasons": []}
EXPLANATION_TASK = "tournament.tasks.explain"


class ExplainedPair(TypedDict):
    """Why two players do not meet in a round; without them, the round is explained."""

    round: int
    first: NotRequired[NumberedEntry]
    second: NotRequired[NumberedEntry]
    reason: NotRequired[Annotated[StatedFinding, "once it is computed"]]
    entries: Annotated[list[NumberedEntry], "those that the reason names"]


class WaitingPair(ExplainedPair):
    """Two players of a large round, for whom a task computes the reason."""

    task: Task


def explain_pairings(this_round: Round, *, by: Account | AnonymousUser) -> Explanation:
    """Return the explanation of all boards; raises Conflict for a round without a certificate.

    After a change of single boards, it is that of the version that the system has paired.
    """
    certificate = _certificate_before_changes(this_round) or _require_certificate(this_round)
    return _find_or_create(certificate, *WHOLE_ROUND, by=by)


def read_explanation(this_round: Round, *, by: Account | AnonymousUser) -> Explanation:
    """Return the explanation of all boards; raises NotFound if a task needs to be asked for it."""
    certificate = _certificate_before_changes(this_round) or _require_certificate(this_round)
    asked = certificate.explanations.filter(lower=0, higher=0)
    if len(certificate.entries) > MOST_EXPLAINED_AT_ONCE and not asked.exists():
        detail = Text(
            "nobody has asked for the reasons of round %(number)s; ask by POST %(address)s",
            number=this_round.number,
            address=f"rounds/{this_round.number}/explain",
        )
        raise NotFound("no_explanation", detail)
    return explain_pairings(this_round, by=by)


def explain_two(this_round: Round, a: int, c: int, *, by: Account | AnonymousUser) -> Explanation:
    """Return why two players, by their current pairing numbers, do not meet in a round.

    Raises Unprocessable if they are not two players of the round, and Conflict for a round without
    a certificate or a system that does not compare alternatives.
    """
    tournament = this_round.tournament
    system = PAIRING_SYSTEMS[tournament.system]
    if not system.compares_alternatives:
        raise Conflict("not_explained", str(NotExplained(system.name)))
    certificate = _require_certificate(this_round)
    numbers = {entry: number for number, entry in enumerate(certificate.entries, start=1)}
    entries = entries_by_number(tournament)
    named = {
        "/first_number": numbers.get(entries.get(a, 0)),
        "/second_number": numbers.get(entries.get(c, 0)),
    }
    players = {number for number in named.values() if number is not None}
    if len(players) < 2:
        detail = Text(
            "%(first)s and %(second)s are not the pairing numbers of two players in the round",
            first=a,
            second=c,
        )
        wrong = [place for place, number in named.items() if number is None] or ["/second_number"]
        errors = [{"pointer": at, "code": "unknown_player", "detail": detail} for at in wrong]
        raise Unprocessable("unknown_player", detail, errors)
    lower, higher = sorted(players)
    return _find_or_create(certificate, lower, higher, by=by)


def _certificate_before_changes(this_round: Round) -> Certificate | None:
    """Return the certificate of the last version that the system paired, up to the current one."""
    if this_round.state == Round.State.PLANNED:
        return None
    certified = this_round.certificates.filter(version__lte=this_round.version)
    return certified.order_by("-version").first()


def _require_certificate(this_round: Round) -> Certificate:
    number = this_round.number
    if this_round.state == Round.State.PLANNED:
        raise Conflict("wrong_state", Text("round %(number)s is not paired", number=number))
    certificate = current_certificate(this_round)
    if certificate is None:
        by_hand = Text("was set by hand")
        cause = by_hand if this_round.reason else Text("has no certificate")
        raise Conflict(
            "no_certificate",
            Text(
                "round %(number)s %(detail)s; the engine cannot explain the pairings",
                number=number,
                detail=cause,
            ),
        )
    return certificate


def _find_or_create(
    certificate: Certificate, lower: int, higher: int, *, by: Account | AnonymousUser
) -> Explanation:
    """Return an explanation; raises QuotaReached if too many of the account's wait for a task."""
    found = Explanation.objects.select_related("certificate").filter(
        certificate=certificate, lower=lower, higher=higher
    )
    account = by if isinstance(by, Account) else None
    explanation = found.first()
    is_new = explanation is None
    if explanation is None:
        if len(certificate.entries) > MOST_EXPLAINED_AT_ONCE:
            _check_waiting(certificate, account)
        explanation, is_new = Explanation.objects.select_related("certificate").get_or_create(
            certificate=certificate,
            lower=lower,
            higher=higher,
            defaults={"tournament_id": certificate.tournament_id, "requested_by": account},
        )
    if is_new and len(certificate.entries) > MOST_EXPLAINED_AT_ONCE:
        send_on_commit(EXPLANATION_TASK, explanation.pk)
    if explanation.body is None and len(certificate.entries) <= MOST_EXPLAINED_AT_ONCE:
        try:
            compute(explanation)
        except (PairingError, StandingsError) as error:
            raise Conflict(
                "not_explained", Text("the certificate is not valid: %(detail)s", detail=error)
            ) from error
    return explanation


def _check_waiting(certificate: Certificate, account: Account | None) -> None:
    """Raise QuotaReached if as many explanations wait as may; strangers share those of an event."""
    waiting = due_explanations().filter(requested_by=account)
    if account is None:
        waiting = waiting.filter(tournament=certificate.tournament_id)
    check_quota("waiting_jobs", waiting.count() + 1, by=account or Account())


def due_explanations() -> "QuerySet[Explanation]":
    """Return the explanations that are neither computed nor given up."""
    return Explanation.objects.filter(body__isnull=True, attempts__lt=MOST_ATTEMPTS)


def explanation_task(number: int) -> str:
    """Return the id of the task of an explanation."""
    return f"explanation-{number}"


def compute(explanation: Explanation) -> Explanation:
    """Fill an explanation, unless it is filled already."""
    if explanation.body is None:
        explanation.body = _body(explanation)
        explanation.save(update_fields=["body"])
    return explanation


def _body(explanation: Explanation) -> dict[str, Any]:
    certificate = pure.RoundCertificate.parse(explanation.certificate.text)
    if (explanation.lower, explanation.higher) == WHOLE_ROUND:
        return {"boards": [pairing.as_json() for pairing in explain_round(certificate)]}
    reason = explain_absence(certificate, explanation.lower, explanation.higher)
    return {"reason": reason.as_json()}


def attempt(explanation_id: int) -> None:
    """Fill an explanation in a task; after too many failures, do nothing."""
    rows = Explanation.objects.filter(pk=explanation_id)
    by = rows.values_list("requested_by", flat=True).first()
    lease = TaskProgress.begin(explanation_task(explanation_id), by)
    if lease is None:
        return
    try:
        with count_attempt(due_explanations(), explanation_id) as is_due:
            if is_due:
                explanation = rows.select_related("certificate").get()
                compute(explanation)
    finally:
        lease.end()


def explanation_progress(explanation_id: int) -> dict[str, Any] | None:
    """Return the task of an explanation as JSON, with its result once done; None if unknown."""
    explanation = (
        Explanation.objects.filter(pk=explanation_id)
        .select_related("certificate__round__tournament")
        .first()
    )
    if explanation is None:
        return None
    certificate = explanation.certificate
    tournament = certificate.round.tournament
    is_done = explanation.body is not None
    has_failed = not is_done and explanation.attempts >= MOST_ATTEMPTS
    named = {"slug": tournament.slug, "name": tournament.name}
    place = {"tournament": named, "round": certificate.round.number}
    return {
        "id": explanation_task(explanation.pk),
        "state": "done" if is_done else "failed" if has_failed else "waiting",
        "progress": None,
        "stream": tournament.stream,
        "response": {**place, **explanation_with_names(explanation)} if is_done else None,
        "since": explanation.requested_at,
        "reason": given_up(MOST_ATTEMPTS) if has_failed else None,
    }


NO_NAMESAKES: Final[Mapping[int, str]] = {}


def explanation_with_names(
    explanation: Explanation, namesakes: Mapping[int, str] = NO_NAMESAKES
) -> dict[str, Any]:
    """Return the entries, and once it is filled, the explanation with names in its sentences.

    Names are the current ones, or by player those of `namesakes`; pairing numbers are those of the
    certificate.
    """
    body, entries = explanation.body, _certified_entries(explanation.certificate)
    named_entries: dict[str, Any] = {"entries": entries}
    if body is None:
        return named_entries
    names = {
        entry["number"]: namesakes.get(entry["player"]["id"], entry["player"]["name"])
        for entry in entries
    }

    def named(reason: dict[str, Any]) -> dict[str, Any]:
        return reason | {"sentence": with_names(reason["sentence"], names)}

    if "reason" in body:
        return named_entries | {"reason": named(body["reason"])}
    return named_entries | {
        "boards": [
            board | {"reasons": [named(reason) for reason in board["reasons"]]}
            for board in body["boards"]
        ]
    }


def _certified_entries(certificate: Certificate) -> list[NumberedEntry]:
    """Return the entries in the order of their pairing numbers when the round was paired."""
    entries = Entry.objects.filter(tournament=certificate.tournament_id)
    rows = {row["id"]: row for row in references_of(entries)}
    return [
        {"id": row["id"], "number": number, "player": row["player"]}
        for number, entry in enumerate(certificate.entries, start=1)
        if (row := rows.get(entry))
    ]


def _other_entry(board: Mapping[str, Any], entries: Sequence[int], entry: int) -> int | None:
    """Return the entry that meets another one at an explained board; None for a bye."""
    numbers = [number for number in (board["first"], board["second"]) if number]
    return next((entries[number - 1] for number in numbers if entries[number - 1] != entry), None)


def add_reasons(
    body: RoundPairings, explanation: Explanation, namesakes: Mapping[int, str] = NO_NAMESAKES
) -> RoundPairings:
    """Return a round's pairings with their reasons, and the entries that these name.

    A board that was changed by hand since has no reasons; the others keep theirs.
    """
    explained = explanation_with_names(explanation, namesakes)
    entries = explanation.certificate.entries
    boards = {
        entries[number - 1]: board
        for board in explained.get("boards", ())
        for number in (board["first"], board["second"])
        if number is not None
    }
    rows: list[PairingRow] = []
    for pairing in body["rows"]:
        first, second = pairing["first"]["id"], pairing["second"] and pairing["second"]["id"]
        board = boards.get(first, NO_BOARD)
        if second != _other_entry(board, entries, first):
            board = NO_BOARD
        reasons = board["reasons"]
        if board["first"] and entries[board["first"] - 1] != first:  # exchanged for a handicap
            reasons = [reason for reason in reasons if reason["code"] not in SEAT_CODES]
        rows.append({**pairing, "reasons": reasons})
    return {**body, "rows": rows, "entries": explained["entries"]}
