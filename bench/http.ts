/**
 * Requests a second over HTTP for assemble, grep and commit, as a share of the same calls in the process in the same run;
 * and how much 200 live viewers, in a process of their own, slow an engine that commits: by the clock, and as the share of one
 * processor that the engine's process takes more, which other work on the machine disturbs less.
 *
 *   node bench/http.ts [--messages 10000] [--rounds 5] [--viewers 200] [--workload <file>]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import { createClient } from "../src/http/client.ts";
import { serve, TokenFile } from "../src/http/index.ts";
import {
  type Cost,
  checkLimit,
  DISK,
  figure,
  finish,
  inFlight,
  measure,
  median,
  printTable,
  temporaryFolder,
} from "./measure.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const CALLS = 200;
const IN_FLIGHT = 16;
const COMMITS = 5_000;
const VIEWED = { atLeast: 0.9 };
const OF_VIEWERS = { atMost: 0.1 };

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
    viewers: { type: "string", default: "200" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});
const workload = await StandardWorkload.load(options.workload);
const dataDir = temporaryFolder(DISK);
const config = { dataDir, logLevel: "silent", embeddingModel: "off" } as const;
const engine = await open({ store: dataDir, background: "off", config });
let stored = 0;
for (const turn of workload.turns({ messages: Number(options.messages) }))
  await engine.context.commitTurn({ conversation: "long", key: `turn ${stored++}`, messages: turn.messages });
await engine.context.compact({ conversation: "long" });
const server = await serve(engine, { port: 0, rate: { perSecond: 1e6, burst: 1e6 } });
const about = { name: "bench", tenant: "default", agent: "default", createdAt: "", expiresAt: null };
const { token } = await new TokenFile(dataDir).create({ ...about, rights: ["admin"] });
const client = createClient({ url: server.url, token });

let turns = 0;
const nextTurn = (conversation: string) => ({
  conversation,
  key: `key ${turns++}`,
  messages: [{ role: "user", content: `The port of service ${turns} is ${turns % 9_000}.` }],
});

interface Pair {
  readonly name: string;
  here(): Promise<unknown>;
  overHttp(): Promise<unknown>;
}

const PAIRS: readonly Pair[] = [
  {
    name: "assemble, 8,000 tokens",
    here: () => engine.context.assemble({ conversation: "long", budget: 8_000 }),
    overHttp: () => client.call("context", { conversation: "long", budget: 8_000 }),
  },
  {
    name: "grep, two words",
    here: () => engine.context.grep({ pattern: "port service", limit: 5 }),
    overHttp: () => client.call("grep", { pattern: "port service", limit: 5 }),
  },
  {
    name: "commit, one message",
    here: () => engine.context.commitTurn(nextTurn("here")),
    overHttp: () => client.call("turns commit", nextTurn("http")),
  },
];

async function perSecond(calls: number, run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await inFlight(Array.from({ length: calls }), IN_FLIGHT, run);
  return (1_000 * calls) / (performance.now() - start);
}

const rounds = Number(options.rounds);
const rows: string[][] = [];
for (const { name, here, overHttp } of PAIRS) {
  const figures = [];
  await perSecond(20, here);
  await perSecond(20, overHttp);
  for (let round = 0; round < rounds; round++)
    figures.push({ here: await perSecond(CALLS, here), http: await perSecond(CALLS, overHttp) });
  const share = median(figures.map((one) => one.http / one.here));
  const [inProcess, http] = [median(figures.map((one) => one.here)), median(figures.map((one) => one.http))];
  rows.push([name, figure(inProcess), figure(http), figure(share), "reported"]);
}

const commits = () =>
  measure(() =>
    inFlight(Array.from({ length: COMMITS }), IN_FLIGHT, () => engine.context.commitTurn(nextTurn("viewed"))),
  );

const alone: Cost[] = [];
const viewed: Cost[] = [];
let seen = 0;
await commits();
for (let round = 0; round < rounds; round++) {
  const before = await commits();
  const viewers = fork(new URL("live-viewers.ts", import.meta.url), [server.url, token, options.viewers]);
  await wait(2_500);
  viewed.push(await commits());
  await wait(1_000);
  viewers.send("how many");
  const [answer] = await once(viewers, "message");
  seen += Object(answer).seen;
  viewers.kill();
  await once(viewers, "close");
  // Before and after, because an engine that warms up is faster each time.
  alone.push(mean(before, await commits()));
}

function mean(one: Cost, other: Cost): Cost {
  return { wallMs: (one.wallMs + other.wallMs) / 2, cpuMs: (one.cpuMs + other.cpuMs) / 2 };
}

const perSecondOf = ({ wallMs }: Cost) => (1_000 * COMMITS) / wallMs;
const shares = viewed.map((one, round) => (alone[round] ?? one).wallMs / one.wallMs);
const name = `commits beside ${options.viewers} viewers, who saw ${seen} changes`;
const figures = [alone, viewed].map((costs) => figure(median(costs.map(perSecondOf))));
rows.push([name, ...figures, figure(median(shares)), checkLimit(median(shares), VIEWED)]);
const taken = viewed.map((one, round) => (one.cpuMs - (alone[round] ?? one).cpuMs) / one.wallMs);
const ofViewers = "processor time of the viewers, of one processor";
rows.push([ofViewers, "", "", figure(median(taken)), checkLimit(median(taken), OF_VIEWERS)]);

printTable(["calls a second", "in the process", "over HTTP, or viewed", "share", "limit"], rows);
await server.close();
await engine.close();
finish();
