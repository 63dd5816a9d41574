/** The summaries of a conversation as a tree: the items of the context, in order, and below them their sources. */
import { count, counted } from "../text/counted.ts";
import { oneLine } from "../text/escape-controls.ts";
import type { Look } from "../text/terminal/look.ts";
import { displayWidth, fitWidth, padWidth, table } from "../text/terminal/table.ts";
import { percent } from "./compact-page.ts";
import type { SummaryFacts } from "./retrieve/summary-schema.ts";
import type { TreeOutput } from "./tree.ts";

type Run = Extract<TreeOutput["context"][number], { type: "messages" }>;

const GAP = 2;

/** One line: its branches, and a summary with its facts or a text. */
interface Line {
  readonly branches: string;
  readonly name: string;
  readonly summary: SummaryFacts | null;
}

export function renderTree(output: TreeOutput, levels: number, look: Look): string {
  const drawing = new Drawing(output.summaries, levels);
  drawing.addContext(output.context);
  const inContext = drawing.lines.length;
  drawing.addOutside();
  const drawn = layOut(drawing.lines, look);
  const outside = drawn.slice(inContext + 1);
  return [
    ...heading(output, look),
    ...(output.summaries.length === 0 ? [] : drawn.slice(0, 1)),
    ...drawn.slice(1, inContext + 1),
    ...(outside.length === 0 ? [] : ["", look.style("dim", "no longer in the context:"), ...outside]),
  ].join("\n");
}

function heading({ conversation, summaries, erased: countedErased }: TreeOutput, look: Look): string[] {
  const erased = countedErased ?? { messages: 0, tokens: 0 };
  const { id, title, contextTokens, contextItems, tokenCount, messageCount } = conversation;
  const levels = 1 + Math.max(0, ...summaries.map(({ depth }) => depth));
  const onLevels = levels === 1 ? "" : ` on ${counted(levels, "level")}`;
  const gone = erased.messages === 0 ? "" : ` (${count(erased.messages)} erased)`;
  return [
    `${look.style("bold", id)}  ${fitWidth(oneLine(title ?? conversation.sessionId), look.columns - id.length - GAP)}`,
    `${counted(contextTokens, "token")} in the context (${counted(contextItems, "item")})`,
    `${counted(tokenCount - erased.tokens, "token")} in ${counted(messageCount, "message")}${gone} · ${counted(summaries.length, "summary", "summaries")}${onLevels}`,
    "",
  ];
}

class Drawing {
  readonly lines: Line[] = [];
  readonly #summaries: ReadonlyMap<string, SummaryFacts>;
  readonly #levels: number;
  readonly #drawn = new Set<string>();

  constructor(summaries: readonly SummaryFacts[], levels: number) {
    this.#summaries = new Map(summaries.map((summary) => [summary.id, summary]));
    this.#levels = levels;
  }

  addContext(places: TreeOutput["context"]): void {
    for (const [index, place] of places.entries()) {
      const isLast = index === places.length - 1;
      if (place.type === "summary") this.#addSummary(place.id, "", isLast, 1);
      else this.lines.push({ branches: isLast ? "└─ " : "├─ ", name: describeRun(place), summary: null });
    }
  }

  /** Adds stored summaries that are not below a context item, such as after an erasure. */
  addOutside(): void {
    const reached = this.#withAllBelow([...this.#drawn]);
    const left = [...this.#summaries.values()].filter(({ id }) => !reached.has(id));
    const below = new Set(left.flatMap(({ sources }) => sources));
    const roots = left.map(({ id }) => id).filter((id) => !below.has(id));
    this.#addAll(roots, "", 1);
  }

  #addAll(ids: readonly string[], indent: string, level: number): void {
    for (const [index, id] of ids.entries()) this.#addSummary(id, indent, index === ids.length - 1, level);
  }

