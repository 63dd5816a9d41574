/** Messages of twenty sessions, indexed, for benchmarks of one more session in the same store. */
import { open } from "../src/engine.ts";

const WORDS = "river station gauge deploy service port review branch cache shard token cursor batch".split(
  " ",
);
const AT_ONCE = 500;

export async function addOtherSessions(store: string, messages: number): Promise<void> {
  if (messages === 0) return;
  const engine = await open({ store, config: { logLevel: "silent" } });
  for (let from = 0; from < messages; from += AT_ONCE)
    await engine.context.commitTurn({
      conversation: { sessionId: `other-${from % 20}` },
      key: `turn-${from}`,
      messages: Array.from({ length: Math.min(AT_ONCE, messages - from) }, (_, i) => ({
        role: i % 2 === 0 ? "user" : "assistant",
        content: textAt(from + i),
      })),
    });
  await engine.background?.run();
  await engine.close();
}

function textAt(at: number): string {
  const word = (i: number) => `${WORDS[(at * 7 + i * i) % WORDS.length]}${(at * 31 + i) % 977}`;
  return Array.from({ length: 60 }, (_, i) => word(i)).join(" ");
}
