/**
 * The store of `built-store.ts` as compaction leaves it: the newest messages as they were said, everything before
 * them in a graph of summaries, together about `WINDOW_TOKENS` at every size. Published through the store's
 * contract, so that a million messages take no model and no fidelity check. Made once and kept.
 */
import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import { ITEM_OVERHEAD } from "../src/context/compact/plan/evaluate.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import type { PublishWrite, ScopedStore, SummarySources } from "../src/store/store.ts";
import { sampleSummary } from "../src/store/testing/sample.ts";
import { estimateTokens } from "../src/text/estimate-tokens.ts";
import { newSummaryId } from "../src/text/identifiers.ts";
import { BUILT_AT, builtStore, SCHEMA_NAME, sampleTexts } from "./built-store.ts";
import { keptFolder } from "./kept-folder.ts";
import type { StandardWorkload } from "./standard-workload.ts";

/** Just below the point at which a budget of 128,000 would be compacted again: the largest usual window. */
const WINDOW_TOKENS = 90_000;
const LEAF_MESSAGES = 200;
const FANOUT = 8;
const SUMMARY_LENGTH = 8_000;
const BATCH = 100;
/** Of one message, with what it costs beside its text. The texts repeat, so any stretch is like any other. */
const MESSAGE_TOKENS = 100;

export async function foldedStore(messages: number, workload: StandardWorkload): Promise<string> {
  const built = await builtStore(messages, workload);
  return keptFolder(`folded-${SCHEMA_NAME}-${messages}`, async (folder) => {
    console.error(`folding ${messages} messages in ${folder}`);
    cpSync(built, folder, { recursive: true });
    const store = await openSqliteStore({ dataDir: folder });
    await new Fold(store.scoped({ tenant: "default", agent: "default" }), sampleTexts(workload)).run();
    await store.compactFiles();
    await store.close();
  });
}

class Fold {
  readonly #store: ScopedStore;
  readonly #texts: readonly string[];
  #made = 0;

  constructor(store: ScopedStore, texts: readonly string[]) {
    this.#store = store;
    this.#texts = texts;
  }

  async run(): Promise<void> {
    const { rows } = await this.#store.conversations({});
    const [conversation] = rows;
    if (conversation === undefined) throw new Error("the store that was built is empty");
    const raw = newestMessages(conversation.messageCount);
    const seqs = Array.from({ length: conversation.messageCount - raw }, (_, index) => index + 1);
    let ids = await this.#publishAll(conversation.id, inGroups(seqs, LEAF_MESSAGES), (group) => ({
      type: "messages",
      seqs: group,
    }));
    while (ids.length >= FANOUT) {
      const whole = ids.slice(0, Math.floor(ids.length / FANOUT) * FANOUT);
      ids = await this.#publishAll(conversation.id, inGroups(whole, FANOUT), (group) => ({
        type: "summaries",
        ids: group,
      }));
    }
  }

  async #publishAll<Source>(
    conversation: string,
    groups: readonly (readonly Source[])[],
    toSources: (group: readonly Source[]) => SummarySources,
  ): Promise<string[]> {
    const ids: string[] = [];
    for (const batch of inGroups(groups, BATCH)) {
      const writes = batch.map((group) => this.#toWrite(conversation, toSources(group)));
      await this.#store.commit(writes);
      ids.push(...writes.map((write) => write.summary.id));
    }
    return ids;
  }

  #toWrite(conversation: string, sources: SummarySources): PublishWrite {
    const content = this.#nextText();
    const id = newSummaryId(content, randomBytes);
    const tokenCount = estimateTokens(content);
    const made = { ...sampleSummary([]), model: "bench/none", fidelity: null };
    return {
      kind: "publish",
      id: conversation,
      summary: { ...made, id, content, tokenCount, sources, createdAt: BUILT_AT },
      event: {
        at: BUILT_AT,
        summary: id,
        trigger: "manual",
        tokensBefore: 0,
        tokensAfter: 0,
        milliseconds: 0,
        freshFrom: 0,
      },
      at: BUILT_AT,
    };
  }

  #nextText(): string {
    let text = "";
    for (let next = this.#made++; text.length < SUMMARY_LENGTH; next++)
      text += `${this.#texts[next % this.#texts.length]}\n`;
    return text.slice(0, SUMMARY_LENGTH).toWellFormed();
  }
}

/** As many as fill the window together with the summaries of the rest. */
function newestMessages(messages: number): number {
  let raw = Math.min(messages, Math.floor(WINDOW_TOKENS / MESSAGE_TOKENS));
  while (raw > 0 && sizeWith(raw, messages) > WINDOW_TOKENS) raw -= 10;
  return Math.max(0, raw);
}

function sizeWith(raw: number, messages: number): number {
  const summaries = summariesLeft(Math.ceil((messages - raw) / LEAF_MESSAGES));
  return raw * MESSAGE_TOKENS + summaries * (SUMMARY_LENGTH / 4 + ITEM_OVERHEAD);
}

/** Of each depth, those that were too few to be condensed. */
function summariesLeft(count: number): number {
  return count < FANOUT ? count : (count % FANOUT) + summariesLeft(Math.floor(count / FANOUT));
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
