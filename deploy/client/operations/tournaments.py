"""Requests below `/tournaments`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal

from .. import types
from ..operation import Listing, Operation, path_of


def tournaments(
    *,
    board: str | None = None,
    country: str | None = None,
    cursor: str | None = None,
    game: str | None = None,
    limit: int | None = None,
    name: str | None = None,
    order: Literal["oldest", "newest"] | None = None,
    state: Literal["archived", "cancelled", "draft", "final", "registration", "review", "running"]
    | None = None,
    system: str | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedTournamentList, types.Tournament]:
    """Tournaments that the caller may see, oldest first."""
    return Listing(
        "GET",
        "/tournaments",
        query={
            "board": board,
            "country": country,
            "cursor": cursor,
            "game": game,
            "limit": limit,
            "name": name,
            "order": order,
            "state": state,
            "system": system,
        },
        headers={"If-None-Match": if_none_match},
    )


def create_tournament(
    body: types.TournamentRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Create a tournament in draft; the caller becomes its owner."""
    return Operation(
        "POST",
        "/tournaments",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def tournament(
    slug: str, *, if_none_match: str | None = None
) -> Operation[types.TournamentWithActions]:
    """Return a tournament."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}", slug=slug),
        headers={"If-None-Match": if_none_match},
    )


def edit_tournament(
    slug: str,
    body: types.PatchedTournamentChangeRequest | None = None,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.EditedTournament]:
    """Change settings; those that played rounds depend on only before the start."""
    return Operation(
        "PATCH",
        path_of("/tournaments/{slug}", slug=slug),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def application_link(
    slug: str, *, if_none_match: str | None = None
) -> Operation[types.ApplicationLink]:
    """Return the link with which people without a login apply."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/application-link", slug=slug),
        headers={"If-None-Match": if_none_match},
    )


def create_application_link(
    slug: str, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.ApplicationLink]:
    """Create the link; an earlier one does not work any more."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/application-link", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def revoke_application_link(slug: str, *, dry_run: bool | None = None) -> Operation[None]:
    """Revoke the link."""
    return Operation(
        "DELETE",
        path_of("/tournaments/{slug}/application-link", slug=slug),
        query={"dry_run": dry_run},
    )


def archive_tournament(
    slug: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Bring the tournament to its next state."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/archive", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def bundle(slug: str) -> Operation[bytes]:
    """Return everything that recomputes the tournament, in one file; for its directors."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/bundle.zip", slug=slug),
    )


def byes(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedByeList, types.Bye]:
    """The requested byes by round; only directors see the reasons."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/byes", slug=slug),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def request_bye(
    slug: str,
    body: types.ByeRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Bye]:
    """Grant an entry a bye in a round that is not paired yet."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/byes", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def cancel_bye(slug: str, bye_id: int, *, dry_run: bool | None = None) -> Operation[None]:
    """Cancel a bye in a round that is not paired yet."""
    return Operation(
        "DELETE",
        path_of("/tournaments/{slug}/byes/{bye_id}", slug=slug, bye_id=bye_id),
        query={"dry_run": dry_run},
    )


def event_calendar(slug: str, *, if_none_match: str | None = None) -> Operation[str]:
    """Return the event, and its rounds that have a date."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/calendar.ics", slug=slug),
        headers={"If-None-Match": if_none_match},
    )


def cancel_tournament(
    slug: str,
    body: types.ReasonRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Cancel the tournament, or reopen a final one for corrections."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/cancel", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def player_cards(slug: str, *, paper: Literal["a4", "letter"] | None = None) -> Operation[bytes]:
    """Return a card for each accepted player, with a code of the player."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/cards.pdf", slug=slug),
        query={"paper": paper},
    )


