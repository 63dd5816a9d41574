/** Does random actions through long-term memory and through the model, and compares after each all that can be asked. */
import { expect } from "vitest";
import { isPalimpsestError } from "../../src/index.ts";
import type { ExchangedMemory } from "../../src/memory/exchange/exchanged-memory.ts";
import { importedMemory, type ReadItem } from "../../src/memory/exchange/imported-memory.ts";
import type { AgentMemory } from "../../src/memory/memory.ts";
import { compareFacts } from "./compare-facts.ts";
import {
  compareHistory,
  compareRecall,
  compareRows,
  compareStats,
  readMemories,
} from "./compare-memories.ts";
import type { Item, MemoryAction } from "./memory-actions.ts";
import { MemoryModel, type ModelMemory, stateOfModel } from "./memory-model.ts";
import { rareWord, rareWordIn, rumourOf, sayingOf } from "./memory-words.ts";

export class MemoryRun {
  readonly model = new MemoryModel();
  #memory: AgentMemory;
  readonly #reopen: () => Promise<AgentMemory>;
  readonly #exports: (readonly ExchangedMemory[])[] = [];
  readonly #erasedWords = new Set<string>();
  readonly #name: string;

  /** The name makes its words its own. */
  constructor(memory: AgentMemory, name: string, reopen: () => Promise<AgentMemory>) {
    this.#memory = memory;
    this.#name = name;
    this.#reopen = reopen;
  }

