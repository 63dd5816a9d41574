/**
 * Questions without a model: how many answerable questions get at least one passage of their evidence quoted, and how many
 * unanswerable ones get no passage. Unanswerable are the questions of the next conversation of the set, and nonsense.
 *
 *   node bench/ask.ts --data <folder> [--sets locomo,locomo_adversarial,beam_100k] [--questions 80] [--embedder off]
 */
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { DISK, printTable, temporaryFolder } from "./measure.ts";
import { type Conversation, type Query, readSet } from "./quality/question-set.ts";
import { rememberConversation } from "./quality/remember-conversation.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    sets: { type: "string", default: "locomo,locomo_adversarial,beam_100k" },
    questions: { type: "string", default: "80" },
    embedder: { type: "string", default: "local" },
  },
});
if (options.data === undefined) throw new Error("where are the question sets? --data <folder>");

const NONSENSE = [
  "quantum banana zyzzyva",
  "purple flibbertigibbet of the seventh moon",
  "How many wombats juggle the astrolabe?",
  "Why does the kraken prefer velociraptor soup?",
  "blorptastic frimble snark decide",
  "Which gargoyle won the trapeze championship in Ulaanbaatar?",
];

const KINDS = ["answerable", "foreign", "nonsense"] as const;
type Outcomes = Readonly<Record<(typeof KINDS)[number], boolean[]>>;

async function measure(
  engine: Engine,
  conversation: Conversation,
  foreign: readonly Query[],
  outcomes: Outcomes,
): Promise<void> {
  const { documents } = await rememberConversation(engine, conversation);
  const quotedFor = async (prompt: string) =>
    (await engine.ask({ prompt })).citations.map(({ id }) => documents.get(id) ?? "");
  for (const { q, ev } of asked(conversation))
    outcomes.answerable.push((await quotedFor(q)).some((id) => ev.includes(id)));
  for (const { q } of foreign) outcomes.foreign.push((await quotedFor(q)).length === 0);
  for (const q of NONSENSE) outcomes.nonsense.push((await quotedFor(q)).length === 0);
}

function asked({ queries }: Conversation): readonly Query[] {
  return queries.filter(({ ev }) => ev.length > 0).slice(0, Number(options.questions));
}

const rows: string[][] = [];
for (const set of options.sets.split(",")) {
  const outcomes: Outcomes = { answerable: [], foreign: [], nonsense: [] };
  const conversations = readSet(options.data, set);
  for (const [place, conversation] of conversations.entries()) {
    const next = conversations[(place + 1) % conversations.length] ?? conversation;
    const engine = await open({
      store: temporaryFolder(DISK),
      background: "off",
      config: {
        ...{ tenant: conversation.id, agent: "reader", embeddingModel: options.embedder },
        ...{ autoCapture: false, autoRecall: false, logLevel: "error" },
      },
    });
    await measure(engine, conversation, asked(next), outcomes);
    await engine.close();
  }
  const shareOf = (all: readonly boolean[]) => (all.filter(Boolean).length / all.length).toFixed(3);
  rows.push([set, ...KINDS.flatMap((kind) => [`${outcomes[kind].length}`, shareOf(outcomes[kind])])]);
}
printTable(["set", "answerable", "evidence quoted", "foreign", "none", "nonsense", "none"], rows);