def certificate(
    slug: str, number: int, *, if_none_match: str | None = None
) -> Operation[types.Certificate]:
    """Return the certificate of a paired round, as a file for `verify_certificate`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/certificates/{number}", slug=slug, number=number),
        headers={"If-None-Match": if_none_match},
    )


def clubs(
    slug: str,
    *,
    best: int | None = None,
    bom: bool | None = None,
    by: Literal["club", "federation"] | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Clubs]:
    """Return clubs, or federations with `?by=federation`, by the points of their best players."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/clubs", slug=slug),
        query={
            "best": best,
            "bom": bom,
            "by": by,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def clubs_csv(
    slug: str,
    *,
    best: int | None = None,
    bom: bool | None = None,
    by: Literal["club", "federation"] | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return clubs, or federations with `?by=federation`, by the points of their best players."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/clubs.csv", slug=slug),
        query={
            "best": best,
            "bom": bom,
            "by": by,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def clubs_html(
    slug: str,
    *,
    best: int | None = None,
    bom: bool | None = None,
    by: Literal["club", "federation"] | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return clubs, or federations with `?by=federation`, by the points of their best players."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/clubs.html", slug=slug),
        query={
            "best": best,
            "bom": bom,
            "by": by,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def clubs_json(
    slug: str,
    *,
    best: int | None = None,
    bom: bool | None = None,
    by: Literal["club", "federation"] | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Clubs]:
    """Return clubs, or federations with `?by=federation`, by the points of their best players."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/clubs.json", slug=slug),
        query={
            "best": best,
            "bom": bom,
            "by": by,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def clubs_ndjson(
    slug: str,
    *,
    best: int | None = None,
    bom: bool | None = None,
    by: Literal["club", "federation"] | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return clubs, or federations with `?by=federation`, by the points of their best players."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/clubs.ndjson", slug=slug),
        query={
            "best": best,
            "bom": bom,
            "by": by,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def clubs_pdf(
    slug: str,
    *,
    best: int | None = None,
    bom: bool | None = None,
    by: Literal["club", "federation"] | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
) -> Operation[bytes]:
    """Return clubs, or federations with `?by=federation`, by the points of their best players."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/clubs.pdf", slug=slug),
        query={
            "best": best,
            "bom": bom,
            "by": by,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
    )


def corrections(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedCorrectionList, types.Correction]:
    """The corrections of an event, oldest first."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/corrections", slug=slug),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def commit_correction(
    slug: str,
    body: types.CorrectionRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.CorrectionCommitted]:
    """Commit a correction that was previewed: the same body with the `digest` of the preview."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/corrections", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def correction(
    slug: str, correction: int, *, if_none_match: str | None = None
) -> Operation[types.CorrectionDetail]:
    """Return a correction and what it did."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/corrections/{correction}", slug=slug, correction=correction),
        headers={"If-None-Match": if_none_match},
    )


def undo_correction(
    slug: str,
    correction: int,
    body: types.UndoRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.CorrectionCommitted]:
    """Undo a correction by the inverse one, which can be undone in turn."""
    return Operation(
        "POST",
        path_of(
            "/tournaments/{slug}/corrections/{correction}/undo", slug=slug, correction=correction
        ),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def preview_undo(
    slug: str, correction: int, body: types.ReasonRequest
) -> Operation[types.CorrectionPreview]:
    """Return what undoing a correction would do, and its digest; nothing is changed."""
    return Operation(
        "POST",
        path_of(
            "/tournaments/{slug}/corrections/{correction}/undo/preview",
            slug=slug,
            correction=correction,
        ),
        body=body,
    )


def preview_correction(
    slug: str, body: types.CorrectionPreviewRequestRequest
) -> Operation[types.CorrectionPreview]:
    """Return what a correction of complete rounds would do; nothing is changed."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/corrections/preview", slug=slug),
        body=body,
    )


def crosstable(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Crosstable]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_csv(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.csv", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_html(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.html", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_json(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Crosstable]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.json", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_ndjson(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.ndjson", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_pdf(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
) -> Operation[bytes]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.pdf", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
    )


