/**
 * How much more of a session a context holds when old results of tools are shown as stubs: items in view with and without,
 * at the same budgets. Real sessions, each assembled at budgets up to a third of its tokens. A session is heavy with tools
 * when results above `toolOutputStubBytes` are at least half of it.
 *
 *   node bench/stub-coverage.ts [folder with transcripts]
 */
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { importSession, SESSIONS_FOLDER, sessionsIn } from "./real-sessions.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const SMALLEST_BUDGET = 16_000;
const STEP = 4_000;
const HEAVY = 0.5;
const LEAST_GAIN = 1.8;

interface Seen {
  readonly items: number;
  readonly tokens: number;
}

const store = await openSqliteStore({ dataDir: temporaryFolder(DISK) });
const settings = { store, background: "off" } as const;
const stubbing = await open({ ...settings, config: { stubLargeToolPayloads: true } });
const plain = await open({ ...settings, config: { stubLargeToolPayloads: false } });
const rows: string[][] = [];
for (const session of sessionsIn(positionals[0] ?? SESSIONS_FOLDER)) {
  const conversation = (await importSession(stubbing, session))?.conversation ?? null;
  if (conversation !== null) rows.push(await compare(session.name, conversation));
}
printTable(
  ["session", "messages", "tokens", "heavy share", "items plain", "items stubbed", "gain", "limit"],
  rows,
);
await stubbing.close();
finish();

async function compare(name: string, id: string): Promise<string[]> {
  const { contextItems, contextTokens, contextStubTokens } = await stubbing.context.conversations.get(id);
  let [before, after] = [0, 0];
  for (let budget = SMALLEST_BUDGET; budget <= contextTokens / 3; budget += STEP) {
    before += (await seen(plain, id, budget)).items;
    after += (await seen(stubbing, id, budget)).items;
  }
  const heavy = 1 - contextStubTokens / contextTokens;
  const gain = after / before;
  const limit = before === 0 || heavy < HEAVY ? "" : checkLimit(gain, { atLeast: LEAST_GAIN });
  const shown = before === 0 ? "too short" : figure(gain);
  return [
    ...[name, figure(contextItems), figure(contextTokens), figure(heavy)],
    ...[figure(before), figure(after), shown, limit],
  ];
}

async function seen(engine: Engine, conversation: string, budget: number): Promise<Seen> {
  const { items, tokens } = await engine.context.assemble({ conversation, budget });
  if (tokens > budget) throw new Error(`${tokens} tokens are more than ${budget}`);
  return { items: items.length, tokens };
}
