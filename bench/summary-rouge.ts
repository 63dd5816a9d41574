/**
 * Summaries without a model, against those that models wrote at real compactions. The messages that such a summary
 * replaced are summarised in as many tokens as it has: in chunks, and the summaries of these condensed to the size. Both
 * are compared word by word (ROUGE-1, -2 and -L), and by the identifiers, paths and numbers of the model's summary
 * that ours has too. Beside it: the beginning and the end of the same messages, LexRank over what people and agent
 * said, and the summariser of another checkout.
 *
 *   node bench/summary-rouge.ts [folder with transcripts] [--baseline <folder of another checkout>] [--show]
 *
 * One summary is held out: rules and numbers are chosen without looking at it. `--show` prints our summaries.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { literalAnchors } from "../src/context/compact/anchors.ts";
import { mentionedIn } from "../src/context/compact/mentioned-in.ts";
import * as OWN from "../src/context/compact/testing/summary-levels.ts";
import { estimateTokens } from "../src/index.ts";
import { splitSentences } from "../src/text/language/split-sentences.ts";
import { checkLimit, figure, finish, printTable } from "./measure.ts";
import { SESSIONS_FOLDER, sessionsIn } from "./real-sessions.ts";
import { type HostSummary, hostSummaries } from "./rouge/host-summaries.ts";
import { lexRank } from "./rouge/lexrank.ts";
import { checkRouge, rougeL, rougeN } from "./rouge/rouge.ts";

/** Counted from 1, in the order of the names of the files. */
const HELD_OUT = 5;
const MORE_THAN_EQUAL = { atLeast: 1 };
const ROUGE_2_LIMIT = { atLeast: 1.3 };
const ANCHORS = new Set(["identifier", "path", "number"]);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { baseline: { type: "string" }, show: { type: "boolean", default: false } },
});

type Levels = Pick<typeof OWN, "summaryLevels" | "summariseNode">;
type Summarise = (reference: HostSummary, tokens: number) => string;

/** Each figure with its name, in the order of the columns. */
const FIGURES = ["R-1", "R-2", "R-L", "R-1 recall", "R-2 recall", "R-L recall", "anchors"] as const;

function measure(text: string, reference: string): number[] {
  const overlaps = [rougeN(text, reference, 1), rougeN(text, reference, 2), rougeL(text, reference)];
  const wanted = literalAnchors(reference).filter(({ kind }) => ANCHORS.has(kind));
  const keys = new Map(wanted.map((one) => [`${one.kind} ${one.key}`, one]));
  const isMentioned = mentionedIn(text);
  const found = [...keys.values()].filter(isMentioned).length;
  return [
    ...overlaps.map(({ f1 }) => f1),
    ...overlaps.map(({ recall }) => recall),
    found / Math.max(1, keys.size),
  ];
}

/** Leaves, condensed as often as the number of leaves demands; the last step writes as much as is wanted. */
function summariseBy({ summaryLevels, summariseNode }: Levels): Summarise {
  return ({ messages }, tokens) => {
    const { condensed } = summaryLevels([...messages]);
    const [only] = condensed;
    if (only === undefined) return "";
    if (condensed.length === 1) return summariseNode(only.source, tokens);
    const summaries = condensed.map((node, i) => {
      const inside = node.source.kind === "condensed" ? node.source.summaries : [];
      const [earliestAt, latestAt] = [inside.at(0)?.earliestAt ?? "", inside.at(-1)?.latestAt ?? ""];
      return {
        id: `${i}`,
        depth: 1,
        earliestAt,
        latestAt,
        tokenCount: estimateTokens(node.text),
        text: node.text,
      };
    });
    return summariseNode({ kind: "condensed", depth: 2, summaries }, tokens);
  };
}

const truncate: Summarise = ({ messages }, tokens) =>
  OWN.headAndTail(OWN.renderNode({ kind: "leaf", messages }), tokens);

const byLexRank: Summarise = ({ messages }, tokens) => {
  const said = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "text" && part.synthetic !== true ? splitSentences(part.text) : [],
    ),
  );
  return lexRank(said, tokens);
};

async function baselineIn(folder: string): Promise<Summarise> {
  const file = path.resolve(folder, "src/context/compact/testing/summary-levels.ts");
  if (!existsSync(file)) throw new Error(`${file} does not exist: name the folder of a checkout`);
  const levels: Levels = await import(pathToFileURL(file).href);
  return summariseBy(levels);
}

const meanOf = (rows: readonly (readonly number[])[]) =>
  FIGURES.map((_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / Math.max(1, rows.length));
const cells = (values: readonly number[]) => values.map((value) => value.toFixed(3));

checkRouge();
const references = await hostSummaries(sessionsIn(positionals[0] ?? SESSIONS_FOLDER));
const methods: readonly (readonly [string, Summarise])[] = [
  ["ours", summariseBy(OWN)],
  ["beginning and end", truncate],
  ["LexRank", byLexRank],
  ...(options.baseline === undefined ? [] : [["baseline", await baselineIn(options.baseline)] as const]),
];
const results = references.map((reference, i) => {
  const tokens = estimateTokens(reference.text);
  const figures = methods.map(([name, summarise]) => {
    const text = summarise(reference, tokens);
    if (options.show && name === "ours") console.log(`═ ${i + 1}\n${text}\n`);
    return measure(text, reference.text);
  });
  return { reference, tokens, figures, isHeldOut: i + 1 === HELD_OUT };
});

const header = ["summary", "tokens", "by", ...FIGURES];
const shown = methods.map(([name]) => name);
printTable(
  header,
  results.flatMap(({ reference, tokens, figures, isHeldOut }, i) =>
    figures.map((values, method) => [
      method > 0
        ? ""
        : `${i + 1} ${path.basename(reference.session, ".jsonl")} ${reference.place}${isHeldOut ? " (held out)" : ""}`,
      method > 0 ? "" : figure(tokens),
      shown[method] ?? "",
      ...cells(values),
    ]),
  ),
);
const chosen = results.filter(({ isHeldOut }) => !isHeldOut);
const means = methods.map((_, method) => meanOf(chosen.map(({ figures }) => figures[method] ?? [])));
console.log(`\nmean of ${chosen.length}, without the one held out`);
printTable(
  ["by", ...FIGURES],
  means.map((mean, method) => [shown[method] ?? "", ...cells(mean)]),
);

console.log("\nours as a multiple of the others, at least");
const [own = [], ...others] = means;
printTable(
  ["by", ...FIGURES],
  others.map((mean, method) => [
    shown[method + 1] ?? "",
    ...mean.map((value, i) => {
      const ratio = (own[i] ?? 0) / value;
      const isRouge2 = shown[method + 1] === "baseline" && FIGURES[i] === "R-2";
      return `${ratio.toFixed(2)} ${checkLimit(ratio, isRouge2 ? ROUGE_2_LIMIT : MORE_THAN_EQUAL)}`;
    }),
  ]),
);
finish();