def crosstable_svg(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.svg", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_trf(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.trf", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_trf16(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.trf16", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def crosstable_trf26(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    order: Literal["number", "rank"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    shape: Literal["rounds", "square"] | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return a line with the results of each player, and the digest of all results."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/crosstable.trf26", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "order": order,
            "paper": paper,
            "round": round,
            "shape": shape,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def entries(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    state: Literal["accepted", "applied", "refused", "waiting", "withdrawn"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedEntryList, types.Entry]:
    """The entries of the event."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/entries", slug=slug),
        query={"cursor": cursor, "limit": limit, "order": order, "state": state},
        headers={"If-None-Match": if_none_match},
    )


def enter_player(
    slug: str,
    body: types.EntryRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Enter a player; in a running event, from the next unpaired round on."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def entry(
    slug: str, entry_id: int, *, if_none_match: str | None = None
) -> Operation[types.EntryWithActions]:
    """Return an entry; what is personal only for the event's officials and the player."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/entries/{entry_id}", slug=slug, entry_id=entry_id),
        headers={"If-None-Match": if_none_match},
    )


def edit_entry(
    slug: str,
    entry_id: int,
    body: types.PatchedEntryChangeRequest | None = None,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Correct an entry; omitted values stay. After the start, `reason` is required."""
    return Operation(
        "PATCH",
        path_of("/tournaments/{slug}/entries/{entry_id}", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def accept_entry(
    slug: str,
    entry_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Accept, refuse or return an entry, or put it on the waiting list."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/accept", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def set_availability(
    slug: str, entry_id: int, body: dict[str, Any] | None = None, *, dry_run: bool | None = None
) -> Operation[types.AvailabilityResponse]:
    """Set the byes of an entry in all rounds that are not paired, by the number of the round."""
    return Operation(
        "PUT",
        path_of(
            "/tournaments/{slug}/entries/{entry_id}/availability", slug=slug, entry_id=entry_id
        ),
        query={"dry_run": dry_run},
        body=body,
    )


def check_in_entry(
    slug: str,
    entry_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.Entry]:
    """Check an entry in for the next round that is published, or out; for the player, too."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/check-in", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def check_out_entry(
    slug: str,
    entry_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.Entry]:
    """Check an entry in for the next round that is published, or out; for the player, too."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/check-out", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def consent_to_rating(
    slug: str, entry_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.Entry]:
    """Agree, as the entered player, that the games of the following rounds are rated."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/consent", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def refuse_entry(
    slug: str,
    entry_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Accept, refuse or return an entry, or put it on the waiting list."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/refuse", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def return_entry(
    slug: str,
    entry_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Accept, refuse or return an entry, or put it on the waiting list."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/return", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def personal_token(
    slug: str, entry_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.PersonalToken]:
    """Issue a token for reports of the player in this event; older tokens are revoked."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/token", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def wait_entry(
    slug: str,
    entry_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Accept, refuse or return an entry, or put it on the waiting list."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/wait", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def withdraw_entry(
    slug: str,
    entry_id: int,
    body: types.WithdrawalRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ChangedEntry]:
    """Withdraw an entry, now or from a later round; for the player, too."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/{entry_id}/withdraw", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def apply(
    slug: str,
    body: types.ApplicationRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Applied]:
    """Apply for a place while the registration is open; the organiser accepts or refuses."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/apply", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def import_entries(
    slug: str,
    body: str | bytes,
    *,
    columns: str | None = None,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ImportedEntries | types.ImportAccepted]:
    """Enter the players of a CSV file."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/entries/import", slug=slug),
        query={"columns": columns, "dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="text/csv",
        takes_key=True,
    )


def events(slug: str, *, after: int | None = None) -> Operation[str]:
    """Send the published lines of the event's journal as they are written, until either ends."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/events", slug=slug),
        query={"after": after},
    )


def finalise_tournament(
    slug: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Bring the tournament to its next state."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/finalise", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def forecast(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Forecast | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
        headers={"If-None-Match": if_none_match},
    )


def forecast_csv(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
    if_none_match: str | None = None,
) -> Operation[str | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast.csv", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
        headers={"If-None-Match": if_none_match},
    )


def forecast_html(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
    if_none_match: str | None = None,
) -> Operation[str | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast.html", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
        headers={"If-None-Match": if_none_match},
    )


def forecast_json(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Forecast | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast.json", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
        headers={"If-None-Match": if_none_match},
    )


def forecast_ndjson(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
    if_none_match: str | None = None,
) -> Operation[str | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast.ndjson", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
        headers={"If-None-Match": if_none_match},
    )


def forecast_pdf(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
) -> Operation[bytes | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast.pdf", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
    )


def forecast_svg(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    top: int | None = None,
    if_none_match: str | None = None,
) -> Operation[str | types.ForecastTask]:
    """Return how a running event can end, by 2,000 simulations of the rounds to come."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/forecast.svg", slug=slug),
        query={"bom": bom, "paper": paper, "top": top},
        headers={"If-None-Match": if_none_match},
    )


def event_games(slug: str, *, after: int | None = None) -> Operation[str]:
    """Return the confirmed games of an event, with their turns if they have a record."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/games.ndjson", slug=slug),
        query={"after": after},
    )


def event_records(slug: str, *, after: int | None = None) -> Operation[str]:
    """Return the confirmed games of an event, with their turns if they have a record."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/games.rec", slug=slug),
        query={"after": after},
    )


