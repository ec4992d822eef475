"""Requests below `/pools`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Listing, Operation, path_of


def pools(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedPoolList, types.Pool]:
    """List the pools, oldest first."""
    return Listing(
        "GET",
        "/pools",
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def create_pool(
    body: types.NewPoolRequest, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.Pool]:
    """Create a pool; for staff, and for the rating officers of this code."""
    return Operation(
        "POST",
        "/pools",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def pool(code: str, *, if_none_match: str | None = None) -> Operation[types.Pool]:
    """Return a pool, its policy and its current run."""
    return Operation(
        "GET",
        path_of("/pools/{code}", code=code),
        headers={"If-None-Match": if_none_match},
    )


def edit_pool(
    code: str,
    body: types.PatchedPoolChangeRequest | None = None,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.Pool]:
    """Change the policy, the rated games, the least expected score or the table of a pool."""
    return Operation(
        "PATCH",
        path_of("/pools/{code}", code=code),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def analyses(
    code: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedAnalysisSummaryList, types.AnalysisSummary]:
    """List the analyses of a pool, newest first, without their results; for its officers."""
    return Listing(
        "GET",
        path_of("/pools/{code}/analyses", code=code),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def request_analysis(
    code: str,
    body: types.NewAnalysisRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Analysis]:
    """Request an analysis of the rated games of a pool; for its officers."""
    return Operation(
        "POST",
        path_of("/pools/{code}/analyses", code=code),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def analysis(
    code: str, analysis_id: str, *, if_none_match: str | None = None
) -> Operation[types.Analysis]:
    """Return an analysis with its progress and, at the end, its result; for officers."""
    return Operation(
        "GET",
        path_of("/pools/{code}/analyses/{analysis_id}", code=code, analysis_id=analysis_id),
        headers={"If-None-Match": if_none_match},
    )


def analysis_csv(
    code: str, analysis_id: str, *, if_none_match: str | None = None
) -> Operation[str]:
    """Return the result of an analysis as a table, or as a reliability plot; for officers."""
    return Operation(
        "GET",
        path_of("/pools/{code}/analyses/{analysis_id}.csv", code=code, analysis_id=analysis_id),
        headers={"If-None-Match": if_none_match},
    )


def analysis_html(
    code: str, analysis_id: str, *, if_none_match: str | None = None
) -> Operation[str]:
    """Return the result of an analysis as a table, or as a reliability plot; for officers."""
    return Operation(
        "GET",
        path_of("/pools/{code}/analyses/{analysis_id}.html", code=code, analysis_id=analysis_id),
        headers={"If-None-Match": if_none_match},
    )


def analysis_svg(
    code: str, analysis_id: str, *, if_none_match: str | None = None
) -> Operation[str]:
    """Return the result of an analysis as a table, or as a reliability plot; for officers."""
    return Operation(
        "GET",
        path_of("/pools/{code}/analyses/{analysis_id}.svg", code=code, analysis_id=analysis_id),
        headers={"If-None-Match": if_none_match},
    )


def pool_batches(
    code: str,
    *,
    cursor: str | None = None,
    kind: Literal["event", "game"] | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    state: Literal["filed", "refused", "waiting", "withdrawn"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedBatchList, types.Batch]:
    """List the batches of a pool, newest first, with what excludes their games; for officers."""
    return Listing(
        "GET",
        path_of("/pools/{code}/batches", code=code),
        query={"cursor": cursor, "kind": kind, "limit": limit, "order": order, "state": state},
        headers={"If-None-Match": if_none_match},
    )


def backdate_batch(
    code: str,
    batch_id: str,
    body: types.BackdateRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Batch]:
    """Set when a batch takes effect, without the limit for organisers; for officers."""
    return Operation(
        "POST",
        path_of("/pools/{code}/batches/{batch_id}/backdate", code=code, batch_id=batch_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def restore_batch(
    code: str,
    batch_id: str,
    body: types.ReasonRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Batch]:
    """Exclude all games of a filed batch, or revert that; for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/batches/{batch_id}/restore", code=code, batch_id=batch_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def withdraw_batch(
    code: str,
    batch_id: str,
    body: types.ReasonRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Batch]:
    """Exclude all games of a filed batch, or revert that; for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/batches/{batch_id}/withdraw", code=code, batch_id=batch_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def pool_events(
    code: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    state: Literal["archived", "cancelled", "draft", "final", "registration", "review", "running"]
    | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedRatingRequestList, types.RatingRequest]:
    """List the events that request their rating in the pool, newest first; for its officers."""
    return Listing(
        "GET",
        path_of("/pools/{code}/events", code=code),
        query={"cursor": cursor, "limit": limit, "order": order, "state": state},
        headers={"If-None-Match": if_none_match},
    )


def approve_event(
    code: str,
    slug: str,
    body: types.DecisionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.RatingRequest]:
    """Approve or refuse the rating of an event, final or not; for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/events/{slug}/approve", code=code, slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def refuse_event(
    code: str,
    slug: str,
    body: types.DecisionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.RatingRequest]:
    """Approve or refuse the rating of an event, final or not; for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/events/{slug}/refuse", code=code, slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def pool_games(code: str, *, after: int | None = None) -> Operation[str]:
    """Return the games that a pool rates, with their turns if they have a record."""
    return Operation(
        "GET",
        path_of("/pools/{code}/games.ndjson", code=code),
        query={"after": after},
    )


def pool_records(code: str, *, after: int | None = None) -> Operation[str]:
    """Return the games that a pool rates, with their turns if they have a record."""
    return Operation(
        "GET",
        path_of("/pools/{code}/games.rec", code=code),
        query={"after": after},
    )


def add_handicap_table(
    code: str,
    body: types.NewTableRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Table]:
    """Add a version of the values of handicaps; for the rating officers of a pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/handicap-tables", code=code),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def published_lists(
    code: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedPublishedListList, types.PublishedList]:
    """List the published rating lists of a pool, newest first."""
    return Listing(
        "GET",
        path_of("/pools/{code}/lists", code=code),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def publish_list(
    code: str, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.PublishedList]:
    """Publish the live list as the list of today (UTC); for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/lists", code=code),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def published_list(
    code: str, published_on: str, *, if_none_match: str | None = None
) -> Operation[types.PublishedList]:
    """Return a published list, without its rows."""
    return Operation(
        "GET",
        path_of("/pools/{code}/lists/{published_on}", code=code, published_on=published_on),
        headers={"If-None-Match": if_none_match},
    )


def published_ratings(
    code: str,
    published_on: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedRatingList, types.Rating]:
    """List the ratings of a published list, best first."""
    return Listing(
        "GET",
        path_of("/pools/{code}/lists/{published_on}/ratings", code=code, published_on=published_on),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def published_ratings_csv(
    code: str,
    published_on: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a whole published list as a file, with the columns of the live list."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/lists/{published_on}/ratings.csv", code=code, published_on=published_on
        ),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def published_ratings_html(
    code: str,
    published_on: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a whole published list as a file, with the columns of the live list."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/lists/{published_on}/ratings.html", code=code, published_on=published_on
        ),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def published_ratings_ndjson(
    code: str,
    published_on: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a whole published list as a file, with the columns of the live list."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/lists/{published_on}/ratings.ndjson",
            code=code,
            published_on=published_on,
        ),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def published_ratings_pdf(
    code: str,
    published_on: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
) -> Operation[bytes]:
    """Return a whole published list as a file, with the columns of the live list."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/lists/{published_on}/ratings.pdf", code=code, published_on=published_on
        ),
        query={"bom": bom, "paper": paper},
    )


