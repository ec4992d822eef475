"""Find the person that each line of a file means among the registered players.

| the line has | it means the player |
|---|---|
| `player`, an id or `new` | with this id, or one to be registered, who has no registered id |
| a FIDE id that is registered | with this FIDE id |
| another id that is registered | with this id, of that organisation, or of one that is not named |
| a name and a year of birth | of this name and year |
| a name | of this name, country and club; an empty one may fit |

An id is one person's in its organisation: with another name, the line is ambiguous. Where a list
does not name the organisation (`NatID`), it is one of the country of the player; where it names one
(`USCF ID`) and the registered id has none, the name must be the same. Ids alone, without a name,
mean a registered player.

Years are compared where the sender keeps the registration, and unknown elsewhere.
Names and clubs are compared without case and accents. An empty club fits in the same country, an
empty country in the same club. Players of the same name are other persons if
FIDE ids, years of birth, or (without the same year) countries are known and differ. If several
players remain, or if a detail contradicts the only one, the line is ambiguous: the file must then
name the player.

A line also means a new player whom an earlier line of the file registers, by the same rules as if
that line had come in an earlier file. But two clubs in one file are those of two persons, because
it was written at one time.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from difflib import SequenceMatcher
from itertools import product
from typing import Any, Final, Literal

from django.db.models import Q
from django.utils import timezone

from games.core.journal.lines import SITE, append_line
from games.core.journal.rows import changed_rows
from games.core.limits import check_quota, lock_account
from games.core.uploads.headings import OTHER_ORGANISATIONS, SOME_ID
from games.core.uploads.progress import Progress
from games.models import Account, Player
from games.models.bulk import BATCH_SIZE, chunks
from games.names import fold_name
from games.players.custody import kept_by
from games.players.queries import has_id, no_player, unmerged_players
from games.rules.text import Text

DAY: Final = timedelta(days=1)
NEW: Final = "new"
SEED_FIELDS: Final = ("seed_rating", "seed_games", "seed_reached_2400")
"""The rating from elsewhere, and what decides K besides."""
NO_SEED_RATING: Final = Text("belongs to a rating, but the player has none")
LEAST_LIKENESS: Final = 0.7
"""Of two spellings of a name, such as `muller` and `mueller` (0.92); of other names it is lower."""
WORD: Final = re.compile(r"\w+")
MOST_COMPARED_WORDS: Final = 8
HOW_TO_RESOLVE = Text("name the player by id (or `new`)")
HOW_TO_RESOLVE_ID = Text("leave the id out, or name the player by id")
HOW_TO_RESOLVE_LINES = Text("state the same details in both lines, or `new` as the player of one")


@dataclass(frozen=True, slots=True)
class RegisteredPlayers:
    """The registered players by id, by FIDE id and by folded name.

    Those whom lines of the file register are added; `lines` has their lines by `id` of the object,
    since they have no key yet.
    """

    by_id: dict[int, Player] = field(default_factory=dict)
    by_fide_id: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))
    by_other_id: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))
    by_name: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[int, int] = field(default_factory=dict)

    def add(self, item: "PlayerDetails", player: Player) -> None:
        """Add the new player of a line."""
        self.lines[id(player)] = item.line
        self.by_name[fold_name(player.name)].append(player)
        if item.fide:
            self.by_fide_id[item.fide].append(player)
        self.add_other_ids(player)

    def add_other_ids(self, player: Player) -> None:
        """Add a player under their ids of other organisations than FIDE."""
        for number in {number for _, number in _folded_ids(player)}:
            self.by_other_id[number].append(player)


def _folded_ids(player: Player) -> list[tuple[str, str]]:
    """Return the ids of a player besides that of FIDE, each with its organisation."""
    ids = player.external_ids.items()
    return [
        (OTHER_ORGANISATIONS.get(scheme, scheme), _folded_id(str(number)))
        for scheme, number in ids
        if scheme != "fide"
    ]


def _folded_id(number: str) -> str:
    """Return an id without case and without the zeros that some programs put before it."""
    return number.casefold().lstrip("0")


def load_registered(
    ids: Iterable[int],
    fide_ids: Iterable[str],
    names: Iterable[str],
    by: Account | None,
    progress: Progress,
    *,
    has_other_ids: bool = False,
) -> RegisteredPlayers:
    """Return the players with these ids, FIDE ids and folded names, as an account may see them."""
    ordered = sorted(set(names))
    registered = RegisteredPlayers()
    for numbers in chunks(sorted(set(ids))):
        registered.by_id.update({player.pk: player for player in _players(Q(pk__in=numbers), by)})
    for numbers_of_fide in chunks(sorted(set(fide_ids))):
        for player in _players(Q(external_ids__fide__in=numbers_of_fide), by):
            registered.by_fide_id[str(player.external_ids["fide"])].append(player)
    if has_other_ids:  # few players have one, and their organisations are not known
        for player in _players(~Q(external_ids={}), by):
            registered.add_other_ids(player)
    for count, chunk in enumerate(chunks(ordered)):
        progress(Text("matching players"), count * BATCH_SIZE, len(ordered))
        for player in _players(Q(folded_name__in=chunk), by):
            registered.by_name[player.folded_name].append(player)
    return registered


def _players(condition: Q, by: Account | None) -> Iterable[Player]:
    """Return players, without the personal data of those whose registration others keep."""
    players = list(unmerged_players().filter(condition).order_by("pk"))
    private = [player for player in players if player.birth_year is not None or player.sex]
    if private:
        numbers = [player.pk for player in private]
        kept = Player.objects.filter(kept_by(by), pk__in=numbers).values_list("pk", flat=True)
        seen = set(kept)
        for player in private:
            if player.pk not in seen:
                player.birth_year, player.sex = None, ""
    return players


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDetails:
    """What a line of a file contains about a player; `player` is the id of the one who is meant."""

    name: str
    country: str = ""
    club: str = ""
    fide: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    birth_year: int | None = None
    sex: str = ""
    seed_rating: int | None = None
    seed_games: int | None = None
    seed_reached_2400: bool = False
    player: int | Literal["new"] | None = None
    line: int = 0

    @property
    def named_ids(self) -> Sequence[tuple[str, str]]:
        """Return the ids besides that of FIDE, each with its organisation."""
        return [(OTHER_ORGANISATIONS.get(name, name), number) for name, number in self.ids.items()]

    @property
    def key(self) -> tuple[object, ...]:
        """Return what the same person has twice in a file."""
        name, club = fold_name(self.name), fold_name(self.club)
        ids = tuple(sorted(self.ids.items()))
        return self.player, name, self.country, club, self.fide, ids, self.birth_year


@dataclass(frozen=True, slots=True)
class MatchProblem:
    """Why a line names no player, and the registered players that it may mean."""

    code: str
    detail: str
    candidates: tuple[Player, ...] = ()
    same_as_line: int | None = None
    """An earlier line of the file that may mean the same person."""
    column: str = ""
    """The column of a line that is wrong, if it is not that by which the line means its player."""

    def as_json(self) -> dict[str, Any]:
        """Return the members that it adds to an error."""
        names = ("id", "name", "country", "club", "birth_year")
        rows = [{name: getattr(player, name) for name in names} for player in self.candidates]
        same = {} if self.same_as_line is None else {"same_as_line": self.same_as_line}
        return ({"candidates": rows} if rows else {}) | same


@dataclass(frozen=True, slots=True)
class MatchedPlayer:
    """The player that a line means, registered before or new; or a problem.

    `same_as_line` is the earlier line of the file that registers the player.
    """

    player: Player
    is_new: bool = False
    problem: MatchProblem | None = None
    same_as_line: int | None = None

    @property
    def action(self) -> str:
        """Return what the import did, as in the API."""
        return "created" if self.is_new else "known"


def match_players(
    details: Sequence[PlayerDetails], *, by: Account | None, is_distinct: bool, progress: Progress
) -> list[MatchedPlayer]:
    """Return the player of each line; those who are new are not saved.

    The year of birth is compared where the account `by` keeps the registration: otherwise anybody
    could find out the years of others, one line for each.

    With `is_distinct` every line is another person: a player whom a line names by id or FIDE id is
    not meant by other lines, and two lines that mean the same registered player have a problem.
    Without it, a name without a country means the only player of this name, and a line can mean a
    player whom an earlier one registers.
    """
    registered = load_registered(
        (item.player for item in details if isinstance(item.player, int)),
        (item.fide for item in details if item.fide),
        (fold_name(item.name) for item in details if item.player is None and item.name),
        by,
        progress,
        has_other_ids=any(item.ids for item in details),
    )
    if not is_distinct:
        return _match_in_order(details, registered)
    matched = [_match_by_id(item, registered) for item in details]
    named = {found.player.pk for found in matched if found is not None}
    complete = [
        found or _match_by_name(item, registered, named, is_distinct=True)
        for item, found in zip(details, matched, strict=True)
    ]
    return _reject_shared_fide_ids(details, _reject_repeated(complete, named))


def _match_in_order(
    details: Sequence[PlayerDetails], registered: RegisteredPlayers
) -> list[MatchedPlayer]:
    """Return the player of each line; whom an earlier line registers is known in later ones."""
    called_new: dict[tuple[object, ...], Player] = {}
    matched = []
    for item in details:
        same = called_new.get(item.key) if item.player == NEW else None
        found = (
            MatchedPlayer(same)
            if same
            else _match_by_id(item, registered)
            or _match_by_name(item, registered, set(), is_distinct=False)
        )
        line = registered.lines.get(id(found.player))
        matched.append(replace(found, same_as_line=line))
        if found.is_new:
            registered.add(item, found.player)
            if item.player == NEW:
                called_new[item.key] = found.player
    return _reject_shared_fide_ids(details, matched)


def reject_doubles(
    details: Sequence[PlayerDetails], matched: Sequence[MatchedPlayer]
) -> list[MatchedPlayer]:
    """Add a problem to lines of which each is another person, but may mean that of an earlier one.

    A line that states `new` is another person.
    """
    new = RegisteredPlayers()
    checked = []
    for item, found in zip(details, matched, strict=True):
        if found.is_new and item.player != NEW:
            again = _match_by_id(item, new) or _match_by_name(item, new, set(), is_distinct=True)
            if again.problem or not again.is_new:
                problem = again.problem or _ambiguous(item, [again.player], new).problem
                checked.append(replace(found, problem=problem))
                continue
            new.add(item, found.player)
        checked.append(found)
    return checked


def _reject_shared_fide_ids(
    details: Sequence[PlayerDetails], matched: Sequence[MatchedPlayer]
) -> list[MatchedPlayer]:
    """Add a problem to a new player with the FIDE id of another new one of the file."""
    first: dict[str, tuple[Player, int]] = {}
    checked = []
    for item, found in zip(details, matched, strict=True):
        if found.is_new and item.fide:
            player, line = first.setdefault(item.fide, (found.player, item.line))
            if player is not found.player:
                checked.append(replace(found, problem=_shared_fide_id(line)))
                continue
        checked.append(found)
    return checked


def _shared_fide_id(line: int) -> MatchProblem:
    """Return the problem of a FIDE id that an earlier line has, or another player has."""
    where = Text("line %(line)s", line=line) if line else Text("another player of the file")
    detail = Text("%(place)s has the same FIDE id, which is one person's", place=where)
    return MatchProblem("person_twice", detail, column="fide")


def register_new_players(
    matched: Sequence[MatchedPlayer], *, by: Account | None, stream: str = "", progress: Progress
) -> None:
    """Save the players who are new, in an event or a pool if any; one journal line lists them."""
    new = list({id(found.player): found.player for found in matched if found.is_new}.values())
    if new:
        if by is not None:
            check_registrations(len(new), by=by)
        progress(Text("registering players"), 0, len(new))
        for player in new:
            player.registered_by, player.registered_in = by, stream
            player.seed_by = None if player.seed_rating is None else by
        Player.objects.bulk_create(new)
        payload = {"players": [player.pk for player in new]}
        append_line(SITE, "players.imported", payload, by=by, rows=changed_rows(*new))


def check_registrations(new: int, *, by: Account) -> None:
    """Raise QuotaReached if an account registers too many players a day, with so many new ones."""
    lock_account(by)
    today = Player.objects.filter(registered_by=by, created_at__gt=timezone.now() - DAY)
    check_quota("players_per_day", today.count() + new, by=by)


def _match_by_id(item: PlayerDetails, registered: RegisteredPlayers) -> MatchedPlayer | None:
    """Return the player that a line names by an id, if it does."""
    if item.player == NEW:
        taken = _taken_id(item, registered)
        return MatchedPlayer(_new_player(item), is_new=taken is None, problem=taken)
    if item.player is not None:
        chosen = registered.by_id.get(item.player)
        if chosen is None:
            problem = MatchProblem("unknown_player", no_player(item.player))
            return MatchedPlayer(_new_player(item), problem=problem)
        return MatchedPlayer(chosen)
    same_id = registered.by_fide_id.get(item.fide, []) if item.fide else []
    if not same_id:
        return _match_by_other_id(item, registered)
    if same_id[0].pk is None and not _is_plausible(item, same_id[0]):
        problem = _shared_fide_id(registered.lines[id(same_id[0])])
        return MatchedPlayer(_new_player(item), problem=problem)
    if len(same_id) > 1 or not _is_plausible(item, same_id[0]):
        return _ambiguous(item, same_id, registered, HOW_TO_RESOLVE_ID)
    return MatchedPlayer(same_id[0])


def _taken_id(item: PlayerDetails, registered: RegisteredPlayers) -> MatchProblem | None:
    """Return the problem of a line that calls a person new who has an id of a registered player."""
    same = [("fide", item.fide, player) for player in registered.by_fide_id.get(item.fide, [])]
    for scheme, number in item.named_ids:
        folded = _folded_id(number)
        same += [
            (scheme, number, player)
            for player in registered.by_other_id.get(folded, [])
            if scheme != SOME_ID and (scheme, folded) in _folded_ids(player)
        ]
    for scheme, number, player in same:
        if player.pk is not None:
            column = "fide" if scheme == "fide" else "ids"
            return MatchProblem("external_id_taken", has_id(player, scheme, number), column=column)
    return None


def _match_by_other_id(item: PlayerDetails, registered: RegisteredPlayers) -> MatchedPlayer | None:
    """Return the player that an id of another organisation means, if one can be meant."""
    for scheme, number in item.named_ids:
        folded = _folded_id(number)
        same_id = [
            player
            for player in registered.by_other_id.get(folded, [])
            if any(
                other == folded and _may_be_same_id(item, scheme, player, other_scheme)
                for other_scheme, other in _folded_ids(player)
            )
        ]
        likely = [player for player in same_id if _is_plausible(item, player)]
        is_same_scheme = scheme == SOME_ID or any(
            (scheme, folded) in _folded_ids(player) for player in likely
        )
        if len(likely) == 1 and (item.name or is_same_scheme):
            return MatchedPlayer(likely[0])
        if same_id:
            is_taken = any((scheme, folded) in _folded_ids(player) for player in same_id)
            how = HOW_TO_RESOLVE_ID if is_taken and scheme != SOME_ID else HOW_TO_RESOLVE
            return _ambiguous(item, likely or same_id, registered, how)
    return None


def _may_be_same_id(item: PlayerDetails, scheme: str, player: Player, other_scheme: str) -> bool:
    """Return True if equal numbers may be one id: of one organisation, or of one not named."""
    if scheme == other_scheme != SOME_ID:
        return True
    if SOME_ID not in (scheme, other_scheme) or _is_elsewhere(item, player):
        return False
    is_same_country = bool(item.country) and item.country == player.country
    return scheme == other_scheme or is_same_country or _is_plausible(item, player)


def _is_elsewhere(item: PlayerDetails, player: Player) -> bool:
    """Return True if the line is of another country or has another FIDE id."""
    return _differ(item.country, player.country) or _differ(
        item.fide, player.external_ids.get("fide")
    )


def _is_plausible(item: PlayerDetails, player: Player) -> bool:
    """Return True if a player with the same id has a similar name and no other birth year."""
    is_other_year = _differ(item.birth_year, player.birth_year)
    return not is_other_year and (not item.name or _are_similar(item.name, player.name))


def is_named(item: PlayerDetails, player: Player) -> bool:
    """Return True if a player whom a line names by id is its person: by the name, or another id."""
    return (
        not item.name
        or _are_similar(item.name, player.name)
        or (bool(item.fide) and item.fide == player.external_ids.get("fide"))
        or any(
            (scheme, _folded_id(number)) in _folded_ids(player) for scheme, number in item.named_ids
        )
    )


def _are_similar(one: str, other: str) -> bool:
    """Return True if two names may be one person's: the same given name alone is not enough.

    The family name is before the comma; without a comma, it may be any word.
    """
    names = [fold_name(name) for name in (one, other)]
    words = [WORD.findall(name)[:MOST_COMPARED_WORDS] for name in names]
    left = [[word for word in words[place] if word not in words[1 - place]] for place in (0, 1)]
    if not all(left):
        return True  # one of them is a part of the other
    if any("," in name for name in names):
        families = [WORD.findall(name.partition(",")[0])[:MOST_COMPARED_WORDS] for name in names]
        return any(_is_like(*pair) for pair in product(*families))
    is_shared = left[0] != words[0]
    return any(_is_like(*pair) for pair in product(*left) if is_shared or min(map(len, pair)) > 1)


def _is_like(word: str, other: str) -> bool:
    """Return True for two spellings of a name, `muller` and `mueller`, or for its initial."""
    if min(len(word), len(other)) == 1:
        return word[0] == other[0]
    return SequenceMatcher(None, word, other).ratio() >= LEAST_LIKENESS


def _match_by_name(
    item: PlayerDetails, registered: RegisteredPlayers, taken: set[Any], *, is_distinct: bool
) -> MatchedPlayer:
    if not item.name:
        detail = Text("nobody is registered with this id; a new player needs a name")
        return MatchedPlayer(_new_player(item), problem=MatchProblem("unknown_player", detail))
    possible = [
        player
        for player in registered.by_name.get(fold_name(item.name), [])
        if player.pk not in taken and not _is_other_person(item, player)
    ]
    same_year = [p for p in possible if item.birth_year and p.birth_year == item.birth_year]
    if same_year:
        is_clear = len(same_year) == 1 and not _differ(item.country, same_year[0].country)
        return MatchedPlayer(same_year[0]) if is_clear else _ambiguous(item, same_year, registered)
    club = fold_name(item.club)
    equal = [p for p in possible if p.country == item.country and fold_name(p.club) == club]
    fitting = equal or [player for player in possible if _fits(item, player)]
    if len(fitting) == 1:
        return MatchedPlayer(fitting[0])
    is_known_name = not is_distinct and not item.country and len(possible) == 1
    if is_known_name and not _differ(club, fold_name(possible[0].club)):
        return MatchedPlayer(possible[0])  # a record often names its players and no more
    if possible:
        return _ambiguous(item, fitting or possible, registered)
    return MatchedPlayer(_new_player(item), is_new=True)


def _is_other_person(item: PlayerDetails, player: Player) -> bool:
    """Return True if a player of the same name is certainly not the one of the line."""
    is_same_year = item.birth_year is not None and item.birth_year == player.birth_year
    is_of_file = player.pk is None
    if is_of_file and not is_same_year and _differ(fold_name(item.club), fold_name(player.club)):
        return True
    return (
        _differ(item.fide, player.external_ids.get("fide"))
        or _differ(item.birth_year, player.birth_year)
        or (not is_same_year and _differ(item.country, player.country))
    )


def _fits(item: PlayerDetails, player: Player) -> bool:
    clubs = fold_name(item.club), fold_name(player.club)
    if item.country == player.country:
        return not _differ(*clubs)
    return bool(clubs[0]) and clubs[0] == clubs[1]


def _differ(one: object, other: object) -> bool:
    """Return True if both are known and not equal."""
    return bool(one) and bool(other) and one != other


def _ambiguous(
    item: PlayerDetails,
    candidates: Sequence[Player],
    registered: RegisteredPlayers,
    how: Text = HOW_TO_RESOLVE,
) -> MatchedPlayer:
    lines = [registered.lines[id(player)] for player in candidates if player.pk is None]
    candidates = [player for player in candidates if player.pk is not None]
    if lines and not candidates:
        detail = Text(
            "%(subject)s: perhaps the same person as in line %(lines)s; %(detail)s",
            subject=item.name,
            lines=", ".join(map(str, lines)),
            detail=HOW_TO_RESOLVE_LINES,
        )
        problem = MatchProblem("ambiguous_player", detail, same_as_line=lines[0])
        return MatchedPlayer(_new_player(item), problem=problem)
    numbers = ", ".join(str(player.pk) for player in candidates)
    several = len(candidates) + len(lines) > 1
    if several:
        wrong = Text("players %(numbers)s fit", numbers=numbers)
    elif item.name or not _is_plausible(item, candidates[0]):
        wrong = Text("the details of player %(number)s differ", number=numbers)
    else:
        wrong = Text("player %(number)s has this id, without its organisation", number=numbers)
    detail = Text(
        "%(subject)s: %(detail)s; %(detail2)s",
        subject=item.name or item.fide or ", ".join(item.ids.values()),
        detail=wrong,
        detail2=how,
    )
    problem = MatchProblem("ambiguous_player", detail, tuple(candidates))
    return MatchedPlayer(_new_player(item), problem=problem)


def _reject_repeated(matched: Sequence[MatchedPlayer], named: set[Any]) -> list[MatchedPlayer]:
    """Add a problem to lines that mean the same registered player by name."""
    count: dict[Any, int] = defaultdict(int)
    for found in matched:
        count[found.player.pk] += 1
    return [
        found
        if found.player.pk is None or found.player.pk in named or count[found.player.pk] == 1
        else replace(
            found,
            problem=MatchProblem(
                "ambiguous_player",
                Text(
                    "several lines mean player %(number)s; %(detail)s",
                    number=found.player.pk,
                    detail=HOW_TO_RESOLVE,
                ),
                (found.player,),
            ),
        )
        for found in matched
    ]


def _new_player(item: PlayerDetails) -> Player:
    return Player(
        name=item.name,
        country=item.country,
        club=item.club,
        birth_year=item.birth_year,
        sex=item.sex,
        seed_rating=item.seed_rating,
        seed_games=item.seed_games or 0,
        seed_reached_2400=item.seed_reached_2400,
        external_ids=({"fide": item.fide} if item.fide else {}) | dict(item.ids),
    )
