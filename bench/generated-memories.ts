/** Memories generated on demand, with a word distribution like that of a language, and their index. */
import type { IndexStore } from "../src/memory/recall/index/index-store.ts";
import { fakeMemory } from "../src/memory/testing/fake-memory-store.ts";
import type {
  MemoryIndex,
  MemoryRef,
  MemorySegment,
  MemoryWrite,
  MemoryWriteResult,
  StoredMemory,
} from "../src/store/memory-store.ts";

const VOCABULARY = 100_000;
const WORDS = 40;
const SCOPE = "global";
const STARTED = Date.UTC(2025, 0, 1);
const ENDINGS = ["", "", "", "", "", "", "s", "s", "ing", "ed"];
const SYLLABLES = "ka ro mi ten sal vor pel dun gra sti ble fon mar que lin tas wer zo hap nui".split(" ");

export class GeneratedMemories implements IndexStore {
  readonly #count: number;
  readonly #shares = zipf(VOCABULARY);
  #segments: MemorySegment[] = [];
  #nextId = 1;

  constructor(count: number) {
    this.#count = count;
  }

  get indexBytes(): number {
    return this.#segments.reduce((sum, { content }) => sum + content.length, 0);
  }

  async memoriesAt(refs: readonly MemoryRef[]): Promise<readonly StoredMemory[]> {
    return refs.map((ref) => this.#memory(ref));
  }

  async memoryIndex(): Promise<MemoryIndex> {
    const segments = this.#segments.map(({ id, scope, first, last }) => ({ id, scope, first, last }));
    const last = Math.max(0, ...segments.map((segment) => segment.last));
    const unindexed = last < this.#count ? [{ scope: SCOPE, first: last + 1, last: this.#count }] : [];
    return { segments, unindexed };
  }

  async memorySegments(ids: readonly number[]): Promise<readonly MemorySegment[]> {
    return this.#segments.filter(({ id }) => ids.includes(id));
  }

  async commit(writes: readonly MemoryWrite[]): Promise<readonly MemoryWriteResult[]> {
    for (const write of writes) {
      if (write.kind !== "memory-index" || write.segment === null) throw new Error("only segments");
      this.#segments = this.#segments.filter(({ id }) => !write.replaces.includes(id));
      this.#segments.push({ ...write.segment, id: this.#nextId++ });
    }
    return [];
  }

  /** Five to eight words: two of any frequency, the others rarer; every second one with words of most questions. */
  question(seed: number): string {
    const random = randomFrom(seed + 77);
    const count = 5 + Math.floor(random() * 4);
    const words = Array.from({ length: count }, (_, i) =>
      i < 2 ? this.#word(random) : wordAt(Math.floor(20 * 5_000 ** random()), random),
    );
    return seed % 2 === 0 ? `what did ${words.join(" ")}` : words.join(" ");
  }

  someRefs(seed: number, count: number): readonly MemoryRef[] {
    const random = randomFrom(seed + 7_777);
    return Array.from({ length: count }, () => ({
      scope: SCOPE,
      number: 1 + Math.floor(random() * this.#count),
    }));
  }

  #memory({ scope, number }: MemoryRef): StoredMemory {
    const random = randomFrom(number);
    const length = WORDS / 2 + Math.floor(random() * WORDS);
    const words = Array.from({ length }, () => this.#word(random));
    const createdAt = new Date(STARTED + number * 30_000).toISOString();
    const [abstract, content] = [words.slice(0, 12).join(" "), words.slice(12).join(" ")];
    return fakeMemory({ scope, number }, { abstract, content, createdAt });
  }

  #word(random: () => number): string {
    const wanted = random();
    let [low, high] = [0, VOCABULARY - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#shares[middle] ?? 1) < wanted) low = middle + 1;
      else high = middle;
    }
    return wordAt(low, random);
  }
}

/** Which share of a text the first so many words make up. */
function zipf(count: number): Float64Array {
  const shares = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += 1 / (i + 2.7) ** 1.05;
    shares[i] = sum;
  }
  return shares.map((share) => share / sum);
}

function wordAt(rank: number, random: () => number): string {
  let word = "";
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word + ENDINGS[rank < 100 ? 0 : Math.floor(random() * ENDINGS.length)];
}

function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