def invitations(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedInvitationList, types.Invitation]:
    """The open invitations of the event."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/invitations", slug=slug),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def revoke_invitation(
    slug: str, invitation_id: int, *, dry_run: bool | None = None
) -> Operation[None]:
    """Revoke an invitation; its token does not work any more."""
    return Operation(
        "DELETE",
        path_of(
            "/tournaments/{slug}/invitations/{invitation_id}",
            slug=slug,
            invitation_id=invitation_id,
        ),
        query={"dry_run": dry_run},
    )


def resend_invitation(
    slug: str,
    invitation_id: int,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Invitation]:
    """Send the message of an invitation again; its earlier token does not work any more."""
    return Operation(
        "POST",
        path_of(
            "/tournaments/{slug}/invitations/{invitation_id}/resend",
            slug=slug,
            invitation_id=invitation_id,
        ),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def journal(
    slug: str,
    *,
    after: int | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.Journal, types.JournalLine]:
    """Return the journal of the event in pages, with `next` in the body and in `Link`."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/journal", slug=slug),
        query={"after": after, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def journal_json(
    slug: str,
    *,
    after: int | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.Journal, types.JournalLine]:
    """Return the journal of the event in pages, with `next` in the body and in `Link`."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/journal.json", slug=slug),
        query={"after": after, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def journal_ndjson(
    slug: str,
    *,
    after: int | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the journal of the event in pages, with `next` in the body and in `Link`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/journal.ndjson", slug=slug),
        query={"after": after, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def personal_links(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedPersonalLinkList, types.PersonalLink]:
    """The personal links that work, by pairing number; they are secret."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/links", slug=slug),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def create_personal_links(
    slug: str,
    body: types.LinksRequestRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.CreatedLinks]:
    """Create a personal link for each accepted entry that has none."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/links", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def personal_links_csv(
    slug: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return the personal links as CSV: `entry,pairing_number,name,address`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/links.csv", slug=slug),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def revoke_personal_link(
    slug: str, entry_id: int, *, dry_run: bool | None = None
) -> Operation[None]:
    """Revoke the personal link of an entry, and end its sessions."""
    return Operation(
        "DELETE",
        path_of("/tournaments/{slug}/links/{entry_id}", slug=slug, entry_id=entry_id),
        query={"dry_run": dry_run},
    )


def link_cards(slug: str, *, paper: Literal["a4", "letter"] | None = None) -> Operation[bytes]:
    """Return a card for each accepted player with a link, with a code that opens it."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/links/cards.pdf", slug=slug),
        query={"paper": paper},
    )


