// Play a round with the client that openapi-generator makes for typescript-fetch.

import {
  Configuration,
  EntriesApi,
  GamesApi,
  PlayersApi,
  ResponseError,
  RoundsApi,
  RulesApi,
  TablesApi,
  TournamentsApi,
} from "./client";

const prefer = "wait=10";

function clientOf(accessToken: string): Configuration {
  return new Configuration({ basePath: process.env.PERIHELION_URL!, accessToken });
}

const organiser = clientOf(process.env.PERIHELION_TOKEN!);
const tournaments = new TournamentsApi(organiser);
const rounds = new RoundsApi(organiser);
const entries = new EntriesApi(organiser);

async function main(): Promise<void> {
  const [rules] = (await new RulesApi(organiser).listRulesets()).results;
  const today = new Date();
  const tournamentInput = {
    name: `Fetched ${Math.random().toString(36).slice(2)}`,
    startsOn: today,
    endsOn: today,
    ruleset: rules!.code,
    boardSize: rules!.boardSizes[0]!,
    system: "dutch",
    rounds: 1,
  };
  const tried = await tournaments.createTournament({ tournamentInput, dryRun: true });
  const slug = (await tournaments.createTournament({ tournamentInput })).slug!;
  if (tried.slug !== slug) throw new Error(`${tried.slug} was tried`);
  await tournaments
    .createTournament({ tournamentInput: { ...tournamentInput, slug } })
    .then(() => Promise.reject(new Error("it exists")))
    .catch(async (error: unknown) => {
      if (!(error instanceof ResponseError)) throw error;
      const problem = (await error.response.json()) as { code: string };
      if (problem.code !== "slug_taken") throw new Error(problem.code);
    });

  const tag = async () => {
    const read = await tournaments.getTournamentRaw({ slug });
    return { slug, ifMatch: read.raw.headers.get("ETag")! };
  };
  const tagOfRound = async () => {
    const read = await rounds.getRoundRaw({ slug, number: 1 });
    return { slug, number: 1, ifMatch: read.raw.headers.get("ETag")! };
  };
  await tournaments.openTournament(await tag());
  for (const name of ["Ada", "Ben"]) {
    const playerDetailsInput = { name: `${name} Fetched`, seedRating: 1800 };
    const { id } = await new PlayersApi(organiser).registerPlayer({ playerDetailsInput });
    await entries.enterPlayer({ slug, entryInput: { playerId: id! } });
  }
  await tournaments.startTournament(await tag());
  await rounds.pairRound(await tagOfRound());
  const { rows: boards } = await rounds.publishRound(await tagOfRound());
  const { gameId, first, second } = boards[0]!;
  const player = async (entryId: number) =>
    new GamesApi(clientOf((await entries.issuePersonalToken({ slug, entryId })).token!));

  const claim = { result: "1-0", termination: "resigned" } as const;
  const reporter = await player(first.id);
  await reporter.reportGame({ gameId: gameId!, prefer, reportInput: { claim } });
  await (await player(second!.id)).confirmGame({ gameId: gameId!, prefer });
  await rounds.completeRound(await tagOfRound());
  await tournaments.reviewTournament(await tag());
  await tournaments.finaliseTournament(await tag());

  const { rows } = await new TablesApi(organiser).getStandings({ slug });
  console.log(JSON.stringify({ slug, names: rows.map((row) => row.player!.name) }));
}

void main();
