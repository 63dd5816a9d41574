/** Chooses what the killed process does to memory next: seeded, and by what it knows of the store. */
import type { Memory } from "../../src/memory-types.ts";
import { rareWord, rareWordIn, SCOPES } from "../properties/memory-words.ts";
import type { MemoryAnswer, MemoryOperation, NewSaying } from "./memory-operation.ts";
import type { SeededRandom } from "./seeded-random.ts";

export interface KnownMemory {
  readonly id: string;
  readonly scope: string;
  readonly factKey: string | null;
  readonly text: string;
  state: "active" | "archived";
}

const KEYS = ["colour", "shape", "size", "weight"];
const TOPICS = ["ships", "whales"];

export class MemoryChooser {
  readonly #random: SeededRandom;
  readonly #round: string;
  readonly #known: Map<string, KnownMemory>;
  #names = 0;

  constructor(random: SeededRandom, round: string, known: readonly KnownMemory[]) {
    this.#random = random;
    this.#round = round;
    this.#known = new Map(known.map((memory) => [memory.id, memory]));
  }

  /**
   * One to four operations to do at the same time, with index and vectors beside them. Of one fact there is one at a
   * time, so that the order of what was done is known; what looks at all memories is alone.
   */
  nextWave(): MemoryOperation[] {
    const caches = (["index", "reembed"] as const).filter(() => this.#random.chance(0.15));
    const beside = caches.map((kind) => ({ kind }));
    if (this.#random.chance(0.12)) return [{ kind: "consolidate" }, ...beside];
    const wave: MemoryOperation[] = [];
    const taken = new Set<string>();
    for (let more = 1 + this.#random.below(4); more > 0; more--) {
      const { operation, facts } = this.#choose();
      if (facts.some((fact) => taken.has(fact))) continue;
      for (const fact of facts) taken.add(fact);
      wave.push(operation);
    }
    return [...wave, ...beside];
  }

  learn(operation: MemoryOperation, { added, archived }: MemoryAnswer): void {
    for (const { replaced, ...row } of added) {
      for (const id of replaced) this.#known.delete(id);
      this.#known.set(row.id, { ...row, state: "active" });
    }
    for (const id of archived) this.#set(id, "archived");
    if (operation.kind === "restore") this.#set(operation.id, "active");
    if (operation.kind === "erase") this.#known.delete(operation.id);
  }

  #set(id: string, state: KnownMemory["state"]): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#known.set(id, { ...known, state });
  }

  #choose(): { readonly operation: MemoryOperation; readonly facts: readonly string[] } {
    const random = this.#random;
    const share = random.below(100);
    if (share < 35) return this.#storing();
    if (share < 42) return this.#storingMany();
    if (share < 46)
      return {
        operation: { kind: "import", name: this.#name(), chains: random.pick([1, 5, 60]) },
        facts: [],
      };
    const target = this.#target();
    return target === undefined
      ? this.#storing()
      : { operation: this.#changeOf(target), facts: [factOf(target)] };
  }

  #target(): KnownMemory | undefined {
    const known = [...this.#known.values()];
    return known.length === 0 ? undefined : this.#random.pick(known);
  }

  #changeOf({ id, scope, factKey, text, state }: KnownMemory): MemoryOperation {
    const share = this.#random.below(100);
    const isTaken = [...this.#known.values()].some(
      (one) => one.state === "active" && factKey !== null && one.scope === scope && one.factKey === factKey,
    );
    if (state === "archived") return { kind: share < 60 && !isTaken ? "restore" : "erase", id };
    if (share < 60)
      return { kind: "update", id, text: text.replace(rareWordIn(text), rareWord(this.#name())) };
    if (share < 75) return { kind: "weigh", id, importance: this.#random.below(101) / 100 };
    return { kind: share < 90 ? "forget" : "erase", id };
  }

  #storing() {
    const saying = this.#saying();
    return { operation: { kind: "store" as const, ...saying }, facts: [factOfSaying(saying)] };
  }

  #storingMany() {
    const sayings = Array.from({ length: 2 + this.#random.below(20) }, () => this.#saying());
    return { operation: { kind: "store many" as const, sayings }, facts: sayings.map(factOfSaying) };
  }

  #saying(): NewSaying {
    const random = this.#random;
    const key = random.chance(0.6) ? random.pick(KEYS) : null;
    return { scope: random.pick(SCOPES), key, topic: random.pick(TOPICS), name: this.#name() };
  }

  #name(): string {
    return `${this.#round}-${this.#names++}`;
  }
}

function factOfSaying({ scope, key, name }: NewSaying): string {
  return `${scope} ${key === null ? name : `preferences:${key}`}`;
}

function factOf({ scope, factKey, id }: Pick<Memory, "scope" | "factKey" | "id">): string {
  return `${scope} ${factKey ?? id}`;
}
