/**
 * Conversations. The flow of one tenant and agent: turns and transcripts are stored exactly; the context is compacted
 * and assembled from them; everything can be expanded, read back and, on request, erased. The stages are in the folders
 * beside this file.
 */

import type { AssembleFormat } from "../message/wire-formats.ts";
import type { ScopedStore, StoredConversation } from "../store/store.ts";
import {
  type AssembleDependencies,
  type AssembledContext,
  type AssembleInput,
  assemble,
} from "./assemble/assemble.ts";
import { emptyView, pendingOf, tokensOf, withPending } from "./assemble/beside-host.ts";
import { EntryCache } from "./assemble/entry-cache.ts";
import { Meter } from "./assemble/measure.ts";
import { PendingReceipts } from "./assemble/pending-receipts.ts";
import { type PrefixReuse, PrefixTracker } from "./assemble/prefix-reuse.ts";
import { RECALLED_SHARE, type Recalled, requirePrompt, withRecalled } from "./assemble/recalled.ts";
import { CallFacts } from "./call-facts.ts";
import { AutoCompact, type EndedCompaction } from "./compact/auto-compact.ts";
import {
  type CompactInput,
  type CompactReport,
  compactConversation,
} from "./compact/compact-conversation.ts";
import type { CompactDependencies } from "./compact/compact-dependencies.ts";
import { type EvaluateInput, type Evaluation, evaluateContext } from "./compact/plan/evaluate.ts";
import { tokenBudget } from "./compact/plan/token-budget.ts";
import { ContextConversations } from "./context-conversations.ts";
import type { ContextDependencies } from "./context-dependencies.ts";
import { ContextFiles } from "./context-files.ts";
import { ContextIndex } from "./context-index.ts";
import { type EraseInput, type EraseReport, eraseMessages } from "./erase/erase-messages.ts";
import { FileDescriber } from "./files/describe-by-model.ts";
import { type CommitTurnInput, type CommitTurnResult, commitTurn } from "./ingest/commit-turn.ts";
import { type ReconcileInput, type ReconcileResult, Reconciler } from "./ingest/reconcile-view.ts";
import { TurnOrder } from "./ingest/turn-order.ts";
import { toAddress } from "./read/address.ts";
import { type ReadInput, type ReadResult, readMessages, requireConversation } from "./read/read-messages.ts";
import { requireInput } from "./require-input.ts";
import { CurrentIndex } from "./retrieve/current-index.ts";
import { type DescribeInput, type Description, describeById } from "./retrieve/describe-by-id.ts";
import { type ExpandInput, type ExpandResult, expandSummary } from "./retrieve/expand-summary.ts";
import { type GrepInput, type GrepResult, grepMessages } from "./retrieve/grep-messages.ts";
import { AutoIndex } from "./retrieve/index/auto-index.ts";
import { MessageIndexer } from "./retrieve/index/message-indexer.ts";
import { AutoEmbed } from "./retrieve/meaning/auto-embed.ts";
import { HybridSearch } from "./retrieve/meaning/hybrid-search.ts";
import { MessageEmbedder } from "./retrieve/meaning/message-embedder.ts";
import { type RecentInput, type RecentResult, recentMessages } from "./retrieve/recent-messages.ts";
import { Searcher } from "./retrieve/search.ts";

export interface AssembleResult<Format extends AssembleFormat = AssembleFormat>
  extends AssembledContext<Format> {
  /** Whether the call waited for a compaction: the context was above the hard threshold, or did not fit. */
  readonly waited: boolean;
  /** The result of that compaction, and the reason if nothing was compacted; null if the call did not wait. */
  readonly compaction: EndedCompaction | null;
  /** Memories that are relevant to the prompt; null if there are none. */
  readonly recalled: Recalled | null;
  /** What this result shares with the previous one, for the provider's cache; null for the first. */
  readonly reused: PrefixReuse | null;
}

export class Context {
  readonly conversations: ContextConversations;
  readonly files: ContextFiles;
  readonly index: ContextIndex;
  readonly #use: ContextDependencies & CompactDependencies;
  readonly #auto: AutoCompact;
  readonly #calls: CallFacts;
  readonly #turns = new TurnOrder();
  readonly #reconciler: Reconciler;
  readonly #receipts = new PendingReceipts();
  readonly #prefixes = new PrefixTracker();
  readonly #assembly: AssembleDependencies;
  readonly #autoIndex: AutoIndex;
  readonly #autoEmbed: AutoEmbed;
  readonly #hybrid: HybridSearch | null;
  readonly #searcher: Searcher;

