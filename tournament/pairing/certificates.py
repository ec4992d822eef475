"""Certificates: everything needed to pair a round again, anywhere, with the same result.

A pairing is a pure function of its input, the system, its edition and the seed. The input is a
TRF26 file that contains only what the system reads, so that other programs can read it too. It
contains no names, and ratings only for systems that use them.

The input digest covers everything that leads to the output: the input and the system, edition,
engine, round, seed and settings. It is the digest of the certificate as JSON in ASCII, with sorted
keys and without the two digests and the output.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from typing import Any, Self, TypeVar

from tournament.pairing.errors import NoLegalPairing, PairingError, PairingRequestError
from tournament.pairing.options import OptionValue
from tournament.pairing.request import Pair, PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import Competitor, Crosstable, DecidedTie, Kind, PlayerId
from tournament.standings.errors import StandingsError
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfEdition, TrfFile, read_trf, write_trf

ENGINE = "perihelion 1"
"""Changes whenever the same input can lead to another pairing."""

TIES, UNRANKED, UNRATED = "decided_ties", "expelled", "unrated_rating"
"""Options that are not those of a system: ties that the director decided, as in `3: 8 4`,
players who are not ranked, and the rating of unrated players."""

MOST_CERTIFICATE_CHARACTERS = 30_000_000
JSON_TYPES = {
    "round": int,
    "seed": int,
    "codes": list,
    "options": dict,
    "preferences": list,
    "exempt": list,
    "exempt_byes": list,
    "balance_seats": bool,
}
"""The types of the keys that are not text."""

T = TypeVar("T")


class CertificateError(PairingError):
    """The text is not a certificate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCertificate:
    """A paired round; `input` and `output` are texts, digests are `sha256:` and 64 digits.

    `input_digest` is that of everything but the output.

    `codes`, `options`, `preferences`, `exempt`, `exempt_byes`, `balance_seats` and `seed` are
    those of the request.
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
    balance_seats: bool
    input: str
    input_digest: str
    output: str
    output_digest: str

    def __str__(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text of a certificate; raises CertificateError."""
        if len(text) > MOST_CERTIFICATE_CHARACTERS:
            raise CertificateError(
                f"a certificate has at most {MOST_CERTIFICATE_CHARACTERS} characters"
            )
        try:
            content: dict[str, Any] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise CertificateError(f"not JSON: {error}") from error
        names = [field.name for field in fields(cls)]
        if not isinstance(content, dict) or sorted(content) != sorted(names):
            raise CertificateError(f"a certificate has the keys {', '.join(names)}")
        for name, value in content.items():
            if type(value) is not JSON_TYPES.get(name, str):
                raise CertificateError(f"{name} cannot be {str(value)[:40]!r}")
        if any(not isinstance(value, OptionValue) for value in content["options"].values()):
            raise CertificateError("an option is a whole number, a text, true, false or null")
        try:
            content["codes"] = tuple(_parse_items(content["codes"], str))
            content["preferences"] = tuple(_parse_pairs(level) for level in content["preferences"])
            content["exempt"] = _parse_pairs(content["exempt"])
            content["exempt_byes"] = tuple(_parse_items(content["exempt_byes"], int))
        except (TypeError, ValueError) as error:
            raise CertificateError(
                "preferences must be lists of pairs of whole numbers, exempt a list of pairs, "
                "exempt_byes a list of numbers and codes a list of texts"
            ) from error
        return cls(**content)

    def digest_input(self) -> str:
        """Return the digest of everything but the output."""
        content = asdict(self)
        for name in ("input_digest", "output", "output_digest"):
            del content[name]
        return digest(json.dumps(content, sort_keys=True))

    def find_wrong_digests(self) -> list[str]:
        """Return a sentence for each digest that is not that of what it covers."""
        faults = []
        if self.digest_input() != self.input_digest:
            faults.append("the input and the settings do not have their digest")
        if digest(self.output) != self.output_digest:
            faults.append("the output does not have its digest")
        return faults

    def find_faults(self) -> tuple[str, ...]:
        """Pair the round again and return what is wrong; empty for a genuine certificate."""
        faults = self.find_wrong_digests()
        if self.engine != ENGINE:
            faults.append(f"{self.engine} paired the round; this is {ENGINE}")
        page = PAIRING_SYSTEMS.get(self.system)
        if page is None:
            faults.append(f"there is no pairing system {self.system!r}")
        elif self.edition != page.source:
            faults.append(
                f"the edition is {self.edition!r}; {self.system} pairs by {page.source!r}"
            )
        if faults or page is None:
            return tuple(faults)
        try:
            output = str(page.pair(self.request()))
        except NoLegalPairing as error:
            output = f"no legal pairing: {error}"
        except (StandingsError, PairingError) as error:
            return (f"the input cannot be paired: {error}",)
        return () if output == self.output else ("the input leads to another pairing",)

    def request(self) -> PairingRequest:
        """Return the request of the round; raises StandingsError or PairingError."""
        request = request_next_round(read_trf(self.input))
        options = dict(self.options)
        crosstable = replace(
            request.crosstable,
            decided=_read_ties(options.pop(TIES, "")),
            unranked=_read_numbers(options.pop(UNRANKED, "")),
            unrated=int(options.pop(UNRATED, 0) or 0),
        )
        if request.round != self.round:
            raise PairingRequestError(f"the input is that of round {request.round}")
        return replace(
            request,
            crosstable=crosstable,
            codes=self.codes,
            seed=self.seed,
            options=options,
            preferences=tuple(frozenset(level) for level in self.preferences),
            exempt=frozenset(self.exempt),
            exempt_byes=frozenset(self.exempt_byes),
            balance_seats=self.balance_seats,
        )


