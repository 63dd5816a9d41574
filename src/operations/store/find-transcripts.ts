/** Finds the files of an import: named files, and in folders every `.jsonl`, `.json` and `.traj`, and the databases of OpenCode and lossless-claw. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { PalimpsestError } from "../../errors.ts";
import { counted } from "../../text/counted.ts";
import { fileErrorCode, fileProblem } from "../../text/file-problem.ts";

export interface FoundFiles {
  /** The common folder of all files; null for a single named file. */
  readonly folder: string | null;
  readonly files: readonly string[];
  /** Folders below it that could not be read, as when this user may not enter them. */
  readonly unreadable: readonly UnreadableFolder[];
}

export interface UnreadableFolder {
  /** Ends with the separator of the system. */
  readonly path: string;
  readonly error: PalimpsestError;
}

const TRANSCRIPT_NAME = /\.(jsonl?|traj)$|^(opencode[\w-]*|lcm)\.db$/i;

export function findTranscripts(given: string | readonly string[]): Promise<FoundFiles> {
  return findFiles(given, {
    names: TRANSCRIPT_NAME,
    nothing: "there is no .jsonl, .json or .traj file, no opencode.db and no lcm.db",
    advice: "Use a transcript file, or a folder that contains some, such as ~/.claude/projects.",
  });
}

interface Wanted {
  /** The pattern for file names in a searched folder. */
  readonly names: RegExp;
  readonly nothing: string;
  readonly advice: string;
}

/** Unique files. Throws if a path does not exist, since that is likely a mistake. */
export async function findFiles(given: string | readonly string[], wanted: Wanted): Promise<FoundFiles> {
  const found = await Promise.all([given].flat().map((one) => findBelow(one, wanted)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const files = [...new Set(found.flatMap((one) => one.files))].toSorted();
  const unreadable = found.flatMap((one) => one.unreadable);
  return { folder: files.map((file) => path.dirname(file)).reduce(sharedFolder), files, unreadable };
}

function sharedFolder(a: string, b: string): string {
  return b === a || b.startsWith(a.endsWith(path.sep) ? a : a + path.sep)
    ? a
    : sharedFolder(path.dirname(a), b);
}

async function findBelow(given: string, { names, nothing, advice }: Wanted): Promise<FoundFiles> {
  const full = path.resolve(given);
  const found = await lookAt(full);
  if (found.isFile()) return { folder: null, files: [full], unreadable: [] };
  // Reading a pipe or a device would wait for ever.
  if (!found.isDirectory())
    throw new PalimpsestError("invalid-input", `${full} is neither a file nor a folder`);
  const { entries, unreadable } = await entriesBelow(full);
  const named = entries.filter((entry) => names.test(entry.name));
  const kept = await Promise.all(named.map(isReadableFile));
  const files = named
    .filter((_, index) => kept[index])
    .map((entry) => path.join(entry.parentPath, entry.name));
  if (files.length === 0) throw nothingIn(given, { names, nothing, advice }, unreadable);
  return { folder: full, files: files.toSorted(), unreadable };
}

function nothingIn(given: string, { nothing, advice }: Wanted, unreadable: readonly UnreadableFolder[]) {
  const problems = unreadable.slice(0, MOST_NAMED).map(({ error }) => error.message);
  const rest = unreadable.length - problems.length;
  const more = rest > 0 ? [`and ${counted(rest, "more folder")}`] : [];
  return new PalimpsestError("not-found", `${nothing} in ${given}`, {
    advice: [...problems, ...more, advice].join("\n"),
  });
}

const MOST_NAMED = 5;

/**
 * All entries of a folder and its subfolders. A subfolder that cannot be read, or that has disappeared meanwhile, must not keep
 * the others from being read. Throws if the folder itself cannot be read.
 */
async function entriesBelow(root: string) {
  const entries: Dirent[] = [];
  const unreadable: UnreadableFolder[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        entries.push(entry);
        if (entry.isDirectory()) folders.push(path.join(folder, entry.name));
      }
    } catch (error) {
      if (folder === root) throw unreadableFile(root, error);
      const shown = folder + path.sep;
      unreadable.push({ path: shown, error: unreadableFile(shown, error) });
    }
  }
  return { entries, unreadable };
}

/** Follows links; a broken link is skipped. */
async function isReadableFile(entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const target = await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined);
  return target?.isFile() === true;
}

async function lookAt(full: string) {
  try {
    return await stat(full);
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT")
      throw new PalimpsestError("not-found", `no such file or folder: ${full}`);
    throw unreadableFile(full, error);
  }
}

function unreadableFile(full: string, error: unknown): PalimpsestError {
  return new PalimpsestError("invalid-input", `${full} cannot be read: ${fileProblem(error)}`, {
    cause: error,
  });
}
