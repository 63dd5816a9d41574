/**
 * The entries of a tree transcript and the active path through them. Changes of the path return
 * the entries that left it and those that returned. `track-branches.ts` decides where an entry is placed.
 */

export interface Tree {
  readonly path: Node[];
  readonly byKey: Map<string, Node>;
  readonly responseOfCall: Map<string, string>;
  readonly answerOfCall: Map<string, Node>;
  /** Keys of parents not yet read, each with an entry that names it. */
  readonly awaited: Map<string, Node>;
}

export interface Node {
  /** The caller's number of the entry: that of its newest version. */
  index: number;
  readonly parentKey: string | null;
  readonly hash: string | null;
  readonly response: string | null;
  /**
   * The entry before it on the path when it was added, which makes its whole path recoverable. It differs
   * from the parent if a response was written in parallel.
   */
  readonly previous: Node | null;
  readonly depth: number;
  readonly stretch: Stretch;
}

/**
 * Entries that stay together: the pieces and results of one response, or a single message, and the quiet entries
 * after them. An entry only ever joins after `last`, so a stretch never forks.
 */
interface Stretch {
  readonly response: string | null;
  /** Depth of the newest message, here or before, that began a new stretch; -1 if there is none. */
  readonly barrier: number;
  last: Node | null;
}

/** A node before it is placed: everything that does not depend on its position. */
export interface Leaflet {
  readonly index: number;
  readonly parentKey: string | null;
  readonly hash: string | null;
  /** Its own response; a quiet entry without one takes that of its stretch. */
  readonly response: string | null;
  /** Joins the previous stretch, whatever its kind. */
  readonly quiet: boolean;
}

export function emptyTree(): Tree {
  return {
    path: [],
    byKey: new Map(),
    responseOfCall: new Map(),
    answerOfCall: new Map(),
    awaited: new Map(),
  };
}

export function leafOf(tree: Tree): Node | null {
  return tree.path.at(-1) ?? null;
}

export function isOnPath(tree: Tree, node: Node | undefined): boolean {
  return node !== undefined && tree.path[node.depth] === node;
}

/** Whether only the node's own stretch and quiet entries are between it and the leaf. Null is the root. */
export function reachesLeaf(tree: Tree, node: Node | null): boolean {
  const barrier = leafOf(tree)?.stretch.barrier ?? -1;
  return node === null ? barrier < 0 : isOnPath(tree, node) && barrier <= node.depth;
}

/** Makes the path end in `end`. */
export function switchPath(tree: Tree, end: Node | null): { left: number[]; entered: number[] } {
  const entering: Node[] = [];
  let joint = end;
  for (; joint !== null && !isOnPath(tree, joint); joint = joint.previous) entering.push(joint);
  const left = tree.path.splice(joint === null ? 0 : joint.depth + 1);
  entering.reverse();
  for (const node of entering) tree.path.push(node);
  return { left: left.map((node) => node.index), entered: entering.map((node) => node.index) };
}

/** Creates the node after `previous`. It is then in the tree, but not yet on the path. */
export function grow(leaflet: Leaflet, previous: Node | null): Node {
  const { index, parentKey, hash, quiet } = leaflet;
  const depth = previous === null ? 0 : previous.depth + 1;
  const stretch = stretchBehind(previous, leaflet, depth);
  const response = leaflet.response ?? (quiet ? stretch.response : null);
  const node: Node = { index, parentKey, hash, response, previous, depth, stretch };
  stretch.last = node;
  return node;
}

function stretchBehind(previous: Node | null, { response, quiet }: Leaflet, depth: number): Stretch {
  const before = previous?.stretch;
  const isSameResponse = response !== null && before?.response === response;
  if (before !== undefined && (quiet || isSameResponse)) return before;
  return quiet ? { response: null, barrier: -1, last: null } : { response, barrier: depth, last: null };
}
