/** The trace of a recall, for people: the stages, then each memory with the components of its score. */
import { count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { displayWidth, indented, padWidth, table } from "../../text/terminal/table.ts";
import { headOf, sentence } from "./memory-page.ts";
import type { RecallAnswer } from "./recall-schema.ts";

type Recalled = RecallAnswer["memories"][number];
type Stage = RecallAnswer["trace"][number];

export function renderExplanation(output: RecallAnswer, look: Look): string {
  const { memories, mode, searched, notes, trace } = output;
  const total = trace.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const found = `top ${count(memories.length)} of ${count(searched)}`;
  const pieces = [
    `${found} (recallMode: ${mode}), in ${total.toFixed(1)} ms.`,
    notes.map((note) => look.style("yellow", `! ${oneLine(note)}`)).join("\n"),
    stageTable(trace, look),
    ...memories.map((recalled, place) => renderRecalled(recalled, place, trace, look)),
    droppedLines(trace, look),
  ];
  return look.wrap(pieces.filter((piece) => piece !== "").join("\n\n"));
}

function stageTable(trace: readonly Stage[], look: Look): string {
  if (trace.length === 0) return "";
  const rows = trace.map((stage) => [
    stage.stage,
    count(stage.in),
    count(stage.out),
    stage.milliseconds.toFixed(1),
    effectOf(stage),
  ]);
  const columns = [
    { title: "stage" },
    { title: "in", align: "right" as const },
    { title: "out", align: "right" as const },
    { title: "ms", align: "right" as const },
    { title: "effect", flexible: true as const },
  ];
  return table(columns, rows, look);
}

function effectOf({ dropped, changes, note }: Stage): string {
  const moved = changes.filter(isSeen).length;
  const said = [
    ...(moved === 0 ? [] : [`changed ${counted(moved, "score")}`]),
    ...(dropped.length === 0 ? [] : [`dropped ${count(dropped.length)}`]),
    ...(note === null ? [] : [note]),
  ];
  return said.join("; ");
}

function renderRecalled(
  { memory, score, parts }: Recalled,
  place: number,
  trace: readonly Stage[],
  look: Look,
): string {
  const lead = `${place + 1}. ${look.style("bold", score.toFixed(3))}  `;
  const below = [sentence(memory, look), ...partLines(parts, look), ...changeLines(memory.id, trace, look)];
  return `${lead}${headOf(memory, look)}\n${indented(indented(below.join("\n")))}`;
}

const BAR_WIDTH = 20;

/** Shares of one have a bar; factors and sums have none. Components without effect are listed together. */
function partLines(parts: Recalled["parts"], look: Look): string[] {
  const entries = Object.entries(parts).map(([name, value]) => ({ name: oneLine(name), value }));
  const some = entries.filter(({ value }) => isSome(value));
  const none = entries.filter(({ value }) => !isSome(value)).map(({ name }) => name);
  const width = Math.max(0, ...some.map(({ name }) => displayWidth(name)));
  const lines = some.map(
    ({ name, value }) => `${padWidth(name, width)}  ${barOf(value, look)}  ${value.toFixed(3)}`,
  );
  return none.length === 0 ? lines : [...lines, look.style("dim", `nothing from ${none.join(", ")}`)];
}

function isSome(value: number): boolean {
  return Number(value.toFixed(3)) !== 0;
}

function barOf(value: number, look: Look): string {
  if (value < 0 || value > 1) return " ".repeat(BAR_WIDTH);
  const filled = Math.round(value * BAR_WIDTH);
  return look.style("cyan", "█".repeat(filled)) + look.style("dim", "░".repeat(BAR_WIDTH - filled));
}

/** The changes of each stage, in order. */
function changeLines(id: string, trace: readonly Stage[], look: Look): string[] {
  return trace.flatMap(({ stage, changes }) =>
    changes
      .filter((change) => change.id === id && isSeen(change))
      .map(({ from, to, reason }) => {
        const why = reason === null ? "" : ` (${oneLine(reason)})`;
        return look.style("dim", `${oneLine(stage)}: ${from.toFixed(3)} → ${to.toFixed(3)}${why}`);
      }),
  );
}

/** Whether the change is visible in the displayed digits. */
function isSeen({ from, to }: Stage["changes"][number]): boolean {
  return from.toFixed(3) !== to.toFixed(3);
}

const MOST_DROPPED = 5;

function droppedLines(trace: readonly Stage[], look: Look): string {
  const lines = trace
    .filter(({ dropped }) => dropped.length > 0)
    .map(({ stage, dropped }) => {
      const rest = dropped.length - MOST_DROPPED;
      const named = `${dropped.slice(0, MOST_DROPPED).join(", ")}${rest > 0 ? ` and ${count(rest)} more` : ""}`;
      return look.style("dim", `dropped by ${oneLine(stage)}: ${named}`);
    });
  return lines.join("\n");
}
