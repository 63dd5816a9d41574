/** A tool call in a few words. */
import { clip } from "../../../text/cut-text.ts";
import { baseName } from "../anchors/read-path.ts";
import { fileStateOf } from "./file-operations.ts";
import { argument, commandOf, type ToolEvent } from "./tool-event.ts";

const LONGEST = 90;
/** Where a command ran is seldom what it did. */
const CHANGE_FOLDER = /^\s*cd \S+ *(?:&&|;)\s*/;
/** How much of its output was wanted says nothing about what a command did. */
const SHORTENED_OUTPUT =
  /(?:\s*\d?>&\d|\s*\d?>\s*\/dev\/null|\s*\|\s*(?:head|tail)(?:\s+-\S+(?:\s+\d+)?)?)+\s*$/;
/** Arguments that say what a tool was pointed at, the most telling first. */
const TARGETS = ["path", "file_path", "filepath", "url", "query", "pattern", "sql", "prompt", "description"];

/** The command, or the tool with what it was pointed at; undefined when nothing says that. */
export function describeCall(event: ToolEvent): string | undefined {
  const command = commandOf(event);
  if (command !== undefined) return `\`${clip(shownCommand(command), LONGEST)}\``;
  const target = argument(event, ...TARGETS);
  return target === undefined ? undefined : `${event.name} ${clip(firstLine(target), LONGEST)}`.trim();
}

/** What somebody would ask for who wants to see the output: a file by its name. */
export function describeOutput(event: ToolEvent): string {
  const path =
    fileStateOf(event) === undefined ? undefined : argument(event, "path", "file_path", "filepath");
  return path === undefined ? (describeCall(event) ?? event.name) : `contents of ${baseName(path)}`;
}

function shownCommand(command: string): string {
  return firstLine(command.replace(CHANGE_FOLDER, "")).replace(SHORTENED_OUTPUT, "");
}

function firstLine(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.indexOf("\n");
  return end < 0 ? trimmed : `${trimmed.slice(0, end).trimEnd()} …`;
}
