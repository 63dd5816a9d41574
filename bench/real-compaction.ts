/**
 * Real sessions under compaction without a model. Each is imported, assembled unchanged, swept once, assembled again,
 * compacted for the smallest budget and assembled a third time: at every budget and in every format, within the
 * budget by a count of our own and valid by the strict checkers. Then every needle is looked for by drilling down
 * from what is left in the context, and, where a message was never part of it, by reading.
 *
 *   node bench/real-compaction.ts [folder with transcripts and needles.jsonl] [--only <part of a name>] [--no-postgres]
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { CHECKERS } from "../src/context/assemble/wire/testing/items.ts";
import { planSettings } from "../src/context/compact/plan/compaction-settings.ts";
import { freshTailStart } from "../src/context/compact/plan/fresh-tail.ts";
import { readShape } from "../src/context/compact/plan/read-shape.ts";
import { type Engine, type Message, open, textOfParts } from "../src/index.ts";
import { ASSEMBLE_FORMATS } from "../src/message/wire-formats.ts";
import { drillDown } from "./drill-down.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { importSession, messagesOf, SESSIONS_FOLDER, type Session, sessionsIn } from "./real-sessions.ts";
import { sentTokens } from "./sent-tokens.ts";

const BUDGETS = [8_000, 32_000, 128_000, 200_000];
const SMALLEST = 8_000;
/** Of the whole context, if this many tokens are outside the fresh tail. */
const SAVED_LIMIT = { atLeast: 0.3 };
const ENOUGH_OUTSIDE = 20_000;
const ALL = { atLeast: 1 };

const { values: options, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    postgres: { type: "boolean", default: true },
  },
});
const sessions = sessionsIn(positionals[0] ?? SESSIONS_FOLDER).filter(({ name }) =>
  name.includes(options.only),
);
/** One sentence for everything that went wrong. */
const failures: string[] = [];
/** And for every answer that cannot fit, from any model. */
const impossible: string[] = [];

type Answer = Awaited<ReturnType<Engine["context"]["assemble"]>>;

class Share {
  of = 0;
  held = 0;

  add(holds: boolean, failure: string): void {
    this.of++;
    if (holds) this.held++;
    else failures.push(failure);
  }

  get value(): number {
    return this.of === 0 ? 1 : this.held / this.of;
  }

  toString(): string {
    return `${this.held} of ${this.of}`;
  }
}

class Shares {
  readonly fits = new Share();
  readonly valid = new Share();
  readonly reached = new Share();
  readonly needles = new Share();
  answers = 0;
  /** Answers that show the newest message of the user. */
  withQuestion = 0;
  byDrilling = 0;
}

/** Tokens outside the newest messages, which no sweep touches; nor does it touch system messages. */
async function outsideTail(engine: Engine, conversation: string): Promise<number> {
  const { config } = engine;
  const store = engine.store.scoped({ tenant: config.tenant, agent: config.agent });
  const items = await readShape(store, conversation);
  const start = freshTailStart(items, planSettings(config, config.contextBudget));
  const old = items.slice(0, start).filter((item) => item.type === "summary" || item.role !== "system");
  return old.reduce((sum, item) => sum + item.tokenCount, 0);
}

async function newestQuestion(engine: Engine, conversation: string): Promise<string | undefined> {
  const messages = await messagesOf(engine, conversation);
  return messages.findLast(({ role, excluded }) => role === "user" && excluded === null)?.id;
}

async function assembleAll(engine: Engine, conversation: string, at: string, shares: Shares): Promise<void> {
  const question = await newestQuestion(engine, conversation);
  for (const budget of BUDGETS)
    for (const format of ASSEMBLE_FORMATS) {
      const answer = await engine.context.assemble({ conversation, budget, format });
      const tokens = sentTokens(answer);
      shares.answers++;
      if (answer.items.some(({ id }) => id === question)) shares.withQuestion++;
      const place = `${at}, ${figure(budget)} tokens, ${format}`;
      if (isImpossible(answer)) impossible.push(`${place}: ${answer.overBudget}`);
      else
        shares.fits.add(
          tokens <= budget,
          `${place}: ${tokens} tokens are sent, ${answer.tokens} by the engine`,
        );
      // The host's own format has no rules of ours.
      if (format === "original") continue;
      const violations = CHECKERS[format](answer);
      shares.valid.add(
        violations.length === 0,
        `${place}: ${violations.length} violations, ${violations[0]}`,
      );
    }
}

/** System messages are never cut. Where they alone are more than the budget, the answer must say so. */
function isImpossible({ items, budget, overBudget }: Answer): boolean {
  const system = items.filter(({ role }) => role === "system").reduce((sum, { tokens }) => sum + tokens, 0);
  return system > budget && overBudget !== null;
}

