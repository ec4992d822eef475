"""Verify the content of a bundle: journal, records, results, ratings, certificates, corrections."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from games.core.journal.chain import PAYLOADS, Link, digest_of, digests_after_erasure
from games.core.uploads.progress import Progress
from games.models import Game, JournalLine, Report
from games.play.settlement import evaluate_reports
from games.rules.errors import RecordError
from games.rules.records.record import Record
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.systems.elo import DRAW, LOSS, WIN
from tournament.core.corrected_results import BYE_CHANGE, Purpose
from tournament.corrections.changes import CORRECTED_BYES, CORRECTED_ENTRY_FIELDS
from tournament.corrections.queries import describe_stored
from tournament.exchange.bundle_file import Line, bundle_error, seeds_of
from tournament.exchange.bundle_rows import Rows
from tournament.models import Correction
from tournament.pairing import certificates

TYPES = {
    "state": str, "basis": str, "winner": str, "draw": bool, "termination": str,
    "score": list | None, "record": str, "detail": dict | None,
}  # fmt: skip
"""The result of a game in JSON."""


def check_correction(
    correction: Correction, entries: Collection[int], reports: Collection[tuple[int, int]]
) -> None:
    """Check a correction; the entries and reports that it names exist. Raises ValueError."""
    try:
        for change in correction.changes:
            for counted in change.get("counted", ()):
                check_counted(counted)
            if "game" in change:
                _check_result(change["before"])
                _check_result(change["after"])
                is_known = (change["game"], change["report"]) in reports
                is_known = is_known and {change["first"], change["second"]} <= set(entries)
            else:
                is_known = change["entry"] in entries
                if "bye" not in change and not {*change["before"], *change["after"]} <= {
                    *CORRECTED_ENTRY_FIELDS
                }:
                    raise ValueError(Text("an entry has other columns"))
            if not is_known:
                raise ValueError(Text("it names a game or an entry that does not exist"))
            for kind in change.get("bye", ()):
                _check_bye(kind)
        describe_stored(correction.changes, correction.effect, {}, {}, is_official=True)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(Text("its changes or its effect cannot be read")) from error


def check_counted(counted: Any) -> None:
    """Check the results that count for a pairing, by purpose and game; raises ValueError."""
    try:
        for purpose, values in (counted or {}).items():
            Purpose(purpose)
            for key, value in values.items():
                if key == BYE_CHANGE:
                    _check_bye(value)
                else:
                    int(key)
                    _check_result(value)
    except (AttributeError, TypeError) as error:
        raise ValueError(Text("`counted` has no results by purpose and game")) from error


def _check_bye(kind: Any) -> None:
    if kind is not None and kind not in CORRECTED_BYES:
        raise ValueError(Text("it names a bye that does not exist"))


def _check_result(values: Any) -> None:
    is_complete = isinstance(values, dict) and values.keys() == TYPES.keys()
    if not is_complete or not all(isinstance(values[name], TYPES[name]) for name in TYPES):
        raise ValueError(Text("it has no result of a game"))
    if values["score"] is not None and [type(points) for points in values["score"]] != [int, int]:
        raise ValueError(Text("a score is two numbers"))
    if values["state"] not in Game.State.values or values["winner"] not in ("", *Seat):
        raise ValueError(Text("a game has no such state or winner"))


TIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


def verify_journal(first: Line, chain: Sequence[Line], progress: Progress) -> list[JournalLine]:
    """Return the journal as rows; it must be unbroken, with the sealed payloads and the head."""
    stream, head = first.row.get("stream"), first.row.get("head")
    rows: list[JournalLine] = []
    payloads = [(line.row.get("kind"), line.row.get("payload")) for line in chain]
    erased, erased_rows = digests_after_erasure(payloads), digests_after_erasure(payloads, "rows")
    for count, line in enumerate(chain):
        progress(Text("verifying the journal"), count, len(chain))
        row = line.row
        if row.keys() != {*Link.__dataclass_fields__, *PAYLOADS}:
            raise bundle_error(line.number, Text("this is not a journal line"))
        try:
            link = Link.from_json(row)
            at = datetime.strptime(link.at, TIME_FORMAT).replace(tzinfo=UTC)
            journal_line = JournalLine(**link.as_json() | {"at": at})
            journal_line.clean_fields()
        except (ValidationError, ValueError, TypeError) as error:
            raise bundle_error(line.number, Text("this is not a journal line")) from error
        previous = rows[-1].digest if rows else ""
        if (link.sequence, link.previous) != (len(rows) + 1, previous) or link.stream != stream:
            raise bundle_error(line.number, Text("it does not follow the previous journal line"))
        if link.digest != link.expected_digest():
            raise bundle_error(line.number, Text("the digest is not that of the content"))
        payload_digest = erased.get(link.sequence, link.payload_digest)
        if row["payload"] is not None and digest_of(row["payload"]) != payload_digest:
            raise bundle_error(line.number, Text("the payload is not the sealed one"))
        rows_digest = "" if row["rows"] is None else digest_of(row["rows"])
        if rows_digest != erased_rows.get(link.sequence, link.rows_digest):
            raise bundle_error(line.number, Text("the payload is not the sealed one"))
        rows.append(journal_line)
    if (rows[-1].digest if rows else "") != head:
        raise bundle_error(1, Text("the head is not the digest of the last journal line"))
    return rows


def verify_rows(rows: Rows, progress: Progress) -> None:
    """Raise Unprocessable unless the digests fit and the games have their reports' results."""
    _verify_records(rows, progress)
    _verify_games(rows)
    _verify_batches(rows)
    _verify_certificates(rows)
    _verify_corrections(rows)


