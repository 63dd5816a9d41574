/** Says so much in a conversation that what was said before is old. */
import type { Engine } from "../../src/index.ts";

export async function growOld(engine: Engine, conversation: string): Promise<void> {
  for (let turn = 1; turn <= 4; turn++)
    await engine.context.commitTurn({
      conversation,
      key: `later${turn}`,
      messages: [{ role: "user", content: `later ${turn} ${"and on. ".repeat(1_000)}` }],
    });
}
