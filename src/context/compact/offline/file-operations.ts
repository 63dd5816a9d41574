/** Reads file operations from tool calls with the names and arguments that agents commonly use. */
import { type FileOperation, type FileState, mergeOperations } from "./file-operation.ts";
import { filesOfShell } from "./shell-files.ts";
import { argument, commandOf, hasFailed, type ToolEvent } from "./tool-event.ts";

/** Names are compared without case, separators and the `mcp__server__` in front. */
const STATES: Readonly<Record<string, FileState>> = {
  read: "read",
  readfile: "read",
  view: "read",
  viewfile: "read",
  openfile: "read",
  cat: "read",
  notebookread: "read",
  write: "created",
  writefile: "created",
  createfile: "created",
  create: "created",
  savefile: "created",
  edit: "modified",
  editfile: "modified",
  multiedit: "modified",
  strreplace: "modified",
  strreplaceeditor: "modified",
  strreplacebasededittool: "modified",
  replace: "modified",
  replaceinfile: "modified",
  insert: "modified",
  notebookedit: "modified",
  updatefile: "modified",
  appendfile: "modified",
  delete: "deleted",
  deletefile: "deleted",
  remove: "deleted",
  removefile: "deleted",
  rename: "renamed",
  renamefile: "renamed",
  movefile: "renamed",
};
/** Editors with one name and several commands say in an argument what they do. */
const COMMANDS: Readonly<Record<string, FileState>> = {
  view: "read",
  create: "created",
  str_replace: "modified",
  insert: "modified",
};
const PATHS = [
  "path",
  "file_path",
  "filepath",
  "notebook_path",
  "target_file",
  "filename",
  "file",
  "absolute_path",
  "relative_path",
];

export function fileOperations(events: readonly ToolEvent[]): FileOperation[] {
  return mergeOperations(events.flatMap(operationsOf));
}

function operationsOf(event: ToolEvent): FileOperation[] {
  const failed = hasFailed(event);
  const patched = filesOfPatch(event.input);
  const shell = patched.length > 0 ? undefined : commandOf(event);
  const found =
    patched.length > 0
      ? patched
      : shell !== undefined && fileStateOf(event) === undefined
        ? filesOfShell(shell)
        : ownFile(event);
  return found.map(({ path, state }) => ({ path, state, hasFailed: failed }));
}

function ownFile(event: ToolEvent): { path: string; state: FileState }[] {
  const state = fileStateOf(event);
  const path = argument(event, ...PATHS);
  return state === undefined || path === undefined || path.length > 300 ? [] : [{ path, state }];
}

/** What a tool does to the file it is pointed at; undefined when it is no file tool. */
export function fileStateOf(event: ToolEvent): FileState | undefined {
  const name = event.name
    .replace(/^mcp__.*__/, "")
    .replace(/[^a-zA-Z]/g, "")
    .toLowerCase();
  const state = STATES[name];
  if (state === undefined) return undefined;
  const command = COMMANDS[argument(event, "command") ?? ""] ?? state;
  return command === "created" && /\b(updated|overwr\w+|modified)\b/i.test(event.output.slice(0, 200))
    ? "modified"
    : command;
}

const PATCH_HEADER = /^(?:\*\*\* )(Add|Update|Delete) File: ([^\n\\"]{1,300})/gm;
const PATCHED: Readonly<Record<string, FileState>> = {
  Add: "created",
  Update: "modified",
  Delete: "deleted",
};

/** Files of an `apply_patch` envelope, which hosts send as text, inside JSON, or inside a shell command. */
function filesOfPatch(input: string): { path: string; state: FileState }[] {
  if (!input.includes("*** ")) return [];
  // In JSON the line ends are escaped.
  const text = input.includes("\\n*** ") ? input.replaceAll("\\n", "\n") : input;
  const start = text.indexOf("*** Begin Patch");
  const body = start < 0 ? text : text.slice(start);
  return [...body.matchAll(PATCH_HEADER)].map((match) => ({
    path: (match[2] ?? "").trim(),
    state: PATCHED[match[1] ?? ""] ?? "modified",
  }));
}
