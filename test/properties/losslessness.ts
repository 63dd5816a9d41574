/**
 * The promise of the whole engine, looked at from outside: whatever was done to a conversation, every word on its
 * active path is reached from its context exactly once, in order, byte for byte; what is not reached has a reason
 * and is still read; and what a model is shown fits, is valid, and hides no system message. Says what is wrong in
 * words, so that a failing sequence explains itself.
 */
import { isDeepStrictEqual } from "node:util";
import { CHECKERS } from "../../src/context/assemble/wire/testing/items.ts";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import {
  type AssembleFormat,
  type AssembleInput,
  type Context,
  type Engine,
  estimateTokens,
  type Message,
  open,
  type Scope,
} from "../../src/index.ts";
import { everyRow } from "../../src/store/every-row.ts";
import type { ContextItem, Store, StoredSummary } from "../../src/store/store.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { isSaid } from "../crash/view-store.ts";

export interface Losslessness {
  readonly store: Store;
  readonly scope?: Scope;
  /** A session or an id. */
  readonly conversation: string;
  /** Everything that was committed, by the messages' keys, as it was given. */
  readonly committed: ReadonlyMap<string, object>;
  /** Token budgets of the contexts that are assembled. Default: 300, 2k, 8k and 128k. */
  readonly budgets?: readonly number[];
}

const BUDGETS = [300, 2_000, 8_000, 128_000];
const FORMATS: readonly AssembleFormat[] = ["original", "anthropic", "openai-chat", "openai-responses"];
/** Few tokens, so that most summaries take several pages. */
const PAGE_TOKENS = 400;

/** Everything that is wrong; empty when the promise is kept. */
export async function findLosses(asked: Losslessness): Promise<string[]> {
  const { store, scope = DEFAULT_SCOPE, conversation, committed, budgets = BUDGETS } = asked;
  // Looking must not start anything by itself.
  const engine = await open({ store, background: "off", config: { logLevel: "silent" } });
  const look = new Look(engine, scope, (await engine.contextOf(scope).conversations.get(conversation)).id);
  await look.atMessages(committed);
  await look.atContext();
  await look.atSummaries();
  for (const budget of budgets) {
    for (const format of FORMATS) await look.atAssembly({ budget, format });
    await look.atAssembly({ budget, format: "anthropic", relevance: true, prompt: "which port was taken" });
  }
  const { problems } = await checkIntegrity(store, { scope, conversation: look.conversation });
  return [...look.problems, ...problems.map(({ check, message }) => `verify (${check}): ${message}`)];
}

type Asked = Pick<AssembleInput, "relevance" | "prompt"> & {
  readonly budget: number;
  readonly format: AssembleFormat;
};

class Look {
  readonly problems: string[] = [];
  readonly conversation: string;
  readonly #engine: Engine;
  readonly #context: Context;
  readonly #scope: Scope;
  #messages = new Map<number, Message>();
  #items: readonly ContextItem[] = [];

  constructor(engine: Engine, scope: Scope, conversation: string) {
    this.#engine = engine;
    this.#context = engine.contextOf(scope);
    this.#scope = scope;
    this.conversation = conversation;
  }

