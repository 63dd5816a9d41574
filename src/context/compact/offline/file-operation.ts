/** The operations on files: one state for each path, the newest that matters. */

export const FILE_STATES = ["created", "modified", "deleted", "renamed", "read"] as const;
export type FileState = (typeof FILE_STATES)[number];

export interface FileOperation {
  readonly path: string;
  readonly state: FileState;
  /** The last attempt failed. */
  readonly hasFailed: boolean;
}

/** In order of last use, oldest first; a path is one file, however much of its folder is written. */
export function mergeOperations(operations: readonly FileOperation[]): FileOperation[] {
  const merged = new Map<string, FileOperation>();
  const full = fullPaths(operations.map(({ path }) => path));
  for (const operation of operations) {
    const path = full.get(operation.path) ?? operation.path;
    const before = merged.get(path);
    merged.delete(path);
    merged.set(path, before === undefined ? { ...operation, path } : combine(before, operation, path));
  }
  return withoutFolders([...merged.values()]);
}

const HOME = /^(?:~|\/root|\/(?:Users|home)\/[^/]+)\/?$/;

/** A listed folder is not a file: a home folder, or one that contains another path. */
function withoutFolders(operations: readonly FileOperation[]): FileOperation[] {
  const folders = new Set(operations.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  return operations.filter(
    ({ path, state }) => state !== "read" || !(HOME.test(path) || folders.has(path.replace(/\/$/, ""))),
  );
}

function combine(before: FileOperation, next: FileOperation, path: string): FileOperation {
  if (next.state === "read" && before.state !== "read") return before;
  if (next.hasFailed && !before.hasFailed) return before.state === "read" ? { ...next, path } : before;
  const isStillNew = before.state === "created" && next.state === "modified" && !before.hasFailed;
  return { path, state: isStillNew ? "created" : next.state, hasFailed: next.hasFailed };
}

/** `src/a.ts` is `/srv/app/src/a.ts` when exactly one longer path ends with it. */
function fullPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    byName.set(name, (byName.get(name) ?? new Set()).add(path));
  }
  const full = new Map<string, string>();
  for (const group of byName.values()) {
    if (group.size > 1 && group.size <= 20) for (const path of group) full.set(path, longest(path, group));
  }
  return full;
}

function longest(path: string, group: ReadonlySet<string>): string {
  const ends = [...group].filter(
    (other) => other !== path && other.endsWith(`/${path.replace(/^\.\//, "")}`),
  );
  return ends.length === 1 ? (ends[0] ?? path) : path;
}
