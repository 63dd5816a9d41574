/**
 * The time that the plugin for OpenClaw takes per turn: the calls that the host makes in it, of the plugin's own code in this process, with
 * a transcript in memory. The host's own work, such as reading its transcript from disk, is not in it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Bridges } from "../plugins/openclaw/bridges.ts";
import { type SessionView, TurnEngine } from "../plugins/openclaw/context-engine.ts";
import type { HostSdk } from "../plugins/openclaw/types.ts";
import type { VisibleEntry } from "../src/host/openclaw/types.ts";
import { figure, quantile } from "./measure.ts";

const TURNS = 200;
const WARM_UP_TURNS = 10;
const MODEL_MS = 10;
const WINDOW = 64_000;

export async function openclawTurns(dataDir: string, sessionKey: string): Promise<string[]> {
  const transcript: VisibleEntry[] = [];
  const settings = { dataDir, logLevel: "silent", autoCapture: false };
  const failures: string[] = [];
  const bridges = new Bridges({ settings, sdk: hostWith(transcript), warn: (text) => failures.push(text) });
  const views = new Map<string, SessionView>();
  const times: { readonly wallMs: number; readonly threadMs: number }[] = [];
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
    const time = await oneTurn(new TurnEngine(bridges, views, undefined), { transcript, sessionKey, turn });
    if (turn >= WARM_UP_TURNS) times.push(time);
  }
  await bridges.close();
  if (failures.length > 0) throw new Error(failures.join("\n"));
  const walls = times.map(({ wallMs }) => wallMs);
  const threads = times.map(({ threadMs }) => threadMs);
  return [
    String(TURNS),
    ...[walls, threads].flatMap((all) => [figure(quantile(all, 0.5)), figure(quantile(all, 0.95))]),
  ];
}

interface Turn {
  readonly transcript: VisibleEntry[];
  readonly sessionKey: string;
  readonly turn: number;
}

async function oneTurn(engine: TurnEngine, { transcript, sessionKey, turn }: Turn) {
  const session = { sessionId: "bench", sessionKey };
  const settings = { runtimeSettings: { limits: { promptTokenBudget: WINDOW } } };
  const assemble = (tokenBudget: number) =>
    engine.assemble({ ...session, ...settings, messages: [], tokenBudget, prompt: `What of gauge ${turn}?` });
  const words = [`What of gauge ${turn}?`, `It reads ${1_000 + (turn % 53)} millibar.`];
  let [wallMs, threadMs] = [0, 0];
  const timed = async (run: () => Promise<unknown>) => {
    const [before, started] = [process.threadCpuUsage(), performance.now()];
    await run();
    wallMs += performance.now() - started;
    const { user, system } = process.threadCpuUsage(before);
    threadMs += (user + system) / 1_000;
  };
  await timed(() => engine.bootstrap(session));
  await timed(() => assemble(41_000));
  await pause(MODEL_MS);
  await timed(() => assemble(WINDOW - 200));
  const said = words.map((content, i) => ({
    entryId: `entry-${turn}-${i}`,
    message: {
      role: i === 0 ? "user" : "assistant",
      content,
      timestamp: 1_790_000_000_000 + turn * 1_000 + i,
    },
  }));
  transcript.push(...said);
  const [admission, terminal] = [{ entryId: `entry-${turn}-0` }, { entryId: `entry-${turn}-1` }];
  const messages = said.map(({ message }) => message);
  await timed(() =>
    engine.commitTurn({ ...session, advancementKey: `turn-${turn}`, admission, terminal, messages }),
  );
  return { wallMs, threadMs };
}

/** Cursors are positions in the transcript. */
function hostWith(transcript: readonly VisibleEntry[]): HostSdk {
  const after = (cursor: string | undefined) => {
    const page = { kind: "page", cursor: String(transcript.length), hasMore: false } as const;
    return { page, entries: transcript.slice(Number(cursor ?? 0)) };
  };
  return {
    buildMemorySystemPromptAddition: () => "",
    readSessionTranscriptVisibleMessageDelta: async ({ cursor }) => {
      const { page, entries } = after(cursor);
      return { ...page, entries };
    },
    readSessionTranscriptRawDelta: async ({ cursor }) => {
      const { page, entries } = after(cursor);
      const events = entries.map(({ entryId: id, message }) => ({ event: { type: "message", id, message } }));
      return { ...page, events };
    },
  };
}
