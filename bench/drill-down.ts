/** Everything that can be reached from items of the context: messages as they are, summaries by expanding them. */
import { requireMessage } from "../src/context/read/read-messages.ts";
import { internalsOf } from "../src/engine.ts";
import type { Engine, Message } from "../src/index.ts";

export interface Reached {
  readonly messages: readonly Message[];
  /** Calls to `expand` and `readMessage` that it took. */
  readonly calls: number;
}

/** Goes through the pages of each summary, as an agent would. `ids` are `msg_…` and `sum_…`. */
export async function drillDown(engine: Engine, ids: readonly string[]): Promise<Reached> {
  const messages: Message[] = [];
  let calls = 0;
  for (const id of ids) {
    if (id.startsWith("msg_")) {
      calls++;
      messages.push(await requireMessage(internalsOf(engine).conversations, id));
      continue;
    }
    for (let from: number | null = 1; from !== null; calls++) {
      const page: Awaited<ReturnType<Engine["context"]["expand"]>> = await engine.context.expand({
        summary: id,
        from,
      });
      if (page.next !== null && page.next <= from) throw new Error(`expanding ${id} does not go on`);
      messages.push(...page.messages);
      from = page.next;
    }
  }
  return { messages, calls };
}