  constructor(use: ContextDependencies) {
    const cache = new EntryCache();
    const describer = new FileDescriber({ ...use, onDescribed: (id) => cache.forget(id) });
    this.#calls = new CallFacts(use.wrapModel);
    const describeFiles: CompactDependencies["describeFiles"] = (id, limits) =>
      describer.describeAll(id, limits);
    this.#use = { ...use, calls: this.#calls, describeFiles };
    this.#auto = new AutoCompact(this.#use, use.background);
    this.#reconciler = new Reconciler(this.#use, this.#turns);
    const { store, countTokens, settings } = use;
    const indexer = new MessageIndexer(store, use.segments);
    this.#autoIndex = new AutoIndex(indexer, use.background, store.scope);
    const index = new CurrentIndex(store, use.segments, indexer);
    const embedder = use.embedder === null ? null : new MessageEmbedder(store, use.embedder);
    this.#autoEmbed = new AutoEmbed(embedder, use.background, store.scope);
    this.#hybrid = embedder === null ? null : new HybridSearch(store, index, embedder, use);
    this.#searcher = new Searcher(store, index, use.rankByMeaning ?? this.#hybrid);
    const [meter, searcher] = [new Meter(countTokens), this.#searcher];
    const recallAgain = use.recallAgain ?? null;
    this.#assembly = { store, countTokens, settings, cache, meter, searcher, recallAgain };
    const arrivedIn = (id: string, messages: number) => this.#arrivedIn(id, messages);
    this.conversations = new ContextConversations(use, this.#assembly, arrivedIn);
    this.files = new ContextFiles(use, arrivedIn);
    this.index = new ContextIndex(store, indexer, embedder);
  }

  get #store(): ScopedStore {
    return this.#use.store;
  }

  /** Stores a turn once: the same key again changes nothing; with other content it is rejected. */
  async commitTurn(input: CommitTurnInput): Promise<CommitTurnResult> {
    requireInput("commitTurn", input);
    const { result, conversation } = await commitTurn(this.#withReceipt(input), this.#use, this.#turns);
    if (conversation === null) return result;
    this.#calls.remember(conversation.id, input);
    this.#arrived(conversation, input.messages.length);
    return result;
  }

  /** Makes the active path equal to what a host shows, for hosts that edit, regenerate and go back. Nothing is lost. */
  async reconcile(input: ReconcileInput): Promise<ReconcileResult> {
    requireInput("reconcile", input);
    const { result, conversation } = await this.#reconciler.reconcile(input);
    if (conversation === null || result.status === "skipped") return result;
    this.#calls.remember(conversation.id, input);
    if (result.left > 0) this.#assembly.cache.forget(conversation.id);
    if (result.appended > 0) this.#arrived(conversation, result.appended);
    return result;
  }

  /** The turn stores the receipt of the last assembly, unless the caller passes another one. */
  #withReceipt(input: CommitTurnInput): CommitTurnInput {
    if (input.receipt !== undefined) return input;
    const receipt = this.#receipts.take(toAddress(input.conversation));
    return receipt === undefined ? input : { ...input, receipt };
  }

  /** Whether the context should be compacted, and why. Reads one row. */
  async evaluate(input: EvaluateInput): Promise<Evaluation> {
    requireInput("evaluate", input);
    const conversation = await requireConversation(this.#store, input.conversation);
    const { settings } = this.#use;
    return evaluateContext(conversation, tokenBudget(input.budget, settings), settings, input.observedTokens);
  }

  /** Summarises older messages. Nothing is lost: every summary can be expanded to its sources. */
  async compact(input: CompactInput): Promise<CompactReport> {
    requireInput("compact", input);
    return compactConversation(input, this.#use);
  }

  /** Returns what the model should see now, within the budget. */
  assemble<Format extends AssembleFormat = "original">(
    input: AssembleInput & { readonly format?: Format },
  ): Promise<AssembleResult<Format>>;
  async assemble(input: AssembleInput): Promise<AssembleResult> {
    requireInput("assemble", input);
    requirePrompt(input);
    const pending = pendingOf(input);
    const budget = tokenBudget(input.budget, this.#use.settings);
    const conversation = await this.#store.conversation(toAddress(input.conversation));
    if (conversation === undefined) {
      // An id must name an existing conversation; a session may not have any messages yet.
      if ("id" in toAddress(input.conversation)) await requireConversation(this.#store, input.conversation);
      const view = emptyView(input, budget, pending, this.#assembly.meter);
      const recalled = await this.#recallFor(input, budget, null);
      return { ...view, recalled, waited: false, compaction: null, reused: null };
    }
    this.#calls.remember(conversation.id, input);
    let compaction = await this.#auto.beforeAssembly(conversation, budget);
    let started = performance.now();
    const recalled = await this.#recallFor(input, budget, conversation.project);
    const beside = (recalled?.tokens ?? 0) + tokensOf(pending, this.#assembly.meter);
    const room = Math.max(1, budget - beside);
    let assembled = await assemble(conversation, room, input, this.#assembly);
    if (assembled.result.leftOut > 0 && compaction === null) {
      compaction = await this.#auto.afterOverflow(conversation, budget);
      started = performance.now();
      if (compaction !== null) assembled = await assemble(conversation, room, input, this.#assembly);
    }
    const { rendered, stubs } = assembled;
    const result = withPending(assembled.result, pending, { budget, beside });
    const { tokens } = result;
    const waited = compaction !== null;
    const receipt = withRecalled({ ...result.receipt, budget, tokens }, recalled);
    this.#receipts.put(conversation, receipt);
    const reused = this.#prefixes.compare(conversation.id, rendered);
    this.#use.observe({
      type: "assembled",
      conversation: conversation.id,
      tokens,
      stubbed: stubs.messages,
      stubTokensSaved: stubs.tokensSaved,
      waited,
      reusedShare: reused?.share ?? null,
      milliseconds: performance.now() - started,
    });
    const { conversation: conversation_id } = result;
    const { messages: stubbed, tokensSaved } = stubs;
    this.#use.log.debug({ conversation_id, tokens, stubbed, tokensSaved }, "context assembled");
    return { ...result, receipt, recalled, waited, compaction, reused };
  }

  /** Memories take at most a tenth of the budget, whatever their own limit is. */
  async #recallFor(
    { prompt }: AssembleInput,
    budget: number,
    project: string | null,
  ): Promise<Recalled | null> {
    const { recallFor } = this.#use;
    if (recallFor === undefined || prompt === undefined || prompt === "") return null;
    return recallFor({ prompt, maxTokens: Math.floor(budget * RECALLED_SHARE), project });
  }

  /** Returns the finer summaries and messages below a summary. */
  async expand(input: ExpandInput): Promise<ExpandResult> {
    requireInput("expand", input);
    const started = performance.now();
    const result = await expandSummary(this.#store, input);
    const { conversation } = result.summary;
    this.#use.observe({ type: "expanded", conversation, milliseconds: performance.now() - started });
    return result;
  }

  /** Runs after messages were stored: index, embeddings, compaction, and waiting observers. */
  #arrived(conversation: StoredConversation, messages: number): void {
    this.#auto.afterTurn(conversation);
    this.#use.onGrown?.(conversation.id);
    this.#autoIndex.afterTurn(messages);
    this.#autoEmbed.afterTurn();
  }

  async #arrivedIn(id: string, messages: number): Promise<void> {
    const conversation = await this.#store.conversation({ id });
    if (conversation !== undefined) this.#arrived(conversation, messages);
  }

  async read(input: ReadInput): Promise<ReadResult> {
    requireInput("read", input);
    return readMessages(this.#store, input);
  }

  /** Finds messages and summaries by words or semantically, best first; or by a pattern, completely, newest first. */
  async grep(input: GrepInput): Promise<GrepResult> {
    requireInput("grep", input);
    const { mode = "full_text" } = input;
    if (mode === "hybrid") this.#autoEmbed.beforeSearch();
    const started = performance.now();
    const result = await grepMessages(this.#store, this.#searcher, input, this.#use.clock());
    this.#use.observe({ type: "searched", mode, milliseconds: performance.now() - started });
    return result;
  }

  /** Returns recent messages, or those of a time range, newest first. */
  async recent(input: RecentInput = {}): Promise<RecentResult> {
    requireInput("recent", input);
    return recentMessages(this.#store, this.#searcher, input, this.#use.clock());
  }

  /** Describes a message, summary or file: what it is, its sources, and what was derived from it. */
  async describe(input: DescribeInput): Promise<Description> {
    requireInput("describe", input);
    return describeById(this.#store, input);
  }

  async erase(input: EraseInput): Promise<EraseReport> {
    requireInput("erase", input);
    const report = await eraseMessages(this.#use, input);
    if (input.dryRun === true) return report;
    for (const id of report.conversations) {
      this.#assembly.cache.forget(id);
      this.#receipts.forget(id);
    }
    this.#hybrid?.forget();
    return report;
  }
}
