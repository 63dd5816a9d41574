/** A tool call in a few words. */
import { clip } from "../../../text/cut-text.ts";
import { baseName } from "../anchors/read-path.ts";
import { fileStateOf } from "./file-operations.ts";
import { argument, commandOf, type ToolEvent } from "./tool-event.ts";

const LONGEST = 90;
/** The folder of a command is seldom relevant. */
const CHANGE_FOLDER = /^\s*cd \S+ *(?:&&|;)\s*/;
/** How the output was shortened says nothing about what a command did. */
const SHORTENED_OUTPUT =
  /(?:\s*\d?>&\d|\s*\d?>\s*\/dev\/null|\s*\|\s*(?:head|tail)(?:\s+-\S+(?:\s+\d+)?)?)+\s*$/;
/** Arguments that name the object of a call, the most informative first. */
const TARGETS = ["path", "file_path", "filepath", "url", "query", "pattern", "sql", "prompt", "description"];

/** The command, or the tool with its object; undefined if neither is known. */
export function describeCall(event: ToolEvent): string | undefined {
  const command = commandOf(event);
  if (command !== undefined) return `\`${clip(shownCommand(command), LONGEST)}\``;
  const target = argument(event, ...TARGETS);
  return target === undefined ? undefined : `${event.name} ${clip(firstLine(target), LONGEST)}`.trim();
}

/** A short name of the output, such as the file name, for a reader who wants to expand it. */
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
