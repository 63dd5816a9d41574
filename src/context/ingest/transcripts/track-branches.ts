/**
 * The active path of a tree transcript: what the model saw, found entry by entry in the order of the file. The
 * path is not the strict walk from the leaf to the root. Hosts write one model response as several entries, and
 * attach each tool result to the entry of its own call, so that a strict walk loses results the model really
 * saw. Here the entries of one response stay together, and only a message that continues from elsewhere, a
 * rewind, switches the path. No entry is dropped: entries that left the path return when the path does.
 */

import type { Entry } from "../../../message/hosts/transcript-format.ts";
import {
  emptyTree,
  grow,
  isOnPath,
  type Leaflet,
  leafOf,
  type Node,
  reachesLeaf,
  switchPath,
  type Tree,
} from "./branch-tree.ts";

export interface TrackedEntry extends Omit<Entry, "kind" | "createdAt" | "context"> {
  /** The caller's number of the entry, returned in `left` and `entered`. */
  readonly index: number;
  readonly isMessage: boolean;
  /** Hash of the line, if the caller has it: an exact repeat of an entry then changes nothing. */
  readonly hash?: string | null;
}

export interface Placement {
  /** The response the entry belongs to: its own, that of the call it answers, or, if quiet, the previous one. */
  readonly response: string | null;
  readonly onPath: boolean;
  /** Other entries that this one removed from the path or restored to it, in path order. */
  readonly left: number[];
  readonly entered: number[];
}

interface BranchTracker {
  /** Constant time while the file is linear; a switch takes time proportional to the two branches. */
  add(entry: TrackedEntry): Placement;
}

export function createBranchTracker(): BranchTracker {
  const tree = emptyTree();
  return { add: (entry) => add(tree, entry) };
}

function add(tree: Tree, entry: TrackedEntry): Placement {
  if (entry.sidechain || (!entry.isMessage && entry.entryKey === null)) return keepOutside(tree, entry);
  const earlier = entry.entryKey === null ? undefined : tree.byKey.get(entry.entryKey);
  if (earlier !== undefined && earlier.parentKey === entry.parentKey) return replace(tree, earlier, entry);
  const parent = parentOf(tree, entry);
  const leaflet = leafletOf(tree, entry, parent);
  if (reachesLeaf(tree, parent)) return extend(tree, entry, leaflet);
  if (isLate(tree, entry, parent)) return extend(tree, entry, { ...leaflet, quiet: true });
  const from = parent === null ? null : parent.stretch.last;
  return leaflet.quiet ? hang(tree, entry, leaflet, from) : branch(tree, entry, leaflet, from);
}

/** Outside of the tree: an entry of a sub-agent, or an event without an id. */
function keepOutside(tree: Tree, entry: TrackedEntry): Placement {
  const response = responseOf(tree, entry, null);
  rememberCalls(tree, entry, response);
  return { response, onPath: false, left: [], entered: [] };
}

/** A new version of an entry replaces it; the entries after it stay. */
function replace(tree: Tree, earlier: Node, entry: TrackedEntry): Placement {
  const onPath = isOnPath(tree, earlier);
  const isRepeat = earlier.hash !== null && earlier.hash === (entry.hash ?? null);
  const left = onPath && !isRepeat ? [earlier.index] : [];
  if (!isRepeat) earlier.index = entry.index;
  return { response: earlier.response, onPath, left, entered: [] };
}

/** Null is the root. An entry without links, or whose parent is not in the file, continues from the leaf. */
function parentOf(tree: Tree, entry: TrackedEntry): Node | null {
  if (entry.parentKey === null) return entry.entryKey === null ? leafOf(tree) : null;
  return tree.byKey.get(entry.parentKey) ?? leafOf(tree);
}

function leafletOf(tree: Tree, entry: TrackedEntry, parent: Node | null): Leaflet {
  return {
    index: entry.index,
    parentKey: entry.parentKey,
    hash: entry.hash ?? null,
    response: responseOf(tree, entry, parent),
    // Quiet entries never switch the path and end no response.
    quiet: !entry.isMessage || entry.injected,
  };
}

function responseOf(tree: Tree, entry: TrackedEntry, parent: Node | null): string | null {
  if (entry.response !== null || entry.toolResults.length === 0) return entry.response;
  for (const call of entry.toolResults) {
    const response = tree.responseOfCall.get(call);
    if (response !== undefined) return response;
  }
  // The call may have been read in an earlier run; its result has it as the parent.
  return parent?.response ?? null;
}

/**
 * Written out of order but still on the path: the parent that an entry on the path already names, and
 * the first result of a call on the path.
 */
function isLate(tree: Tree, entry: TrackedEntry, parent: Node | null): boolean {
  if (entry.entryKey !== null && isOnPath(tree, tree.awaited.get(entry.entryKey))) return true;
  if (parent === null || !isOnPath(tree, parent) || parent.response === null) return false;
  if (responseOf(tree, entry, parent) !== parent.response) return false;
  return entry.toolResults.some((call) => !isOnPath(tree, tree.answerOfCall.get(call)));
}

function extend(tree: Tree, entry: TrackedEntry, leaflet: Leaflet): Placement {
  const node = remember(tree, entry, grow(leaflet, leafOf(tree)));
  tree.path.push(node);
  return { response: node.response, onPath: true, left: [], entered: [] };
}

/** Not on the path: a message that continues from here will put it there. */
function hang(tree: Tree, entry: TrackedEntry, leaflet: Leaflet, from: Node | null): Placement {
  const node = remember(tree, entry, grow(leaflet, from));
  return { response: node.response, onPath: false, left: [], entered: [] };
}

function branch(tree: Tree, entry: TrackedEntry, leaflet: Leaflet, from: Node | null): Placement {
  const moved = switchPath(tree, from);
  return { ...extend(tree, entry, leaflet), ...moved };
}

function remember(tree: Tree, entry: TrackedEntry, node: Node): Node {
  if (entry.parentKey !== null && !tree.byKey.has(entry.parentKey)) tree.awaited.set(entry.parentKey, node);
  if (entry.entryKey !== null) tree.byKey.set(entry.entryKey, node);
  for (const call of entry.toolResults) tree.answerOfCall.set(call, node);
  rememberCalls(tree, entry, node.response);
  return node;
}

function rememberCalls(tree: Tree, entry: TrackedEntry, response: string | null): void {
  if (response !== null) for (const call of entry.toolCalls) tree.responseOfCall.set(call, response);
}
