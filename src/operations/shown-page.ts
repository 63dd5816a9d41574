/** The context that a model saw or would see: one line for each item, or its full text. */
import { count, counted } from "../text/counted.ts";
import { escapeControls, oneLine } from "../text/escape-controls.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import type { Look } from "../text/terminal/look.ts";
import { table } from "../text/terminal/table.ts";
import type { ContextOutput } from "./context.ts";
import type { ShownItem } from "./shown-schema.ts";

/** Enough text to fill a line. */
const PREVIEW = 400;

const REASONS: Readonly<Record<ShownItem["reason"], string>> = {
  "system message": "system",
  "newest user message": "newest user",
  "first request": "first request",
  "summary of older messages": "older",
  "in the window": "in window",
  "matches the prompt": "matches",
  "stub of an old tool result": "stub",
};

export function itemTable(
  items: readonly ShownItem[],
  look: Look,
  others: readonly (readonly string[])[] = [],
): string {
  const columns = [
    { title: "id" },
    { title: "what" },
    { title: "tokens", align: "right" },
    { title: "why" },
    { title: "text", flexible: true },
  ] as const;
  const rows = items.map((item) => [
    item.id,
    whatIs(item),
    count(item.tokens),
    `${REASONS[item.reason]}${item.cutTo === null ? "" : ", cut"}`,
    item.text.slice(0, PREVIEW) || "(no text)",
  ]);
  return table(columns, [...rows, ...others], look);
}

export function renderContext(output: ContextOutput, isFull: boolean, look: Look): string {
  const head = contextHead(output, look);
  if (output.items.length === 0) return `${head}\n\nThe context is empty.`;
  if (!isFull) return `${head}\n\n${contextTable(output, look)}`;
  const { systemPromptAddition: addition, recalled } = output;
  const added = addition === null ? [] : [section("system prompt addition", addition, look)];
  const beside = recalled === null ? [] : [section("recalled memories", recalled.text, look)];
  return [head, ...added, fullItems(output.items, look), ...beside].join("\n\n");
}

function section(title: string, text: string, look: Look): string {
  return `${look.style("bold", title)}\n${escapeControls(text)}`;
}

/** The items, the addition to the system prompt, and the sending overhead: together the tokens in the heading. */
function contextTable({ items, systemPromptAddition, recalled, tokens }: ContextOutput, look: Look): string {
  const added = additionTokens(systemPromptAddition);
  const beside = recalled?.tokens ?? 0;
  const overhead = items.reduce((rest, item) => rest - item.tokens, tokens - added - beside);
  const others = [
    ["(note)", "system", count(added), "for the model", systemPromptAddition ?? ""],
    ["(recalled)", "memories", count(beside), "matches", recalled?.text ?? ""],
    ["(overhead)", "", count(Math.max(0, overhead)), "", "JSON structure and metadata"],
  ];
  return itemTable(
    items,
    look,
    others.filter(([, , number]) => number !== "0"),
  );
}

function additionTokens(addition: string | null): number {
  return addition === null ? 0 : estimateTokens(addition);
}

/** Each item with its heading and full text. */
function fullItems(items: readonly ShownItem[], look: Look): string {
  return items
    .map((item) => {
      const cut = item.cutTo === null ? "" : ` · cut to ${counted(item.cutTo, "token")}`;
      const about = ` · ${counted(item.tokens, "token")} · ${item.reason}${cut}`;
      const head = `${look.style("bold", `${item.id} ${whatIs(item)}`)}${look.style("dim", about)}`;
      return `${head}\n${escapeControls(item.text)}`;
    })
    .join("\n\n");
}

function whatIs({ type, role }: ShownItem): string {
  return type === "summary" ? "summary" : role;
}

function contextHead(output: ContextOutput, look: Look): string {
  const { tokens, budget, items, leftOut, format, overBudget } = output;
  const summaries = items.filter((item) => item.type === "summary").length;
  const share = `${((tokens / budget) * 100).toFixed(tokens / budget < 0.1 ? 1 : 0)}%`;
  const parts = `${counted(summaries, "summary", "summaries")} and ${counted(items.length - summaries, "message")}`;
  const cut = items.filter((item) => item.cutTo !== null);
  const noun = cut.every(({ type }) => type === "message") ? "message" : "item";
  const missing = [
    ...(leftOut === 0 ? [] : [`${counted(leftOut, "item")} left out`]),
    ...(cut.length === 0 ? [] : [`${counted(cut.length, `${noun} is`, `${noun}s are`)} cut`]),
  ];
  const left = missing.length === 0 ? "nothing left out" : missing.join(", ");
  const lines = [
    `${look.style("bold", output.conversation)}${look.style("dim", ` · format ${format}`)}`,
    ...turnLines(output, look),
    ...(overBudget === null
      ? [`${count(tokens)} of ${count(budget)} tokens (${share}) · ${parts} · ${left}`]
      : [
          `${counted(tokens, "token")} · ${parts} · ${left}`,
          look.style("yellow", `The budget of ${counted(budget, "token")} is too small: ${overBudget}.`),
        ]),
    additionLine(output, look),
  ];
  return look.wrap(lines.join("\n"));
}

function turnLines({ turn }: ContextOutput, look: Look): string[] {
  if (turn === null) return [];
  const last = turn.firstSeq + turn.messageCount - 1;
  const messages = last === turn.firstSeq ? `message ${last}` : `messages ${turn.firstSeq}–${last}`;
  const exact =
    turn.differs === null
      ? look.style("green", "byte for byte what the model saw")
      : look.style("yellow", `not exactly what the model saw: ${turn.differs}`);
  return [`before the turn “${oneLine(turn.key)}” (${messages}, ${look.time(turn.at)}): ${exact}`];
}

const LONGEST_QUOTE = 60;

function additionLine({ systemPromptAddition: addition }: ContextOutput, look: Look): string {
  if (addition === null) return look.style("dim", "nothing to add to the system prompt");
  const line = (quote: string) => `add to the system prompt: “${quote}…” (--full shows it)`;
  const quote = oneLine(addition).slice(0, Math.min(LONGEST_QUOTE, look.columns - line("").length));
  return look.style("dim", line(quote));
}
