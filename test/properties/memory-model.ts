/** What long-term memory must hold after what was done to it, as plain rows; nothing here knows how it is kept. */
import type { Memory, MemoryState } from "../../src/memory-types.ts";

export interface ModelMemory {
  readonly id: string;
  readonly scope: string;
  readonly text: string;
  readonly factKey: string | null;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly createdAt: string;
  readonly supersededBy: string | null;
  readonly invalidatedAt: string | null;
  readonly archivedAt: string | null;
  readonly isErased: boolean;
  /** What its words were made of by an edit. */
  readonly editedFrom: string | null;
}

type Told = Pick<Memory, "id" | "scope" | "factKey" | "tags" | "importance" | "createdAt">;

export class MemoryModel {
  readonly #memories = new Map<string, ModelMemory>();

  get memories(): readonly ModelMemory[] {
    return [...this.#memories.values()];
  }

  get(id: string): ModelMemory {
    const memory = this.#memories.get(id);
    if (memory === undefined) throw new Error(`${id} was never acknowledged`);
    return memory;
  }

  has(id: string): boolean {
    return this.#memories.has(id);
  }

  /** A new memory that took the place of these. */
  add(
    { id, scope, factKey, tags, importance, createdAt }: Told,
    text: string,
    replaced: readonly string[],
    editedFrom: string | null = null,
  ): void {
    if (this.#memories.has(id)) throw new Error(`${id} was given out twice`);
    for (const old of replaced) {
      if (stateOfModel(this.get(old)) !== "active")
        throw new Error(`${id} replaced ${old}, which was not in force`);
      this.change(old, { supersededBy: id, invalidatedAt: createdAt });
    }
    const own = { id, scope, text, factKey, tags, importance, createdAt };
    this.#memories.set(id, {
      ...own,
      supersededBy: null,
      invalidatedAt: null,
      archivedAt: null,
      isErased: false,
      editedFrom,
    });
  }

  change(id: string, changes: Partial<ModelMemory>): void {
    this.#memories.set(id, { ...this.get(id), ...changes });
  }

  /** All that has words of one another through edits, and this one is one of. Erased ones have none. */
  sharingWordsWith(id: string): readonly ModelMemory[] {
    const found = new Set<string>();
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const one = this.get(next);
      if (found.has(next) || one.isErased) continue;
      found.add(next);
      const made = this.memories.filter(({ editedFrom }) => editedFrom === next);
      waiting.push(...made.map((other) => other.id), ...(one.editedFrom === null ? [] : [one.editedFrom]));
    }
    return [...found].map((one) => this.get(one));
  }

  erase(id: string): void {
    this.change(id, { isErased: true, text: "", factKey: null, tags: [] });
  }

  inForce(scope: string, factKey: string): ModelMemory | undefined {
    return this.memories.find(
      (one) => one.scope === scope && one.factKey === factKey && stateOfModel(one) === "active",
    );
  }

  /** All that took the place of one another, and this one is one of; what was replaced comes first. */
  versionsOf(id: string): readonly ModelMemory[] {
    let last = this.get(id);
    while (last.supersededBy !== null) last = this.get(last.supersededBy);
    return [...this.#before(last), last];
  }

  #before({ id }: ModelMemory): readonly ModelMemory[] {
    return this.memories
      .filter((one) => one.supersededBy === id)
      .flatMap((one) => [...this.#before(one), one]);
  }
}

export function stateOfModel({ isErased, supersededBy, archivedAt }: ModelMemory): MemoryState {
  if (isErased) return "erased";
  if (supersededBy !== null) return "superseded";
  return archivedAt === null ? "active" : "archived";
}
