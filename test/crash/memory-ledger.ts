/**
 * What memory must hold after what was acknowledged, and after what of the interrupted left its sign: that it happened
 * wholly is seen when everything is compared.
 */
import type { Memory } from "../../src/memory-types.ts";
import { MemoryModel, stateOfModel } from "../properties/memory-model.ts";
import { importedBy, type MemoryAnswer, type MemoryOperation, rowOf, textOf } from "./memory-operation.ts";

type View = ReadonlyMap<string, Memory>;

export class MemoryLedger {
  readonly model = new MemoryModel();

  apply(operation: MemoryOperation, { added, archived }: MemoryAnswer, view: View): void {
    const editedFrom = operation.kind === "update" ? operation.id : null;
    for (const { text, replaced, ...row } of added) this.model.add(row, text, replaced, editedFrom);
    for (const id of archived) this.model.change(id, { archivedAt: view.get(id)?.archivedAt ?? "then" });
    if (operation.kind === "weigh") this.model.change(operation.id, { importance: operation.importance });
    if (operation.kind === "restore") this.model.change(operation.id, { archivedAt: null });
    if (operation.kind === "erase")
      for (const { id } of this.model.sharingWordsWith(operation.id)) this.model.erase(id);
    if (operation.kind === "import") this.#import(operation, importedBy(operation).length);
  }

  /** Whether an operation that nobody heard the end of has happened; then it is applied. */
  resolve(operation: MemoryOperation, view: View): boolean {
    if (operation.kind === "import") return this.#import(operation, this.#imported(operation, view));
    const answer = this.#answerOf(operation, view);
    if (answer === undefined) return false;
    this.apply(operation, answer, view);
    return true;
  }

  #answerOf(operation: MemoryOperation, view: View): MemoryAnswer | undefined {
    switch (operation.kind) {
      case "store":
        return this.#found([textOf(operation)], view);
      case "store many":
        return this.#found(operation.sayings.map(textOf), view);
      case "update":
        return this.#found([operation.text], view);
      case "consolidate":
        return this.#setAside(view);
      case "forget":
        return answerIf(view.get(operation.id)?.archivedAt !== null, [operation.id]);
      case "weigh":
        return answerIf(view.get(operation.id)?.importance === operation.importance, []);
      case "restore":
        return answerIf(view.get(operation.id)?.archivedAt === null, []);
      case "erase":
        return answerIf(view.get(operation.id)?.erasedAt !== null, []);
      default:
        return undefined;
    }
  }

  /** By its rare word: the first of them tells about all. */
  #found(texts: readonly string[], view: View): MemoryAnswer | undefined {
    const rows = [...view.values()];
    const found = texts.map((text) => rows.find(({ abstract }) => abstract === text));
    if (found[0] === undefined) return undefined;
    const added = found.map((row, place) => {
      if (row === undefined) throw new Error(`${texts[place]} was left out of what was stored together`);
      return rowOf(row, row.supersedes);
    });
    return { added, archived: [] };
  }

  /** Each pair is a step of its own, and whole: what goes names what stays, which is in force. */
  #setAside(view: View): MemoryAnswer {
    const archived = this.model.memories
      .filter((one) => stateOfModel(one) === "active" && isConsolidated(view.get(one.id)))
      .map(({ id }) => id);
    return { added: [], archived };
  }

  /** In batches, each of which came whole or not at all. */
  #imported(operation: Extract<MemoryOperation, { kind: "import" }>, view: View): number {
    const isThere = importedBy(operation).map(({ id }) => view.has(id));
    const count = isThere.lastIndexOf(true) + 1;
    if (isThere.slice(0, count).includes(false)) throw new Error(`${operation.name} was imported with gaps`);
    if (count !== isThere.length && count % IMPORT_BATCH !== 0)
      throw new Error(`${operation.name} was imported up to ${count}, in the middle of a batch`);
    return count;
  }

  #import(operation: Extract<MemoryOperation, { kind: "import" }>, count: number): boolean {
    for (const memory of importedBy(operation).slice(0, count)) {
      const { id, factKey, tags, abstract, supersedes } = memory;
      if (this.model.has(id)) continue;
      const own = { id, factKey, tags, scope: memory.scope ?? "", createdAt: memory.createdAt ?? "" };
      this.model.add({ ...own, importance: 0.7 }, abstract, supersedes);
    }
    return count > 0;
  }
}

const IMPORT_BATCH = 128;

function answerIf(happened: boolean, archived: readonly string[]): MemoryAnswer | undefined {
  return happened ? { added: [], archived } : undefined;
}

function isConsolidated(memory: Memory | undefined): boolean {
  return memory?.archivedReason?.startsWith("says the same as ") === true;
}
