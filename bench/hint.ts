/**
 * The hint beside a prompt in a store with many messages of other sessions, as the running server returns it: after each
 * prompt the transcript grows, and is imported. CPU time is of the whole process, with its workers.
 *
 *   node scripts/with-node.mjs bench/hint.ts [--messages 100000] [--rounds 100]
 */
import { appendFileSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import { HookRunner } from "../src/hooks/index.ts";
import { SILENT } from "../src/log.ts";
import { temporaryFolder } from "../test/temporary-store.ts";
import { figure, printTable, quantile } from "./measure.ts";
import { addOtherSessions } from "./other-sessions.ts";

const { values: options } = parseArgs({
  options: { messages: { type: "string", default: "100000" }, rounds: { type: "string", default: "100" } },
});
/** Prompts that share nothing with other sessions, common words, and rare ones. */
const PROMPTS: Readonly<Record<string, (round: number) => string>> = {
  nothing: (round) => `Which gate did we mean in turn ${round}?`,
  common: (round) => `Please deploy the service of river station${round % 977} and review the branch`,
  long: (round) =>
    Array.from({ length: 40 }, (_, i) => `shard${(round * 31 + i * 7) % 977} of cache${(i * 13) % 977}`).join(
      ", then ",
    ),
};
const SESSION = "0f8b6c1e-1111-4222-8333-444455556666";

const folder = temporaryFolder();
const store = path.join(folder, "data");
const transcript = path.join(folder, `${SESSION}.jsonl`);
await addOtherSessions(store, Number(options.messages));
const engine = await open({ store, config: { logLevel: "silent" } });
const runner = new HookRunner(async () => engine, SILENT);
await runner.warmUp();
const times = new Map(Object.keys(PROMPTS).map((name) => [name, [] as { wall: number; cpu: number }[]]));
for (let round = 0; round < Number(options.rounds); round++)
  for (const [name, promptAt] of Object.entries(PROMPTS)) times.get(name)?.push(await ask(promptAt(round)));
printTable(
  ["prompt", "p50 ms", "p95 ms", "CPU p50 ms", "CPU p95 ms"],
  [...times].map(([name, all]) => [
    name,
    ...[all.map(({ wall }) => wall), all.map(({ cpu }) => cpu)].flatMap((values) => [
      figure(quantile(values, 0.5)),
      figure(quantile(values, 0.95)),
    ]),
  ]),
);
await engine.close();
rmSync(folder, { recursive: true, force: true });

async function ask(prompt: string): Promise<{ wall: number; cpu: number }> {
  const event = { hook_event_name: "UserPromptSubmit", session_id: SESSION, transcript_path: transcript };
  const [from, before] = [performance.now(), process.cpuUsage()];
  await runner.run("claude-code", { ...event, prompt });
  const { user, system } = process.cpuUsage(before);
  const measured = { wall: performance.now() - from, cpu: (user + system) / 1_000 };
  appendFileSync(transcript, `${JSON.stringify(lineOf(prompt))}\n`);
  await runner.captures.capture(transcript);
  await engine.background?.run();
  return measured;
}

function lineOf(content: string) {
  const uuid = crypto.randomUUID();
  const line = { type: "user", uuid, sessionId: SESSION, parentUuid: null, isSidechain: false };
  return { ...line, timestamp: new Date().toISOString(), message: { role: "user", content } };
}