const textOf = (messages: readonly Message[]) => messages.map(({ parts }) => textOfParts(parts)).join("\n");

async function contextIds(engine: Engine, conversation: string): Promise<string[]> {
  const { items, leftOut } = await engine.context.assemble({ conversation, budget: 1_000_000_000 });
  if (leftOut > 0) throw new Error("a budget without bounds left something out");
  return items.map(({ id }) => id);
}

/** Messages that were never in the context, such as another branch, have no summary. */
async function lookForNeedles(
  engine: Engine,
  conversation: string,
  { name, needles }: Session,
  shares: Shares,
): Promise<void> {
  const { messages } = await drillDown(engine, await contextIds(engine, conversation));
  const reached = new Set(messages.map(({ seq }) => seq));
  const all = await messagesOf(engine, conversation);
  for (const { seq, excluded } of all)
    if (excluded === null) shares.reached.add(reached.has(seq), `${name}: message ${seq} is not reached`);
  const [drilled, read] = [textOf(messages), textOf(all)];
  for (const needle of needles) {
    const isDrilled = drilled.includes(needle);
    if (isDrilled) shares.byDrilling++;
    shares.needles.add(isDrilled || read.includes(needle), `${name}: nothing brings back "${needle}"`);
  }
}

async function run(store: string, engine: Engine): Promise<string[][]> {
  const rows: string[][] = [];
  for (const session of sessions) {
    const conversation = (await importSession(engine, session))?.conversation ?? null;
    if (conversation !== null) rows.push(await runSession(store, engine, session, conversation));
  }
  return rows;
}

async function runSession(
  store: string,
  engine: Engine,
  session: Session,
  conversation: string,
): Promise<string[]> {
  const shares = new Shares();
  const at = (stage: string) => `${store}, ${session.name}, ${stage}`;
  const outside = await outsideTail(engine, conversation);
  await assembleAll(engine, conversation, at("imported"), shares);
  const sweep = await engine.context.compact({ conversation });
  await assembleAll(engine, conversation, at("swept"), shares);
  const target = Math.floor(SMALLEST * engine.config.compactTarget);
  const small = await engine.context.compact({ conversation, budget: SMALLEST, untilUnder: target });
  await assembleAll(engine, conversation, at("compacted for the smallest"), shares);
  await lookForNeedles(engine, conversation, session, shares);
  return toRow(store, session, shares, { outside, sweep, small });
}

type Sweep = Awaited<ReturnType<Engine["context"]["compact"]>>;

function toRow(
  store: string,
  { name, needles }: Session,
  shares: Shares,
  { outside, sweep, small }: { outside: number; sweep: Sweep; small: Sweep },
): string[] {
  const saved = sweep.tokensBefore - sweep.tokensAfter;
  const share = saved / Math.max(1, sweep.tokensBefore);
  const isEnough = outside >= ENOUGH_OUTSIDE;
  if (isEnough && share < SAVED_LIMIT.atLeast)
    failures.push(`${store}, ${name}: saved ${saved} of ${sweep.tokensBefore}, ${outside} outside the tail`);
  const verdict = (part: Share) => `${part} ${checkLimit(part.value, ALL).split(" ").at(-1)}`;
  return [
    store,
    path.basename(name),
    ...[sweep.tokensBefore, outside, small.tokensAfter].map(figure),
    figure(saved / Math.max(1, outside)),
    figure(share),
    isEnough ? checkLimit(share, SAVED_LIMIT) : "too little outside",
    ...[shares.fits, shares.valid].map(verdict),
    `${shares.withQuestion} of ${shares.answers}`,
    verdict(shares.reached),
    `${shares.byDrilling} of ${needles.length}`,
    verdict(shares.needles),
  ];
}

const sqlite = await open({ store: temporaryFolder(DISK), background: "off" });
const rows = await run("sqlite", sqlite);
await sqlite.close();
if (options.postgres) {
  const postgres = await openPostgres({ background: "off" });
  if ("missing" in postgres) console.log(`postgres left out: ${postgres.missing}`);
  else {
    rows.push(...(await run("postgres", postgres.engine)));
    await postgres.close();
  }
}
printTable(
  [
    "store",
    "session",
    "tokens",
    "outside tail",
    "at 8,000",
    "saved / outside",
    "saved / all",
    "limit",
    "within budget",
    "valid",
    "with newest question",
    "reached",
    "needles by expand",
    "by expand or read",
  ],
  rows,
);
if (impossible.length > 0) console.log(`\n${impossible.length} answers cannot fit, such as ${impossible[0]}`);
for (const failure of failures) console.log(`\n${failure}`);
finish();
