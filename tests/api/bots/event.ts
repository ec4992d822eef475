// Play an event of 16 players over three rounds, by types that openapi-typescript makes.
//
//   npm install
//   npx openapi-typescript $PERIHELION_URL/api/v1/schema -o schema.ts --default-non-nullable=false
//   npx tsx event.ts

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { components, paths } from "./schema.js";

const service = process.env.PERIHELION_URL!;
const ROUNDS = 3;
const WAIT = { Prefer: "wait=10" };
type Schemas = components["schemas"];
type Line = { sequence: number; type: string; data: Record<string, unknown> };

function clientOf(token: string) {
  const client = createClient<paths, "application/json">({
    baseUrl: service,
    headers: { Authorization: `Bearer ${token}` },
  });
  client.use({
    onRequest({ request }) {
      if (request.method === "POST") request.headers.set("Idempotency-Key", randomUUID());
      return request;
    },
    async onResponse({ request, response }) {
      if (response.ok) return;
      const problem = (await response.json()) as Schemas["Problem"];
      throw new Error(`${request.method} ${request.url}: ${JSON.stringify(problem)}`);
    },
  });
  return client;
}

const organiser = clientOf(process.env.PERIHELION_TOKEN!);
type Client = typeof organiser;

/** The content of a response, which is not that of a dry run. */
async function of<T>(answer: Promise<{ data?: T }>): Promise<Exclude<T, { dry_run: boolean }>> {
  return (await answer).data as Exclude<T, { dry_run: boolean }>;
}

/** What is published, each line of the journal once. */
class Follower {
  readonly lines = new Map<number, Line>();
  private finish!: () => void;
  readonly isFinal = new Promise<void>((resolve) => (this.finish = resolve));

  take(line: Line): void {
    if (this.lines.has(line.sequence)) throw new Error(`${line.sequence} arrived twice`);
    this.lines.set(line.sequence, line);
    if (line.type === "tournament.finalised") this.finish();
  }

  results(): unknown[] {
    const confirmed = [...this.lines.values()].filter((line) => line.type === "game.confirmed");
    return confirmed.map((line) => [line.data.game_id, line.data.result]);
  }
}

async function followStream(slug: string, follower: Follower): Promise<void> {
  const address = `${service}/api/v1/tournaments/${slug}/stream?after=0`;
  const response = await fetch(address, { headers: { Accept: "text/event-stream" } });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of response.body!) {
    const texts = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = texts.pop()!;
    for (const text of texts) {
      if (!text.startsWith("data:")) continue;
      const line = JSON.parse(text.slice(5)) as Line;
      if (line.sequence === undefined) continue; // what is in no journal has none
      follower.take(line);
      if (line.type === "tournament.finalised") return;
    }
  }
}

async function receiveWebhooks(slug: string, follower: Follower) {
  let secret = "";
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = request.headers as Record<string, string>;
    const message = new Webhook(secret).verify(Buffer.concat(parts).toString(), headers);
    follower.take(message as Line);
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  secret = (await of(organiser.POST("/api/v1/webhooks", { body: { tournament_slug: slug, receiver_url: url } })))
    .secret!;
  return server;
}

async function createEvent(): Promise<string> {
  const rules = await of(organiser.GET("/api/v1/rulesets"));
  const today = new Date().toISOString().slice(0, 10);
  const body = {
    name: `Cup ${randomUUID().slice(0, 8)}`,
    starts_on: today,
    ends_on: today,
    ruleset: rules.results[0]!.code,
    board_size: rules.results[0]!.board_sizes[0]!,
    system: "dutch",
    rounds: ROUNDS,
  };
  return (await of(organiser.POST("/api/v1/tournaments", { body }))).slug!;
}

async function tagOf(slug: string): Promise<{ "If-Match": string }> {
  const { response } = await organiser.GET("/api/v1/tournaments/{slug}", {
    params: { path: { slug } },
  });
  return { "If-Match": response.headers.get("ETag")! };
}

async function tagOfRound(slug: string, number: number): Promise<{ "If-Match": string }> {
  const { response } = await organiser.GET("/api/v1/tournaments/{slug}/rounds/{number}", {
    params: { path: { slug, number } },
  });
  return { "If-Match": response.headers.get("ETag")! };
}

async function enterPlayers(slug: string): Promise<void> {
  for (let number = 1; number <= 16; number++) {
    const body = { name: `Typed ${number}`, seed_rating: 2000 - number };
    const player = await of(organiser.POST("/api/v1/players", { body }));
    await organiser.POST("/api/v1/tournaments/{slug}/entries", {
      params: { path: { slug } },
      body: { player_id: player.id! },
    });
  }
}

async function playRound(slug: string, number: number, player: (entry: number) => Client) {
  const path = { slug, number };
  const params = async () => ({ params: { path, header: await tagOfRound(slug, number) } });
  await organiser.POST("/api/v1/tournaments/{slug}/rounds/{number}/pair", await params());
  const { rows } = await of(
    organiser.POST("/api/v1/tournaments/{slug}/rounds/{number}/publish", await params()),
  );

  const slips = rows.slice(0, 6).map(({ board }) => ({ board: board!, result: "1-0" }));
  await organiser.POST("/api/v1/tournaments/{slug}/rounds/{number}/results", {
    params: { path },
    body: { basis: "slip", results: slips },
  });
  for (const { game_id, first, second } of rows.slice(6)) {
    const params = { path: { game_id: game_id! }, header: WAIT };
    const claim = { result: "0-1", termination: "resigned" } as const;
    await player(first.id).POST("/api/v1/games/{game_id}/reports", { params, body: { claim } });
    await player(second!.id).POST("/api/v1/games/{game_id}/confirm", { params });
  }
  await organiser.POST("/api/v1/tournaments/{slug}/rounds/{number}/complete", await params());
}

const [stream, webhook] = [new Follower(), new Follower()];
const slug = await createEvent();
const server = await receiveWebhooks(slug, webhook);
const act = async () => ({ params: { path: { slug }, header: await tagOf(slug) } });
await organiser.POST("/api/v1/tournaments/{slug}/open", await act());
const following = followStream(slug, stream);
await enterPlayers(slug);
await organiser.POST("/api/v1/tournaments/{slug}/start", await act());

const list = await of(
  organiser.GET("/api/v1/tournaments/{slug}/entries", { params: { path: { slug } } }),
);
const players = new Map<number, Client>();
for (const { id } of list.results) {
  const path = { slug, entry_id: id };
  const issued = await of(
    organiser.POST("/api/v1/tournaments/{slug}/entries/{entry_id}/token", { params: { path } }),
  );
  players.set(id, clientOf(issued.token!));
}
for (let number = 1; number <= ROUNDS; number++) {
  await playRound(slug, number, (entry) => players.get(entry)!);
}
await organiser.POST("/api/v1/tournaments/{slug}/review", await act());
await organiser.POST("/api/v1/tournaments/{slug}/finalise", await act());
await Promise.all([following, webhook.isFinal]);
server.close();
console.log(JSON.stringify({ slug, stream: stream.results(), webhook: webhook.results() }));
process.exit();
