/**
 * Brings the context down. Plans purely, summarises outside any lock, publishes atomically: a summary goes in
 * only if its sources still stand in the context as planned, otherwise planning starts again. Bounded by rounds
 * and time; a sweep that saves nothing stops and says so.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, ShapeItem, StoredConversation } from "../../store/store.ts";
import { sha256, toHex } from "../../text/hash.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Clock, ConversationRef, RandomBytes } from "../../types.ts";
import { requireConversation } from "../read.ts";
import { type Chunk, type PlanSettings, planCondensing, planLeaves } from "./plan-compaction.ts";
import { readSource } from "./read-source.ts";
import { type MadeSummary, type SummariseDependencies, summariseChunk } from "./summarise-chunk.ts";

export interface CompactInput {
  readonly conversation: ConversationRef;
  /** Stop once the context holds at most this many tokens. Default: compact whatever can be compacted. */
  readonly untilUnder?: number;
  /** Plan and say what would be done, without doing it. Default false. */
  readonly dryRun?: boolean;
  /** Why. Default `manual`. */
  readonly trigger?: "manual" | "threshold" | "overflow";
  readonly signal?: AbortSignal;
  readonly onPass?: (pass: CompactionPass) => void;
}

export interface CompactionPass {
  readonly kind: Chunk["kind"];
  readonly depth: number;
  readonly sources: number;
  readonly sourceTokens: number;
  /** Null in a dry run. */
  readonly summary: string | null;
  readonly tokens: number | null;
  readonly quality: MadeSummary["quality"] | null;
  readonly model: string | null;
  readonly fidelity: number | null;
  readonly milliseconds: number;
}

export interface CompactReport {
  readonly conversation: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly itemsBefore: number;
  readonly itemsAfter: number;
  readonly passes: readonly CompactionPass[];
  readonly stopped:
    | "nothing left to compact"
    | "target reached"
    | "out of time"
    | "the context kept changing"
    | "dry run";
}

export interface CompactDependencies extends SummariseDependencies {
  readonly store: ScopedStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly plan: PlanSettings;
  readonly sweepDeadlineMs: number;
  readonly log: Log;
}

/** How often planning starts again because somebody else changed the context. */
const MAX_CONFLICTS = 5;

export async function compact(input: CompactInput, use: CompactDependencies): Promise<CompactReport> {
  const before = await requireConversation(use.store, input.conversation);
  const sweep = new Sweep(before.id, input, use);
  const stopped = await sweep.run();
  const after = await requireConversation(use.store, before.id);
  return { ...sizes(before, after), conversation: before.id, passes: sweep.passes, stopped };
}

function sizes(before: StoredConversation, after: StoredConversation) {
  return {
    tokensBefore: before.contextTokens,
    tokensAfter: after.contextTokens,
    itemsBefore: before.contextItems,
    itemsAfter: after.contextItems,
  };
}

class Sweep {
  readonly passes: CompactionPass[] = [];
  readonly #id: string;
  readonly #input: CompactInput;
  readonly #use: CompactDependencies;
  readonly #deadline: number;
  #conflicts = 0;
  /** The leaf that was made last. */
  #newest: { readonly lastSeq: number; readonly text: string } | undefined;

  constructor(id: string, input: CompactInput, use: CompactDependencies) {
    this.#id = id;
    this.#input = input;
    this.#use = use;
    this.#deadline = use.clock() + use.sweepDeadlineMs;
  }

