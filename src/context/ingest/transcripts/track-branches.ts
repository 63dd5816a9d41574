/**
 * The active path of a tree transcript: what the model saw, found entry by entry in the order of the file. The
 * path is not the strict walk from the leaf to the root. Hosts write one model response as several entries, and
 * hang each tool result under the entry of its own call, so that a strict walk loses results the model really
 * saw. Here the entries of one response stay together, and only a message that goes on from somewhere else, a
 * rewind, switches the path. No entry is forgotten: what left the path comes back when the path returns to it.
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
  /** The caller's name for the entry; it comes back in `left` and `entered`. */
  readonly index: number;
  readonly isMessage: boolean;
  /** Hash of the line, where the caller has it: an exact repeat of an entry then changes nothing. */
  readonly hash?: string | null;
}

export interface Placement {
  /** The response the entry belongs to: its own, that of the call it answers, or, if quiet, that before it. */
  readonly response: string | null;
  readonly onPath: boolean;
  /** Other entries that this one took off the path or brought back to it, in the order of the path. */
  readonly left: number[];
  readonly entered: number[];
}

interface BranchTracker {
  /** Constant time while the file is linear; a switch costs as much as the two branches are long. */
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

/** Not part of the tree: an entry of a sub-agent, or an event without an id. */
function keepOutside(tree: Tree, entry: TrackedEntry): Placement {
  const response = responseOf(tree, entry, null);
  rememberCalls(tree, entry, response);
  return { response, onPath: false, left: [], entered: [] };
}

/** The same entry, written again with other content, takes its own place; what follows it stays. */
function replace(tree: Tree, earlier: Node, entry: TrackedEntry): Placement {
  const onPath = isOnPath(tree, earlier);
  const isRepeat = earlier.hash !== null && earlier.hash === (entry.hash ?? null);
  const left = onPath && !isRepeat ? [earlier.index] : [];
  if (!isRepeat) earlier.index = entry.index;
  return { response: earlier.response, onPath, left, entered: [] };
}

/** Null is the root. An entry without links, or whose parent is not in the file, goes on from the leaf. */
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
  // The call may have been read in an earlier run that nobody remembers; a result hangs under its call.
  return parent?.response ?? null;
}

/**
 * Written out of order, and on the path all the same: the parent that an entry on the path already names, and
 * the first answer to a call on the path.
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

/** Beside the path: a message that goes on from here will bring it in. */
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
