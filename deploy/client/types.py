"""The JSON of requests and responses. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

AcceptEnum: TypeAlias = Literal["advance_changes"]
AimEnum: TypeAlias = Literal["winner", "order"]
AnalysisKind: TypeAlias = Literal["calibration", "fair-play"]
AnalysisState: TypeAlias = Literal["waiting", "running", "done", "failed"]
AnyTask: TypeAlias = "Task | ImportTask"
BatchKind: TypeAlias = Literal["event", "game"]
BatchState: TypeAlias = Literal["waiting", "filed", "refused", "withdrawn"]
BlankEnum: TypeAlias = Literal[""]
ByeEnum: TypeAlias = Literal["pairing-bye", "half-bye", "zero-bye", "full-bye", "free"]
ByeKind: TypeAlias = Literal["half-bye", "zero-bye", "full-bye"]
CheckInEnum: TypeAlias = Literal["none", "event", "round"]
ClaimState: TypeAlias = Literal["open", "accepted", "refused"]
ClaimedResultTerminationEnum: TypeAlias = Literal["agreed", "resigned", "time"]
ClubsByEnum: TypeAlias = Literal["club", "federation"]
CorrectedBye: TypeAlias = Literal["pairing-bye", "half-bye", "zero-bye", "full-bye"]
DeviceEnum: TypeAlias = Literal["player", "director"]
DifferenceCodeEnum: TypeAlias = Literal["opponents", "bye", "seats", "board"]
EntryState: TypeAlias = Literal["applied", "accepted", "refused", "waiting", "withdrawn"]
EventRatingsStateEnum: TypeAlias = Literal["rated", "expected", "unrated"]
ExclusionEnum: TypeAlias = Literal[
    "unrated_event",
    "private_event",
    "forfeit",
    "advice",
    "handicap_out_of_band",
    "wrong_game",
    "wrong_time_class",
    "expected_out_of_band",
    "same_player",
    "annulled",
    "unfinished",
    "no_consent",
    "daily_limit",
    "awaiting_approval",
    "event_refused",
    "batch_withdrawn",
]
FindingCode: TypeAlias = Literal[
    "bye",
    "passed-over-for-bye",
    "met-before",
    "forbidden",
    "needed-elsewhere",
    "search-cut-short",
    "float",
    "forfeit",
    "decided",
    "level-tie",
    "qualified",
    "preference-given-up",
    "score-group",
    "absolute-seats",
    "seats",
    "preference-not-granted",
    "absent",
    "paired",
    "without-this-pair",
    "with-this-pair",
    "unknown-player",
    "player-twice",
    "no-bye",
    "no-such-round",
    "player-missing",
    "player-absent",
    "several-byes",
    "rematch",
    "second-bye",
    "same-seats",
    "forbidden-pairs",
]
ForecastEnum: TypeAlias = Literal["public", "officials", "off"]
GameBasis: TypeAlias = Literal["proof", "agreement", "ruling"]
GameRatingState: TypeAlias = Literal["pending", "rated", "excluded"]
GameState: TypeAlias = Literal[
    "proposed",
    "declined",
    "cancelled",
    "expired",
    "open",
    "waiting",
    "disputed",
    "confirmed",
    "annulled",
]
HandicapKindsEnum: TypeAlias = Literal["stones", "points", "first move"]
HandicapsEnum: TypeAlias = Literal["none", "recommended", "by_hand"]
ImportState: TypeAlias = Literal["waiting", "running", "done", "refused", "failed"]
ImportedGameAction: TypeAlias = Literal["created", "repeated"]
ImportedPlayerAction: TypeAlias = Literal["created", "known"]
LevelEnum: TypeAlias = Literal["safe", "unsafe", "forbidden"]
MissedRoundsEnum: TypeAlias = Literal["zero", "half"]
NullEnum: TypeAlias = "None"
OrderEnum: TypeAlias = Literal["rank", "number"]
PairingKind: TypeAlias = Literal["game", "pairing-bye", "half-bye", "zero-bye", "full-bye", "free"]
PoolPolicy: TypeAlias = Literal["open", "approved", "closed"]
PreconditionsEnum: TypeAlias = Literal["required", "optional"]
RatingState: TypeAlias = Literal["approved", "waiting", "filed", "refused", "withdrawn"]
ReasonEnum: TypeAlias = Literal["recommended", "equal", "worse"]
RecommendedHandicapBasisEnum: TypeAlias = Literal["ratings", "scores"]
Relaxation: TypeAlias = Literal["forbidden-pairs", "same-seats", "second-bye", "rematch"]
ResultsRequestBasisEnum: TypeAlias = Literal["slip", "ruling"]
RoleEnum: TypeAlias = Literal["owner", "director", "scorer"]
RoundState: TypeAlias = Literal["planned", "drafted", "published", "complete", "locked"]
RulingRequestTerminationEnum: TypeAlias = Literal["agreed", "resigned", "time", "forfeit", "ruled"]
ScopeEnum: TypeAlias = Literal["standings+pairings", "standings", "rating"]
ScoreEnum: TypeAlias = Literal["1", "0.5", "0"]
Seat: TypeAlias = Literal["first", "second"]
SeedSourceEnum: TypeAlias = Literal["given", "pool"]
SeparationByEnum: TypeAlias = Literal["club", "country", "players"]
SexEnum: TypeAlias = Literal["m", "w"]
ShapeEnum: TypeAlias = Literal["rounds", "square"]
SourceEnum: TypeAlias = Literal["snapshot", "current"]
SplitEnum: TypeAlias = Literal["rank", "points", "half"]
StoppedEnum: TypeAlias = Literal["owner", "gone", "failures"]
SystemEnum: TypeAlias = Literal["glicko-2", "whole-history"]
SystemOptionKindEnum: TypeAlias = Literal["number", "flag", "word"]
TaskState: TypeAlias = Literal["waiting", "done", "failed"]
TimeClass: TypeAlias = Literal["bullet", "blitz", "rapid", "standard"]
TitleEnum: TypeAlias = Literal["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"]
TournamentState: TypeAlias = Literal[
    "draft", "registration", "running", "review", "final", "archived", "cancelled"
]
WebhookDeliveryStateEnum: TypeAlias = Literal["pending", "delivered", "given-up", "withdrawn"]


class AcceptanceRequest(TypedDict):
    token: str
    name: NotRequired[str]
    password: NotRequired[str]


class Accepted(TypedDict):
    account: int
    stream: str
    role: str


class Account(TypedDict):
    account: int
    email: str
    name: str


class AdjournedGame(TypedDict):
    round: int
    first: int
    second: int


class AllowedAction(TypedDict):
    action: str
    level: LevelEnum
    code: NotRequired[str]
    reason: NotRequired[str]


class Analysis(TypedDict):
    id: int
    pool: str
    kind: AnalysisKind
    parameters: dict[str, float]
    by: Officer | None
    created_at: str
    finished_at: str | None
    state: AnalysisState
    progress: Step | None
    result: dict[str, Any] | None
    problem: AnalysisProblem | None


class AnalysisProblem(TypedDict):
    code: str
    detail: str


class AnalysisSummary(TypedDict):
    id: int
    pool: str
    kind: AnalysisKind
    parameters: dict[str, float]
    by: Officer | None
    created_at: str
    finished_at: str | None
    state: AnalysisState
    progress: Step | None


class ApplicationLink(TypedDict):
    key: str
    address: str


class ApplicationRequest(TypedDict):
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]
    category: NotRequired[str]
    link: NotRequired[str]
    name: NotRequired[str]
    country: NotRequired[str]
    club: NotRequired[str]
    fide: NotRequired[str]
    seed_rating: NotRequired[int | None]


class Applied(TypedDict):
    entry: int
    state: EntryState


class AppliedHandicap(TypedDict):
    handicap: str | None
    by_hand: bool
    reason: str


class ArbiterReasonRequest(TypedDict):
    reason: str


class AvailabilityResponse(TypedDict):
    entry: int
    availability: dict[str, Literal["half-bye", "zero-bye", "full-bye"]]


class Award(TypedDict):
    place: int
    number: int
    player: PlayerSummary
    coins: int
    shared_places: list[int]


class BackdateRequest(TypedDict):
    reason: str
    effective_at: str


class Band(TypedDict):
    expected_at_pairing: str | None
    least: str
    most: str


class Batch(TypedDict):
    id: int
    kind: BatchKind
    stream: str
    name: str
    organiser: Officer | None
    state: BatchState
    approved: bool
    reason: str
    effective_at: str
    filed_at: str
    games: int
    excluded: dict[str, int]
    run: int | None


class BoardChangeRequest(TypedDict):
    first: int
    second: NotRequired[int | None]
    bye: NotRequired[ByeEnum]
    handicap: NotRequired[str | None]
    board: NotRequired[int | None]


class BoardRequestRequest(TypedDict):
    first: int
    second: NotRequired[int | None]
    bye: NotRequired[ByeEnum]
    handicap: NotRequired[str | None]


class BoardResult(TypedDict):
    board: int
    return_game: bool
    game: int
    first: PairedEntry
    second: PairedEntry
    state: GameState
    basis: str | None
    result: str | None
    termination: str | None
    adjourned: bool


class BoardResultRequestRequest(TypedDict):
    board: int
    return_game: NotRequired[bool]
    result: str
    score: NotRequired[str]


class ByHandRequestRequest(TypedDict):
    reason: str
    pairings: list[BoardRequestRequest]


class Bye(TypedDict):
    id: int
    entry: int
    round: int
    kind: ByeKind
    reason: str


class ByeRequestRequest(TypedDict):
    entry: int
    round: int
    kind: ByeKind
    reason: NotRequired[str]


class Certificate(TypedDict):
    system: str
    edition: str
    engine: str
    round: int
    seed: int
    codes: list[str]
    options: dict[str, Any]
    preferences: list[list[Any]]
    exempt: list[list[Any]]
    exempt_byes: list[int]
    balance_seats: bool
    input: str
    input_digest: str
    output: str
    output_digest: str


class Chance(TypedDict):
    chance: str
    error: str
    certain: bool | None


class Change(TypedDict):
    pool: str
    run: int
    game: GameReference
    effective_at: str
    seat: Seat
    opponent: Named
    score: ScoreEnum
    before: str
    opponent_before: str
    handicap_part: str
    expected: str
    k: str
    band: Band
    explanation: str
    change: str
    after: str


class ChangedAdvances(TypedDict):
    round: int
    paired: list[list[int]]
    due: list[list[int]]
    detail: str


class ChangedBoard(TypedDict):
    code: str
    board: int | None
    entries: list[PairedEntry]
    engine: list[list[PairedEntry]]


class ChangedEntry(TypedDict):
    id: int
    player: PlayerSummary
    state: EntryState
    seed_rating: int
    pairing_number: int | None
    lot: int | None
    first_round: int
    last_round: int | None
    checked_in_round: int | None
    consented_at: str | None
    club: str
    birth_year: NotRequired[int | None]
    sex: NotRequired[str]
    category: NotRequired[str]
    outdated: OutdatedPapers
    missed_rounds: dict[str, Literal["half-bye", "zero-bye", "full-bye"]]
    warnings: list[DraftWarning]


class ChangedPrize(TypedDict):
    group: str
    entry: PairedEntry
    place: list[int | None]
    coins: list[int]


class ChangedRating(TypedDict):
    player: Named
    rating: list[str | None]


class ChangedRound(TypedDict):
    round: int
    state: RoundState
    boards: list[ChangedBoard] | None


class ChangedStanding(TypedDict):
    entry: PairedEntry
    rank: list[int]
    values: dict[str, list[str | None]]


class Check(TypedDict):
    round: int
    ready: bool
    items: list[CheckItem]
    bye: int | None
    relax: list[str]
    relaxations: list[Finding]


class CheckItem(TypedDict):
    code: str
    blocks: bool
    detail: str
    round: NotRequired[int]
    board: NotRequired[int]
    players: NotRequired[list[int]]
    rule: NotRequired[str]
    entries: NotRequired[list[int]]
    counts: NotRequired[dict[str, int]]


class Claim(TypedDict):
    id: int
    player: Named
    account: Named
    state: ClaimState
    reason: str
    created_at: str
    decided_at: str | None


class ClaimDecisionRequest(TypedDict):
    reason: NotRequired[str]


class ClaimRequestRequest(TypedDict):
    player: int


class ClaimedResultRequest(TypedDict):
    result: str
    termination: NotRequired[ClaimedResultTerminationEnum]


class ClubRow(TypedDict):
    rank: int
    shared: bool
    name: str
    points: str
    missing: int
    players: list[CountedPlayer]


class Clubs(TypedDict):
    tournament: str
    round: int
    provisional: bool
    source: SourceEnum
    as_of: NotRequired[str]
    by: ClubsByEnum
    best: int
    tiebreaks: list[str]
    rows: list[ClubRow]
    corrected: NotRequired[list[CorrectedClub]]


class ComparedFormat(TypedDict):
    system: str
    rounds: int
    tiebreaks: list[str]
    options: dict[str, int | str | bool | None]
    name: str
    minutes: int
    boards: int
    winner: Figure | None
    strongest_rank: Figure | None
    top_share: Figure | None
    tau: Figure | None
    rematches: Figure | None
    imbalance: Figure | None
    largest_imbalance: Figure | None
    downfloats: Figure | None
    upfloats: Figure | None
    byes: Figure | None
    games: Figure | None
    blocked: Figure | None


class ComparedRank(TypedDict):
    number: int
    trf: int
    here: int


class ComparedRound(TypedDict):
    round: int
    boards: int
    agrees: bool
    due: list[list[int]]
    held: list[list[int]]
    why: str


class ConfirmationRequestRequest(TypedDict):
    version: NotRequired[int | None]
    seat: NotRequired[Seat | NullEnum]


class Continuation(TypedDict):
    move: str
    equal: list[str]
    games: int
    wins: int
    draws: int
    losses: int
    share: str
    rating: str | None
    last_played_on: str | None


class CorrectedAward(TypedDict):
    group: str
    number: int
    player: PlayerSummary
    place: list[int | None]
    coins: list[int]


class CorrectedCells(TypedDict):
    number: int
    player: PlayerSummary
    points: list[str]
    cells: dict[str, list[str]]


class CorrectedClub(TypedDict):
    name: str
    rank: list[int | None]
    points: list[str | None]


class CorrectedItemRequest(TypedDict):
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]
    category: NotRequired[str]
    game: NotRequired[int]
    result: NotRequired[str]
    score: NotRequired[str]
    record: NotRequired[str | dict[str, Any]]
    entry: NotRequired[int]
    round: NotRequired[int]
    bye: NotRequired[CorrectedBye]
    seed_rating: NotRequired[int]
    title: NotRequired[TitleEnum | BlankEnum]


class CorrectedRow(TypedDict):
    number: int
    player: PlayerSummary
    rank: list[int]
    values: dict[str, list[str | None]]


class Correction(TypedDict):
    number: int
    scope: ScopeEnum
    reason: str
    by: str
    committed_at: str
    undoes: int | None
    undone_by: int | None


class CorrectionChange(TypedDict):
    game: NotRequired[int]
    round: NotRequired[int]
    board: NotRequired[int]
    first: NotRequired[PairedEntry]
    second: NotRequired[PairedEntry]
    entry: NotRequired[PairedEntry]
    before: NotRequired[Any]
    after: NotRequired[Any]
    bye: NotRequired[list[str | None]]


class CorrectionCommitted(TypedDict):
    number: int
    scope: ScopeEnum
    reason: str
    by: str
    committed_at: str
    undoes: int | None
    undone_by: int | None
    changes: list[CorrectionChange]
    effect: CorrectionEffect
    task: NotRequired[Task]


class CorrectionDetail(TypedDict):
    number: int
    scope: ScopeEnum
    reason: str
    by: str
    committed_at: str
    undoes: int | None
    undone_by: int | None
    changes: list[CorrectionChange]
    effect: CorrectionEffect


class CorrectionEffect(TypedDict):
    standings: list[ChangedStanding]
    rounds: list[ChangedRound]
    prizes: list[ChangedPrize]
    ratings: list[RatingEffect]
    advances: ChangedAdvances | None


class CorrectionPreview(TypedDict):
    digest: str
    changes: list[CorrectionChange]
    effect: CorrectionEffect


class CorrectionPreviewRequestRequest(TypedDict):
    changes: list[CorrectedItemRequest]
    scope: NotRequired[ScopeEnum]
    reason: str


class CorrectionRequestRequest(TypedDict):
    changes: list[CorrectedItemRequest]
    scope: NotRequired[ScopeEnum]
    reason: str
    digest: str
    accept: NotRequired[list[AcceptEnum]]


class CountedPlayer(TypedDict):
    rank: int
    number: int
    player: PlayerSummary
    points: str


class CreatedLinks(TypedDict):
    created: list[int]
    results: list[PersonalLink]


class Crosstable(TypedDict):
    tournament: str
    round: int
    provisional: bool
    source: SourceEnum
    as_of: NotRequired[str]
    adjourned: list[AdjournedGame]
    order: OrderEnum
    shape: ShapeEnum
    digest: str
    columns: list[str]
    lines: list[CrosstableLine]
    corrected: NotRequired[list[CorrectedCells]]


class CrosstableLine(TypedDict):
    line: int
    rank: int
    number: int
    player: PlayerSummary
    cells: list[str]
    points: str


class DecisionRequest(TypedDict):
    reason: NotRequired[str]


class Difference(TypedDict):
    code: DifferenceCodeEnum
    board: int | None
    players: list[int | None]
    engine: list[list[int | None]]


class DisputeRequestRequest(TypedDict):
    reason: str
    seat: NotRequired[Seat | NullEnum]


class DraftWarning(TypedDict):
    code: FindingCode
    players: list[int]
    values: dict[str, Any]
    sentence: str
    round: int


class EditedTournament(TypedDict):
    slug: NotRequired[str]
    name: str
    place: NotRequired[str]
    country: NotRequired[str]
    starts_on: str
    ends_on: str
    time_zone: NotRequired[str]
    arbiter: NotRequired[str]
    time_control: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    time_class: TimeClass | NullEnum
    state: TournamentState
    public: NotRequired[bool]
    game: str
    board: str
    options: NotRequired[list[str]]
    swap: NotRequired[bool]
    rated: NotRequired[bool]
    pool: NotRequired[str]
    confirm_hours: NotRequired[int]
    system: str
    rounds: int
    points: NotRequired[dict[str, Any]]
    tiebreaks: NotRequired[list[str]]
    initial_seat: NotRequired[Seat]
    half_byes: NotRequired[int]
    prizes: NotRequired[list[dict[str, Any]]]
    system_options: NotRequired[dict[str, int | str | bool | None]]
    separations: list[Separation] | None
    balance_seats: NotRequired[bool]
    games_per_pairing: NotRequired[int]
    handicaps: NotRequired[HandicapsEnum]
    handicap_table: NotRequired[str]
    handicap_share: NotRequired[int]
    handicap_cap: NotRequired[int | None]
    handicap_kinds: NotRequired[list[HandicapKindsEnum]]
    half_byes_until_round: NotRequired[int | None]
    missed_rounds: NotRequired[MissedRoundsEnum]
    seed_source: NotRequired[SeedSourceEnum]
    places: NotRequired[int | None]
    fills_places: NotRequired[bool]
    check_in: NotRequired[CheckInEnum]
    forecast: NotRequired[ForecastEnum]
    draw_seed_digest: str | None
    draw_seed: str | None
    rating: TournamentRating | None
    rank_changes: list[RankChange]


class EmailRequest(TypedDict):
    email: str


class Entry(TypedDict):
    id: int
    player: PlayerSummary
    state: EntryState
    seed_rating: int
    pairing_number: int | None
    lot: int | None
    first_round: int
    last_round: int | None
    checked_in_round: int | None
    consented_at: str | None
    club: str
    birth_year: NotRequired[int | None]
    sex: NotRequired[str]
    category: NotRequired[str]


class EntryRequestRequest(TypedDict):
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]
    category: NotRequired[str]
    player: int
    seed_rating: NotRequired[int | None]
    lot: NotRequired[int | None]


class EntryWithActions(TypedDict):
    id: int
    player: PlayerSummary
    state: EntryState
    seed_rating: int
    pairing_number: int | None
    lot: int | None
    first_round: int
    last_round: int | None
    checked_in_round: int | None
    consented_at: str | None
    club: str
    birth_year: NotRequired[int | None]
    sex: NotRequired[str]
    category: NotRequired[str]
    allowed_actions: list[AllowedAction]


class EventRating(TypedDict):
    player: Named
    games: int
    score: str
    expected: str
    performance: int | None
    before: str
    change: str
    after: str


class EventRatings(TypedDict):
    pool: str | None
    state: EventRatingsStateEnum
    rows: list[EventRating]


class EventToken(TypedDict):
    id: str
    name: str
    scopes: list[str]
    stream: str
    preconditions: PreconditionsEnum
    issued_by_other: bool
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    account: str
    player: NotRequired[Named | None]


class ExplainRequestRequest(TypedDict):
    a: int
    c: int


class Explanation(TypedDict):
    round: int
    a: int
    c: int
    reason: NotRequired[Finding]
    numbers: list[int]
    task: NotRequired[Task]


class Figure(TypedDict):
    value: float
    low: float
    high: float


class Finding(TypedDict):
    code: FindingCode
    players: list[int]
    values: dict[str, Any]
    sentence: str


class Forecast(TypedDict):
    tournament: str
    round: int
    rounds: int
    state: str
    computed_at: str
    simulations: int
    ended_early: int
    error: str
    top: int
    rows: list[ForecastRow]


class ForecastRow(TypedDict):
    number: int
    player: PlayerSummary
    rating: int
    points: str
    win: Chance
    top: Chance
    expected_rank: str
    best_rank: int
    worst_rank: int
    rating_change: RatingOutlook | None


class ForecastTask(TypedDict):
    task: Task | None


class FoundGame(TypedDict):
    id: int
    event: str
    stream: str
    round: str
    game: str
    board: str
    options: list[str]
    swap: bool
    handicap: Handicap | None
    advice: str | None
    main_minutes: int | None
    increment_seconds: int
    time_class: TimeClass | NullEnum
    first: Named
    second: Named
    rated: bool
    pool: str | None
    played_on: str | None
    state: GameState
    proposed_by: Seat | NullEnum
    answer_by: str | None
    report_by: str | None
    basis: GameBasis | NullEnum
    termination: str | None
    winner: Seat | NullEnum
    draw: bool
    score: Score | None
    record: str | None
    dispute: str | None
    adjourned: bool
    confirm_by: str | None
    confirmed_at: str | None
    ratings: SeatRatings
    ply: int


class Game(TypedDict):
    id: int
    event: str
    stream: str
    round: str
    game: str
    board: str
    options: list[str]
    swap: bool
    handicap: Handicap | None
    advice: str | None
    main_minutes: int | None
    increment_seconds: int
    time_class: TimeClass | NullEnum
    first: Named
    second: Named
    rated: bool
    pool: str | None
    played_on: str | None
    state: GameState
    proposed_by: Seat | NullEnum
    answer_by: str | None
    report_by: str | None
    basis: GameBasis | NullEnum
    termination: str | None
    winner: Seat | NullEnum
    draw: bool
    score: Score | None
    record: str | None
    dispute: str | None
    adjourned: bool
    confirm_by: str | None
    confirmed_at: str | None


class GameRating(TypedDict):
    pool: str
    state: GameRatingState
    exclusion: ExclusionEnum | NullEnum
    reason: str
    changes: list[PlayerRatingChange]


class GameReference(TypedDict):
    id: int
    event: str
    round: str
    played_on: str | None


class GameRules(TypedDict):
    code: str
    name: str
    players: int
    boards: list[str]
    board_form: str
    options: list[str]
    swap: bool
    notation: str
    summary: str
    source: str


class GameWithActions(TypedDict):
    id: int
    event: str
    stream: str
    round: str
    game: str
    board: str
    options: list[str]
    swap: bool
    handicap: Handicap | None
    advice: str | None
    main_minutes: int | None
    increment_seconds: int
    time_class: TimeClass | NullEnum
    first: Named
    second: Named
    rated: bool
    pool: str | None
    played_on: str | None
    state: GameState
    proposed_by: Seat | NullEnum
    answer_by: str | None
    report_by: str | None
    basis: GameBasis | NullEnum
    termination: str | None
    winner: Seat | NullEnum
    draw: bool
    score: Score | None
    record: str | None
    dispute: str | None
    adjourned: bool
    confirm_by: str | None
    confirmed_at: str | None
    allowed_actions: list[AllowedAction]


class GameWithRecord(TypedDict):
    game: int
    event: str
    stream: str
    round: str
    first: Named
    second: Named


class Handicap(TypedDict):
    seat: Seat
    stones: NotRequired[int]
    points: NotRequired[int]


class HeadToHead(TypedDict):
    player: Named
    opponent: Named
    games: int
    wins: int
    draws: int
    losses: int
    pools: list[PoolSums]


class HeldRole(TypedDict):
    id: int
    account: Named
    role: str


class Import(TypedDict):
    dry_run: bool
    columns: dict[str, str]
    lines: list[ImportedLine]


class ImportAccepted(TypedDict):
    task: ImportTask


class ImportTask(TypedDict):
    id: str
    state: ImportState
    progress: Step | None
    result: dict[str, Any] | None
    problem: Problem | None


class ImportedEntries(TypedDict):
    dry_run: bool
    columns: dict[str, str]
    lines: list[ImportedEntry]
    outdated: OutdatedPapers


class ImportedEntry(TypedDict):
    line: int
    name: str
    action: str
    player: int | None


class ImportedGame(TypedDict):
    line: int
    action: ImportedGameAction
    game: int | None
    first: ImportedGamePlayer
    second: ImportedGamePlayer
    played_on: str
    rated: bool
    outcome: Any
    digest: str


class ImportedGamePlayer(TypedDict):
    id: int | None
    name: str
    action: ImportedPlayerAction


class ImportedGames(TypedDict):
    dry_run: bool
    games: list[ImportedGame]


class ImportedLine(TypedDict):
    line: int
    name: str
    action: ImportedPlayerAction
    player: int | None


class ImportedPlayer(TypedDict):
    number: int
    name: str
    action: ImportedPlayerAction
    player: int | None


class ImportedRecord(TypedDict):
    line: int
    game: int
    round: int
    board: int
    digest: str


class ImportedRecords(TypedDict):
    dry_run: bool
    records: list[ImportedRecord]


class ImportedTrf(TypedDict):
    dry_run: bool
    tournament: str
    state: str
    players: list[ImportedPlayer]
    rounds: list[ComparedRound]
    ranks: list[ComparedRank]
    left_out: list[str]


class Interval(TypedDict):
    low: int
    high: int


class Invitation(TypedDict):
    id: int
    email: str
    role: str
    expires_at: str
    sends: int
    sent_at: str | None


class Journal(TypedDict):
    stream: str
    head: str
    sequence: int
    next: str | None
    results: list[JournalLine]


class JournalLine(TypedDict):
    stream: str
    sequence: int
    previous: str
    digest: str
    actor: str
    at: str
    kind: str
    payload_digest: str
    payload: dict[str, Any] | None


class LinkedPlayer(TypedDict):
    id: int
    name: str
    country: NotRequired[str]
    club: NotRequired[str]
    seed_rating: NotRequired[int | None]
    external_ids: NotRequired[dict[str, str]]
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]
    links: PlayerLinks


class LinksRequestRequest(TypedDict):
    entries: NotRequired[list[int]]


class Me(TypedDict):
    account: int
    name: str
    email: str | None
    staff: bool
    player: Named | None
    roles: list[Role]
    scopes: list[str]
    stream: str


class Merge(TypedDict):
    id: int
    keep: Named
    merged: Named
    created_at: str
    undone_at: str | None


class MergeEffect(TypedDict):
    id: int
    keep: Named
    merged: Named
    created_at: str
    undone_at: str | None
    entries: int
    games: int
    pools: list[str]


class MergeRequestRequest(TypedDict):
    keep: int
    merge: int


class Named(TypedDict):
    id: int
    name: str


class NewAnalysisRequest(TypedDict):
    kind: AnalysisKind
    level: NotRequired[float]


class NewOfficerRequest(TypedDict):
    account: int


class NewPasswordRequest(TypedDict):
    token: str
    password: str


class NewPlanRequest(TypedDict):
    ratings: NotRequired[list[int]]
    lines: NotRequired[str]
    tournament: NotRequired[str]
    systems: NotRequired[list[str]]
    rounds: NotRequired[list[int]]
    system_options: NotRequired[dict[str, dict[str, int | str | bool | None]]]
    tiebreaks: NotRequired[list[str]]
    simulations: NotRequired[int]
    seed: NotRequired[int]
    error: NotRequired[int]
    draws: NotRequired[float]
    first_seat: NotRequired[int]
    top: NotRequired[int]
    minutes: NotRequired[int]
    pause: NotRequired[int]
    aim: NotRequired[AimEnum]


class NewPoolRequest(TypedDict):
    code: str
    name: str
    preset: str
    parameters: NotRequired[dict[str, Any]]
    casual_games: NotRequired[list[str]]
    policy: NotRequired[PoolPolicy]
    rated_games: NotRequired[dict[str, list[str]]]
    time_classes: NotRequired[list[TimeClass]]
    least_expected: NotRequired[int]


class NewRole(TypedDict):
    role: HeldRole | None
    invitation: Invitation | None


class NewSecret(TypedDict):
    secret: str
    previous_until: str


class NewTableRequest(TypedDict):
    reason: str
    rows: list[TableRowRequest]


class NewToken(TypedDict):
    id: str
    name: str
    scopes: list[str]
    stream: str
    preconditions: PreconditionsEnum
    issued_by_other: bool
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    token: str


class NewWebhook(TypedDict):
    id: int
    owner: Named
    stream: str
    url: str
    kinds: list[str]
    active: bool
    stopped: StoppedEnum | NullEnum
    entitled: bool
    failures: int
    failing_since: str | None
    created_at: str
    secret: str


class NextMoves(TypedDict):
    moves: list[str]
    to_move: Seat
    games: int
    ended: int
    results: list[Continuation]


class Officer(TypedDict):
    id: int
    name: str


class Opinion(TypedDict):
    system: SystemEnum
    rating: int
    interval: Interval


class Organiser(TypedDict):
    organiser: Officer
    approved: bool
    reason: str
    decided_at: str


class OutdatedPapers(TypedDict):
    cards: list[RenumberedEntry]
    sheets: list[str]


class PaginatedAnalysisSummaryList(TypedDict):
    next: str | None
    previous: str | None
    results: list[AnalysisSummary]


class PaginatedBatchList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Batch]


class PaginatedByeList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Bye]


class PaginatedChangeList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Change]


class PaginatedClaimList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Claim]


class PaginatedCorrectionList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Correction]


class PaginatedEntryList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Entry]


class PaginatedEventTokenList(TypedDict):
    next: str | None
    previous: str | None
    results: list[EventToken]


class PaginatedFoundGameList(TypedDict):
    next: str | None
    previous: str | None
    results: list[FoundGame]


class PaginatedGameList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Game]


class PaginatedHeldRoleList(TypedDict):
    next: str | None
    previous: str | None
    results: list[HeldRole]


class PaginatedInvitationList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Invitation]


class PaginatedMergeList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Merge]


class PaginatedOfficerList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Officer]


class PaginatedOrganiserList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Organiser]


class PaginatedPersonalLinkList(TypedDict):
    next: str | None
    previous: str | None
    results: list[PersonalLink]


class PaginatedPlayerList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Player]


class PaginatedPlayerRatingChangeList(TypedDict):
    next: str | None
    previous: str | None
    results: list[PlayerRatingChange]


class PaginatedPoolList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Pool]


class PaginatedPublishedListList(TypedDict):
    next: str | None
    previous: str | None
    results: list[PublishedList]


class PaginatedRatingDifferenceList(TypedDict):
    next: str | None
    previous: str | None
    results: list[RatingDifference]


class PaginatedRatingList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Rating]
    rules: dict[str, Any]


class PaginatedRatingRequestList(TypedDict):
    next: str | None
    previous: str | None
    results: list[RatingRequest]


class PaginatedReportList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Report]


class PaginatedRoundVersionList(TypedDict):
    next: str | None
    previous: str | None
    results: list[RoundVersion]


class PaginatedRunList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Run]


class PaginatedTableList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Table]


class PaginatedTokenList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Token]


class PaginatedTournamentList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Tournament]


class PaginatedWebhookDeliveryList(TypedDict):
    next: str | None
    previous: str | None
    results: list[WebhookDelivery]


class PaginatedWebhookList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Webhook]


class PairRequestRequest(TypedDict):
    relax: NotRequired[list[Relaxation]]
    reason: NotRequired[str]


class PairedEntry(TypedDict):
    entry: int
    pairing_number: int
    player: int
    name: str


class Pairing(TypedDict):
    board: int | None
    kind: PairingKind
    by_hand: bool
    first: PairedEntry
    second: PairedEntry | None
    game: int | None
    state: str | None
    basis: str | None
    result: str | None
    termination: str | None
    adjourned: bool
    return_game: ReturnGame | None
    points: str | None
    recommended: RecommendedHandicap | None
    applied: AppliedHandicap | None
    reasons: NotRequired[list[Finding]]


class PatchedAccountChangeRequest(TypedDict):
    name: NotRequired[str]


class PatchedBoardChangesRequest(TypedDict):
    reason: NotRequired[str]
    boards: NotRequired[list[BoardChangeRequest]]
    accept: NotRequired[list[str]]


class PatchedEntryChangeRequest(TypedDict):
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]
    category: NotRequired[str]
    seed_rating: NotRequired[int]
    lot: NotRequired[int | None]
    first_round: NotRequired[int]
    club: NotRequired[str]
    reason: NotRequired[str]


class PatchedPlayerChangeRequest(TypedDict):
    name: NotRequired[str]
    country: NotRequired[str]
    club: NotRequired[str]
    seed_rating: NotRequired[int | None]
    external_ids: NotRequired[dict[str, str]]
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]


class PatchedPoolChangeRequest(TypedDict):
    policy: NotRequired[PoolPolicy]
    rated_games: NotRequired[dict[str, list[str]]]
    time_classes: NotRequired[list[TimeClass]]
    least_expected: NotRequired[int]
    handicap_table: NotRequired[str]


class PatchedRoundRequestRequest(TypedDict):
    starts_on: NotRequired[str | None]
    starts_at: NotRequired[str | None]


class PatchedTournamentChangeRequest(TypedDict):
    name: NotRequired[str]
    place: NotRequired[str]
    country: NotRequired[str]
    starts_on: NotRequired[str]
    ends_on: NotRequired[str]
    time_zone: NotRequired[str]
    arbiter: NotRequired[str]
    time_control: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    public: NotRequired[bool]
    game: NotRequired[str]
    board: NotRequired[str]
    options: NotRequired[list[str]]
    swap: NotRequired[bool]
    rated: NotRequired[bool]
    pool: NotRequired[str]
    confirm_hours: NotRequired[int]
    system: NotRequired[str]
    rounds: NotRequired[int]
    points: NotRequired[dict[str, Any]]
    tiebreaks: NotRequired[list[str]]
    initial_seat: NotRequired[Seat]
    half_byes: NotRequired[int]
    prizes: NotRequired[list[dict[str, Any]]]
    system_options: NotRequired[dict[str, int | str | bool | None]]
    separations: NotRequired[list[SeparationRequest]]
    balance_seats: NotRequired[bool]
    games_per_pairing: NotRequired[int]
    handicaps: NotRequired[HandicapsEnum]
    handicap_table: NotRequired[str]
    handicap_share: NotRequired[int]
    handicap_cap: NotRequired[int | None]
    handicap_kinds: NotRequired[list[HandicapKindsEnum]]
    half_byes_until_round: NotRequired[int | None]
    missed_rounds: NotRequired[MissedRoundsEnum]
    seed_source: NotRequired[SeedSourceEnum]
    places: NotRequired[int | None]
    fills_places: NotRequired[bool]
    check_in: NotRequired[CheckInEnum]
    forecast: NotRequired[ForecastEnum]


class PatchedWebhookChangeRequest(TypedDict):
    url: NotRequired[str]
    kinds: NotRequired[list[str]]
    active: NotRequired[bool]


class PersonalLink(TypedDict):
    entry: int
    pairing_number: int | None
    player: Named
    address: str
    issued_at: str


class PersonalToken(TypedDict):
    entry: int
    player: int
    scopes: list[str]
    expires_at: str
    token: str


class Place(TypedDict):
    rating: str
    interval: Interval
    games: int
    provisional: bool
    inactive: bool
    last_game_at: str
    rank: int | None
    player: RankedPlayer
    rules: dict[str, str]


class Plan(TypedDict):
    id: int
    state: TaskState
    task: str
    done: int
    simulations: int
    created_at: str
    finished_at: str | None
    expires_at: str
    tournament: str | None
    players: list[PlannedPlayer]
    seed: int
    draws: float
    first_seat: int
    top: int
    minutes: int
    pause: int
    aim: AimEnum
    formats: list[ComparedFormat]
    recommendation: PlanRecommendation


class PlanReason(TypedDict):
    reason: ReasonEnum
    longer: int
    sentence: str


class PlanRecommendation(TypedDict):
    aim: AimEnum
    formats: list[int]
    reasons: list[PlanReason]


class PlannedPlayer(TypedDict):
    rating: int
    error: int


class Player(TypedDict):
    id: int
    name: str
    country: NotRequired[str]
    club: NotRequired[str]
    seed_rating: NotRequired[int | None]
    external_ids: NotRequired[dict[str, str]]


class PlayerDetails(TypedDict):
    id: int
    name: str
    country: NotRequired[str]
    club: NotRequired[str]
    seed_rating: NotRequired[int | None]
    external_ids: NotRequired[dict[str, str]]
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]


class PlayerDetailsRequest(TypedDict):
    name: str
    country: NotRequired[str]
    club: NotRequired[str]
    seed_rating: NotRequired[int | None]
    external_ids: NotRequired[dict[str, str]]
    birth_year: NotRequired[int | None]
    sex: NotRequired[SexEnum | BlankEnum]


class PlayerLinks(TypedDict):
    ratings: str
    history: str
    head_to_head: str
    what_if: str
    pools: list[PoolLinks]


class PlayerRating(TypedDict):
    rating: str
    interval: Interval
    games: int
    provisional: bool
    inactive: bool
    last_game_at: str


class PlayerRatingChange(TypedDict):
    pool: str
    run: int
    game: GameReference
    effective_at: str
    seat: Seat
    opponent: Named
    score: ScoreEnum
    before: str
    opponent_before: str
    handicap_part: str
    expected: str
    k: str
    band: Band
    explanation: str
    change: str
    after: str
    player: int


class PlayerSummary(TypedDict):
    id: int
    name: str
    country: str
    club: str


class Pool(TypedDict):
    code: str
    name: str
    preset: str
    parameters: dict[str, int]
    handicap_table: str
    casual_games: list[str]
    policy: PoolPolicy
    rated_games: dict[str, list[str]]
    time_classes: list[TimeClass]
    least_expected: int
    grace_days: int
    casual_games_per_day: int
    run: Run | None


class PoolLinks(TypedDict):
    pool: str
    place: str
    list: str
    lists: str
    history: str
    second_opinion: str
    chart: str


class PoolRating(TypedDict):
    rating: str
    interval: Interval
    games: int
    provisional: bool
    inactive: bool
    last_game_at: str
    pool: str


class PoolSums(TypedDict):
    pool: str
    games: int
    score: str
    expected: str
    change: str


class PrizeGroup(TypedDict):
    name: str
    amounts: list[int]
    split: SplitEnum
    exclusive: bool
    offered: int
    paid: int
    left: int
    awards: list[Award]


class Prizes(TypedDict):
    tournament: str
    round: int
    provisional: bool
    source: SourceEnum
    as_of: NotRequired[str]
    year: int
    groups: list[PrizeGroup]
    corrected: NotRequired[list[CorrectedAward]]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: NotRequired[list[dict[str, Any]]]
    valid: NotRequired[list[str]]
    request_id: str


class ProblemType(TypedDict):
    code: str
    statuses: list[int]
    cause: str
    remedy: str


class ProblemTypes(TypedDict):
    results: list[ProblemType]


class ProposalRequest(TypedDict):
    opponent: int
    seat: Seat
    game: str
    board: str
    options: NotRequired[list[str]]
    swap: NotRequired[bool | None]
    handicap: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    rated: NotRequired[bool]
    pool: NotRequired[str]


class PublishRequestRequest(TypedDict):
    reason: NotRequired[str]
    accept: NotRequired[list[str]]


class PublishedList(TypedDict):
    pool: str
    published_on: str
    published_at: str
    run: int
    input_digest: str
    players: int
    rules: dict[str, str]
    ratings: str


class RankChange(TypedDict):
    pairing_number: int
    before: int
    after: int


class RankedPlayer(TypedDict):
    id: int
    name: str
    country: str
    club: str


class RatedEvent(TypedDict):
    name: str
    players: int


class Rating(TypedDict):
    rating: str
    interval: Interval
    games: int
    provisional: bool
    inactive: bool
    last_game_at: str
    rank: int
    player: RankedPlayer


class RatingAfterRun(TypedDict):
    rating: str
    games: int


class RatingDifference(TypedDict):
    player: Named
    before: RatingAfterRun | None
    after: RatingAfterRun | None
    difference: str | None


class RatingEffect(TypedDict):
    pool: str
    events: list[RatedEvent]
    players: list[ChangedRating]


class RatingOutlook(TypedDict):
    expected: str
    deviation: str


class RatingRequest(TypedDict):
    slug: str
    name: str
    starts_on: str
    ends_on: str
    state: TournamentState
    public: bool
    organiser: Officer | None
    rating: TournamentRating


class ReasonRequest(TypedDict):
    reason: str


class Recommendation(TypedDict):
    pool: str
    table: str
    player: int
    opponent: int
    handicap: str | None
    value: int
    expected: str
    reason: str
    uncertainty: Uncertainty


class RecommendedHandicap(TypedDict):
    entry: int
    handicap: str | None
    rating: int
    opponent_rating: int
    basis: RecommendedHandicapBasisEnum
    value: int
    table: str
    reason: str


class RecordLimits(TypedDict):
    characters: int
    words: int
    word_characters: int
    comments: int
    tags: int
    tag_characters: int
    handicap_stones: int
    handicap_points: int


class RefereeRequestRequest(TypedDict):
    record: NotRequired[str | dict[str, Any]]
    records: NotRequired[list[str | dict[str, Any]]]


class RenumberedEntry(TypedDict):
    entry: int | None
    before: int | None
    after: int


class RepeatedRecord(TypedDict):
    digest: str
    games: list[GameWithRecord]


class RepeatedRecordSerializerResults(TypedDict):
    results: list[RepeatedRecord]


class Report(TypedDict):
    id: int | None
    version: int
    kind: str
    seat: str
    device: DeviceEnum
    outcome: Any
    digest: str
    confirms: NotRequired[int | None]
    reason: str
    received_at: str
    settled_at: str | None
    record: str


class ReportAccepted(TypedDict):
    report: Report
    task: Task | None


class ReportRequestRequest(TypedDict):
    record: NotRequired[str | dict[str, Any]]
    claim: NotRequired[ClaimedResultRequest]
    seat: NotRequired[Seat | NullEnum]


class RestoreRequestRequest(TypedDict):
    version: int
    reason: str


class ResultsRequestRequest(TypedDict):
    results: list[BoardResultRequestRequest]
    basis: ResultsRequestBasisEnum
    reason: NotRequired[str]


class ReturnGame(TypedDict):
    game: int
    state: str
    basis: str | None
    result: str | None
    termination: str | None
    adjourned: bool


class Role(TypedDict):
    stream: str
    role: str


class RoleRequestRequest(TypedDict):
    email: str
    role: RoleEnum


class Round(TypedDict):
    number: int
    state: NotRequired[RoundState]
    version: NotRequired[int]
    system: NotRequired[str]
    reason: NotRequired[str]
    relaxed: NotRequired[Any]
    starts_on: NotRequired[str | None]
    starts_at: str | None
    published_at: NotRequired[str | None]
    completed_at: NotRequired[str | None]


class RoundActionRequest(TypedDict):
    reason: NotRequired[str]


class RoundDetail(TypedDict):
    number: int
    state: NotRequired[RoundState]
    version: NotRequired[int]
    system: NotRequired[str]
    reason: NotRequired[str]
    relaxed: NotRequired[Any]
    starts_on: NotRequired[str | None]
    starts_at: str | None
    published_at: NotRequired[str | None]
    completed_at: NotRequired[str | None]
    allowed_actions: list[AllowedAction]


class RoundNote(TypedDict):
    code: str
    entries: list[int]
    values: dict[str, Any]


class RoundPairings(TypedDict):
    round: int
    state: RoundState
    starts_on: str | None
    starts_at: str | None
    system: str
    reason: str
    pairings: list[Pairing]
    notes: NotRequired[list[RoundNote]]
    relaxed: list[str]
    violations: NotRequired[list[Finding]]
    differences: NotRequired[list[Difference]]
    numbers: NotRequired[list[int]]
    task: NotRequired[Task]


class RoundResults(TypedDict):
    round: int
    state: str
    missing: int
    results: list[BoardResult]


class RoundSerializerResults(TypedDict):
    results: list[Round]


class RoundVersion(TypedDict):
    version: int
    state: RoundState
    is_current: bool
    boards: int
    system: str
    reason: str
    notes: list[RoundNote]
    relaxed: list[str]
    history: list[VersionEvent]


class Rules(TypedDict):
    results: list[GameRules]
    limits: RecordLimits


class RulingRequestRequest(TypedDict):
    result: NotRequired[str]
    termination: NotRequired[RulingRequestTerminationEnum]
    record: NotRequired[str | dict[str, Any]]
    reason: str


class Run(TypedDict):
    number: int
    engine_version: int
    parameter_digest: str
    input_digest: str
    from_batch: int | None
    created_at: str
    made_current_at: str | None


class Score(TypedDict):
    first: int
    second: int


class SeatRatings(TypedDict):
    first: str | None
    second: str | None


class SecondOpinions(TypedDict):
    pool: str
    player: Named
    official: PlayerRating
    games: int
    method: str
    opinions: list[Opinion]


class Sent(TypedDict):
    email: str


class Separation(TypedDict):
    by: SeparationByEnum
    preference: NotRequired[bool]
    players: NotRequired[list[int]]
    first_round: NotRequired[int]
    last_round: NotRequired[int]


class SeparationRequest(TypedDict):
    by: SeparationByEnum
    preference: NotRequired[bool]
    players: NotRequired[list[int]]
    first_round: NotRequired[int]
    last_round: NotRequired[int]


class Session(TypedDict):
    entry: int
    player: int
    scopes: list[str]
    expires_at: str
    token: str


class SessionRequestRequest(TypedDict):
    link: str


class SignUpRequest(TypedDict):
    email: str
    name: str


class Standings(TypedDict):
    tournament: str
    round: int
    provisional: bool
    source: SourceEnum
    as_of: NotRequired[str]
    adjourned: list[AdjournedGame]
    tiebreaks: list[str]
    rows: list[StandingsRow]
    digest: NotRequired[str]
    corrected: NotRequired[list[CorrectedRow]]


class StandingsRow(TypedDict):
    rank: int
    number: int
    player: PlayerSummary
    seed_rating: int
    values: dict[str, str | None]
    terms: NotRequired[dict[str, list[Term]]]


class Step(TypedDict):
    step: str
    done: int
    of: int


class SupposedChange(TypedDict):
    opponent: Named
    score: ScoreEnum
    opponent_before: str
    expected: str
    k: str
    explanation: str
    change: str


class System(TypedDict):
    code: str
    name: str
    summary: str
    source: str
    separations: bool
    seat_balance_off: bool
    late_entries: bool
    two_games: bool
    options: list[SystemOption]


class SystemOption(TypedDict):
    name: str
    kind: SystemOptionKindEnum
    summary: str
    default: int | str | bool | None
    least: NotRequired[int]
    most: NotRequired[int]
    words: NotRequired[dict[str, str]]


class SystemSerializerResults(TypedDict):
    results: list[System]


class Table(TypedDict):
    version: str
    reason: str
    rows: list[TableRow]


class TableRow(TypedDict):
    game: str
    board: str
    first_move: int
    first_stone: int
    further_stone: int
    point: int


class TableRowRequest(TypedDict):
    game: str
    board: str
    first_move: int
    first_stone: int
    further_stone: int
    point: int


class Task(TypedDict):
    id: str
    state: TaskState
    progress: float
    result: dict[str, Any] | None


class Term(TypedDict):
    round: int
    opponent: int | None
    basis: str
    value: str
    why: str
    cut: str | None


class Token(TypedDict):
    id: str
    name: str
    scopes: list[str]
    stream: str
    preconditions: PreconditionsEnum
    issued_by_other: bool
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class TokenRequestRequest(TypedDict):
    name: NotRequired[str]
    scopes: list[str]
    tournament: NotRequired[str]
    preconditions: NotRequired[PreconditionsEnum]
    expires_at: NotRequired[str | None]


class Tournament(TypedDict):
    slug: NotRequired[str]
    name: str
    place: NotRequired[str]
    country: NotRequired[str]
    starts_on: str
    ends_on: str
    time_zone: NotRequired[str]
    arbiter: NotRequired[str]
    time_control: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    time_class: TimeClass | NullEnum
    state: TournamentState
    public: NotRequired[bool]
    game: str
    board: str
    options: NotRequired[list[str]]
    swap: NotRequired[bool]
    rated: NotRequired[bool]
    pool: NotRequired[str]
    confirm_hours: NotRequired[int]
    system: str
    rounds: int
    points: NotRequired[dict[str, Any]]
    tiebreaks: NotRequired[list[str]]
    initial_seat: NotRequired[Seat]
    half_byes: NotRequired[int]
    prizes: NotRequired[list[dict[str, Any]]]
    system_options: NotRequired[dict[str, int | str | bool | None]]
    separations: NotRequired[list[Separation]]
    balance_seats: NotRequired[bool]
    games_per_pairing: NotRequired[int]
    handicaps: NotRequired[HandicapsEnum]
    handicap_table: NotRequired[str]
    handicap_share: NotRequired[int]
    handicap_cap: NotRequired[int | None]
    handicap_kinds: NotRequired[list[HandicapKindsEnum]]
    half_byes_until_round: NotRequired[int | None]
    missed_rounds: NotRequired[MissedRoundsEnum]
    seed_source: NotRequired[SeedSourceEnum]
    places: NotRequired[int | None]
    fills_places: NotRequired[bool]
    check_in: NotRequired[CheckInEnum]
    forecast: NotRequired[ForecastEnum]


class TournamentDetail(TypedDict):
    slug: NotRequired[str]
    name: str
    place: NotRequired[str]
    country: NotRequired[str]
    starts_on: str
    ends_on: str
    time_zone: NotRequired[str]
    arbiter: NotRequired[str]
    time_control: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    time_class: TimeClass | NullEnum
    state: TournamentState
    public: NotRequired[bool]
    game: str
    board: str
    options: NotRequired[list[str]]
    swap: NotRequired[bool]
    rated: NotRequired[bool]
    pool: NotRequired[str]
    confirm_hours: NotRequired[int]
    system: str
    rounds: int
    points: NotRequired[dict[str, Any]]
    tiebreaks: NotRequired[list[str]]
    initial_seat: NotRequired[Seat]
    half_byes: NotRequired[int]
    prizes: NotRequired[list[dict[str, Any]]]
    system_options: NotRequired[dict[str, int | str | bool | None]]
    separations: list[Separation] | None
    balance_seats: NotRequired[bool]
    games_per_pairing: NotRequired[int]
    handicaps: NotRequired[HandicapsEnum]
    handicap_table: NotRequired[str]
    handicap_share: NotRequired[int]
    handicap_cap: NotRequired[int | None]
    handicap_kinds: NotRequired[list[HandicapKindsEnum]]
    half_byes_until_round: NotRequired[int | None]
    missed_rounds: NotRequired[MissedRoundsEnum]
    seed_source: NotRequired[SeedSourceEnum]
    places: NotRequired[int | None]
    fills_places: NotRequired[bool]
    check_in: NotRequired[CheckInEnum]
    forecast: NotRequired[ForecastEnum]
    draw_seed_digest: str | None
    draw_seed: str | None
    rating: TournamentRating | None


class TournamentRating(TypedDict):
    pool: str
    state: RatingState
    reason: str
    batch: int | None


class TournamentRequest(TypedDict):
    slug: NotRequired[str]
    name: str
    place: NotRequired[str]
    country: NotRequired[str]
    starts_on: str
    ends_on: str
    time_zone: NotRequired[str]
    arbiter: NotRequired[str]
    time_control: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    public: NotRequired[bool]
    game: str
    board: str
    options: NotRequired[list[str]]
    swap: NotRequired[bool]
    rated: NotRequired[bool]
    pool: NotRequired[str]
    confirm_hours: NotRequired[int]
    system: str
    rounds: int
    points: NotRequired[dict[str, Any]]
    tiebreaks: NotRequired[list[str]]
    initial_seat: NotRequired[Seat]
    half_byes: NotRequired[int]
    prizes: NotRequired[list[dict[str, Any]]]
    system_options: NotRequired[dict[str, int | str | bool | None]]
    separations: NotRequired[list[SeparationRequest]]
    balance_seats: NotRequired[bool]
    games_per_pairing: NotRequired[int]
    handicaps: NotRequired[HandicapsEnum]
    handicap_table: NotRequired[str]
    handicap_share: NotRequired[int]
    handicap_cap: NotRequired[int | None]
    handicap_kinds: NotRequired[list[HandicapKindsEnum]]
    half_byes_until_round: NotRequired[int | None]
    missed_rounds: NotRequired[MissedRoundsEnum]
    seed_source: NotRequired[SeedSourceEnum]
    places: NotRequired[int | None]
    fills_places: NotRequired[bool]
    check_in: NotRequired[CheckInEnum]
    forecast: NotRequired[ForecastEnum]


class TournamentWithActions(TypedDict):
    slug: NotRequired[str]
    name: str
    place: NotRequired[str]
    country: NotRequired[str]
    starts_on: str
    ends_on: str
    time_zone: NotRequired[str]
    arbiter: NotRequired[str]
    time_control: NotRequired[str]
    main_minutes: NotRequired[int | None]
    increment_seconds: NotRequired[int]
    time_class: TimeClass | NullEnum
    state: TournamentState
    public: NotRequired[bool]
    game: str
    board: str
    options: NotRequired[list[str]]
    swap: NotRequired[bool]
    rated: NotRequired[bool]
    pool: NotRequired[str]
    confirm_hours: NotRequired[int]
    system: str
    rounds: int
    points: NotRequired[dict[str, Any]]
    tiebreaks: NotRequired[list[str]]
    initial_seat: NotRequired[Seat]
    half_byes: NotRequired[int]
    prizes: NotRequired[list[dict[str, Any]]]
    system_options: NotRequired[dict[str, int | str | bool | None]]
    separations: list[Separation] | None
    balance_seats: NotRequired[bool]
    games_per_pairing: NotRequired[int]
    handicaps: NotRequired[HandicapsEnum]
    handicap_table: NotRequired[str]
    handicap_share: NotRequired[int]
    handicap_cap: NotRequired[int | None]
    handicap_kinds: NotRequired[list[HandicapKindsEnum]]
    half_byes_until_round: NotRequired[int | None]
    missed_rounds: NotRequired[MissedRoundsEnum]
    seed_source: NotRequired[SeedSourceEnum]
    places: NotRequired[int | None]
    fills_places: NotRequired[bool]
    check_in: NotRequired[CheckInEnum]
    forecast: NotRequired[ForecastEnum]
    draw_seed_digest: str | None
    draw_seed: str | None
    rating: TournamentRating | None
    allowed_actions: list[AllowedAction]


class Uncertainty(TypedDict):
    difference: int
    low: int
    high: int
    least: str | None
    most: str | None
    provisional: bool


class UndoRequestRequest(TypedDict):
    reason: str
    digest: NotRequired[str]
    accept: NotRequired[list[AcceptEnum]]


class VersionEvent(TypedDict):
    action: str
    by: str
    at: str
    reason: str


class Webhook(TypedDict):
    id: int
    owner: Named
    stream: str
    url: str
    kinds: list[str]
    active: bool
    stopped: StoppedEnum | NullEnum
    entitled: bool
    failures: int
    failing_since: str | None
    created_at: str


class WebhookDelivery(TypedDict):
    id: int
    sequence: int | None
    kind: str
    state: WebhookDeliveryStateEnum
    attempts: int
    next_attempt_at: str | None
    attempted_at: str | None
    status: int | None
    problem: str | None
    excerpt: str
    created_at: str


class WebhookRequestRequest(TypedDict):
    stream: str
    url: str
    kinds: NotRequired[list[str]]


class WhatIf(TypedDict):
    pool: str
    player: Named
    before: str
    after: str
    change: str
    results: list[SupposedChange]


class WithdrawalRequest(TypedDict):
    from_round: NotRequired[int | None]
    reason: NotRequired[str]