  /** Words that were erased and that nothing else says. */
  get erasedWords(): readonly string[] {
    const said = new Set(this.model.memories.map(({ text }) => rareWordIn(text)));
    return [...this.#erasedWords].filter((word) => word !== "" && !said.has(word));
  }

  get memory(): AgentMemory {
    return this.#memory;
  }

  async take(action: MemoryAction): Promise<void> {
    const known = new Set(this.model.memories.map(({ id }) => id));
    await this.#perform(action);
    await this.compare(this.model.memories.filter(({ id }) => !known.has(id)));
  }

  /** Everything is listed, counted and linked as it must be; what is `new` is found as well. */
  async compare(chosen: readonly ModelMemory[]): Promise<void> {
    const words = new Set(chosen.map(({ text }) => rareWordIn(text)).filter((word) => word !== ""));
    const problems = [
      ...compareRows(await readMemories(this.#memory), this.model),
      ...(await compareStats(this.#memory, this.model)),
      ...(await Promise.all(chosen.map((one) => compareHistory(this.#memory, one, this.model)))).flat(),
      ...(await Promise.all([...words].map((word) => compareRecall(this.#memory, word, this.model)))).flat(),
    ];
    expect(problems).toEqual([]);
  }

  async compareAll(): Promise<void> {
    await this.compare(this.model.memories);
    expect(await compareFacts(this.#memory, this.model)).toEqual([]);
  }

  async exportAll(): Promise<readonly ExchangedMemory[]> {
    const memories: ExchangedMemory[] = [];
    for await (const memory of this.#memory.exchange.export()) memories.push(memory);
    return memories;
  }

  async #perform(action: MemoryAction): Promise<void> {
    switch (action.do) {
      case "store":
        return this.#store(action);
      case "store many":
        return this.#storeMany(action.items);
      case "consolidate":
        return this.#consolidate();
      case "reopen":
        this.#memory = await this.#reopen();
        return;
      case "index":
        await this.#memory.maintenance.index();
        expect((await this.#memory.maintenance.stats()).unindexed).toBe(0);
        return;
      case "reembed":
        await this.#memory.maintenance.reembed();
        expect(await this.#memory.maintenance.reembed()).toMatchObject({ made: 0 });
        return;
      case "recall":
        await this.#memory.recall({ query: "what the house is about", limit: 10 });
        return;
      case "import export":
        return this.#importExport(action.target);
      default:
        return this.#change(action);
    }
  }

  async #store({ scope, key, word, force, otherKey }: Extract<MemoryAction, { do: "store" }>): Promise<void> {
    const text =
      otherKey && key !== null ? sayingOf("colour", this.#wordAt(word)) : this.#textOf({ scope, key, word });
    const input = {
      text,
      scope,
      category: categoryOf(key),
      ...(key === null ? {} : { factKey: key }),
    } as const;
    const outcome = await this.#memory.store({ ...input, force });
    const twin = this.#sameWords(scope, text, keyOf(key));
    if (outcome.action === "duplicate") {
      expect(force).toBe(false);
      const known = this.model.get(outcome.memory.id);
      expect([known.scope, stateOfModel(known)]).toEqual([scope, "active"]);
      expect(isSame(known.text, text), `${known.text} is not ${text}`).toBe(true);
      if (key !== null) expect(known.factKey).toBe(keyOf(key));
      return;
    }
    if (!force) expect(twin).toBeUndefined();
    this.#added(outcome.memory, text, outcome.replaced);
    expect(outcome.action).toBe(outcome.replaced.length === 0 ? "created" : "superseded");
  }

  /** What is stored of a key takes the place of what was in force, and of nothing else. */
  #added(memory: Parameters<MemoryModel["add"]>[0], text: string, replaced: readonly string[]): void {
    const { scope, factKey } = memory;
    const holder = factKey === null ? undefined : this.model.inForce(scope, factKey);
    expect(replaced).toEqual(holder === undefined ? [] : [holder.id]);
    this.model.add(memory, text, replaced);
  }

  #sameWords(scope: string, text: string, factKey: string | null): ModelMemory | undefined {
    return this.model.memories.find(
      (one) =>
        one.scope === scope &&
        one.text === text &&
        stateOfModel(one) === "active" &&
        (factKey === null || one.factKey === factKey),
    );
  }

  async #storeMany(items: readonly Item[]): Promise<void> {
    const stored = await this.#memory.storeMany(
      items.map((item) => ({
        text: this.#textOf(item),
        scope: item.scope,
        category: categoryOf(item.key),
        ...(item.key === null ? {} : { factKey: item.key }),
      })),
    );
    expect(stored.length).toBe(items.length);
    for (const [place, memory] of stored.entries())
      this.#added(memory, this.#textOf(items[place] as Item), memory.supersedes);
  }

  async #consolidate(): Promise<void> {
    const plan = await this.#memory.maintenance.consolidate({ dryRun: true });
    const { archived } = await this.#memory.maintenance.consolidate();
    expect(archived).toEqual(plan.archived);
    for (const { id, canonical } of archived) {
      const [goes, stays] = [this.model.get(id), this.model.get(canonical)];
      expect([stateOfModel(goes), stateOfModel(stays), goes.scope]).toEqual([
        "active",
        "active",
        stays.scope,
      ]);
      expect(isSame(goes.text, stays.text)).toBe(true);
      this.model.change(id, { archivedAt: (await this.#memory.get(id)).archivedAt });
    }
  }

  /** What an export of any time says is known here, and changes nothing; nor does it bring back what was erased. */
  async #importExport(target: number): Promise<void> {
    this.#exports.push(await this.exportAll());
    const memories = this.#exports[target % this.#exports.length] ?? [];
    const report = await this.#memory.exchange.import(itemsOf(memories));
    const erased = memories.filter(({ erasedAt }) => erasedAt !== null).length;
    expect(report).toMatchObject({ created: 0, superseded: 0, alreadyThere: memories.length - erased });
  }

  async #change(action: Extract<MemoryAction, { readonly target: number }>): Promise<void> {
    const { memories } = this.model;
    const target = memories[action.target % memories.length];
    if (target === undefined) return;
    switch (action.do) {
      case "update":
        return this.#update(target, { text: this.#reworded(target, action.word) });
      case "restore with words":
        return this.#update(target, { text: this.#reworded(target, action.word), restore: true });
      case "restore":
        return this.#update(target, { restore: true });
      case "weigh":
        return this.#update(target, { importance: action.importance });
      case "retag":
        return this.#update(target, { tags: [action.tag] });
      case "forget":
        return this.#forget(target);
      case "erase":
        return this.#erase(target);
    }
  }

  async #erase({ id }: ModelMemory): Promise<void> {
    const doomed = this.model.sharingWordsWith(id);
    const { ids } = await this.#memory.forget({ id, erase: true });
    expect(ids.toSorted()).toEqual(doomed.map((one) => one.id).toSorted());
    for (const one of doomed) {
      this.#erasedWords.add(rareWordIn(one.text));
      this.model.erase(one.id);
    }
  }

  async #forget(target: ModelMemory): Promise<void> {
    const { action, ids } = await this.#memory.forget({ id: target.id });
    const isActive = stateOfModel(target) === "active";
    expect([action, ids]).toEqual(isActive ? ["archived", [target.id]] : ["nothing", []]);
    if (isActive)
      this.model.change(target.id, { archivedAt: (await this.#memory.get(target.id)).archivedAt });
  }

  async #update(target: ModelMemory, changes: Changes): Promise<void> {
    const updating = this.#memory.update({ id: target.id, ...changes });
    if (!this.#isChangeable(target, changes)) {
      await expect(updating).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
      return;
    }
    const { action, memory, replaced } = await updating;
    const { restore, text, ...known } = changes;
    if (restore) this.model.change(target.id, { archivedAt: null });
    if (text === undefined || text === target.text) {
      expect([action, memory.id, replaced]).toEqual(["revised", target.id, null]);
      this.model.change(target.id, known);
    } else {
      expect([action, replaced]).toEqual(["version", target.id]);
      this.model.add(memory, text, [target.id], target.id);
    }
  }

  #wordAt(word: number): string {
    return rareWord(`${this.#name} ${word}`);
  }

  #textOf({ key, word }: Item): string {
    if (key !== null) return sayingOf(key, this.#wordAt(word));
    return rumourOf(word % 2 === 0 ? "ships" : "whales", this.#wordAt(word));
  }

  /** Other words of the same fact. */
  #reworded({ text }: ModelMemory, word: number): string {
    const old = rareWordIn(text);
    return old === "" ? sayingOf("colour", this.#wordAt(word)) : text.replace(old, this.#wordAt(word));
  }

  #isChangeable(target: ModelMemory, { restore }: Changes): boolean {
    const state = stateOfModel(target);
    if (state === "active") return true;
    const isTaken = target.factKey !== null && this.model.inForce(target.scope, target.factKey) !== undefined;
    return state === "archived" && restore === true && !isTaken;
  }
}

interface Changes {
  readonly text?: string;
  readonly restore?: true;
  readonly importance?: number;
  readonly tags?: readonly string[];
}

export async function* itemsOf(memories: readonly ExchangedMemory[]): AsyncGenerator<ReadItem> {
  for (const [place, memory] of memories.entries()) yield { line: place + 1, memory: importedMemory(memory) };
}

const categoryOf = (key: string | null) => (key === null ? ("events" as const) : ("preferences" as const));
const keyOf = (key: string | null): string | null => (key === null ? null : `preferences:${key}`);

/** By their words, or by their topic. */
function isSame(a: string, b: string): boolean {
  const topicOf = (text: string) => /about (\w+)/.exec(text)?.[1];
  return a === b || (topicOf(a) !== undefined && topicOf(a) === topicOf(b));
}