def published_place(
    code: str, published_on: str, player_id: str, *, if_none_match: str | None = None
) -> Operation[types.Place]:
    """Return a player's rating and rank on a published list."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/lists/{published_on}/ratings/{player_id}",
            code=code,
            published_on=published_on,
            player_id=player_id,
        ),
        headers={"If-None-Match": if_none_match},
    )


def pool_officers(
    code: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedOfficerList, types.Officer]:
    """The rating officers of a pool, for themselves and for site staff."""
    return Listing(
        "GET",
        path_of("/pools/{code}/officers", code=code),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def add_pool_officer(
    code: str,
    body: types.NewOfficerRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Officer]:
    """Appoint a rating officer; for site staff."""
    return Operation(
        "POST",
        path_of("/pools/{code}/officers", code=code),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def remove_pool_officer(
    code: str, account_id: str, *, dry_run: bool | None = None
) -> Operation[None]:
    """Remove a rating officer; for site staff."""
    return Operation(
        "DELETE",
        path_of("/pools/{code}/officers/{account_id}", code=code, account_id=account_id),
        query={"dry_run": dry_run},
    )


def pool_organisers(
    code: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedOrganiserList, types.Organiser]:
    """List the organisers that the officers approved or refused, oldest first; for officers."""
    return Listing(
        "GET",
        path_of("/pools/{code}/organisers", code=code),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def approve_organiser(
    code: str,
    account_id: str,
    body: types.DecisionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Organiser]:
    """Approve or refuse the events of an organiser; for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/organisers/{account_id}/approve", code=code, account_id=account_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def refuse_organiser(
    code: str,
    account_id: str,
    body: types.DecisionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Organiser]:
    """Approve or refuse the events of an organiser; for the officers of the pool."""
    return Operation(
        "POST",
        path_of("/pools/{code}/organisers/{account_id}/refuse", code=code, account_id=account_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def pool_ratings(
    code: str,
    *,
    cursor: str | None = None,
    inactive: bool | None = None,
    limit: int | None = None,
    provisional: bool | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedRatingList, types.Rating]:
    """List the ratings of a pool, best first, without provisional and inactive players."""
    return Listing(
        "GET",
        path_of("/pools/{code}/ratings", code=code),
        query={"cursor": cursor, "inactive": inactive, "limit": limit, "provisional": provisional},
        headers={"If-None-Match": if_none_match},
    )


def pool_ratings_csv(
    code: str,
    *,
    bom: bool | None = None,
    inactive: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    provisional: bool | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the whole rating list as a file with a row for each player."""
    return Operation(
        "GET",
        path_of("/pools/{code}/ratings.csv", code=code),
        query={"bom": bom, "inactive": inactive, "paper": paper, "provisional": provisional},
        headers={"If-None-Match": if_none_match},
    )


def pool_ratings_html(
    code: str,
    *,
    bom: bool | None = None,
    inactive: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    provisional: bool | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the whole rating list as a file with a row for each player."""
    return Operation(
        "GET",
        path_of("/pools/{code}/ratings.html", code=code),
        query={"bom": bom, "inactive": inactive, "paper": paper, "provisional": provisional},
        headers={"If-None-Match": if_none_match},
    )


def pool_ratings_ndjson(
    code: str,
    *,
    bom: bool | None = None,
    inactive: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    provisional: bool | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the whole rating list as a file with a row for each player."""
    return Operation(
        "GET",
        path_of("/pools/{code}/ratings.ndjson", code=code),
        query={"bom": bom, "inactive": inactive, "paper": paper, "provisional": provisional},
        headers={"If-None-Match": if_none_match},
    )


def pool_ratings_pdf(
    code: str,
    *,
    bom: bool | None = None,
    inactive: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    provisional: bool | None = None,
) -> Operation[bytes]:
    """Return the whole rating list as a file with a row for each player."""
    return Operation(
        "GET",
        path_of("/pools/{code}/ratings.pdf", code=code),
        query={"bom": bom, "inactive": inactive, "paper": paper, "provisional": provisional},
    )


def pool_place(
    code: str, player_id: str, *, if_none_match: str | None = None
) -> Operation[types.Place]:
    """Return a player's rating and rank on the list of a pool."""
    return Operation(
        "GET",
        path_of("/pools/{code}/ratings/{player_id}", code=code, player_id=player_id),
        headers={"If-None-Match": if_none_match},
    )


def pool_runs(
    code: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedRunList, types.Run]:
    """List the runs of a pool, newest first."""
    return Listing(
        "GET",
        path_of("/pools/{code}/runs", code=code),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def pool_run(code: str, number: str, *, if_none_match: str | None = None) -> Operation[types.Run]:
    """Return a run, current or not."""
    return Operation(
        "GET",
        path_of("/pools/{code}/runs/{number}", code=code, number=number),
        headers={"If-None-Match": if_none_match},
    )


def run_changes(
    code: str,
    number: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedPlayerRatingChangeList, types.PlayerRatingChange]:
    """List the changes that a run computed, by the ids of the batches and games."""
    return Listing(
        "GET",
        path_of("/pools/{code}/runs/{number}/changes", code=code, number=number),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def run_differences(
    code: str,
    number: str,
    earlier: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedRatingDifferenceList, types.RatingDifference]:
    """List the players whose rating after a run differs from that after an earlier run, by id."""
    return Listing(
        "GET",
        path_of(
            "/pools/{code}/runs/{number}/differences/{earlier}",
            code=code,
            number=number,
            earlier=earlier,
        ),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def run_differences_csv(
    code: str,
    number: str,
    earlier: str,
    *,
    bom: bool | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the differences between two runs as a file, by player."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/runs/{number}/differences/{earlier}.csv",
            code=code,
            number=number,
            earlier=earlier,
        ),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def run_differences_ndjson(
    code: str,
    number: str,
    earlier: str,
    *,
    bom: bool | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the differences between two runs as a file, by player."""
    return Operation(
        "GET",
        path_of(
            "/pools/{code}/runs/{number}/differences/{earlier}.ndjson",
            code=code,
            number=number,
            earlier=earlier,
        ),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )
