/** One compaction of one conversation: plans, summarises and publishes until the target is reached or nothing is left. */
import { isPalimpsestError } from "../../errors.ts";
import {
  ORDINAL_GAP,
  type PublishWrite,
  type ShapeItem,
  type StoredConversation,
  type SummarySources,
} from "../../store/store.ts";
import { newSummaryId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { CompactDependencies, CompactionTrigger } from "./compact-dependencies.ts";
import { type CompactionPass, donePass, plannedPass } from "./compaction-pass.ts";
import { inheritedSummaries } from "./inherit-summaries.ts";
import { type Chunk, firstItem, leaving } from "./plan/chunk.ts";
import { sizeOf } from "./plan/evaluate.ts";
import { freshTailStart } from "./plan/fresh-tail.ts";
import { placeOfChunk, replaceSources } from "./plan/place-of-chunk.ts";
import { planBridging, planShortening } from "./plan/plan-bridging.ts";
import { type PlanSettings, planCondensing, planLeaves, planLifting } from "./plan/plan-compaction.ts";
import { planRemaking } from "./plan/plan-remaking.ts";
import { readShape } from "./plan/read-shape.ts";
import { type Published, Publishing } from "./publishing.ts";
import { readChunk } from "./read-chunk.ts";
import { type MadeSummary, type ReadChunk, Summariser } from "./summarise-chunk.ts";

export interface SweepLimits {
  readonly plan: PlanSettings;
  readonly trigger: CompactionTrigger;
  /** Tokens of the context below which it stops. 0: continue while there is anything to do. */
  readonly untilUnder: number;
  /** Time after which no further pass starts. */
  readonly deadline: number;
  /** Depth that no new summary may exceed. */
  readonly maxDepth: number;
  readonly maxLeaves: number;
  /** Whether fewer summaries than usual may be condensed if nothing else helps. */
  readonly isHard: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onPass: ((pass: CompactionPass) => void) | undefined;
}

export type StopReason =
  | "nothing left to compact"
  | "target reached"
  | "out of time"
  | "out of model calls"
  | "the context kept changing"
  | "cancelled"
  | "dry run";

/** How often planning restarts because another writer changed the context. */
const MAX_CONFLICTS = 5;

export class Sweep {
  readonly passes: CompactionPass[] = [];
  readonly #use: CompactDependencies;
  readonly #limits: SweepLimits;
  readonly #summariser: Summariser;
  /** Chunks whose summary was not shorter: they are not tried again. */
  readonly #useless = new Set<string>();
  #conversation: StoredConversation;
  #items: ShapeItem[] = [];
  /** The start of the fresh tail, fixed when planning starts. */
  #freshFrom = 0;
  /** The newest summary of this sweep, for continuity. */
  #previous: { readonly id: string; readonly lastSeq: number; readonly text: string } | undefined;

  constructor(conversation: StoredConversation, use: CompactDependencies, limits: SweepLimits) {
    this.#conversation = conversation;
    this.#use = use;
    this.#limits = limits;
    // A caller without room takes an offline summary; others wait until calls are allowed again.
    const goesOnWithoutCalls = limits.trigger === "overflow";
    // A manual compaction finishes the current pass, which is already paid for. Background work stops immediately.
    const signal = limits.trigger === "manual" ? undefined : limits.signal;
    this.#summariser = new Summariser(use, { signal, goesOnWithoutCalls });
  }

  /** The plan of the first round. */
  async plan(): Promise<CompactionPass[]> {
    await this.#readItems();
    if (this.#isUnderTarget()) return [];
    const chunks = [...(await this.#toRemake()), ...this.#next()];
    return chunks.map((chunk) => plannedPass(chunk, this.#conversation.contextTokens));
  }

  async run(): Promise<StopReason> {
    this.#use.chunkOpener.expectWork();
    for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts++) {
      await this.#readItems();
      const stopped = (await this.#inherit()) ?? (await this.#runPlan());
      if (stopped !== "conflict") return stopped;
    }
    return "the context kept changing";
  }

  /** A fork begins with its parent's summaries, even if there is enough room: they cost nothing, and its model has seen them. */
  async #inherit(): Promise<"conflict" | undefined> {
    const fork = { conversation: this.#conversation, items: this.#items, freshFrom: this.#freshFrom };
    const newId = (text: string) => newSummaryId(text, this.#use.random);
    for (const { chunk, made, ...inherited } of await inheritedSummaries(this.#use.store, fork, newId)) {
      const work = this.#account(chunk, made);
      const published = await this.#publish({ ...work, ...inherited, milliseconds: 0 });
      if (published === "conflict") return published;
    }
    return undefined;
  }

  async #runPlan(): Promise<StopReason | "conflict"> {
    const stoppedEarly = await this.#compactAll(await this.#toRemake());
    if (stoppedEarly !== undefined) return stoppedEarly;
    for (;;) {
      const chunks = this.#next();
      if (chunks.length === 0) return this.#isUnderTarget() ? "target reached" : "nothing left to compact";
      const stopped = await this.#compactAll(chunks);
      if (stopped !== undefined) return stopped;
    }
  }

  /** While one chunk is summarised, the next is read and the previous ones are made durable. */
  async #compactAll(chunks: readonly Chunk[]): Promise<StopReason | "conflict" | undefined> {
    const publishing = new Publishing();
    let reading: Promise<ReadChunk> | undefined;
    try {
      for (const [index, chunk] of chunks.entries()) {
        const stopped = this.#reasonToStop();
        if (stopped !== undefined) return (await publishing.all()) === "conflict" ? "conflict" : stopped;
        const read = await (reading ?? this.#read(chunk));
        reading = this.#readAhead(chunks[index + 1]);
        const work = await this.#summarise(chunk, read).finally(() => read.open.release());
        if ((await publishing.room()) === "conflict") return "conflict";
        if (work !== undefined) publishing.add(this.#publish(work));
      }
      return (await publishing.all()) === "conflict" ? "conflict" : undefined;
    } catch (error) {
      // Summaries made before the failure are kept.
      if ((await publishing.all()) === "conflict") return "conflict";
      if (isPalimpsestError(error, "model-limit")) return "out of model calls";
      if (isPalimpsestError(error, "cancelled")) return "cancelled";
      throw error;
    } finally {
      // Releases a chunk that was read ahead and is no longer needed; a second release does no harm.
      reading?.then(({ open }) => open.release()).catch(() => {});
    }
  }

  async #read(chunk: Chunk): Promise<ReadChunk> {
    return this.#summariser.read(await readChunk(this.#use.store, this.#conversation.id, chunk));
  }

  #readAhead(chunk: Chunk | undefined): Promise<ReadChunk> | undefined {
    const reading = chunk === undefined ? undefined : this.#read(chunk);
    // Avoids an unhandled rejection: the failure is reported when the chunk is used.
    reading?.catch(() => {});
    return reading;
  }

  #reasonToStop(): StopReason | undefined {
    if (this.#limits.signal?.aborted === true) return "cancelled";
    if (this.#isUnderTarget()) return "target reached";
    return this.#use.clock() > this.#limits.deadline ? "out of time" : undefined;
  }

  #isUnderTarget(): boolean {
    return sizeOf(this.#conversation) <= this.#limits.untilUnder;
  }

  /** Only a model can improve them, and only in a full sweep that does not need room: the result is longer. */
  async #toRemake(): Promise<Chunk[]> {
    const { trigger } = this.#limits;
    if (this.#use.complete === null || trigger === "incremental" || trigger === "overflow") return [];
    const chunks = await planRemaking(this.#use.store, this.#items);
    return chunks.filter((chunk) => this.#isWorthTrying(chunk));
  }

  /**
   * Leaves first; condensing when no leaf is left; smaller groups, and the short runs between them, only when
   * nothing else is left.
   */
  #next(): Chunk[] {
    const { plan, maxDepth, maxLeaves, isHard } = this.#limits;
    const made = this.passes.filter((pass) => pass.kind === "leaf").length;
    const leaves = planLeaves(this.#items, plan).filter((chunk) => this.#isWorthTrying(chunk));
    if (leaves.length > 0 && made < maxLeaves) return leaves.slice(0, maxLeaves - made);
    for (const hard of isHard ? [false, true] : [false]) {
      const chunk = planCondensing(this.#items, plan, hard);
      if (chunk !== undefined && chunk.depth <= maxDepth && this.#isWorthTrying(chunk)) return [chunk];
    }
    const bridges = maxDepth > 0 ? planBridging(this.#items, plan, isHard) : [];
    if (bridges.length > 0) return bridges;
    const short = isHard
      ? planShortening(this.#items, plan).find((chunk) => this.#isWorthTrying(chunk))
      : undefined;
    if (short !== undefined) return [short];
    const lifted = isHard ? planLifting(this.#items, plan) : undefined;
    return lifted !== undefined && lifted.depth <= maxDepth && this.#isWorthTrying(lifted) ? [lifted] : [];
  }

  #isWorthTrying(chunk: Chunk): boolean {
    return !this.#useless.has(nameOf(chunk));
  }

  async #readItems(): Promise<void> {
    const { store } = this.#use;
    const { id } = this.#conversation;
    this.#items = await readShape(store, id);
    const tail = this.#items[freshTailStart(this.#items, this.#limits.plan)];
    this.#freshFrom = tail === undefined ? 0 : Math.floor(tail.ordinal / ORDINAL_GAP);
    this.#conversation = (await store.conversation({ id })) ?? this.#conversation;
  }

  /** Undefined if the summary would be no shorter than its sources, or no better than the one it replaces. */
  async #summarise(chunk: Chunk, read: ReadChunk): Promise<Work | undefined> {
    const started = performance.now();
    const { fileIds } = read.open;
    const made = await this.#summariser.summarise(read, await this.#textBefore(chunk));
    const id = newSummaryId(made.text, this.#use.random);
    if (!isWorthPublishing(made, chunk)) {
      this.#useless.add(nameOf(chunk));
      return undefined;
    }
    this.#previous = { id, lastSeq: chunk.kind === "leaf" ? (chunk.seqs.at(-1) ?? 0) : 0, text: made.text };
    return { id, fileIds, ...this.#account(chunk, made), milliseconds: performance.now() - started };
  }

  /** The figures that the store will report after publishing, so that the sweep need not wait for it. */
  #account(chunk: Chunk, made: MadeSummary): Pick<Work, "chunk" | "made" | "before" | "after"> {
    const before = this.#conversation.contextTokens;
    const left = leaving(chunk);
    const after = before - left.tokens + made.tokenCount;
    const items = this.#conversation.contextItems - left.items + 1;
    this.#conversation = { ...this.#conversation, contextTokens: after, contextItems: items };
    return { chunk, made, before, after };
  }

  /** The summary directly before a leaf, so that names and references in it can be resolved. */
  async #textBefore(chunk: Chunk): Promise<string> {
    if (chunk.kind === "condensed") return "";
    const before = this.#items[placeOfChunk(this.#items, chunk) - 1];
    if (before === undefined) return "";
    const isPrevious =
      before.type === "message"
        ? before.seq === this.#previous?.lastSeq
        : before.summary === this.#previous?.id;
    if (isPrevious) return this.#previous?.text ?? "";
    return before.type === "summary" ? ((await this.#use.store.summary(before.summary))?.content ?? "") : "";
  }

  async #publish(work: Work): Promise<Published> {
    const { chunk, made } = work;
    try {
      const [result] = await this.#use.store.commit([this.#toWrite(work)]);
      if (result?.kind !== "publish") throw new Error("the store confirmed a different write");
      replaceSources(this.#items, chunk, result.summary);
    } catch (error) {
      if (isPalimpsestError(error, "busy")) return "conflict";
      throw error;
    }
    const { id: summary, milliseconds, before: contextTokensBefore, after: contextTokensAfter } = work;
    const done = { summary, milliseconds, contextTokensBefore, contextTokensAfter };
    this.#report(donePass(chunk, made, done));
    return "published";
  }

  #toWrite({ id, chunk, made, fileIds, before, after, milliseconds }: Work): PublishWrite {
    const at = isoTime(this.#use.clock());
    const { trigger } = this.#limits;
    const freshFrom = this.#freshFrom;
    const { text: content, tokenCount, quality, model, fidelity } = made;
    const sources: SummarySources =
      chunk.kind === "leaf" ? { type: "messages", seqs: chunk.seqs } : { type: "summaries", ids: chunk.ids };
    return {
      kind: "publish",
      id: this.#conversation.id,
      summary: { id, content, tokenCount, quality, model, fileIds, fidelity, sources, createdAt: at },
      ...(chunk.replaces === undefined ? {} : { replaces: chunk.replaces.summary }),
      event: { at, summary: id, trigger, tokensBefore: before, tokensAfter: after, milliseconds, freshFrom },
      at,
    };
  }

  #report(pass: CompactionPass): void {
    this.passes.push(pass);
    this.#use.log.info(
      {
        conversation_id: this.#conversation.id,
        compaction_id: pass.summary,
        trigger_reason: this.#limits.trigger,
        token_before: pass.contextTokensBefore,
        token_after: pass.contextTokensAfter,
        depth: pass.depth,
        attempts: pass.attempts,
        model: pass.model,
      },
      "compacted",
    );
    this.#limits.onPass?.(pass);
    this.#use.observe({
      type: "summary-created",
      conversation: this.#conversation.id,
      kind: pass.kind,
      quality: pass.quality ?? "extractive",
      model: pass.model,
      tokensSaved: pass.sourceTokens - (pass.tokens ?? 0),
      milliseconds: pass.milliseconds,
    });
  }
}

/** A summary that is written but not yet published. */
interface Work {
  readonly id: string;
  readonly chunk: Chunk;
  readonly made: MadeSummary;
  readonly fileIds: readonly string[];
  /** Tokens of the whole context. */
  readonly before: number;
  readonly after: number;
  readonly milliseconds: number;
}

/** A published summary saves tokens, or allows the next pass to condense it with its neighbours. */
function isWorthPublishing({ tokenCount, quality }: MadeSummary, chunk: Chunk): boolean {
  if (chunk.kind === "leaf" && chunk.isBridge === true) return true;
  return tokenCount < chunk.tokens && (chunk.replaces === undefined || quality !== "fallback");
}

/** A summary that cannot be improved may still be condensed with others. */
function nameOf(chunk: Chunk): string {
  return `${chunk.replaces === undefined ? "" : "again "}${firstItem(chunk)}`;
}
