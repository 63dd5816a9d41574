/** One line for each pass of a compaction, written when the pass is done. */
import type { CompactStep } from "../../operations/compact.ts";
import { dollars, percent } from "../../operations/compact-page.ts";
import { count, seconds } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { fitWidth, padWidth } from "../../text/terminal/table.ts";
import type { CommandLine } from "../command-line.ts";

type Pass = CompactStep["pass"];

const TICK_MS = 200;
/** Names and widths of the columns; a pass is written before the next is known, so they are fixed. */
const COLUMNS = [
  { title: "pass", width: 4, align: "right" },
  { title: "kind", width: 9 },
  { title: "depth", width: 5, align: "right", isWide: true },
  { title: "sources", width: 7, align: "right", isWide: true },
  { title: "tokens", width: 15, align: "right" },
  { title: "context", width: 8, align: "right" },
  { title: "fidelity", width: 8, align: "right" },
  { title: "time", width: 6, align: "right" },
  { title: "cost", width: 7, align: "right", isWide: true },
  { title: "made by" },
] as const;
/** Narrower terminals omit the wide columns; the final report contains the cost. */
const WIDE = 100;

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
    const head =
      number === 1
        ? `${look.style(
            "dim",
            line(
              COLUMNS.map(({ title }) => title),
              look.columns,
            ),
          )}\n`
        : "";
    const text = line(cellsOf(number, pass, this.#cost), look.columns);
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
    this.#cli.terminal.note("Finishing the current pass; press Ctrl-C again to stop immediately.");
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

function line(cells: readonly string[], width: number): string {
  return COLUMNS.flatMap((column, index) => {
    const cell = cells[index] ?? "";
    if (!("width" in column)) return [cell];
    if ("isWide" in column && width < WIDE) return [];
    return ["align" in column ? cell.padStart(column.width) : padWidth(cell, column.width)];
  })
    .join("  ")
    .trimEnd();
}