def open_session(
    slug: str,
    body: types.SessionRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Session]:
    """Exchange a personal link for a token that ends after half a day."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/links/session", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def open_tournament(
    slug: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Bring the tournament to its next state."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/open", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def prizes(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Prizes]:
    """Return the awards in each group of the event's `prizes`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/prizes", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def prizes_csv(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the awards in each group of the event's `prizes`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/prizes.csv", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def prizes_html(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the awards in each group of the event's `prizes`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/prizes.html", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def prizes_json(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Prizes]:
    """Return the awards in each group of the event's `prizes`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/prizes.json", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def prizes_ndjson(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the awards in each group of the event's `prizes`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/prizes.ndjson", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def prizes_pdf(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    tiebreaks: str | None = None,
) -> Operation[bytes]:
    """Return the awards in each group of the event's `prizes`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/prizes.pdf", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "tiebreaks": tiebreaks,
        },
    )


def event_ratings(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[types.EventRatings]:
    """Return the performance of each player in the rated games, and the change of the rating."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/ratings", slug=slug),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def event_ratings_csv(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the performance of each player in the rated games, and the change of the rating."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/ratings.csv", slug=slug),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def event_ratings_html(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the performance of each player in the rated games, and the change of the rating."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/ratings.html", slug=slug),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def event_ratings_json(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[types.EventRatings]:
    """Return the performance of each player in the rated games, and the change of the rating."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/ratings.json", slug=slug),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def event_ratings_ndjson(
    slug: str,
    *,
    bom: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the performance of each player in the rated games, and the change of the rating."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/ratings.ndjson", slug=slug),
        query={"bom": bom, "paper": paper},
        headers={"If-None-Match": if_none_match},
    )


def event_ratings_pdf(
    slug: str, *, bom: bool | None = None, paper: Literal["a4", "letter"] | None = None
) -> Operation[bytes]:
    """Return the performance of each player in the rated games, and the change of the rating."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/ratings.pdf", slug=slug),
        query={"bom": bom, "paper": paper},
    )


def import_records(
    slug: str, body: str | bytes, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.ImportedRecords | types.ImportAccepted]:
    """Add each record of a file to its game, as a ruling that the record proves."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/records/import", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="text/plain",
        takes_key=True,
    )


def repeated_records(
    slug: str, *, if_none_match: str | None = None
) -> Operation[types.RepeatedRecordSerializerResults]:
    """Return the records that several games have: one of them may be a copy."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/records/repeated", slug=slug),
        headers={"If-None-Match": if_none_match},
    )


def reopen_tournament(
    slug: str,
    body: types.ReasonRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Cancel the tournament, or reopen a final one for corrections."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/reopen", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def resume_tournament(
    slug: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Bring the tournament to its next state."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/resume", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def review_tournament(
    slug: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Bring the tournament to its next state."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/review", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def roles(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedHeldRoleList, types.HeldRole]:
    """The owners, directors and scorers of the event."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/roles", slug=slug),
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def grant_role(
    slug: str,
    body: types.RoleRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.NewRole]:
    """Grant a role to the account of an address; invite an address without an account."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/roles", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def remove_role(slug: str, role_id: int, *, dry_run: bool | None = None) -> Operation[None]:
    """Remove a role; the last owner stays (`last_owner`)."""
    return Operation(
        "DELETE",
        path_of("/tournaments/{slug}/roles/{role_id}", slug=slug, role_id=role_id),
        query={"dry_run": dry_run},
    )


def rounds(
    slug: str, *, if_none_match: str | None = None
) -> Operation[types.RoundSerializerResults]:
    """Return the rounds of the event, which its start plans."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds", slug=slug),
        headers={"If-None-Match": if_none_match},
    )