  #addSummary(id: string, indent: string, isLast: boolean, level: number): void {
    const summary = this.#summaries.get(id);
    const branches = `${indent}${isLast ? "└─ " : "├─ "}`;
    if (summary === undefined || this.#drawn.has(id)) {
      this.lines.push({ branches, name: `${id} (${summary ? "shown above" : "missing"})`, summary: null });
      return;
    }
    this.#drawn.add(id);
    this.lines.push({ branches, name: id, summary });
    const inner = `${indent}${isLast ? "   " : "│  "}`;
    const { sources } = summary;
    if (level < this.#levels) this.#addAll(sources, inner, level + 1);
    else if (sources.length > 0)
      this.lines.push({
        branches: `${inner}└─ `,
        name: `… ${counted(sources.length, "summary", "summaries")} below`,
        summary: null,
      });
  }

  #withAllBelow(ids: readonly string[]): ReadonlySet<string> {
    const found = new Set(ids);
    // A set also iterates over items that are added during the iteration.
    for (const id of found) for (const source of this.#summaries.get(id)?.sources ?? []) found.add(source);
    return found;
  }
}

function describeRun({ firstSeq, lastSeq, messages, tokens, fresh, kept }: Run): string {
  const why = kept === null ? "" : ` (${kept}${messages === 1 ? "" : "s"})`;
  const place = fresh ? "in the fresh tail" : `not summarised${why}`;
  if (messages === 1) return `message ${firstSeq}, ${place}, ${counted(tokens, "token")}`;
  return `messages ${firstSeq}–${lastSeq}, ${count(messages)} ${place}, ${counted(tokens, "token")}`;
}

/** The heading and the lines. Branches are aligned here, because a table collapses spaces. */
function layOut(lines: readonly Line[], look: Look): string[] {
  const named = lines.filter(({ summary }) => summary !== null);
  const width = Math.max(7, ...named.map(({ branches, name }) => displayWidth(branches + name)));
  const facts = factTable(
    named.flatMap(({ summary }) => summary ?? []),
    { ...look, columns: look.columns - width - GAP },
  );
  const [head = "", ...rows] = facts.split("\n");
  return [
    `${look.style("dim", padWidth("summary", width + GAP))}${head}`,
    ...lines.map(({ branches, name, summary }) => {
      const start = look.style("dim", branches);
      if (summary === null) return start + look.style("dim", name);
      const pad = " ".repeat(width - displayWidth(branches + name) + GAP);
      return `${start}${styled(summary, name, look)}${pad}${rows.shift() ?? ""}`;
    }),
  ];
}

function styled({ erased, kind }: SummaryFacts, name: string, look: Look): string {
  if (erased) return look.style("yellow", name);
  return kind === "condensed" ? look.style("bold", name) : name;
}

function factTable(summaries: readonly SummaryFacts[], look: Look): string {
  const columns = [
    { title: "depth", align: "right" },
    { title: "tokens", align: "right" },
    { title: "source", align: "right", optional: true },
    { title: "messages" },
    { title: "dates", optional: true },
    { title: "fidelity, maker", flexible: true },
  ] as const;
  const rows = summaries.map((summary) => [
    String(summary.depth),
    count(summary.tokens),
    count(summary.sourceTokens),
    summary.firstSeq === summary.lastSeq ? `${summary.firstSeq}` : `${summary.firstSeq}–${summary.lastSeq}`,
    period(look.time(summary.earliestAt), look.time(summary.latestAt)),
    maker(summary),
  ]);
  return table(columns, rows, look);
}

/** `2026-03-01`, or `2026-03-01–03-10`, with the year where it changed. */
function period(from: string, to: string): string {
  const [day = ""] = from.split(" ");
  const [lastDay = ""] = to.split(" ");
  if (day === lastDay) return day;
  return `${day}–${day.slice(0, 4) === lastDay.slice(0, 4) ? lastDay.slice(5) : lastDay}`;
}

/** `83% extractive`, for a column. */
function maker({ fidelity, quality, model, erased }: SummaryFacts): string {
  if (erased) return "erased";
  const score = fidelity === null ? "" : `${percent(fidelity)} `;
  return `${score}${quality}${model === null ? "" : ` ${model}`}`;
}

/** `fidelity 83%, offline summariser`. */
export function origin({ fidelity, quality, model, erased }: SummaryFacts): string {
  if (erased) return "erased";
  const score = fidelity === null ? "" : `fidelity ${percent(fidelity)}, `;
  if (model !== null) return `${score}${model}${quality === "normal" ? "" : ` (${quality})`}`;
  return score + (quality === "extractive" ? "offline summariser" : quality);
}
