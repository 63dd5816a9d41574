/** Reads file operations from tool calls with the names and arguments that agents commonly use. */
import { type FileOperation, type FileState, mergeOperations } from "./file-operation.ts";
import { argument, commandOf, hasFailed, type ToolEvent } from "./tool-event.ts";

/** Names are compared without case, separators and the prefix `mcp__server__`. */
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
/** Editors with one name and several commands declare the command in an argument. */
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
  if (shell !== undefined && fileStateOf(event) === undefined)
    return filesOfShell(shell, event.output, failed);
  const found = patched.length > 0 ? patched : ownFile(event);
  return found.map(({ path, state }) => ({ path, state, hasFailed: failed }));
}

function ownFile(event: ToolEvent): { path: string; state: FileState }[] {
  const state = fileStateOf(event);
  const path = argument(event, ...PATHS);
  return state === undefined || path === undefined || path.length > 300 ? [] : [{ path, state }];
}

/** The effect of a tool on its file; undefined if it is not a file tool. */
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

/** Files of an `apply_patch` envelope, sent as text, inside JSON, or inside a shell command. */
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

/** Longer commands are scripts; only their beginning is read. */
const LONGEST = 2_000;
const REDIRECT = /(?:^|[^>&\d=-])(>{1,2})\s*(['"]?)([\w@.+~/-]+)\2/g;
/** An argument in quotes that is not a plain path: `>` in it redirects nothing. */
const QUOTED = /'(?![\w@.+~/-]+')[^']*'|"(?![\w@.+~/-]+")(?:[^"\\]|\\.)*"/g;
const VERBS: Readonly<Record<string, FileState>> = {
  rm: "deleted",
  unlink: "deleted",
  touch: "created",
  cat: "read",
  head: "read",
  tail: "read",
  nl: "read",
  bat: "read",
};

type Found = { path: string; state: FileState };

/** Files that a shell command visibly creates, changes, removes or prints. Effects of scripts are not guessed. */
function filesOfShell(command: string, output: string, hasFailed: boolean): FileOperation[] {
  const given = command.slice(0, LONGEST);
  const text = withoutHereDocuments(given);
  const segments = text.replace(QUOTED, "''").split(/&&|\|\||;|\||\n/);
  const parts = segments.map((segment) => segment.trim()).filter((segment) => !segment.startsWith("cd "));
  // Of several parts the first probably did its work.
  const done = hasFailed ? parts.slice(0, parts.length > 1 || text !== given ? 1 : 0) : parts;
  const found: Found[] = [];
  for (const part of done) if (!hasComplained(verbOf(part), output)) addSegment(part, found);
  return found.map((file) => ({ ...file, hasFailed: false }));
}

/** `cp: cannot stat …`, `rm: a.ts: No such file`. */
function hasComplained(verb: string, output: string): boolean {
  return output.startsWith(`${verb}: `) || output.includes(`\n${verb}: `);
}

/** Removes here-documents: their text is input and not a command. */
function withoutHereDocuments(text: string): string {
  const start = text.search(/<<-?\s*['"]?\w+/);
  const end = start < 0 ? -1 : text.indexOf("\n", start);
  return end < 0 ? text : text.slice(0, end);
}

function verbOf(segment: string): string {
  const [first = "", second = ""] = segment.split(/\s+/, 2);
  return first === "sudo" || first === "git" ? second : first;
}

function addSegment(segment: string, found: Found[]): void {
  for (const [, sign, , path = ""] of segment.matchAll(REDIRECT))
    addPath(path, sign === ">>" ? "modified" : "created", found);
  const words = segment.replace(/[<>].*$/, "").split(/\s+/);
  const verb = verbOf(segment);
  const operands = words.filter((word, index) => index > 0 && word !== verb && !word.startsWith("-"));
  if (verb === "sed") addSed(words, operands, found);
  else if (verb === "mv") addPath(operands.at(-1) ?? "", "renamed", found);
  else if (verb === "cp" || verb === "tee") addPath(operands.at(-1) ?? "", "created", found);
  else if (Object.hasOwn(VERBS, verb))
    for (const operand of operands.slice(0, 10)) addPath(operand, VERBS[verb] ?? "read", found);
}

/** `sed -n '1,80p' file` prints, `sed -i … file` changes. */
function addSed(words: readonly string[], operands: readonly string[], found: Found[]): void {
  const isInPlace = words.some((word) => /^-i|^--in-place/.test(word));
  if (operands.length >= 2) addPath(operands.at(-1) ?? "", isInPlace ? "modified" : "read", found);
}

function addPath(operand: string, state: FileState, found: Found[]): void {
  const path = operand.replace(/^['"]|['"]$/g, "");
  if (
    /^[\w@.~/][\w@.+~/-]*$/.test(path) &&
    /[./]/.test(path) &&
    /[A-Za-z]/.test(path) &&
    !path.startsWith("/dev/")
  )
    found.push({ path, state });
}