def digests_of(text: str) -> tuple[str, str]:
    """Return the digests of the input and the output in the text of a certificate, as computed.

    Raises CertificateError for a text that states others, or is not as the program writes it.
    """
    certificate = RoundCertificate.parse(text)
    if faults := certificate.find_wrong_digests():
        raise CertificateError(faults[0])
    if str(certificate) != text:  # as with a key twice, of which other programs read the first
        raise CertificateError("it is not written as a certificate is")
    return certificate.input_digest, certificate.output_digest


def certify(request: PairingRequest, pairings: Pairings, *, system: str) -> RoundCertificate:
    """Return the certificate of a round.

    Raises PairingRequestError if the round before has no pairings, and StandingsError if TRF26
    cannot hold the input.
    """
    before = request.crosstable.after(request.round - 1)
    if before.held or before.completed != request.round - 1:
        raise PairingRequestError(f"round {request.round - 1} has no pairings")
    page = PAIRING_SYSTEMS[system]
    text = canonical_input(request, with_ratings=page.uses_ratings)
    output = str(pairings)
    certificate = RoundCertificate(
        system=system,
        edition=page.source,
        engine=ENGINE,
        round=request.round,
        seed=request.seed,
        codes=request.codes,
        options=dict(sorted({**request.options, **_written_settings(before)}.items())),
        preferences=tuple(tuple(sorted(level)) for level in request.preferences),
        exempt=tuple(sorted(request.exempt)),
        exempt_byes=tuple(sorted(request.exempt_byes)),
        balance_seats=request.balance_seats,
        input=text,
        input_digest="",
        output=output,
        output_digest=digest(output),
    )
    return replace(certificate, input_digest=certificate.digest_input())


def _written_settings(table: Crosstable) -> dict[str, OptionValue]:
    """Return what ranks players and no TRF contains, as further options of a certificate."""
    ties = "; ".join(
        f"{tie.after}: {' '.join(map(str, tie.players))}" for tie in sorted(table.decided)
    )
    unranked = " ".join(map(str, sorted(table.unranked)))
    settings: dict[str, OptionValue] = {TIES: ties, UNRANKED: unranked, UNRATED: table.unrated}
    return {name: value for name, value in settings.items() if value}


def _read_ties(text: OptionValue) -> tuple[DecidedTie, ...]:
    try:
        ties = [tie.split(":") for tie in str(text).split(";") if text]
        return tuple(DecidedTie(int(after), tuple(map(int, who.split()))) for after, who in ties)
    except ValueError as error:
        raise PairingRequestError(f"these are not decided ties: {str(text)[:40]!r}") from error


def _read_numbers(text: OptionValue) -> frozenset[PlayerId]:
    try:
        return frozenset(map(int, str(text).split()))
    except ValueError as error:
        raise PairingRequestError(f"these are not numbers: {str(text)[:40]!r}") from error


def canonical_input(request: PairingRequest, *, with_ratings: bool) -> str:
    """Return the TRF26 text that a round is paired from, the same for the same input."""
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
    initial_seat = request.initial_seat or table.initial_seat
    forbidden = sorted({(min(pair), max(pair)) for pair in request.forbidden})
    trf = TrfFile(
        crosstable=replace(table, players=players, initial_seat=initial_seat),
        byes=tuple(
            AnnouncedBye(request.round, Kind.ZERO_BYE, number) for number in sorted(request.absent)
        ),
        forbidden=tuple(ForbiddenGroup(pair, 1, table.rounds) for pair in forbidden),
    )
    return write_trf(trf, edition=TrfEdition.TRF26)


def digest(text: str) -> str:
    """Return the digest of a text."""
    return f"sha256:{sha256(text.encode(errors='surrogatepass')).hexdigest()}"


def _parse_pairs(value: list[list[int]]) -> tuple[Pair, ...]:
    return tuple((a, b) for a, b in (_parse_items(pair, int) for pair in value))


def _parse_items(items: list[T], of_type: type[T]) -> list[T]:
    if any(type(item) is not of_type for item in items):
        raise TypeError
    return items
