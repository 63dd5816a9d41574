/** One compaction of one conversation: plan, summarise, publish, until the target is reached or nothing is left. */
import { isPalimpsestError } from "../../errors.ts";
import type { ShapeItem, StoredConversation, StoredSummary } from "../../store/store.ts";
import { newSummaryId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { CompactDependencies, CompactionTrigger } from "./compact.ts";
import { type CompactionPass, donePass, plannedPass } from "./compaction-pass.ts";
import { sizeOf } from "./evaluate.ts";
import { type Chunk, type PlanSettings, planCondensing, planLeaves } from "./plan-compaction.ts";
import { readShape } from "./read-shape.ts";
import { readSource } from "./read-source.ts";
import { replaceSources } from "./replace-sources.ts";
import { type MadeSummary, Summariser } from "./summarise-chunk.ts";

export interface SweepLimits {
  readonly plan: PlanSettings;
  readonly trigger: CompactionTrigger;
  /** Tokens of the context at which there is enough room. 0: go on while there is anything to do. */
  readonly untilUnder: number;
  /** Time after which no further pass starts. */
  readonly deadline: number;
  /** Depth that no new summary may exceed. */
  readonly maxDepth: number;
  readonly maxLeaves: number;
  /** Whether few neighbours may be condensed when nothing else helps. */
  readonly isHard: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onPass: ((pass: CompactionPass) => void) | undefined;
}

export type StopReason =
  | "nothing left to compact"
  | "target reached"
  | "out of time"
  | "the context kept changing"
  | "cancelled"
  | "dry run";

/** How often planning starts again because somebody else changed the context. */
const MAX_CONFLICTS = 5;

export class Sweep {
  readonly passes: CompactionPass[] = [];
  readonly #use: CompactDependencies;
  readonly #limits: SweepLimits;
  readonly #summariser: Summariser;
  /** Chunks whose summary was no shorter: they are not tried again. */
  readonly #useless = new Set<string>();
  #conversation: StoredConversation;
  #items: ShapeItem[] = [];
  /** The newest summary of this sweep, for continuity. */
  #previous: { readonly id: string; readonly text: string } | undefined;

  constructor(conversation: StoredConversation, use: CompactDependencies, limits: SweepLimits) {
    this.#conversation = conversation;
    this.#use = use;
    this.#limits = limits;
    this.#summariser = new Summariser(use, limits.signal);
  }

  /** What the first round would do. */
  async plan(): Promise<CompactionPass[]> {
    await this.#readItems();
    return this.#next().map((chunk) => plannedPass(chunk, this.#conversation.contextTokens));
  }

  async run(): Promise<StopReason> {
    for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts++) {
      await this.#readItems();
      const stopped = await this.#runPlan();
      if (stopped !== "conflict") return stopped;
    }
    return "the context kept changing";
  }

  async #runPlan(): Promise<StopReason | "conflict"> {
    for (;;) {
      const chunks = this.#next();
      if (chunks.length === 0) return this.#isUnderTarget() ? "target reached" : "nothing left to compact";
      for (const chunk of chunks) {
        const stopped = this.#reasonToStop();
        if (stopped !== undefined) return stopped;
        if ((await this.#compactChunk(chunk)) === "conflict") return "conflict";
      }
    }
  }

  #reasonToStop(): StopReason | undefined {
    if (this.#limits.signal?.aborted === true) return "cancelled";
    if (this.#isUnderTarget()) return "target reached";
    return this.#use.clock() > this.#limits.deadline ? "out of time" : undefined;
  }

  #isUnderTarget(): boolean {
    return sizeOf(this.#conversation) <= this.#limits.untilUnder;
  }

  /** Leaves first; condensing when no leaf is left to make; few neighbours only when nothing else is left. */
  #next(): Chunk[] {
    const { plan, maxDepth, maxLeaves, isHard } = this.#limits;
    const made = this.passes.filter((pass) => pass.kind === "leaf").length;
    const leaves = planLeaves(this.#items, plan).filter((chunk) => this.#isWorthTrying(chunk));
    if (leaves.length > 0 && made < maxLeaves) return leaves.slice(0, maxLeaves - made);
    for (const hard of isHard ? [false, true] : [false]) {
      const chunk = planCondensing(this.#items, plan, hard);
      if (chunk !== undefined && chunk.depth <= maxDepth && this.#isWorthTrying(chunk)) return [chunk];
    }
    return [];
  }

  #isWorthTrying(chunk: Chunk): boolean {
    return !this.#useless.has(nameOf(chunk));
  }

  async #readItems(): Promise<void> {
    const { store } = this.#use;
    const { id } = this.#conversation;
    this.#items = await readShape(store, id);
    this.#conversation = (await store.conversation({ id })) ?? this.#conversation;
  }

  async #compactChunk(chunk: Chunk): Promise<"published" | "useless" | "conflict"> {
    const started = performance.now();
    const { source, fileIds } = await readSource(this.#use.store, this.#conversation.id, chunk);
    const made = await this.#summariser.summarise(source, await this.#textBefore(chunk));
    if (made.tokenCount >= chunk.tokens && !isShort(chunk)) {
      this.#useless.add(nameOf(chunk));
      return "useless";
    }
    try {
      await this.#publish(chunk, { ...made, fileIds }, started);
      return "published";
    } catch (error) {
      if (isPalimpsestError(error, "busy")) return "conflict";
      throw error;
    }
  }

  /** The summary right before a leaf, so that names and references in it are understood. */
  async #textBefore(chunk: Chunk): Promise<string> {
    if (chunk.kind === "condensed") return "";
    const first = this.#items.findIndex((item) => item.type === "message" && item.seq === chunk.seqs[0]);
    const before = this.#items[first - 1];
    if (before?.type !== "summary") return "";
    if (before.summary === this.#previous?.id) return this.#previous.text;
    return (await this.#use.store.summary(before.summary))?.content ?? "";
  }

  async #publish(
    chunk: Chunk,
    made: MadeSummary & { readonly fileIds: readonly string[] },
    started: number,
  ): Promise<void> {
    const { store, clock, random, log } = this.#use;
    const { id: conversation, contextTokens: before } = this.#conversation;
    const at = isoTime(clock());
    const id = newSummaryId(made.text, random);
    const after = before - chunk.tokens + made.tokenCount;
    const milliseconds = performance.now() - started;
    const { trigger } = this.#limits;
    const event = { at, summary: id, trigger, tokensBefore: before, tokensAfter: after, milliseconds };
    const { text: content, tokenCount, quality, model, fidelity, fileIds } = made;
    const sources =
      chunk.kind === "leaf"
        ? { type: "messages" as const, seqs: chunk.seqs }
        : { type: "summaries" as const, ids: chunk.ids };
    const summary = { id, content, tokenCount, quality, model, fileIds, fidelity, sources, createdAt: at };
    const [result] = await store.commit([{ kind: "publish", id: conversation, summary, event, at }]);
    if (result?.kind !== "publish") throw new Error("the store answered another write");
    this.#afterPublishing(chunk, result.conversation, result.summary);
    log.info(
      {
        conversation_id: conversation,
        compaction_id: id,
        trigger_reason: trigger,
        token_before: before,
        token_after: after,
        depth: result.summary.depth,
        attempts: made.attempts,
        model,
      },
      "compacted",
    );
    const done = { summary: id, milliseconds, contextTokensBefore: before, contextTokensAfter: after };
    const pass = donePass(chunk, made, done);
    this.passes.push(pass);
    this.#limits.onPass?.(pass);
  }

  #afterPublishing(chunk: Chunk, conversation: StoredConversation, summary: StoredSummary): void {
    this.#conversation = conversation;
    replaceSources(this.#items, chunk, summary);
    this.#previous = { id: summary.id, text: summary.content ?? "" };
  }
}

/** Kept word for word: it is there to let its neighbours be condensed. */
function isShort(chunk: Chunk): boolean {
  return chunk.kind === "leaf" && chunk.isVerbatim;
}

function nameOf(chunk: Chunk): string {
  return chunk.kind === "leaf" ? `m${chunk.seqs[0]}` : (chunk.ids[0] ?? "");
}
