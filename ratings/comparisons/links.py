"""The addresses of what the API shows about a player's ratings."""

from typing import Any

from ratings.models import Rating


def player_links(player_id: int) -> dict[str, Any]:
    """Return the addresses about a player; those with braces are templates (RFC 6570)."""
    address = f"/api/v1/players/{player_id}"
    codes = Rating.objects.filter(player=player_id).order_by("pool__code")
    return {
        "ratings": f"{address}/ratings",
        "rating_history": f"{address}/rating-history",
        "head_to_head": f"{address}/head-to-head/{{opponent}}",
        "what_if": f"{address}/what-if{{?pool,results}}",
        "pools": [
            {
                "pool": code,
                "place": f"/api/v1/pools/{code}/ratings/{player_id}",
                "list": f"/api/v1/pools/{code}/ratings",
                "lists": f"/api/v1/pools/{code}/lists",
                "rating_history": f"{address}/rating-history?pool={code}",
                "chart": f"{address}/rating-history.svg?pool={code}",
            }
            for code in codes.values_list("pool__code", flat=True)
        ],
    }
