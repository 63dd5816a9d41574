/**
 * The real OpenClaw against a scripted model whose summaries keep nothing, with its own context engine (`legacy`) and with the
 * plugin: 100 turns with a planted fact in every tenth, and three compactions, the last after the last turn. Prints how many facts the
 * model can still reach, what was sent, how much of each request repeats the beginning of the one before, and the time of a turn.
 * Then what the plugin takes of a turn, at an empty history and at a long one, and the delay of the gateway's event loop.
 *
 *   npm run build && npm run hosts:install openclaw && node bench/openclaw.ts [--turns 100] [--compactions 3] [--messages 100000]
 *     [--part compare|gateway|plugin]
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import { type ChatModel, type ChatRequest, isHostMade, startChatModel } from "../test/hosts/chat-model.ts";
import { keyOf, OpenClawHome, packPlugin } from "../test/hosts/openclaw-session.ts";
import { instantModel } from "./instant-model.ts";
import { DISK, figure, measure, printTable, quantile, temporaryFolder } from "./measure.ts";
import { openclawTurns } from "./openclaw-turns.ts";

const { values: options } = parseArgs({
  options: {
    turns: { type: "string", default: "100" },
    compactions: { type: "string", default: "3" },
    messages: { type: "string", default: "100000" },
    part: { type: "string" },
  },
});
const TURNS = Number(options.turns);
const COMPACTIONS = Number(options.compactions);
/** Fewer turns say as much as 100 would. */
const GAUGES = Math.ceil(6_000 / TURNS);
const EVERY = 10;
const LONG_TURNS = 30;
const SESSION = "bench";
const BUDGET = 35_000;
/**
 * OpenClaw's own engine fails the turn when a summary does not have these sections, or has no words of the last question. Nothing in
 * it contains a planted fact.
 */
const SUMMARY = [
  "## Decisions\nNone. Each gauge reads a number.",
  ...["Open TODOs", "Constraints/Rules", "Pending user asks"].map((name) => `## ${name}\nNone.`),
  "## Exact identifiers\nNone captured.",
].join("\n\n");
/** A request that is this much shorter than the one before comes after a compaction. */
const SHORTER = 0.8;
const facts = Array.from({ length: Math.ceil(TURNS / EVERY) }, (_, i) => ({
  depot: `depot-${i + 1}`,
  code: `heron-${4_000 + i * 37}`,
}));

interface Run {
  readonly model: ChatModel;
  readonly home: OpenClawHome;
  readonly probe: string;
}

const archive = packPlugin(temporaryFolder(DISK));
const delays: string[][] = [];
const isWanted = (part: string) => options.part === undefined || options.part === part;
if (isWanted("compare")) await compare();
if (isWanted("gateway")) await longHistory();
if (delays.length > 0) {
  console.log("\ndelay of the gateway's event loop, milliseconds\n");
  printTable(["engine", "history", "p50", "p99.9", "longest"], delays);
}
if (isWanted("plugin")) await ownTime();

async function compare(): Promise<void> {
  const compared: string[][] = [];
  for (const isPlugin of [false, true])
    await withGateway(isPlugin, async (run) => {
      const engine = isPlugin ? "Palimpsest" : "legacy";
      compared.push([engine, ...(await talk(run, isPlugin))]);
      delays.push([engine, figure(2 * TURNS), ...delayIn(run)]);
      console.error(`measured ${[...(compared.at(-1) ?? []), ...(delays.at(-1) ?? [])].join(" | ")}`);
    });
  console.log(`${TURNS} turns, ${facts.length} facts, ${COMPACTIONS} compactions on demand\n`);
  printTable(
    [
      ...[
        "engine",
        "failed turns",
        "requests shortened",
        "facts in the last request",
        "by a tool",
        "reached",
      ],
      ...["tokens of turns", "of summaries", "prefix reused", "turn ms p50", "p95"],
    ],
    compared,
  );
}

async function longHistory(): Promise<void> {
  await withGateway(true, async (run) => {
    await fill(run.home.data, Number(options.messages));
    await run.home.say("Good morning.", SESSION);
    reset(run);
    await timesOf(run, LONG_TURNS);
    delays.push(["Palimpsest", figure(Number(options.messages)), ...delayIn(run)]);
  });
}

async function ownTime(): Promise<void> {
  const rows: string[][] = [];
  for (const messages of [0, Number(options.messages)]) {
    const folder = temporaryFolder(DISK);
    if (messages > 0) await fill(folder, messages);
    rows.push([figure(messages), ...(await openclawTurns(folder, keyOf(SESSION)))]);
    console.error(`measured ${rows.at(-1)?.join(" | ")}`);
  }
  console.log("\nwhat the plugin takes of a turn, milliseconds\n");
  printTable(["history", "turns", "p50", "p95", "thread CPU p50", "p95"], rows);
}

