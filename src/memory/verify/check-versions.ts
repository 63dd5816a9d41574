/**
 * Checks versions: a replaced memory has an end and names its successor, which exists in the same scope and leads to
 * a memory without a successor. A fact key has at most one current memory in a scope. Words exist until they
 * are erased. Memories are checked in a stream; suspected problems are read again at the end, since
 * other processes may have written meanwhile.
 */
import { stateOf } from "../../memory-types.ts";
import type { MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { factOf } from "../../store/rules/fact-order.ts";
import type { MemoryProblem } from "./memory-problem.ts";

type Reader = Pick<MemoryStore, "memory">;

export class VersionCheck {
  readonly #store: Reader;
  readonly #suspects = new Set<string>();
  /** The successor of each replaced memory. */
  readonly #successors = new Map<string, string>();
  /** The current memory of each key. */
  readonly #holders = new Map<string, string>();
  readonly #twins: (readonly [string, string])[] = [];

  constructor(store: Reader) {
    this.#store = store;
  }

  meet(memory: StoredMemory): void {
    if (wrongAlone(memory) !== null) this.#suspects.add(memory.id);
    if (memory.supersededBy !== null) this.#successors.set(memory.id, memory.supersededBy);
    const key = factOf(memory);
    if (key === null || stateOf(memory) !== "active") return;
    const holder = this.#holders.get(key);
    if (holder === undefined) this.#holders.set(key, memory.id);
    else this.#twins.push([holder, memory.id]);
  }

  async end(): Promise<readonly MemoryProblem[]> {
    const problems: (MemoryProblem | null)[] = [];
    for (const id of this.#suspects)
      problems.push(await this.#lookAgain(id, async (memory) => wrongAlone(memory)));
    for (const id of this.#successors.keys())
      problems.push(await this.#lookAgain(id, (memory) => this.#wrongSuccessor(memory)));
    for (const circle of circlesIn(this.#successors))
      problems.push(
        await this.#lookAgain(circle[0] ?? "", async () => `replaces itself through ${circle.join(", ")}`),
      );
    for (const [one, other] of this.#twins)
      problems.push(await this.#lookAgain(other, (memory) => this.#wrongTwin(memory, one)));
    return problems.filter((problem) => problem !== null);
  }

  async #lookAgain(
    id: string,
    look: (memory: StoredMemory) => Promise<string | null>,
  ): Promise<MemoryProblem | null> {
    const memory = await this.#store.memory(id);
    const wrong = memory === undefined ? null : await look(memory);
    return wrong === null ? null : { check: "memories", memory: id, message: `it ${wrong}`, repair: null };
  }

  async #wrongSuccessor({ scope, supersededBy }: StoredMemory): Promise<string | null> {
    if (supersededBy === null) return null;
    const successor = await this.#store.memory(supersededBy);
    if (successor === undefined) return `was replaced by ${supersededBy}, which does not exist`;
    return successor.scope === scope
      ? null
      : `was replaced by ${supersededBy}, which is in ${successor.scope}`;
  }

  async #wrongTwin(memory: StoredMemory, other: string): Promise<string | null> {
    const holder = await this.#store.memory(other);
    const areTwins =
      holder !== undefined &&
      [holder, memory].every((one) => stateOf(one) === "active") &&
      factOf(holder) === factOf(memory);
    return areTwins ? `is active under ${memory.factKey}, and so is ${other}` : null;
  }
}

function wrongAlone(memory: StoredMemory): string | null {
  const { supersededBy, invalidatedAt, erasedAt, abstract, overview, content } = memory;
  if (erasedAt !== null && `${abstract}${overview}${content}` !== "") return "was erased, but still has text";
  if (erasedAt === null && abstract === "") return "has no text, but was not erased";
  if (supersededBy !== null && invalidatedAt === null)
    return `was replaced by ${supersededBy}, but has no end`;
  return supersededBy === null && invalidatedAt !== null ? "has an end, but no replacement" : null;
}

function circlesIn(successors: ReadonlyMap<string, string>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  for (const start of successors.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !done.has(id) && !path.has(id)) {
      path.add(id);
      id = successors.get(id);
    }
    if (id !== undefined && path.has(id)) circles.push([...path].slice([...path].indexOf(id)));
    for (const passed of path) done.add(passed);
  }
  return circles;
}
