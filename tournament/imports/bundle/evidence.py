"""Whether a bundle proves what it tells: records, results, what was filed for rating, rounds."""

from collections import defaultdict

from games.imports.progress import Progress
from games.models import Game, Report
from games.rules.errors import RecordError
from games.rules.records.record import Record
from games.services.settlement import evaluate_reports
from ratings.queries.eligibility import RatedInput, digest_games
from tournament.imports.bundle.rows import Rows
from tournament.imports.bundle.unpacking import refusal
from tournament.pairing import certificates
from tournament.snapshots.format import check_kept
from tournament.standings.errors import StandingsError

RESULT_COLUMNS = ("state", "winner", "draw", "score_first", "score_second")


def check_evidence(rows: Rows, progress: Progress) -> None:
    """Records are what their digests say, games what their reports come to, and so on."""
    _check_records(rows, progress)
    _check_games(rows)
    _check_batches(rows)
    _check_certificates(rows)
    _check_snapshots(rows)


def _check_records(rows: Rows, progress: Progress) -> None:
    verdicts: dict[str, str | None] = {}
    for count, (number, report) in enumerate(rows["report"]):
        progress("verifying records", count, len(rows["report"]))
        if not report.record:
            continue
        if report.record not in verdicts:
            try:
                verdicts[report.record] = Record.parse(report.record).replay().digest
            except RecordError as error:
                raise refusal(number, f"the record is refused: {error.detail}") from error
        if verdicts[report.record] != report.digest:
            raise refusal(number, "the digest is not that of the record")


def _check_games(rows: Rows) -> None:
    reports: dict[int, list[Report]] = defaultdict(list)
    for _, report in rows["report"]:
        reports[report.game_id].append(report)
    for number, game in rows["game"]:
        said = sorted(reports[game.pk], key=lambda report: report.version)
        if any(report.settled_at is None for report in said):
            continue  # no task has weighed them yet; one will
        is_confirmed = game.state == Game.State.CONFIRMED
        try:
            columns = evaluate_reports(said, deadline_passed=is_confirmed).as_columns()
        except ValueError as error:
            raise refusal(number, f"game {game.pk}: {error}") from error
        if any(getattr(game, name) != columns[name] for name in RESULT_COLUMNS):
            raise refusal(number, f"game {game.pk} does not have the result of its reports")


def _check_batches(rows: Rows) -> None:
    for number, batch in rows["batch"]:
        inputs = [RatedInput.from_row(row) for _, row in rows["batch_game"]]
        if digest_games(batch.effective_at, inputs) != batch.games_digest:
            raise refusal(number, "the digest is not that of the games filed for rating")


def _check_certificates(rows: Rows) -> None:
    """Certificates can be read, and bear the digests under which they are kept."""
    for number, kept in rows["certificate"]:
        try:
            made = certificates.Certificate.parse(kept.text)
        except certificates.CertificateError as error:
            raise refusal(number, f"the certificate is refused: {error}") from error
        if (made.input_digest, made.output_digest) != (kept.input_digest, kept.output_digest):
            raise refusal(number, "the digests are not those of the certificate")


def _check_snapshots(rows: Rows) -> None:
    """Tables of old rounds can be read, and bear the digest of what they came from."""
    for number, snapshot in rows["snapshot"]:
        try:
            check_kept(snapshot.body, snapshot.digest)
        except StandingsError as error:
            raise refusal(number, f"the snapshot is refused: {str(error)[:300]}") from error
