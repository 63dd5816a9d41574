/**
 * Checks that the context covers each message on the active path exactly once and in order, raw or through summaries with
 * text and without problems, and that every uncovered message has a recorded reason. Also checks the positions of items and
 * the counters of their total size. Walks messages and items in parallel, so that memory holds no more
 * than the messages of one item and the problems found.
 */
import { everyRow } from "../../store/every-row.ts";
import {
  type ContextItem,
  ORDINAL_GAP,
  type ScopedStore,
  type StoredConversation,
} from "../../store/store.ts";
import { count, counted } from "../../text/counted.ts";
import { seqsUnder } from "../read/seqs-under.ts";
import { ActivePath } from "./active-path.ts";
import { fillGaps } from "./fill-gaps.ts";
import type { ReportProblem, StoreCheck } from "./integrity.ts";

export const checkContext: StoreCheck = {
  name: "context",
  run: async (scoped, conversation, report, { unfit }) => {
    const walk = new ContextWalk(scoped, conversation, report, unfit);
    for await (const item of everyRow((from) => scoped.contextItems(conversation.id, { from })))
      await walk.meet(item);
    await walk.end();
  },
};

/** The messages that an item covers, or the problem of the item itself. */
type Meaning =
  | { readonly seqs: readonly number[]; readonly tokens: number | null }
  | { readonly wrong: string };

class ContextWalk {
  readonly #scoped: ScopedStore;
  readonly #conversation: StoredConversation;
  readonly #report: ReportProblem;
  readonly #unfit: ReadonlySet<string>;
  readonly #path: ActivePath;
  /** Runs of messages that the context does not cover, including the current one. */
  readonly #gaps: number[][] = [];
  #gap: number[] = [];
  #ordinal = -1;
  #reached = 0;
  #items = 0;
  #tokens = 0;
  #stubTokens = 0;
  /** The size of such an item is unknown. */
  #hasWrongItem = false;

  constructor(
    scoped: ScopedStore,
    conversation: StoredConversation,
    report: ReportProblem,
    unfit: ReadonlySet<string>,
  ) {
    this.#scoped = scoped;
    this.#conversation = conversation;
    this.#report = report;
    this.#unfit = unfit;
    this.#path = new ActivePath(scoped, conversation.id);
  }

  async meet(item: ContextItem): Promise<void> {
    this.#items++;
    this.#tokens += item.tokenCount;
    const seq = item.ordinal / ORDINAL_GAP;
    const wrong = await this.#follow(item);
    this.#hasWrongItem ||= wrong !== null;
    if (wrong !== null)
      this.#report({
        ...(Number.isInteger(seq) ? { seq } : {}),
        message: `the context item at ordinal ${item.ordinal} ${wrong}`,
        repair: { kind: "drop-context-item", ordinal: item.ordinal },
      });
    this.#ordinal = item.ordinal;
  }

  /** Advances along the path as far as the item covers it. Returns its problem, or null. */
  async #follow(item: ContextItem): Promise<string | null> {
    const meaning = await this.#meaningOf(item);
    if ("wrong" in meaning) return meaning.wrong;
    const { seqs, tokens } = meaning;
    const [first] = seqs;
    if (first === undefined) return "refers to no message";
    if (item.ordinal <= this.#ordinal) return "is not after the previous item";
    if (item.ordinal !== first * ORDINAL_GAP) return `refers to message ${first}, which belongs elsewhere`;
    if (first <= this.#reached) return `covers message ${first}, which is already covered`;
    for await (const missed of this.#path.takeBefore(first)) this.#gap.push(missed);
    const taken: number[] = [];
    for (const seq of seqs) {
      const next = await this.#path.peek();
      if (next?.seq !== seq) {
        this.#gap = this.#gap.concat(taken);
        return `covers message ${seq}, which is excluded or does not exist, or skips an earlier one`;
      }
      await this.#path.take();
      taken.push(seq);
      this.#reached = seq;
      if (item.type === "message") this.#stubTokens += next.stubTokenCount ?? next.tokenCount;
      if (item.type === "message" && next.tokenCount !== item.tokenCount) {
        this.#gap.push(seq);
        return `counts ${counted(item.tokenCount, "token")} instead of ${count(next.tokenCount)}`;
      }
    }
    if (tokens !== null && tokens !== item.tokenCount) {
      this.#gap = this.#gap.concat(taken);
      return `counts ${counted(item.tokenCount, "token")} instead of ${count(tokens)}`;
    }
    if (item.type === "summary") this.#stubTokens += item.tokenCount;
    this.#closeGap();
    return null;
  }

  async #meaningOf(item: ContextItem): Promise<Meaning> {
    if (item.type === "message") return { seqs: [item.seq], tokens: null };
    const summary = item.summary === "" ? undefined : await this.#scoped.summary(item.summary);
    if (summary === undefined) return { wrong: "points to a summary that does not exist" };
    if (this.#unfit.has(summary.id))
      return { wrong: `shows ${summary.id}, which is damaged or has a damaged source` };
    if (summary.content === null) return { wrong: `shows ${summary.id}, whose text was erased` };
    return { seqs: await seqsUnder(this.#scoped, summary), tokens: summary.tokenCount };
  }

  #closeGap(): void {
    if (this.#gap.length > 0) this.#gaps.push(this.#gap);
    this.#gap = [];
  }

  async end(): Promise<void> {
    for await (const missed of this.#path.takeBefore(Number.POSITIVE_INFINITY)) this.#gap.push(missed);
    this.#closeGap();
    await fillGaps(this.#scoped, this.#conversation.id, this.#gaps, this.#unfit, this.#report);
    const { contextItems, contextTokens } = this.#conversation;
    if (contextItems !== this.#items || contextTokens !== this.#tokens)
      this.#report({
        message: `the context is recorded as ${contextItems} items of ${contextTokens} tokens, but has ${this.#items} of ${this.#tokens}`,
        repair: { kind: "recount-context" },
      });
    else if (this.#conversation.contextStubTokens !== this.#stubTokens && !this.#hasWrongItem)
      this.#report({
        message: `the context with stubs is recorded as ${this.#conversation.contextStubTokens} tokens, but has ${this.#stubTokens}`,
        repair: { kind: "recount-context" },
      });
  }
}
