// Play a round with the client that @hey-api/openapi-ts makes.

import { createClient } from "./hey/client/index.js";
import * as api from "./hey/sdk.gen.js";

const baseUrl = process.env.PERIHELION_URL!;

function clientOf(token: string) {
  return createClient({ baseUrl, auth: token, throwOnError: true });
}

const client = clientOf(process.env.PERIHELION_TOKEN!);
const organiser = { client, throwOnError: true } as const;

const { data: rules } = await api.listRulesets(organiser);
const today = new Date().toISOString().slice(0, 10);
const body = {
  name: `Hey ${Math.random().toString(36).slice(2)}`,
  starts_on: today,
  ends_on: today,
  ruleset: rules.results[0]!.code,
  board_size: rules.results[0]!.board_sizes[0]!,
  system: "dutch",
  rounds: 1,
};
const { data: tried } = await api.createTournament({ ...organiser, body, query: { dry_run: true } });
const slug = (await api.createTournament({ ...organiser, body })).data.slug!;
if (tried.slug !== slug) throw new Error(`${tried.slug} was tried`);
const { error } = await api.createTournament({ client, throwOnError: false, body: { ...body, slug } });
if (error?.code !== "slug_taken") throw new Error(`${error?.code}`);

async function ofEvent() {
  const { response } = await api.getTournament({ ...organiser, path: { slug } });
  return { ...organiser, path: { slug }, headers: { "If-Match": response.headers.get("ETag")! } };
}

async function ofRound() {
  const path = { slug, number: 1 };
  const { response } = await api.getRound({ ...organiser, path });
  return { ...organiser, path, headers: { "If-Match": response.headers.get("ETag")! } };
}

await api.openTournament(await ofEvent());
for (const name of ["Ada", "Ben"]) {
  const details = { name: `${name} Hey`, seed_rating: 1800 };
  const { data: player } = await api.registerPlayer({ ...organiser, body: details });
  await api.enterPlayer({ ...organiser, path: { slug }, body: { player_id: player.id! } });
}
await api.startTournament(await ofEvent());
await api.pairRound(await ofRound());
const { data: round } = await api.publishRound(await ofRound());
const { game_id, first, second } = round.rows[0]!;

async function ofPlayer(entry_id: number) {
  const path = { slug, entry_id };
  const { data: issued } = await api.issuePersonalToken({ ...organiser, path });
  return {
    client: clientOf(issued.token!),
    throwOnError: true,
    path: { game_id: game_id! },
    headers: { Prefer: "wait=10" },
  } as const;
}

const claim = { result: "1-0", termination: "resigned" } as const;
await api.reportGame({ ...(await ofPlayer(first.id)), body: { claim } });
await api.confirmGame(await ofPlayer(second!.id));
await api.completeRound(await ofRound());
await api.reviewTournament(await ofEvent());
await api.finaliseTournament(await ofEvent());

const { data: standings } = await api.getStandings({ ...organiser, path: { slug } });
const names = standings.rows.map((row) => row.player!.name);
console.log(JSON.stringify({ slug, names }));
