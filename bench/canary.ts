/**
 * Thirty facts planted in a long conversation that is then compacted to fit a small budget: how many can still be read
 * word for word in what the model sees, and how many are reached by drilling down from it. All must be. Offline
 * and with a scripted replacement for a model (every tenth sentence).
 *
 *   node bench/canary.ts [--turns 300] [--seed 7] [--budget 32000]
 */
import { parseArgs } from "node:util";
import { type Complete, open, textOfParts } from "../src/index.ts";
import { canaryConversation } from "./canary/conversation.ts";
import { extractingModel } from "./canary/extracting-model.ts";
import { CANARY_FACTS, type CanaryFact } from "./canary/facts.ts";
import { drillDown } from "./drill-down.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import type { Turn } from "./standard-workload.ts";

const ALL = { atLeast: 1 };

const { values: options } = parseArgs({
  options: {
    turns: { type: "string", default: "300" },
    seed: { type: "string", default: "7" },
    budget: { type: "string", default: "32000" },
  },
});
const budget = Number(options.budget);

interface Outcome {
  readonly tokensBefore: number;
  readonly tokens: number;
  readonly leftOut: number;
  readonly summaries: number;
  /** Summaries that are the model's own words. */
  readonly byModel: number;
  readonly visible: ReadonlySet<CanaryFact>;
  readonly reachable: ReadonlySet<CanaryFact>;
  readonly calls: number;
}

async function run(turns: readonly Turn[], complete: Complete | null): Promise<Outcome> {
  const engine = await open({
    store: temporaryFolder(DISK),
    background: "off",
    config: { contextBudget: budget },
    ...(complete === null ? {} : { complete }),
  });
  for (const { key, messages } of turns)
    await engine.context.commitTurn({ conversation: "canary", key, messages });
  const untilUnder = Math.floor(budget * engine.config.compactTarget);
  const { tokensBefore } = await engine.context.compact({ conversation: "canary", untilUnder });
  const answer = await engine.context.assemble({ conversation: "canary", budget });
  const { messages, calls } = await drillDown(
    engine,
    answer.items.map(({ id }) => id),
  );
  const { summaries } = await engine.context.conversations.summaries("canary");
  await engine.close();
  return {
    tokensBefore,
    tokens: answer.tokens,
    leftOut: answer.leftOut,
    summaries: summaries.length,
    byModel: summaries.filter(({ model }) => model !== null).length,
    visible: factsIn(stringsIn(answer.messages)),
    reachable: factsIn(messages.map(({ parts }) => textOfParts(parts))),
    calls,
  };
}

function factsIn(texts: readonly string[]): Set<CanaryFact> {
  const all = texts.join("\n");
  return new Set(CANARY_FACTS.filter(({ text }) => all.includes(text)));
}

/** Every text that a model would read. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const obsolete = new Set(CANARY_FACTS.flatMap(({ supersedes }) => supersedes ?? []));
const isObsolete = ({ text }: CanaryFact) => obsolete.has(text);

function row(name: string, outcome: Outcome): string[] {
  const visible = CANARY_FACTS.filter((fact) => outcome.visible.has(fact));
  const reachable = outcome.reachable.size / CANARY_FACTS.length;
  return [
    name,
    ...[outcome.tokensBefore, outcome.tokens, outcome.leftOut].map(figure),
    `${outcome.byModel} of ${outcome.summaries}`,
    `${visible.filter((fact) => !isObsolete(fact)).length} of ${CANARY_FACTS.length - obsolete.size}`,
    `${visible.filter(isObsolete).length} of ${obsolete.size}`,
    figure(staleIn(outcome).length),
    `${outcome.reachable.size} of ${CANARY_FACTS.length}`,
    figure(outcome.calls),
    figure(outcome.tokens / budget),
    checkLimit(outcome.tokens / budget, { atMost: 1 }),
    figure(reachable),
    checkLimit(reachable, ALL),
  ];
}

/** Facts that are visible while what replaced them is not: these mislead. */
function staleIn({ visible }: Outcome): CanaryFact[] {
  const replacements = CANARY_FACTS.filter((fact) => fact.supersedes !== undefined && !visible.has(fact));
  const unseen = new Set(replacements.map(({ supersedes }) => supersedes));
  return [...visible].filter(({ text }) => unseen.has(text));
}

function kindRow(kind: CanaryFact["kind"], outcomes: readonly Outcome[]): string[] {
  const facts = CANARY_FACTS.filter((fact) => fact.kind === kind);
  const visible = outcomes.map((outcome) => figure(facts.filter((fact) => outcome.visible.has(fact)).length));
  return [kind, figure(facts.length), ...visible];
}

const turns = canaryConversation(Number(options.turns), Number(options.seed));
const modes = [
  ["offline", null],
  ["scripted, every tenth sentence", extractingModel],
] as const;
const outcomes: Outcome[] = [];
for (const [, complete] of modes) outcomes.push(await run(turns, complete));
const count = turns.reduce((sum, { messages }) => sum + messages.length, 0);
console.log(`${turns.length} turns, ${count} messages, seed ${options.seed}, ${figure(budget)} tokens\n`);
printTable(
  [
    "summaries by",
    "tokens said",
    "tokens shown",
    "left out",
    "by the model",
    "visible, in force",
    "visible, replaced",
    "of them alone",
    "reachable",
    "calls",
    "shown / budget",
    "limit",
    "reachable / all",
    "limit",
  ],
  modes.flatMap(([name], index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [row(name, outcome)];
  }),
);
console.log();
printTable(
  ["visible by kind", "facts", ...modes.map(([name]) => name)],
  [...new Set(CANARY_FACTS.map(({ kind }) => kind))].map((kind) => kindRow(kind, outcomes)),
);
for (const [index, [name]] of modes.entries()) {
  const lost = CANARY_FACTS.filter((fact) => outcomes[index]?.reachable.has(fact) !== true);
  const stale = outcomes[index] === undefined ? [] : staleIn(outcomes[index]);
  if (stale.length > 0)
    console.log(`\n${name}: visible without their correction: ${stale.map(({ text }) => text).join(", ")}`);
  if (lost.length > 0) console.log(`\n${name}: not reached: ${lost.map(({ text }) => text).join(", ")}`);
}
finish();
