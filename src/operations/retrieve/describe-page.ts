/** The description of an id, for people. */
import { count, counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { fields, table } from "../../text/terminal/table.ts";
import { filesIn, renderFile } from "../files/file-page.ts";
import { origin } from "../tree-page.ts";
import type { DescribeOutput } from "./describe.ts";

type Summary = Extract<DescribeOutput, { type: "summary" }>;
type Message = Extract<DescribeOutput, { type: "message" }>;
type Suggest = (words: string) => string;

export function renderDescription(output: DescribeOutput, look: Look, suggest: Suggest): string {
  return piecesOf(output, look, suggest)
    .filter((piece) => piece !== "")
    .join("\n\n");
}

function piecesOf(output: DescribeOutput, look: Look, suggest: Suggest): string[] {
  if (output.type === "summary") return ofSummary(output, look, suggest);
  return output.type === "file" ? renderFile(output, look, suggest) : ofMessage(output, look, suggest);
}

function ofSummary(output: Summary, look: Look, suggest: Suggest): string[] {
  const { summary, conversation, inContext, wholeTokens, below } = output;
  const { id, kind, depth, text, firstSeq, lastSeq, earliestAt, latestAt, tokens, messages, sourceTokens } =
    summary;
  const levels = below.map(
    ({ depth: level, summaries, tokens: size }) =>
      `${counted(summaries, "summary", "summaries")} of depth ${level} (${counted(size, "token")})`,
  );
  const facts = fields(
    [
      ["conversation", conversation],
      ["covers", `messages ${firstSeq}–${lastSeq}, ${look.time(earliestAt)} to ${look.time(latestAt)}`],
      [
        "holds",
        [...levels, `${counted(messages, "message")} (${counted(sourceTokens, "token")})`].join(", "),
      ],
      [
        "size",
        `${counted(tokens, "token")}, ${count(wholeTokens)} with everything below it${cap(output.fits)}`,
      ],
      ...(summary.fileIds.length === 0 ? [] : [["files", summary.fileIds.join(", ")] as const]),
      ["quality", origin(summary)],
      ["context", inContext ? "currently in the context" : "not in the context"],
    ],
    look,
  );
  const head = `${look.style(["bold", "magenta"], id)} ${kind} summary, depth ${depth}`;
  const words =
    text === null ? look.style("dim", "(erased, because a source was erased)") : escapeControls(text);
  return [
    `${head}\n${facts}`,
    words,
    `sources:\n${sourceTable(output, look)}`,
    aboveTable(output, look),
    look.style("dim", `open it with: ${suggest(`expand ${id}`)}`),
  ];
}

function sourceTable({ madeFrom }: Summary, look: Look): string {
  const columns = [
    { title: "id" },
    { title: "what" },
    { title: "tokens", align: "right" as const },
    { title: "whole", align: "right" as const },
    { title: "" },
  ];
  const rows = madeFrom.map(({ id, role, firstSeq, lastSeq, tokens, wholeTokens, fits }) => [
    id,
    role ?? `messages ${firstSeq}–${lastSeq}`,
    count(tokens),
    count(wholeTokens),
    fits === null ? "" : fits ? "within --token-cap" : "more than --token-cap",
  ]);
  return table(columns, rows, look);
}

function cap(fits: boolean | null): string {
  if (fits === null) return "";
  return fits ? " (within --token-cap)" : " (more than --token-cap)";
}

function aboveTable({ above, type }: Summary | Message, look: Look): string {
  if (above.length === 0) return type === "summary" ? "top level" : "not summarised";
  const columns = [
    { title: "id" },
    { title: "depth", align: "right" as const },
    { title: "covers" },
    { title: "" },
  ];
  const rows = above.map(({ id, depth, firstSeq, lastSeq, inContext }) => [
    id,
    count(depth),
    `messages ${firstSeq}–${lastSeq}`,
    inContext ? "in the context" : "",
  ]);
  return `summaries above it, nearest first:\n${table(columns, rows, look)}`;
}

function ofMessage(output: Message, look: Look, suggest: Suggest): string[] {
  const { id, conversation, seq, role, createdAt, tokens, parts } = output;
  const facts = fields(
    [
      ["conversation", conversation],
      ["from", `${role}, ${look.time(createdAt)}`],
      ["size", counted(tokens, "token")],
      ["context", whereNow(output, look)],
      ["before it", neighbour(output.before)],
      ["after it", neighbour(output.after)],
    ],
    look,
  );
  const lines = parts.map(
    ({ label, characters, opening }) =>
      `${look.style("dim", `[${label ?? "words"}, ${counted(characters, "character")}]`)} ${oneLine(opening)}`,
  );
  return [
    `${look.style("bold", id)} message ${seq}\n${facts}`,
    lines.join("\n"),
    filesIn(output.files, look, suggest),
    aboveTable(output, look),
    look.style("dim", `read it with: ${suggest(`read ${id}`)}`),
  ];
}

function whereNow({ inContext, excluded, erasedAt }: Message, look: Look): string {
  if (erasedAt !== null) return `erased ${look.time(erasedAt)}`;
  if (inContext === "itself") return "in the context, word for word";
  if (inContext === "summary") return "represented by a summary";
  return excluded === null ? "not in the context" : `not in the context: ${excluded}`;
}

function neighbour(one: Message["before"]): string {
  return one === null ? "nothing" : `${one.id} ${one.role}: ${oneLine(one.opening)}`;
}
