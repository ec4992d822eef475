"""Certificates: what it takes to pair a round once more, anywhere, and get the same.

Pairing is a pure function of its input, the system, its edition and the seed. The input is kept
as a TRF26 report with nothing in it but what pairing looks at, so that any other program can read
it too; names are not among that, and ratings only for systems that pair by them.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from typing import Any, Self

from tournament.pairing.errors import NoLegalPairing, PairingError, PairingRequestError
from tournament.pairing.options import OptionValue
from tournament.pairing.request import Pair, PairingFunction, PairingRequest, Pairings
from tournament.pairing.trf_request import next_round, pairs_text
from tournament.standings.crosstable import Competitor, Kind, PlayerId
from tournament.standings.errors import StandingsError
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfEdition, TrfFile, read_trf, write_trf

ENGINE = "perihelion 1"
"""Changes whenever the same input may be paired otherwise."""

MOST_CHARACTERS = 30_000_000
NOT_TEXT = {
    "round": int,
    "seed": int,
    "codes": list,
    "options": dict,
    "preferences": list,
    "exempt": list,
    "exempt_byes": list,
    "balances_seats": bool,
}
"""The kinds of those entries that are no texts."""


class CertificateError(PairingError):
    """A text that is no certificate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A paired round; `input` and `output` are texts, digests are `sha256:` and 64 digits.

    `codes`, `options`, `preferences`, `exempt`, `exempt_byes` and `balances_seats` are those of the
    request; `seed` served what was drawn by lot.
    """

    system: str
    edition: str
    engine: str
    round: int
    seed: int
    codes: tuple[str, ...]
    options: dict[str, OptionValue]
    preferences: tuple[tuple[Pair, ...], ...]
    exempt: tuple[Pair, ...]
    exempt_byes: tuple[PlayerId, ...]
    balances_seats: bool
    input: str
    input_digest: str
    output: str
    output_digest: str

    def __str__(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the written form; raises CertificateError."""
        if len(text) > MOST_CHARACTERS:
            raise CertificateError(f"a certificate has at most {MOST_CHARACTERS} characters")
        try:
            content: dict[str, Any] = json.loads(text)
        except (ValueError, RecursionError) as fault:
            raise CertificateError(f"no JSON: {fault}") from fault
        names = [field.name for field in fields(cls)]
        if not isinstance(content, dict) or sorted(content) != sorted(names):
            raise CertificateError(f"a certificate has the keys {', '.join(names)}")
        for name, value in content.items():
            if type(value) is not NOT_TEXT.get(name, str):
                raise CertificateError(f"{name} cannot be {str(value)[:40]!r}")
        try:
            content["codes"] = tuple(str(code) for code in content["codes"])
            content["preferences"] = tuple(_pairs(level) for level in content["preferences"])
            content["exempt"] = _pairs(content["exempt"])
            content["exempt_byes"] = tuple(int(number) for number in content["exempt_byes"])
        except (TypeError, ValueError, OverflowError) as fault:
            raise CertificateError(
                "preferences are lists of pairs of numbers, exempt is one, exempt_byes are numbers"
            ) from fault
        return cls(**content)

    def faults(self, pair: PairingFunction) -> tuple[str, ...]:
        """Pair again and list what does not hold; empty when the certificate is genuine."""
        found = []
        if digest(self.input) != self.input_digest:
            found.append("the input is not the one that was digested")
        if digest(self.output) != self.output_digest:
            found.append("the output is not the one that was digested")
        if self.engine != ENGINE:
            found.append(f"{self.engine} paired it, this is {ENGINE}")
        if not found:
            try:
                request = self.request()
                again = pairs_text(pair(request))
            except NoLegalPairing as refusal:
                again = f"no legal pairing: {refusal}"
            except (StandingsError, PairingError) as fault:
                return (f"the input cannot be paired: {fault}",)
            if again != self.output:
                found.append("the input gives another pairing")
        return tuple(found)

    def request(self) -> PairingRequest:
        """Give the round as it was to be paired; raises StandingsError or PairingError."""
        request = next_round(read_trf(self.input))
        if request.round != self.round:
            raise PairingRequestError(f"the input is before round {request.round}")
        return replace(
            request,
            codes=self.codes,
            seed=self.seed,
            options=self.options,
            preferences=tuple(frozenset(level) for level in self.preferences),
            exempt=frozenset(self.exempt),
            exempt_byes=frozenset(self.exempt_byes),
            balance_seats=self.balances_seats,
        )


def certify(
    request: PairingRequest,
    pairings: Pairings,
    *,
    system: str,
    edition: str,
    with_ratings: bool = False,
) -> Certificate:
    """Make the certificate of a round, `with_ratings` where the system pairs by them.

    Raises PairingRequestError when nobody was paired in the round before, and StandingsError for
    what a report cannot hold.
    """
    before = request.crosstable.after(request.round - 1)
    if before.held or before.completed != request.round - 1:
        raise PairingRequestError(f"nobody was paired in round {request.round - 1}")
    text = canonical_input(request, with_ratings=with_ratings)
    output = pairs_text(pairings)
    return Certificate(
        system=system,
        edition=edition,
        engine=ENGINE,
        round=request.round,
        seed=request.seed,
        codes=request.codes,
        options=dict(sorted(request.options.items())),
        preferences=tuple(tuple(sorted(level)) for level in request.preferences),
        exempt=tuple(sorted(request.exempt)),
        exempt_byes=tuple(sorted(request.exempt_byes)),
        balances_seats=request.balance_seats,
        input=text,
        input_digest=digest(text),
        output=output,
        output_digest=digest(output),
    )


def canonical_input(request: PairingRequest, *, with_ratings: bool = False) -> str:
    """Write what a round is paired from, the same text for the same input."""
    table = request.crosstable.after(request.round - 1)
    players = tuple(
        Competitor(
            number=player.number,
            rating=player.rating if with_ratings else 0,
            results=player.results,
            virtual=player.virtual[: request.round],
        )
        for player in table.players
    )
    table = replace(
        table,
        players=players,
        initial_seat=request.initial_seat or table.initial_seat,
    )
    forbidden = sorted({(min(pair), max(pair)) for pair in request.forbidden})
    document = TrfFile(
        crosstable=table,
        byes=tuple(
            AnnouncedBye(request.round, Kind.ZERO_BYE, number) for number in sorted(request.absent)
        ),
        forbidden=tuple(ForbiddenGroup(pair, 1, table.rounds) for pair in forbidden),
    )
    return write_trf(document, edition=TrfEdition.TRF26)


def digest(text: str) -> str:
    """Give the digest of a text."""
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def _pairs(written: list[list[int]]) -> tuple[Pair, ...]:
    return tuple((int(one), int(other)) for one, other in written)
