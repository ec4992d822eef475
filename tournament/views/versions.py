"""The versions of a round's pairings, and the restoration of an older version."""

from copy import copy
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound
from games.core.pagination import CursorPages
from games.core.preconditions import unless_changed
from games.core.requests import maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.rules.text import Text
from tournament.core.locking import round_target
from tournament.core.lookup import require_in_round, require_tournament, round_of
from tournament.models import Pairing, Round, Tournament
from tournament.queries.versions import describe_versions, load_versions, version_rows
from tournament.rounds.queries import pairings_as_json
from tournament.rounds.serializers import RoundPairingsSerializer
from tournament.rounds.services import restore_version
from tournament.serializers.rounds import RestoreRequestSerializer, RoundVersionSerializer


class RoundsByVersion(CursorPages):
    ordering = ("version",)


@extend_schema_view(get=extend_schema(operation_id="round_versions"))
class VersionList(ValuesListView):
    """The versions of a round's pairings: who set them, when, why, and their state.

    For the officials of the event.
    """

    queryset = Pairing.objects.none()
    serializer_class = RoundVersionSerializer
    pagination_class = RoundsByVersion
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "drafts.see")
        this_round = round_of(tournament, kwargs["number"])
        page = self.paginate_queryset(self.filter_queryset(version_rows(this_round))) or []
        versions = describe_versions(tournament, this_round, page)
        return self.get_paginated_response([version.as_json() for version in versions])


class VersionView(ApiView):
    is_public = False

    @extend_schema(operation_id="round_version", responses=RoundPairingsSerializer)
    def get(self, request: Request, slug: str, number: int, version: int) -> Response:
        """Return the pairings of a version with their games, which are void if it is not current.

        For the officials of the event.
        """
        tournament, _ = require_tournament(request, slug, "drafts.see")
        this_round = round_of(tournament, number)
        return Response(pairings_of_version(tournament, this_round, version))


def pairings_of_version(tournament: Tournament, this_round: Round, version: int) -> dict[str, Any]:
    """Return the pairings of a version as JSON; raises NotFound."""
    for found in load_versions(tournament, this_round):
        if found.version == version:
            shown = copy(this_round)
            shown.version, shown.state = version, found.state
            shown.system, shown.reason = found.system, found.reason
            shown.notes, shown.relaxed = found.notes, found.relaxed
            return pairings_as_json(tournament, shown)
    raise NotFound(
        "not_found",
        Text(
            "round %(number)s has no version %(version)s", number=this_round.number, version=version
        ),
    )


class RestoreVersion(ApiView):
    has_precondition = True

    @extend_schema(
        operation_id="restore_version",
        request=RestoreRequestSerializer,
        responses=RoundPairingsSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Make an older version of a round current again, with its games and results.

        A version that was published or complete is published again; `complete` completes it. The
        version that was current remains, with void games.
        """
        tournament, account = require_in_round(request, slug, number, "restore")
        content = validated_body(RestoreRequestSerializer, request)
        target = round_target(tournament, number)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            this_round = restore_version(tournament, number, **content, by=account)
            body = pairings_as_json(tournament, this_round)
        return Response(body)