def _verify_records(rows: Rows, progress: Progress) -> None:
    digests: dict[str, str | None] = {}
    for count, (number, report) in enumerate(rows["report"]):
        progress(Text("verifying records"), count, len(rows["report"]))
        if not report.record:
            continue
        if report.record not in digests:
            try:
                digests[report.record] = Record.parse(report.record).replay().digest
            except RecordError as error:
                raise bundle_error(
                    number, Text("the record is invalid: %(detail)s", detail=error.detail)
                ) from error
        if digests[report.record] != report.digest:
            raise bundle_error(number, Text("the digest is not that of the record"))


def _verify_games(rows: Rows) -> None:
    reports: dict[int, list[Report]] = defaultdict(list)
    for _, report in rows["report"]:
        reports[report.game_id].append(report)
    for number, game in rows["game"]:
        versions = sorted(reports[game.pk], key=lambda report: report.version)
        if any(report.settled_at is None for report in versions):
            continue  # a task settles it after the import
        is_confirmed = game.state == Game.State.CONFIRMED
        try:
            columns = evaluate_reports(versions, deadline_passed=is_confirmed).as_columns()
        except ValueError as error:
            raise bundle_error(
                number, Text("game %(number)s: %(detail)s", number=game.place, detail=error)
            ) from error
        if any(getattr(game, name) != value for name, value in columns.items()):
            raise bundle_error(
                number,
                Text("game %(number)s does not have the result of its reports", number=game.place),
            )


def _verify_batches(rows: Rows) -> None:
    """Raise Unprocessable for a rated game that was filed with another result or player."""
    games = {game.pk: game for _, game in rows["game"]}
    merged = {player.pk: player.merged_into_id for _, player in rows["player"]}
    for number, row in rows["batch_game"]:
        game = games[row.game_id]
        score = DRAW if game.draw else WIN if game.winner == Seat.FIRST else LOSS
        seats = (row.first_id, game.first_id), (row.second_id, game.second_id)
        is_same = all(filed in (player, merged[player]) for filed, player in seats)
        has_result = game.state == Game.State.CONFIRMED and row.score == score
        if not (row.exclusion or (is_same and has_result)):
            detail = Text("the digest is not that of the games filed with ratings")
            raise bundle_error(number, detail)


def verify_seeds(rows: Rows) -> None:
    """Raise Unprocessable for a player with another seed than what is filed with ratings has."""
    filed = seeds_of(row for _, row in rows["batch_game"])
    for number, player in rows["player"]:
        seed = player.seed_rating, player.seed_games, player.seed_reached_2400
        if filed.get(player.pk, seed) != seed:
            detail = Text("the seed rating is not the one that was filed with ratings")
            raise bundle_error(number, detail)


def _verify_certificates(rows: Rows) -> None:
    for number, row in rows["certificate"]:
        try:
            digests = certificates.digests_of(row.text)
        except certificates.CertificateError as error:
            raise bundle_error(
                number, Text("the certificate is invalid: %(detail)s", detail=error)
            ) from error
        if digests != (row.input_digest, row.output_digest):
            raise bundle_error(number, Text("the digests are not those of the certificate"))


def _verify_corrections(rows: Rows) -> None:
    entries = {entry.pk for _, entry in rows["entry"]}
    reports = {(report.game_id, report.version) for _, report in rows["report"]}
    checks = [(number, partial(check_counted, row.counted)) for number, row in rows["pairing"]]
    checks += [
        (number, partial(check_correction, row, entries, reports))
        for number, row in rows["correction"]
    ]
    for number, check in checks:
        try:
            check()
        except ValueError as error:
            raise bundle_error(
                number, Text("a correction is invalid: %(detail)s", detail=error)
            ) from error