  async run(): Promise<CompactReport["stopped"]> {
    for (;;) {
      if (await this.#isUnderTarget()) return "target reached";
      const items = await this.#shape();
      const chunks = this.#plan(items);
      if (chunks.length === 0) return "nothing left to compact";
      if (this.#input.dryRun === true) {
        this.passes.push(...chunks.map(planned));
        return "dry run";
      }
      for (const chunk of chunks) {
        if (await this.#isUnderTarget()) return "target reached";
        if (this.#use.clock() > this.#deadline) return "out of time";
        if (await this.#compactChunk(items, chunk)) continue;
        if (++this.#conflicts > MAX_CONFLICTS) return "the context kept changing";
        break;
      }
    }
  }

  /** Leaves first; condensing only when no leaf is left to make. */
  #plan(items: readonly ShapeItem[]): Chunk[] {
    const leaves = planLeaves(items, this.#use.plan).filter(isWorthIt);
    if (leaves.length > 0) return leaves;
    const isHard = this.#input.untilUnder !== undefined;
    const condensing = planCondensing(items, this.#use.plan, isHard);
    return condensing === undefined ? [] : [condensing];
  }

  async #isUnderTarget(): Promise<boolean> {
    if (this.#input.untilUnder === undefined) return false;
    const conversation = await this.#use.store.conversation({ id: this.#id });
    return (conversation?.contextTokens ?? 0) <= this.#input.untilUnder;
  }

  async #shape(): Promise<ShapeItem[]> {
    const items: ShapeItem[] = [];
    for await (const item of everyRow((from) =>
      this.#use.store.contextShape(this.#id, { from, limit: 10_000 }),
    ))
      items.push(item);
    return items;
  }

  /** False when the context has changed and planning must start again. */
  async #compactChunk(items: readonly ShapeItem[], chunk: Chunk): Promise<boolean> {
    const started = performance.now();
    const source = await readSource(this.#use.store, this.#id, chunk);
    const previous = await this.#textBefore(items, chunk);
    const made = await summariseChunk(source, previous, { ...this.#use, ...this.#signal() });
    const milliseconds = performance.now() - started;
    try {
      await this.#publish(chunk, made, milliseconds);
      if (chunk.kind === "leaf") this.#newest = { lastSeq: chunk.seqs.at(-1) ?? 0, text: made.text };
      return true;
    } catch (error) {
      if (isPalimpsestError(error, "busy")) return false;
      throw error;
    }
  }

  /** The summary right before a leaf, for continuity: one of this sweep, or one that stands in the context. */
  async #textBefore(items: readonly ShapeItem[], chunk: Chunk): Promise<string> {
    if (chunk.kind === "condensed") return "";
    const first = items.findIndex((item) => item.type === "message" && item.seq === chunk.seqs[0]);
    const before = items[first - 1];
    if (before === undefined) return "";
    if (before.type === "message") return before.seq === this.#newest?.lastSeq ? this.#newest.text : "";
    return (await this.#use.store.summary(before.summary))?.content ?? "";
  }

  #signal(): { signal?: AbortSignal } {
    return this.#input.signal === undefined ? {} : { signal: this.#input.signal };
  }

  async #publish(chunk: Chunk, made: MadeSummary, milliseconds: number): Promise<void> {
    const { store, clock, random, log } = this.#use;
    const at = isoTime(clock());
    const id = `sum_${sha256(made.text + toHex(random(16))).slice(0, 16)}`;
    const before = (await store.conversation({ id: this.#id }))?.contextTokens ?? 0;
    const trigger = this.#input.trigger ?? "manual";
    await store.commit([
      {
        kind: "publish",
        id: this.#id,
        summary: {
          id,
          content: made.text,
          tokenCount: made.tokenCount,
          quality: made.quality,
          model: made.model,
          fileIds: fileIdsIn(made.text),
          fidelity: made.fidelity,
          sources:
            chunk.kind === "leaf"
              ? { type: "messages", seqs: chunk.seqs }
              : { type: "summaries", ids: chunk.ids },
          createdAt: at,
        },
        event: {
          at,
          summary: id,
          trigger,
          tokensBefore: before,
          tokensAfter: before - chunk.tokens + made.tokenCount,
          milliseconds,
        },
        at,
      },
    ]);
    log.info(
      {
        conversation_id: this.#id,
        summary_id: id,
        trigger_reason: trigger,
        token_before: before,
        token_after: before - chunk.tokens + made.tokenCount,
        attempts: made.attempts,
      },
      "compacted",
    );
    this.passes.push(passOf(chunk, id, made, milliseconds));
    this.#input.onPass?.(passOf(chunk, id, made, milliseconds));
  }
}

/** A summary of very little would be as long as what it stands for. */
const SMALLEST_LEAF_TOKENS = 600;

function isWorthIt(chunk: Chunk): boolean {
  return chunk.tokens >= SMALLEST_LEAF_TOKENS;
}

function fileIdsIn(text: string): string[] {
  return [...new Set(text.match(/\bfile_[0-9a-f]{16}\b/g) ?? [])];
}

function planned(chunk: Chunk): CompactionPass {
  return {
    ...shapeOf(chunk),
    summary: null,
    tokens: null,
    quality: null,
    model: null,
    fidelity: null,
    milliseconds: 0,
  };
}

function passOf(chunk: Chunk, summary: string, made: MadeSummary, milliseconds: number): CompactionPass {
  const { tokenCount: tokens, quality, model, fidelity } = made;
  return { ...shapeOf(chunk), summary, tokens, quality, model, fidelity, milliseconds };
}

function shapeOf(chunk: Chunk) {
  return {
    kind: chunk.kind,
    depth: chunk.kind === "leaf" ? 0 : chunk.depth,
    sources: chunk.kind === "leaf" ? chunk.seqs.length : chunk.ids.length,
    sourceTokens: chunk.tokens,
  };
}
