/**
 * The active path directly from its rules, without sharing or caching: every path
 * is a separate list, and every query scans it. Deliberately slow: the tracker is compared with it.
 */
import type { TrackedEntry } from "../track-branches.ts";

/** A placed entry: the path that ends in it, and its role there. */
interface Placed {
  index: number;
  readonly entry: TrackedEntry;
  readonly path: readonly Placed[];
  readonly response: string | null;
  /** The response of its stretch. */
  readonly around: string | null;
  readonly quiet: boolean;
}

export function pathByDefinition(entries: readonly TrackedEntry[]): number[] {
  const placed: Placed[] = [];
  const calls = new Map<string, string>();
  let path: readonly Placed[] = [];
  for (const entry of entries) {
    const next = place(entry, placed, path, calls);
    path = next.path;
    if (next.response !== null) for (const call of entry.toolCalls) calls.set(call, next.response);
  }
  return path.map(({ index }) => index);
}

function place(
  entry: TrackedEntry,
  placed: Placed[],
  path: readonly Placed[],
  calls: ReadonlyMap<string, string>,
): { path: readonly Placed[]; response: string | null } {
  const callResponse = entry.toolResults.map((call) => calls.get(call)).find((found) => found !== undefined);
  const isNowhere = entry.sidechain || (entry.entryKey === null && !entry.isMessage);
  if (isNowhere) return { path, response: entry.response ?? callResponse ?? null };

  const byKey = (key: string) => placed.findLast((other) => other.entry.entryKey === key);
  const earlier = entry.entryKey === null ? undefined : byKey(entry.entryKey);
  if (earlier !== undefined && earlier.entry.parentKey === entry.parentKey) {
    earlier.index = entry.index;
    return { path, response: null };
  }

  const leaf = path.at(-1);
  const named = entry.parentKey === null ? undefined : byKey(entry.parentKey);
  const isRoot = entry.parentKey === null && entry.entryKey !== null;
  const parent = isRoot ? undefined : (named ?? leaf);
  const isResult = entry.response === null && entry.toolResults.length > 0;
  const response = entry.response ?? callResponse ?? (isResult ? (parent?.response ?? null) : null);
  const isQuiet = !entry.isMessage || entry.injected;

  const put = (before: readonly Placed[], quiet: boolean): Placed => {
    const around = quiet ? (before.at(-1)?.around ?? null) : response;
    const own = response ?? (quiet ? around : null);
    const one = { index: entry.index, entry, path: [] as Placed[], response: own, around, quiet };
    one.path.push(...before, one);
    placed.push(one);
    return one;
  };

  const isBetweenFree = (parent === undefined || path.includes(parent)) && staysIn(parent, path);
  if (isBetweenFree) return put(path, isQuiet);

  const children = placed.filter(
    (other) => entry.entryKey !== null && isWaitingFor(other, entry.entryKey, placed),
  );
  const child = children.at(-1);
  const isAwaited = child !== undefined && path.includes(child);
  const isOpen = entry.toolResults.some((call) => {
    const answer = placed.findLast((other) => other.entry.toolResults.includes(call));
    return answer === undefined || !path.includes(answer);
  });
  const isSameResponse = parent !== undefined && parent.response !== null && parent.response === response;
  const isLateAnswer = isOpen && isSameResponse && path.includes(parent);
  if (isAwaited || isLateAnswer) return put(path, true);

  const from = parent === undefined ? [] : endOfStretch(parent, placed).path;
  const one = put(from, isQuiet);
  return isQuiet ? { path, response: one.response } : one;
}

/** Every message after `start` on this path is quiet or belongs to the response around `start`. */
function staysIn(start: Placed | undefined, path: readonly Placed[]): boolean {
  const behind = start === undefined ? path : path.slice(path.indexOf(start) + 1);
  return behind.every(
    (other) => other.quiet || (start !== undefined && start.around !== null && other.around === start.around),
  );
}

/** The furthest entry that continues this one within its stretch. */
function endOfStretch(start: Placed, placed: readonly Placed[]): Placed {
  return placed.findLast((other) => other.path.includes(start) && staysIn(start, other.path)) ?? start;
}

/** Whether its parent was missing on arrival. */
function isWaitingFor(other: Placed, key: string, placed: readonly Placed[]): boolean {
  if (other.entry.parentKey !== key) return false;
  const before = placed.slice(0, placed.indexOf(other));
  return !before.some((earlier) => earlier.entry.entryKey === key);
}