  #expect(holds: boolean, problem: string): void {
    if (!holds) this.problems.push(problem);
  }

  /** What was committed is on record, once, as it was given; nothing else is. */
  async atMessages(committed: ReadonlyMap<string, object>): Promise<void> {
    for (let from: number | null = 1; from !== null; ) {
      const page: Awaited<ReturnType<Context["read"]>> = await this.#context.read({
        conversation: this.conversation,
        from,
        limit: 40,
      });
      for (const message of page.messages) this.#messages.set(message.seq, message);
      from = page.next;
    }
    const missing = new Set(committed.keys());
    for (const message of this.#messages.values()) {
      const said = committed.get(message.key);
      this.#expect(missing.delete(message.key), `${message.key} is on record twice, or was never committed`);
      if (message.excluded === "erased")
        this.#expect(message.original === null, `${message.key} is erased and still there`);
      else
        this.#expect(said !== undefined && isSaid(message, said), `${message.key} is not what was committed`);
    }
    for (const key of missing) this.problems.push(`${key} is lost`);
  }

  /** The context, with every summary expanded, is the active path. */
  async atContext(): Promise<void> {
    this.#items = await collect(
      everyRow((from) => this.#engine.store.scoped(this.#scope).contextItems(this.conversation, { from })),
    );
    const reached: number[] = [];
    let ordinal = -1;
    for (const item of this.#items) {
      this.#expect(item.ordinal > ordinal, `ordinal ${item.ordinal} stands behind ${ordinal}`);
      ordinal = item.ordinal;
      if (item.type === "message") reached.push(item.seq);
      else reached.push(...(await this.#expandAll(item.summary)));
    }
    const path = [...this.#messages.values()].flatMap(({ seq, excluded }) =>
      excluded === null ? [seq] : [],
    );
    this.#expect(
      isDeepStrictEqual(reached, path),
      `the context reaches ${reached.join(",")} and the active path is ${path.join(",")}`,
    );
  }

  /** The messages under a summary, page by page and level by level: both ways lead to the same words. */
  async #expandAll(summary: string): Promise<number[]> {
    const seqs: number[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const page: Awaited<ReturnType<Context["expand"]>> = await this.#context.expand({
        summary,
        from,
        maxTokens: PAGE_TOKENS,
      });
      for (const message of page.messages) {
        seqs.push(message.seq);
        const read = this.#messages.get(message.seq);
        this.#expect(
          read !== undefined && isDeepStrictEqual(message.original, read.original),
          `${summary} expands message ${message.seq} to other words than reading gives`,
        );
      }
      this.#expect(page.next === null || page.next > from, `${summary} has a page that leads nowhere`);
      from = page.next !== null && page.next > from ? page.next : null;
    }
    const stepwise = await this.#expandStepwise(summary);
    this.#expect(isDeepStrictEqual(seqs, stepwise), `${summary} reaches other messages level by level`);
    return seqs;
  }

  async #expandStepwise(id: string): Promise<number[]> {
    const { summary, summaries, messages, next } = await this.#context.expand({
      summary: id,
      levels: 1,
      maxTokens: 1_000_000_000,
    });
    this.#expect(next === null, `${id} does not give all of its sources`);
    this.#expect(summary.content !== null, `${id} is in the context and has no text`);
    if (summary.kind === "leaf") return messages.map(({ seq }) => seq);
    this.#expect(messages.length === 0, `${id} gives messages one level down`);
    const seqs: number[] = [];
    for (const source of summaries) seqs.push(...(await this.#expandStepwise(source.id)));
    return seqs;
  }

  /** Every summary on record, in the context or not, stands on sources of one depth. */
  async atSummaries(): Promise<void> {
    const { summaries } = await this.#context.conversations.summaries(this.conversation);
    const byId = new Map(summaries.map((summary) => [summary.id, summary]));
    for (const summary of summaries) this.#atSummary(summary, byId);
  }

  #atSummary({ id, depth, kind, sources }: StoredSummary, byId: ReadonlyMap<string, StoredSummary>): void {
    const depths =
      sources.type === "messages"
        ? sources.seqs.map((seq) => (this.#messages.has(seq) ? -1 : Number.NaN))
        : sources.ids.map((source) => byId.get(source)?.depth ?? Number.NaN);
    this.#expect(depths.length > 0, `${id} has no sources`);
    this.#expect(
      depths.every((source) => source === depth - 1),
      `${id} has the depth ${depth} above ${depths}`,
    );
    this.#expect((depth === 0) === (kind === "leaf"), `${id} is ${kind} at depth ${depth}`);
  }

  /** What a model is shown: it fits, its provider accepts it, and it is the same when asked again. */
  async atAssembly(asked: Asked): Promise<void> {
    const { budget, format } = asked;
    const answer = await this.#context.assemble({ conversation: this.conversation, ...asked });
    const place = `assembled for ${budget} as ${format}${asked.relevance === true ? " by relevance" : ""}`;
    const texts = [answer.system, answer.systemPromptAddition, ...answer.messages.map(asText)];
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text ?? ""), 0);
    this.#expect(tokens === answer.tokens, `${place} has ${tokens} tokens and says ${answer.tokens}`);
    this.#expect(answer.tokens <= budget === (answer.overBudget === null), `${place} is silent on its size`);
    this.#expect(
      answer.overBudget === null || budget < SURE_TO_FIT,
      `${place} needs no more room: ${answer.overBudget}`,
    );
    if (format !== "original")
      for (const violation of CHECKERS[format](answer)) this.problems.push(`${place}: ${violation}`);
    const shown = answer.items.map(({ id }) => id);
    this.#expect(new Set(shown).size === shown.length, `${place} shows an item twice`);
    const seqs = new Set(this.#items.flatMap((item) => (item.type === "message" ? [item.seq] : [])));
    // The first request is shown also where a summary stands in its place.
    const isBeside = ({ reason, id }: (typeof answer.items)[number]) =>
      reason === "first request" && !seqs.has(Number(id.split("_").at(-1)));
    const items = answer.items.filter((item) => !isBeside(item)).length;
    this.#expect(
      answer.leftOut + items === this.#items.length,
      `${place} shows ${items}, leaves ${answer.leftOut} out, and the context has ${this.#items.length}`,
    );
    const system = [...this.#messages.values()].filter(
      ({ role, excluded }) => role === "system" && excluded === null,
    );
    const all = system.reduce((sum, { original }) => sum + estimateTokens(String(original)) + 10, 0);
    // Older ones give way when room is short; the newest only to the newest messages, which may need a small budget whole.
    const mayHideAll = budget < SURE_TO_FIT && !system.some(({ id }) => shown.includes(id));
    const required = all <= budget / 2 ? system : budget < SURE_TO_FIT ? [] : system.slice(-1);
    for (const { id } of mayHideAll ? [] : required)
      this.#expect(shown.includes(id), `${place} hides the system message ${id}`);
    if (format !== "anthropic") return;
    const again = await this.#context.assemble({ conversation: this.conversation, ...asked });
    this.#expect(
      isDeepStrictEqual(again.messages, answer.messages),
      `${place} is another one when asked again`,
    );
  }
}

/** What must be shown of the conversations here, beside system messages, can be cut to less than this. */
const SURE_TO_FIT = 1_000;

function asText(message: unknown): string {
  return JSON.stringify(message);
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
