/** The script of an exported file: the same views with the data in the file. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import type { Client, OutputOf } from "../../src/http/client.ts";
import { ClientContext } from "./api.ts";
import type { ContextOutput, Item } from "./context-view.ts";
import { ConversationPage } from "./conversation-page.tsx";
import { count, time } from "./format.ts";
import { keepOwnAddress } from "./router.tsx";
import "./style.css";

const exported: Exported = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
const { id } = exported.tree.conversation;
const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = isDark ? "dark" : "light";
keepOwnAddress(`/c/${id}`);

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <ClientContext value={exportedClient(exported)}>
        <p className="warning">
          This file contains every word of {count(exported.messages.length)} messages
          {exported.withoutToolResults ? ", without tool results" : ", including tool results"}. Exported{" "}
          {time(exported.exportedAt)}.
        </p>
        <main>
          <ConversationPage id={id} />
        </main>
      </ClientContext>
    </QueryClientProvider>,
  );

/** Answers the views of one conversation from the data of an exported file. */
interface Exported {
  readonly exportedAt: string;
  readonly withoutToolResults: boolean;
  readonly messages: OutputOf<"read">["messages"];
  readonly tree: OutputOf<"tree">;
  readonly turns: OutputOf<"turns">;
  /** The current one, then those before each turn. */
  readonly views: readonly ContextOutput[];
  readonly summaries: readonly OutputOf<"describe">[];
}

function exportedClient(exported: Exported): Client {
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
