/**
 * How much survives a summary without a model. A conversation is cut into chunks of about 20,000 tokens, each chunk
 * becomes a leaf summary, the leaves become a condensed summary. Counted is what can still be read: the planted facts
 * of our example, the needles of real transcripts; against a text of the same size that keeps the beginning and the end.
 *
 *   node bench/summary-quality.ts [folder with transcripts and needles.jsonl] [--show]
 *
 * `--show` prints the summaries of the example.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { FACTS } from "../examples/conversation/facts.ts";
import { checkFidelity } from "../src/context/compact/check-fidelity.ts";
import type { SourceMessage } from "../src/context/compact/source.ts";
import {
  renderNode,
  type SummaryNode,
  summariseNode,
  summaryLevels,
} from "../src/context/compact/testing/summary-levels.ts";
import { type Engine, estimateTokens, isPalimpsestError, open } from "../src/index.ts";
import { DISK, figure, median, printTable, temporaryFolder } from "./measure.ts";

const EXAMPLE = "examples/conversation/observatory.jsonl";
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: "boolean", default: false } },
});

interface Figures {
  readonly score: number;
  readonly baselineScore: number;
  readonly invented: number;
  /** Tokens in for one token out. */
  readonly ratio: number;
  /** Milliseconds for 20,000 tokens of source: summarising, and checking. */
  readonly summariseMs: number;
  readonly checkMs: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const middle = (values: readonly number[]) => (values.length === 0 ? 0 : median(values));
const mean = (values: readonly number[]) => sum(values) / Math.max(1, values.length);

function measureNodes(nodes: readonly SummaryNode[]): Figures {
  const checks = nodes.map(({ source, text, baseline }) => {
    const full = renderNode(source);
    return { full, own: checkFidelity(full, text), baseline: checkFidelity(full, baseline) };
  });
  // Small leftovers say nothing about speed.
  const large = nodes
    .map((node, i) => ({ ...node, full: checks[i]?.full ?? "" }))
    .filter(({ sourceTokens }) => sourceTokens > 5_000);
  const per20k = (tokens: number, run: () => unknown) => (quickest(run) * 20_000) / tokens;
  return {
    score: mean(checks.map(({ own }) => own.score)),
    baselineScore: mean(checks.map(({ baseline }) => baseline.score)),
    invented: sum(checks.map(({ own }) => own.invented.length)),
    ratio:
      sum(nodes.map(({ sourceTokens }) => sourceTokens)) / sum(nodes.map(({ text }) => estimateTokens(text))),
    summariseMs: middle(
      large.map((node) => per20k(node.sourceTokens, () => summariseNode(node.source, node.targetTokens))),
    ),
    checkMs: middle(
      large.map((node) => per20k(node.sourceTokens, () => checkFidelity(node.full, node.text))),
    ),
  };
}

/** The best of a few runs: what the code costs, not what else the machine does. */
function quickest(run: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

async function messagesOf(engine: Engine, file: string): Promise<SourceMessage[] | undefined> {
  try {
    const { conversation } = await engine.context.conversations.import(file);
    if (conversation === null) return undefined;
    const messages: SourceMessage[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const page: Awaited<ReturnType<Engine["context"]["read"]>> = await engine.context.read({
        conversation,
        from,
      });
      messages.push(...page.messages.filter(({ excluded }) => excluded === null));
      from = page.next;
    }
    return messages;
  } catch (error) {
    if (isPalimpsestError(error, "not-supported")) return undefined;
    throw error;
  }
}

/** Emphasis and line ends aside, as a reader would compare. */
const plain = (text: string) => text.replace(/\*\*|`/g, "").replace(/\s+/g, " ");
const countIn = (texts: readonly string[], wanted: readonly string[]) => {
  const all = plain(texts.join("\n"));
  return wanted.filter((text) => all.includes(plain(text))).length;
};
const textsOf = (nodes: readonly SummaryNode[]) => nodes.map(({ text }) => text);
const baselinesOf = (nodes: readonly SummaryNode[]) => nodes.map(({ baseline }) => baseline);

function factRows(name: string, nodes: readonly SummaryNode[]): string[][] {
  const replaced = new Set(FACTS.flatMap(({ supersedes = [] }) => supersedes));
  const live = FACTS.filter(({ id }) => !replaced.has(id)).map(({ text }) => text);
  const old = FACTS.filter(({ id }) => replaced.has(id)).map(({ text }) => text);
  const counts = (texts: readonly string[]) => [
    `${countIn(texts, live)} of ${live.length}`,
    `${countIn(texts, old)} of ${old.length}`,
  ];
  const figures = measureNodes(nodes);
  const { score, baselineScore, ratio, invented, summariseMs, checkMs } = figures;
  return [
    [
      name,
      ...counts(textsOf(nodes)),
      figure(score),
      figure(ratio),
      `${invented}`,
      figure(summariseMs),
      figure(checkMs),
    ],
    [
      `${name}, beginning and end only`,
      ...counts(baselinesOf(nodes)),
      figure(baselineScore),
      figure(ratio),
      "",
      "",
      "",
    ],
  ];
}

async function sessionRows(engine: Engine, folder: string): Promise<string[][]> {
  const needlesFile = path.join(folder, "needles.jsonl");
  const lines = existsSync(needlesFile) ? readFileSync(needlesFile, "utf8").trim().split("\n") : [];
  const needles = lines.map((line) => JSON.parse(line) as { file: string; needle: string });
  const rows: string[][] = [];
  for (const name of globSync("*/**/*.{json,jsonl}", { cwd: folder }).toSorted()) {
    const messages = await messagesOf(engine, path.join(folder, name));
    if (messages === undefined) continue;
    const { leaves, condensed } = summaryLevels(messages);
    const wanted = needles.filter(({ file }) => file === name).map(({ needle }) => needle);
    const found = (nodes: readonly SummaryNode[]) =>
      `${countIn(textsOf(nodes), wanted)} / ${countIn(baselinesOf(nodes), wanted)}`;
    const [leaf, node] = [measureNodes(leaves), measureNodes(condensed)];
    const scores = ({ score, baselineScore }: Figures) => `${figure(score)} / ${figure(baselineScore)}`;
    rows.push([
      path.basename(name),
      `${leaves.length}`,
      figure(leaf.ratio),
      scores(leaf),
      scores(node),
      `${leaf.invented + node.invented}`,
    ]);
    rows
      .at(-1)
      ?.push(
        `${wanted.length}`,
        found(leaves),
        found(condensed),
        figure(leaf.summariseMs),
        figure(leaf.checkMs),
      );
  }
  return rows;
}

const engine = await open({ store: temporaryFolder(DISK) });
const example = summaryLevels((await messagesOf(engine, EXAMPLE)) ?? []);
if (flags.show)
  for (const { text } of [...example.leaves, ...example.condensed])
    console.log(`${text}\n\n${"─".repeat(60)}\n`);
printTable(
  ["observatory", "facts", "taken back", "fidelity", "ratio", "invented", "ms", "check ms"],
  [...factRows("leaves", example.leaves), ...factRows("condensed", example.condensed)],
);
const [folder] = positionals;
if (folder !== undefined) {
  const rows = await sessionRows(engine, folder);
  console.log("\nsummary / beginning and end only");
  printTable(
    [
      "session",
      "leaves",
      "ratio",
      "fidelity",
      "condensed",
      "invented",
      "needles",
      "in leaves",
      "condensed",
      "ms",
      "check ms",
    ],
    rows,
  );
}
await engine.close();