def round(
    slug: str, number: int, *, if_none_match: str | None = None
) -> Operation[types.RoundDetail]:
    """Return a round."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}", slug=slug, number=number),
        headers={"If-None-Match": if_none_match},
    )


def edit_round(
    slug: str,
    number: int,
    body: types.PatchedRoundRequestRequest | None = None,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.Round]:
    """Set the date, or the date and time, of the round and of its games."""
    return Operation(
        "PATCH",
        path_of("/tournaments/{slug}/rounds/{number}", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def check_round(slug: str, number: int) -> Operation[types.Check]:
    """Check whether a round can be paired, who blocks it, and what could give way."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/check", slug=slug, number=number),
    )


def complete_round(
    slug: str,
    number: int,
    body: types.RoundActionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Unpair, complete or reopen a round."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/complete", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def explain(
    slug: str, number: int, body: types.ExplainRequestRequest
) -> Operation[types.Explanation]:
    """Explain why two players, by pairing number, do not meet in a round."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/explain", slug=slug, number=number),
        body=body,
    )


def pair_round(
    slug: str,
    number: int,
    body: types.PairRequestRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Pair a round with the tournament's pairing system. A draft is paired again."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/pair", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def pairings(
    slug: str, number: int, *, explain: bool | None = None, if_none_match: str | None = None
) -> Operation[types.RoundPairings]:
    """Return the pairings of a round; only directors see a draft."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/pairings", slug=slug, number=number),
        query={"explain": explain},
        headers={"If-None-Match": if_none_match},
    )


def set_pairings(
    slug: str,
    number: int,
    body: types.ByHandRequestRequest,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Set all pairings of a draft by hand, with a reason; boards are numbered as sent."""
    return Operation(
        "PUT",
        path_of("/tournaments/{slug}/rounds/{number}/pairings", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def change_boards(
    slug: str,
    number: int,
    body: types.PatchedBoardChangesRequest | None = None,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Change single boards or byes of a draft or of a published round, with a reason."""
    return Operation(
        "PATCH",
        path_of("/tournaments/{slug}/rounds/{number}/pairings", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def pairings_csv(
    slug: str, number: int, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return the pairings of a round as a file with a row for each pairing, byes last."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/pairings.csv", slug=slug, number=number),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def pairings_ndjson(
    slug: str, number: int, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return the pairings of a round as a file with a row for each pairing, byes last."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/pairings.ndjson", slug=slug, number=number),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def pairings_sheet(
    slug: str,
    number: int,
    *,
    by: Literal["board", "name"] | None = None,
    paper: Literal["a4", "letter"] | None = None,
) -> Operation[bytes]:
    """Return the pairings of a round to print, by board or by name with `?by=name`."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/pairings.pdf", slug=slug, number=number),
        query={"by": by, "paper": paper},
    )


def publish_round(
    slug: str,
    number: int,
    body: types.PublishRequestRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Publish a draft and create its games."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/publish", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def reopen_round(
    slug: str,
    number: int,
    body: types.RoundActionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Unpair, complete or reopen a round."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/reopen", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def restore_version(
    slug: str,
    number: int,
    body: types.RestoreRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Make an older version of a round current again, with its games and results."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/restore", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def results(
    slug: str, number: int, *, missing: bool | None = None, if_none_match: str | None = None
) -> Operation[types.RoundResults]:
    """Return the result of each game of a round by board; `?missing=1` only the open ones."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/results", slug=slug, number=number),
        query={"missing": missing},
        headers={"If-None-Match": if_none_match},
    )


def enter_results(
    slug: str,
    number: int,
    body: types.ResultsRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.RoundResults]:
    """Enter results by board, all or none, as an official; the response has the whole round."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/results", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def record_sheets(
    slug: str, number: int, *, paper: Literal["a4", "letter"] | None = None
) -> Operation[bytes]:
    """Return a blank record sheet for each game of a published round."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/sheets.pdf", slug=slug, number=number),
        query={"paper": paper},
    )


