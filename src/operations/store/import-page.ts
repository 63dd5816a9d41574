/** The report of an import: imported, set aside and rejected entries, and next steps. */

import path from "node:path";
import { andList } from "../../text/and-list.ts";
import { count, counted, ranges, seconds } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { padWidth } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import type { ImportOutput } from "./import.ts";
import type { TranscriptReport } from "./import-report.ts";

const NAME_WIDTH = 19;
const SHOWN_LINES = 20;

export function renderImport(
  output: ImportOutput,
  { look, suggest, milliseconds }: View<object, unknown>,
): string {
  const { totals, files } = output;
  const field: Field = (name, value) => `  ${look.style("dim", padWidth(name, NAME_WIDTH))} ${value}`;
  const report = [
    "",
    look.style("bold", `${headline(output)} in ${seconds(milliseconds)}`),
    field("already stored", counted(totals.alreadyThere, "message")),
    ...(files.some((file) => file.kind === "transcript") ? transcriptFields(output, field) : []),
    ...(totals.refused > 0 ? [field("not imported", `${refusedIn(files)} (✗ above)`)] : []),
  ];
  return [...report.map((line) => look.wrap(line, 2)), ...nextStep(output, look, suggest)].join("\n");
}

/** `2 files and 1 folder` */
function refusedIn(files: ImportOutput["files"]): string {
  const refusals = files.filter((file) => file.kind === "refused");
  const folders = refusals.filter((file) => file.path.endsWith(path.sep)).length;
  const alone = refusals.length - folders;
  return [
    ...(alone > 0 ? [counted(alone, "file")] : []),
    ...(folders > 0 ? [counted(folders, "folder")] : []),
  ].join(" and ");
}

type Field = (name: string, value: string) => string;

/** Only for transcripts, since the import of a whole store copies these unchanged. */
function transcriptFields(output: ImportOutput, field: Field): string[] {
  const { events, unreadable, offPath } = output.totals;
  return [
    field("events", counted(events, "non-message line kept", "non-message lines kept")),
    field(
      "unreadable",
      unreadable === 0 ? "0 lines" : counted(unreadable, "line, kept unchanged", "lines, kept unchanged"),
    ),
    ...unreadableLines(output),
    field("abandoned branches", `${counted(offPath, "message")}${offPath > 0 ? ", kept on record" : ""}`),
    ...offPathLines(output),
    ...leftOutLines(output, field),
  ];
}

function headline({ files, totals }: ImportOutput): string {
  const transcripts = files.filter((file) => file.kind !== "refused");
  const news = newsOf(totals);
  if (transcripts.length === 1) return news;
  const paths = new Set(transcripts.map((file) => file.path)).size;
  const sessions = paths === transcripts.length ? "" : `${counted(transcripts.length, "session")} in `;
  return `${news} from ${sessions}${counted(paths, "file")}`;
}

function newsOf({ imported, summaries, memories }: ImportOutput["totals"]): string {
  const news = [
    ...(imported > 0 ? [counted(imported, "new message")] : []),
    ...(summaries > 0 ? [counted(summaries, "new summary", "new summaries")] : []),
    ...(memories > 0 ? [counted(memories, "new memory", "new memories")] : []),
  ];
  return news.length === 0 ? "Nothing new" : andList(news);
}

function unreadableLines({ files, folder }: ImportOutput): string[] {
  const lines = transcriptsOf(files).flatMap((file) =>
    file.unreadable.map(
      ({ line, problem }) => `${shownPath(file.path, folder)} line ${count(line)}: ${oneLine(problem)}`,
    ),
  );
  return cut(lines);
}

function leftOutLines({ files }: ImportOutput, field: Field): string[] {
  const left = transcriptsOf(files).flatMap(({ leftOut }) => leftOut);
  if (left.length === 0) return [];
  return [field("not imported", counted(left.length, "item")), ...cut(left.map(oneLine))];
}

function offPathLines({ files }: ImportOutput): string[] {
  const lines = transcriptsOf(files)
    .filter((file) => file.offPath.messages > 0)
    .map((file) => `${file.conversation}: ${ranges(file.offPath.ranges)}`);
  return cut(lines);
}

/** Shortens long lists; the last line refers to the JSON output. */
function cut(lines: readonly string[]): string[] {
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `    ${line}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `    and ${count(rest)} more: --json lists all of them`] : shown;
}

function nextStep({ files }: ImportOutput, look: Look, suggest: (words: string) => string): string[] {
  const conversations = transcriptsOf(files).filter((file) => file.conversation !== null);
  const [first] = conversations.toSorted((a, b) => b.imported - a.imported);
  if (first === undefined && !files.some((file) => file.kind === "store-export")) return [];
  const next = first === undefined ? "conversations" : `read ${first.conversation}`;
  const lines = [`${look.style("bold", "next:")} ${suggest(next)}`];
  if (conversations.length > 1) lines.push(`      ${suggest("conversations")}`);
  const named =
    conversations.length === 1 && first !== undefined ? [look.wrap(conversationLine(first), 2)] : [];
  return [...named, "", ...lines];
}

function conversationLine({ conversation, title }: TranscriptReport): string {
  return `  ${padWidth("conversation", NAME_WIDTH)} ${conversation}${title === null ? "" : `  ${oneLine(title)}`}`;
}

function transcriptsOf(files: ImportOutput["files"]): TranscriptReport[] {
  return files.filter((file) => file.kind === "transcript");
}

/** The path relative to the named folder, or the file name. The slash at the end of a folder stays. */
export function shownPath(file: string, folder: string | null): string {
  const end = file.endsWith(path.sep) ? path.sep : "";
  return oneLine(folder === null ? path.basename(file) : path.relative(folder, file)) + end;
}
