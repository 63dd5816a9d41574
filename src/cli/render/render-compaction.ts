/** A compaction for people: one line for each pass as it is done, and what came of all of them. */
import type { CompactStep, compact } from "../../operations/compact.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import { adviceForTerminals } from "../../text/hints/advice-for-terminals.ts";
import { count, counted, seconds } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { fitWidth, padWidth } from "../display-width.ts";
import { fields } from "../fields.ts";
import type { Look } from "../look.ts";
import type { OutputOf } from "../output-of.ts";
import { table } from "../table.ts";

type Report = OutputOf<typeof compact>;
type Pass = Report["passes"][number];

const TICK_MS = 200;
/** Names and widths of the columns; a pass is written before the next is known, so they are fixed. */
const COLUMNS = [
  { title: "pass", width: 4, align: "right" },
  { title: "kind", width: 9 },
  { title: "depth", width: 5, align: "right" },
  { title: "sources", width: 7, align: "right" },
  { title: "tokens", width: 15, align: "right" },
  { title: "context", width: 8, align: "right" },
  { title: "fidelity", width: 8, align: "right" },
  { title: "time", width: 6, align: "right" },
  { title: "cost", width: 7, align: "right" },
  { title: "made by" },
] as const;

export class PassLines {
  readonly #cli: CommandLine;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #passStartedAt = performance.now();
  #done = 0;
  #cost: number | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(cli: CommandLine, isPlan: boolean) {
    this.#cli = cli;
    if (!isPlan) this.#timer = setInterval(() => this.#showRunning(), TICK_MS).unref();
    cli.signal.addEventListener("abort", () => this.#noteStop(), { once: true });
  }

  get done(): number {
    return this.#done;
  }

  get milliseconds(): number {
    return performance.now() - this.#startedAt;
  }

  add({ number, pass }: CompactStep): void {
    this.#done = number;
    this.#passStartedAt = performance.now();
    if (pass.cost !== null) this.#cost = (this.#cost ?? 0) + pass.cost;
    if (this.#cli.json) return;
    this.#cli.progress.clear();
    const look = this.#cli.look();
    const head = number === 1 ? `${look.style("dim", line(COLUMNS.map(({ title }) => title)))}\n` : "";
    const text = line(cellsOf(number, pass, this.#cost));
    const shown = this.#cli.terminal.isOutputShown ? fitWidth(text, look.columns) : text;
    this.#writing = this.#writing.then(() => this.#cli.terminal.write(`${head}${shown}\n`));
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#cli.progress.clear();
    await this.#writing;
  }

  #showRunning(): void {
    const verb = this.#cli.signal.aborted ? "finishing pass" : "pass";
    const time = seconds(performance.now() - this.#passStartedAt);
    const cost = this.#cost === null ? "" : `, ${dollars(this.#cost)} so far`;
    this.#cli.progress.show(`${verb} ${this.#done + 1} … ${time}${cost}`);
  }

  #noteStop(): void {
    if (this.#cli.json) return;
    this.#cli.progress.clear();
    this.#cli.terminal.note("Finishing the running pass; Ctrl-C again stops at once.");
  }
}

/** `cost` is that of all passes so far. */
function cellsOf(number: number, pass: Pass, cost: number | null): string[] {
  return [
    String(number),
    pass.kind,
    String(pass.depth),
    count(pass.sources),
    `${count(pass.sourceTokens)} → ${count(pass.tokens ?? 0)}`,
    count(pass.contextTokensAfter ?? pass.contextTokensBefore),
    pass.fidelity === null ? "" : percent(pass.fidelity),
    seconds(pass.milliseconds),
    cost === null ? "" : dollars(cost),
    `${pass.quality ?? ""}${pass.model === null ? "" : ` ${oneLine(pass.model)}`}`,
  ];
}

function line(cells: readonly string[]): string {
  return COLUMNS.map((column, index) => {
    const cell = cells[index] ?? "";
    if (!("width" in column)) return cell;
    return "align" in column ? cell.padStart(column.width) : padWidth(cell, column.width);
  })
    .join("  ")
    .trimEnd();
}

function sourcesOf({ kind, sources }: Pass): string {
  return kind === "leaf" ? counted(sources, "message") : counted(sources, "summary", "summaries");
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function dollars(cost: number): string {
  return `$${cost.toFixed(4)}`;
}

export function renderReport(report: Report, milliseconds: number, look: Look): string {
  const { tokensBefore, tokensAfter, itemsBefore, itemsAfter, passes, stopped } = report;
  const warnings = report.warnings.map(
    (warning) => `${look.style("yellow", "⚠")} ${escapeControls(adviceForTerminals(warning))}`,
  );
  if (passes.length === 0)
    return [`Nothing was compacted. ${report.explanation ?? ""}`.trimEnd(), ...warnings].join("\n");
  const saved = percent(1 - tokensAfter / Math.max(1, tokensBefore));
  const leaves = passes.filter(({ kind }) => kind === "leaf").length;
  const kinds = `${counted(leaves, "leaf", "leaves")}, ${counted(passes.length - leaves, "condensed", "condensed")}`;
  return [
    "",
    `${markOf(report, look)} ${count(tokensBefore)} → ${count(tokensAfter)} tokens in the context (${saved} saved), ${count(itemsBefore)} → ${counted(itemsAfter, "item")}`,
    fields(
      [
        ["passes", `${count(passes.length)} (${kinds}) in ${seconds(milliseconds)}`],
        ["made by", makers(report)],
        ["stopped", stopped],
      ],
      look,
    ),
    ...warnings,
  ].join("\n");
}

function markOf({ stopped, warnings }: Report, look: Look): string {
  if (stopped === "cancelled") return look.style("yellow", "■");
  return warnings.length > 0 ? look.style("yellow", "⚠") : look.style("green", "✓");
}

function makers({ passes, calls, cost }: Report): string {
  const numbers = new Map<string, number>();
  for (const { model, quality } of passes) {
    const name = model ?? (quality === "fallback" ? "truncation" : "the offline summariser");
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const names = [...numbers].map(([name, number]) => `${name} (${count(number)})`).join(", ");
  if (calls === 0) return names;
  const price = cost === null ? "the provider tells no cost" : dollars(cost);
  return `${names}; ${counted(calls, "call")}, ${price}`;
}

export function renderPlan(report: Report, look: Look, command: string): string {
  const { passes, tokensBefore } = report;
  if (passes.length === 0) return `Nothing would be compacted. ${report.explanation ?? ""}`.trimEnd();
  const columns = [
    { title: "pass", align: "right" },
    { title: "kind" },
    { title: "depth", align: "right" },
    { title: "from" },
    { title: "tokens", align: "right" },
  ] as const;
  const rows = passes.map((pass, index) => [
    String(index + 1),
    pass.kind,
    String(pass.depth),
    sourcesOf(pass),
    count(pass.sourceTokens),
  ]);
  const tokens = passes.reduce((sum, pass) => sum + pass.sourceTokens, 0);
  return [
    table(columns, rows, look),
    `\n${counted(passes.length, "pass", "passes")} over ${count(tokens)} of the ${count(tokensBefore)} tokens in the context; what can be condensed is seen afterwards.`,
    `Nothing was changed. Do it with: ${command}`,
  ].join("\n");
}