def result_slips(
    slug: str, number: int, *, paper: Literal["a4", "letter"] | None = None
) -> Operation[bytes]:
    """Return a result slip for each board of a published round, with a code of its game."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/slips.pdf", slug=slug, number=number),
        query={"paper": paper},
    )


def unpair_round(
    slug: str,
    number: int,
    body: types.RoundActionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.RoundPairings]:
    """Unpair, complete or reopen a round."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/rounds/{number}/unpair", slug=slug, number=number),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def round_versions(
    slug: str,
    number: int,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedRoundVersionList, types.RoundVersion]:
    """The versions of a round's pairings: who set them, when, why, and their state."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/rounds/{number}/versions", slug=slug, number=number),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def round_version(
    slug: str, number: int, version: int, *, if_none_match: str | None = None
) -> Operation[types.RoundPairings]:
    """Return the pairings of a version with their games, which are void if it is not current."""
    return Operation(
        "GET",
        path_of(
            "/tournaments/{slug}/rounds/{number}/versions/{version}",
            slug=slug,
            number=number,
            version=version,
        ),
        headers={"If-None-Match": if_none_match},
    )


def standings(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Standings]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_csv(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.csv", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_html(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.html", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_json(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Standings]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.json", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_ndjson(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.ndjson", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_pdf(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
) -> Operation[bytes]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.pdf", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
    )


def standings_trf(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.trf", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_trf16(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.trf16", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def standings_trf26(
    slug: str,
    *,
    bom: bool | None = None,
    current: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    round: int | None = None,
    snapshot: int | None = None,
    terms: bool | None = None,
    tiebreaks: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the current standings, or those of a round from the snapshot taken at that time."""
    return Operation(
        "GET",
        path_of("/tournaments/{slug}/standings.trf26", slug=slug),
        query={
            "bom": bom,
            "current": current,
            "paper": paper,
            "round": round,
            "snapshot": snapshot,
            "terms": terms,
            "tiebreaks": tiebreaks,
        },
        headers={"If-None-Match": if_none_match},
    )


def start_tournament(
    slug: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.TournamentDetail]:
    """Bring the tournament to its next state."""
    return Operation(
        "POST",
        path_of("/tournaments/{slug}/start", slug=slug),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        takes_key=True,
    )


def event_tokens(
    slug: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedEventTokenList, types.EventToken]:
    """The tokens that are valid for this event only, oldest first, without their secrets."""
    return Listing(
        "GET",
        path_of("/tournaments/{slug}/tokens", slug=slug),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def revoke_event_token(slug: str, token_id: str, *, dry_run: bool | None = None) -> Operation[None]:
    """Revoke a token that is valid for this event only."""
    return Operation(
        "DELETE",
        path_of("/tournaments/{slug}/tokens/{token_id}", slug=slug, token_id=token_id),
        query={"dry_run": dry_run},
    )


def import_tournament(
    body: str | bytes,
    *,
    board: str | None = None,
    dry_run: bool | None = None,
    ends_on: str | None = None,
    game: str | None = None,
    name: str | None = None,
    players: str | None = None,
    pool: str | None = None,
    public: bool | None = None,
    rated: bool | None = None,
    slug: str | None = None,
    starts_on: str | None = None,
    system: str | None = None,
    tiebreaks: str | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ImportedTrf | types.ImportAccepted]:
    """Create a tournament from a TRF16 or TRF26 file; its results are rulings."""
    return Operation(
        "POST",
        "/tournaments/import",
        query={
            "board": board,
            "dry_run": dry_run,
            "ends_on": ends_on,
            "game": game,
            "name": name,
            "players": players,
            "pool": pool,
            "public": public,
            "rated": rated,
            "slug": slug,
            "starts_on": starts_on,
            "system": system,
            "tiebreaks": tiebreaks,
        },
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="text/plain",
        takes_key=True,
    )


def import_bundle(
    body: str | bytes, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.Tournament | types.ImportAccepted]:
    """Import a tournament with its ids and its whole journal; for site staff."""
    return Operation(
        "POST",
        "/tournaments/import/bundle",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="application/zip",
        takes_key=True,
    )
