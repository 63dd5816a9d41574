/**
 * The `Files:` line of a summary, written within a budget and read back when summaries are condensed. Files of a
 * folder share its name, as in a shell: `modified src/{a.ts, b.ts}; read README.md`.
 */
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import { FILES, NO_FILES } from "../format-lines.ts";
import { FILE_STATES, type FileOperation, type FileState } from "./file-operation.ts";

/** Share of the budget for files that were only read. */
const READ_SHARE = 0.3;

/** Temporary files matter to nobody who takes over. */
const TEMPORARY = /^(?:\/private)?(?:\/var)?\/tmp\/|[\\/]AppData[\\/]Local[\\/]Temp[\\/]/i;

/** Changes come before reads and temporary files; the newest come first among equals. */
export function writeFileLine(
  files: readonly FileOperation[],
  maxTokens: number,
  countTokens: CountTokens,
): string {
  const newest = files.toReversed();
  const isKept = ({ state, path }: FileOperation) => state !== "read" && !TEMPORARY.test(path);
  const changed = fitting(newest.filter(isKept), maxTokens, countTokens);
  const rest = maxTokens - countTokens(lineOf(changed));
  const read = fitting(
    newest.filter((file) => !isKept(file)),
    Math.min(rest, maxTokens * READ_SHARE),
    countTokens,
  );
  return changed.length + read.length === 0 ? NO_FILES : lineOf([...changed, ...read]);
}

/** As many as fit; the name of a folder counts once. */
function fitting(
  files: readonly FileOperation[],
  maxTokens: number,
  countTokens: CountTokens,
): FileOperation[] {
  const folders = new Set<string>();
  const kept: FileOperation[] = [];
  let left = maxTokens - countTokens(`${FILES} modified `);
  for (const file of files) {
    const folder = `${file.state} ${folderOf(file.path)}`;
    const cost =
      countTokens(`${nameOf(file)}, `) + (folders.has(folder) ? 0 : countTokens(folderOf(file.path)) + 1);
    if (cost > left) continue;
    folders.add(folder);
    kept.push(file);
    left -= cost;
  }
  return kept;
}

function lineOf(files: readonly FileOperation[]): string {
  const lists = FILE_STATES.map((state) =>
    listOf(
      files.filter((file) => file.state === state),
      state,
    ),
  );
  return `${FILES} ${lists.filter((list) => list !== "").join("; ")}`;
}

function listOf(files: readonly FileOperation[], state: FileState): string {
  if (files.length === 0) return "";
  const folders = Map.groupBy(files, ({ path }) => folderOf(path));
  return `${state} ${[...folders].map(([folder, inside]) => folderList(folder, inside.map(nameOf))).join(", ")}`;
}

function folderList(folder: string, names: readonly string[]): string {
  return folder === "" || names.length === 1
    ? names.map((name) => folder + name).join(", ")
    : `${folder}{${names.join(", ")}}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function nameOf({ path, hasFailed }: FileOperation): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return hasFailed ? `${name} (failed)` : name;
}

const ENTRY =
  /(?:(created|modified|edited|updated|deleted|removed|renamed|moved|read)\s+)?([^\s,;{}]*)(\{[^{}]*\})?( \(failed\))?/gi;
const SYNONYMS: Readonly<Record<string, FileState>> = {
  edited: "modified",
  updated: "modified",
  removed: "deleted",
  moved: "renamed",
};

/** Reads our own line, and a model's version of it as far as it names paths. */
export function readFileLine(line: string): FileOperation[] {
  const operations: FileOperation[] = [];
  let state: FileState = "modified";
  for (const [, word, start = "", names, failed] of line.slice(FILES.length).matchAll(ENTRY)) {
    if (word !== undefined) state = stateOf(word.toLowerCase()) ?? state;
    for (const path of expand(start, names)) {
      const hasFailed = failed !== undefined || path.endsWith(FAILED);
      addOperation(path.replace(FAILED, ""), state, hasFailed, operations);
    }
  }
  return operations;
}

const FAILED = " (failed)";

function stateOf(word: string): FileState | undefined {
  return SYNONYMS[word] ?? FILE_STATES.find((name) => name === word);
}

function expand(start: string, names: string | undefined): string[] {
  return names === undefined
    ? [start]
    : names
        .slice(1, -1)
        .split(", ")
        .map((name) => start + name);
}

function addOperation(path: string, state: FileState, hasFailed: boolean, operations: FileOperation[]): void {
  const bare = path.replace(/[.:]+$/, "");
  if (/[./]/.test(bare) && /\w/.test(bare)) operations.push({ path: bare, state, hasFailed });
}
