/** Answers the views of one conversation from the data of an exported file. */
import type { Client, OutputOf } from "../../src/http/client.ts";
import type { ContextOutput, Item } from "./context-view.ts";

export interface Exported {
  readonly exportedAt: string;
  readonly withoutToolResults: boolean;
  readonly messages: OutputOf<"read">["messages"];
  readonly tree: OutputOf<"tree">;
  readonly turns: OutputOf<"turns">;
  /** Now, and then before each turn. */
  readonly views: readonly ContextOutput[];
  readonly summaries: readonly OutputOf<"describe">[];
}

export function exportedClient(exported: Exported): Client {
  const answers: Readonly<Record<string, (input: Input) => unknown>> = {
    tree: () => exported.tree,
    turns: () => exported.turns,
    read: ({ from = 1, to = from }) => ({
      conversation: exported.tree.conversation,
      messages: exported.messages.slice(Number(from) - 1, Number(to)),
    }),
    context: ({ at }) => viewAt(exported, at),
    diff: ({ from, to }) => diffOf(viewAt(exported, from), viewAt(exported, to)),
    describe: ({ id }) => exported.summaries.find((one) => one.type === "summary" && one.summary.id === id),
  };
  const look = async (name: string, input: unknown) => {
    const found = answers[name]?.(Object(input));
    if (found === undefined) throw new Error("this is not in the exported file");
    return JSON.parse(JSON.stringify(found));
  };
  const refuse = () => {
    throw new Error("an exported file has no server");
  };
  return { look, call: look, pages: refuse, stream: refuse, changes: refuse };
}

interface Input {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly at?: unknown;
  readonly id?: unknown;
}

function viewAt({ views }: Exported, at: unknown): ContextOutput | undefined {
  return views.find(({ turn }) => (turn?.firstSeq ?? undefined) === at);
}

function diffOf(from: ContextOutput | undefined, to: ContextOutput | undefined) {
  if (from === undefined || to === undefined) return undefined;
  const [before, after] = [new Set(from.items.map(({ id }) => id)), new Set(to.items.map(({ id }) => id))];
  const added = to.items.filter(({ id }) => !before.has(id));
  const other = from.items.findIndex(({ id }, index) => id !== to.items[index]?.id);
  const side = ({ items, tokens, turn }: ContextOutput) => ({ turn, tokens, items: items.length });
  return {
    ...{ from: side(from), to: side(to), added },
    removed: from.items.filter(({ id }: Item) => !after.has(id)),
    kept: to.items.length - added.length,
    samePrefix: other === -1 ? from.items.length : other,
  };
}
