"""Requests below `/plan`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation, path_of


def make_plan(
    body: types.NewPlanRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Plan]:
    """Simulate an event that has not been played, in several formats, and compare them."""
    return Operation(
        "POST",
        "/plan",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def plan(
    plan_id: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[types.Plan]:
    """Return a plan of the account, with the figures of the simulations done so far."""
    return Operation(
        "GET",
        path_of("/plan/{plan_id}", plan_id=plan_id),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def plan_csv(
    plan_id: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return a plan of the account, with the figures of the simulations done so far."""
    return Operation(
        "GET",
        path_of("/plan/{plan_id}.csv", plan_id=plan_id),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def plan_html(
    plan_id: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return a plan of the account, with the figures of the simulations done so far."""
    return Operation(
        "GET",
        path_of("/plan/{plan_id}.html", plan_id=plan_id),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def plan_json(
    plan_id: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[types.Plan]:
    """Return a plan of the account, with the figures of the simulations done so far."""
    return Operation(
        "GET",
        path_of("/plan/{plan_id}.json", plan_id=plan_id),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def plan_ndjson(
    plan_id: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return a plan of the account, with the figures of the simulations done so far."""
    return Operation(
        "GET",
        path_of("/plan/{plan_id}.ndjson", plan_id=plan_id),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )


def plan_svg(
    plan_id: str, *, bom: bool | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return a plan of the account, with the figures of the simulations done so far."""
    return Operation(
        "GET",
        path_of("/plan/{plan_id}.svg", plan_id=plan_id),
        query={"bom": bom},
        headers={"If-None-Match": if_none_match},
    )