async function withGateway(isPlugin: boolean, use: (run: Run) => Promise<void>): Promise<void> {
  const model = await startChatModel();
  model.summary = SUMMARY;
  const home = new OpenClawHome(model);
  const probe = temporaryFolder(DISK);
  try {
    if (isPlugin) await home.install(archive);
    const file = new URL("gateway-probe.ts", import.meta.url).href;
    await home.start({ PROBE_FOLDER: probe, NODE_OPTIONS: `--import=${file}` });
    await use({ model, home, probe });
  } finally {
    await home.stop();
    await model.close();
    for (const folder of [home.folder, probe])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function talk(run: Run, isPlugin: boolean): Promise<string[]> {
  const { model, home } = run;
  // The first turn of a process loads what it needs.
  await home.say("Good morning.", "warm-up");
  reset(run);
  const from = model.requests.length;
  const times = await timesOf(run, TURNS);
  const requests = model.requests.slice(from);
  const turns = requests.filter(({ tools }) => tools.length > 0);
  const summaries = requests.filter(({ tools }) => tools.length === 0);
  await home.say("What comes next?", SESSION);
  const shown = JSON.stringify(model.requests.at(-1)?.messages);
  const inView = facts.filter(({ code }) => shown.includes(code));
  const found: typeof facts = [];
  for (const fact of isPlugin ? facts : []) {
    // The question itself is also stored, and does not match this pattern.
    const pattern = `gate code of ${fact.depot} is [a-z]+`;
    const input = JSON.stringify({ pattern, mode: "regex", limit: 3 });
    await home.say(`CALL:lcm_grep:${input} now`, SESSION);
    const told = model.requests.at(-1)?.messages.findLast(({ role }) => role === "tool");
    if (JSON.stringify(told).includes(fact.code)) found.push(fact);
  }
  const reached = new Set([...inView, ...found]);
  return [
    String(TURNS - times.length),
    String(
      turns.filter((request, i) => i > 0 && request.bytes < (turns[i - 1]?.bytes ?? 0) * SHORTER).length,
    ),
    `${inView.length} of ${facts.length}`,
    isPlugin ? `${found.length} of ${facts.length}` : "not tried",
    `${reached.size} of ${facts.length}`,
    ...[turns, summaries].map((sent) => figure(sent.reduce((sum, { bytes }) => sum + bytes / 4, 0))),
    `${figure(reusedPrefix(turns) * 100)}%`,
    figure(quantile(times, 0.5)),
    figure(quantile(times, 0.95)),
  ];
}

/** Says as many turns, with the compactions between them. The times are those of the turns that were answered. */
async function timesOf({ home }: Run, turns: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    try {
      times.push((await measure(() => home.say(wordsOf(turn), SESSION))).wallMs);
    } catch (error) {
      console.error(`turn ${turn + 1}: ${error instanceof Error ? error.message : error}`);
      const reasons = home.log.split("\n").filter((line) => /failed|error/i.test(line));
      console.error(reasons.slice(-5).join("\n"));
    }
    if ((turn + 1) % Math.ceil(TURNS / COMPACTIONS) === 0 || turn === TURNS - 1)
      console.error(
        `turn ${turn + 1}: compacted, ${JSON.stringify(await home.call("sessions.compact", { key: keyOf(SESSION) })).slice(0, 300)}`,
      );
  }
  return times;
}

function wordsOf(turn: number): string {
  const fact = turn % EVERY === 0 ? facts[turn / EVERY] : undefined;
  const planted = fact === undefined ? "" : `The gate code of ${fact.depot} is ${fact.code}. `;
  const call = turn % 4 === 3 ? 'CALL:ls:{"path":"."} go. ' : "";
  const weather = Array.from(
    { length: GAUGES },
    (_, i) => `Gauge ${turn}-${i} reads ${1_000 + ((turn * i) % 37)}.`,
  );
  return `${call}${planted}${weather.join(" ")}`;
}

/** Bytes at the beginning of each request that the one before has as well, as a share of all that was sent. */
function reusedPrefix(requests: readonly ChatRequest[]): number {
  const texts = requests.map(({ messages }) =>
    messages.filter((message) => !isHostMade(message)).map((message) => JSON.stringify(message)),
  );
  let [shared, all] = [0, 0];
  for (const [i, text] of texts.entries()) {
    const before = texts[i - 1] ?? [];
    const end = text.findIndex((message, at) => message !== before[at]);
    const same = end === -1 ? text : text.slice(0, end);
    shared += same.join("").length;
    all += text.join("").length;
  }
  return all === 0 ? 0 : shared / all;
}

/** The session has said so much before, and its context is compacted. */
async function fill(folder: string, messages: number): Promise<void> {
  const engine = await open({
    ...{ store: folder, background: "off", complete: instantModel },
    config: { logLevel: "silent" },
  });
  const conversation = { sessionId: "seed", sessionKey: keyOf(SESSION) };
  for (let from = 0; from < messages; from += 2_000)
    await engine.context.commitTurn({
      conversation,
      key: `seed-${from}`,
      messages: Array.from({ length: Math.min(2_000, messages - from) }, (_, i) => ({
        role: i % 2 === 0 ? "user" : "assistant",
        content: `Entry ${from + i}: the barometer of station ${(from + i) % 97} shows ${1_000 + ((from + i) % 53)} millibar.`,
      })),
    });
  await engine.context.compact({ conversation, budget: BUDGET });
  await engine.context.index.build();
  await engine.close();
}

function reset({ probe }: Run): void {
  writeFileSync(path.join(probe, "reset"), "");
}

function delayIn({ probe }: Run): string[] {
  const file = path.join(probe, "delay.json");
  if (!existsSync(file)) throw new Error("the gateway was not measured");
  const { p50, p999, max } = JSON.parse(readFileSync(file, "utf8"));
  return [p50, p999, max].map(figure);
}
