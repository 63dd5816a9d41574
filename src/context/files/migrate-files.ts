/**
 * Externalises long results in messages that were stored inline, and puts them back on request. The content, hash
 * and id of a message stay the same. It works in small atomic steps: if it is stopped at any moment, it resumes
 * there and repeats nothing.
 */
import type { z } from "zod";
import { isPalimpsestError, messageOf, PalimpsestError } from "../../errors.ts";
import { messageValue, partsIn } from "../../message/stored-value.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ExternalisedMessage, StoredFile } from "../../store/file-store.ts";
import type { ScopedStore, StoredConversation, StoredMessage } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Clock } from "../../types.ts";
import type { migrateFilesInput } from "../inputs.ts";
import { requireConversation } from "../read/read-messages.ts";
import { type ExternaliseOptions, externalisePayloads, mayHoldPayloads } from "./externalise-payloads.ts";
import { RecentCalls } from "./tool-calls.ts";

export interface MigrateFilesInput extends Readonly<z.input<typeof migrateFilesInput>> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: MigrateFilesReport) => void;
}

export interface MigrateFilesReport {
  readonly conversations: number;
  /** Number of messages examined; when results are restored, the messages they belong to. */
  readonly looked: number;
  /** Messages that were changed, or would be. */
  readonly messages: number;
  /** Results that were externalised or restored. */
  readonly files: number;
  readonly bytes: number;
  /** Tokens by which contexts shrink once these results are old; when reverting, tokens by which they grow. */
  readonly tokens: number;
  readonly dryRun: boolean;
}

interface MigrateDependencies extends Omit<ExternaliseOptions, "findCall"> {
  readonly store: ScopedStore;
  readonly clock: Clock;
}

/** Messages in one step, and bytes of their results. */
const STEP_MESSAGES = 200;
const STEP_BYTES = 8 * 1024 * 1024;
/** Messages examined between two progress reports. */
const LOOKED_BETWEEN = 1_000;

export async function migrateFiles(
  input: MigrateFilesInput,
  use: MigrateDependencies,
): Promise<MigrateFilesReport> {
  const migration = new Migration(input, use);
  try {
    for await (const conversation of chosen(input, use.store)) await migration.run(conversation);
    return migration.report;
  } catch (error) {
    throw migration.stoppedBy(error);
  }
}

async function* chosen(
  { conversation }: MigrateFilesInput,
  store: ScopedStore,
): AsyncGenerator<StoredConversation> {
  if (conversation !== undefined) yield await requireConversation(store, conversation);
  else yield* everyRow((from) => store.conversations({ archived: true, from }));
}

class Migration {
  readonly #input: MigrateFilesInput;
  readonly #use: MigrateDependencies;
  #counts = { conversations: 0, looked: 0, messages: 0, files: 0, bytes: 0, tokens: 0 };

  constructor(input: MigrateFilesInput, use: MigrateDependencies) {
    this.#input = input;
    this.#use = use;
  }

  get report(): MigrateFilesReport {
    return { ...this.#counts, dryRun: this.#input.dryRun === true };
  }

  async run({ id }: StoredConversation): Promise<void> {
    if (this.#input.revert === true) await this.#putBack(id);
    else await this.#takeOut(id);
    this.#counts.conversations++;
    this.#input.onProgress?.(this.report);
  }

  /** Completed steps are kept and reported. */
  stoppedBy(error: unknown): unknown {
    const { messages } = this.#counts;
    if (this.#input.dryRun === true || messages === 0) return error;
    const done = `${counted(messages, "message")} changed so far`;
    const advice = "Run it again to continue.";
    if (!isPalimpsestError(error))
      return new PalimpsestError("internal", `${messageOf(error)} (${done})`, { advice, cause: error });
    return new PalimpsestError(error.code, `${error.message} (${done})`, { advice, cause: error });
  }

  async #takeOut(id: string): Promise<void> {
    const calls = new RecentCalls();
    // The store skips messages that have an externalised payload.
    const done = new Set<number>();
    for await (const { seq } of this.#filesOf(id)) done.add(seq);
    const rows = everyRow((from) => this.#use.store.messages(id, { from, payloads: "search" }), 1);
    let step: ExternalisedMessage[] = [];
    let bytes = 0;
    for await (const message of rows) {
      this.#stopIfAsked();
      this.#look();
      if (message.role === "assistant") calls.add(partsIn(messageValue(message)));
      const apart = done.has(message.seq) ? null : await this.#apart(message, calls);
      if (apart === null) continue;
      step.push(apart);
      bytes += sizeOf(apart);
      if (step.length < STEP_MESSAGES && bytes < STEP_BYTES) continue;
      await this.#write(id, step);
      [step, bytes] = [[], 0];
    }
    await this.#write(id, step);
  }

  /** Null if nothing in it is to be externalised. */
  async #apart(message: StoredMessage, calls: RecentCalls): Promise<ExternalisedMessage | null> {
    const { seq, content } = message;
    if (content === null) return null;
    const settings = { ...this.#use.settings, largeFileTokenThreshold: Number.POSITIVE_INFINITY };
    if (!mayHoldPayloads({ role: message.role, content }, settings)) return null;
    const salt = message.salt ?? "";
    const found = await externalisePayloads(
      { ...message, content, salt, files: [], excluded: null },
      {},
      { ...this.#use, settings, findCall: (call) => calls.find(call) },
    );
    if (found.files.length === 0) return null;
    const files = found.files.map((file) => ({ ...file, origin: "migration" as const }));
    return { seq, files, tokenCount: message.tokenCount, stubTokenCount: found.stubTokenCount };
  }

  #look(): void {
    this.#counts.looked++;
    if (this.#counts.looked % LOOKED_BETWEEN === 0) this.#input.onProgress?.(this.report);
  }

  async #write(id: string, messages: readonly ExternalisedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const at = isoTime(this.#use.clock());
    if (this.#input.dryRun !== true)
      await this.#use.store.commit([{ kind: "externalise", id, messages, at }]);
    // Counted only now, so that a report after an interruption lists only stored changes.
    for (const apart of messages) this.#count(apart);
    this.#input.onProgress?.(this.report);
  }

  #count(apart: ExternalisedMessage): void {
    const { files, tokenCount, stubTokenCount } = apart;
    this.#counts.messages++;
    this.#counts.files += files.length;
    this.#counts.bytes += sizeOf(apart);
    this.#counts.tokens += tokenCount - (stubTokenCount ?? tokenCount);
  }

  #filesOf(conversation: string): AsyncIterable<StoredFile> {
    const { store } = this.#use;
    return everyRow((from) => store.files({ conversation, ...(from === 0 ? {} : { from }) }));
  }

  async #putBack(id: string): Promise<void> {
    const bySeq = new Map<number, { files: number; bytes: number }>();
    for await (const { seq, origin, bytes } of this.#filesOf(id)) {
      if (origin !== "migration") continue;
      const known = bySeq.get(seq) ?? { files: 0, bytes: 0 };
      bySeq.set(seq, { files: known.files + 1, bytes: known.bytes + bytes });
    }
    const seqs = [...bySeq.keys()].sort((a, b) => a - b);
    for (let at = 0; at < seqs.length; at += STEP_MESSAGES) {
      this.#stopIfAsked();
      await this.#putBackStep(id, seqs.slice(at, at + STEP_MESSAGES), bySeq);
    }
  }

  async #putBackStep(
    id: string,
    seqs: readonly number[],
    bySeq: ReadonlyMap<number, { readonly files: number; readonly bytes: number }>,
  ): Promise<void> {
    const messages: { seq: number; tokenCount: number; stubTokenCount: number | null }[] = [];
    for (const seq of seqs) {
      const query = { from: seq, to: seq, withoutContent: true };
      const [message] = (await this.#use.store.messages(id, query)).rows;
      if (message === undefined) continue;
      const { tokenCount, stubTokenCount } = message;
      messages.push({ seq, tokenCount, stubTokenCount });
    }
    const written = messages.map(({ seq, tokenCount }) => ({ seq, tokenCount }));
    if (this.#input.dryRun !== true)
      await this.#use.store.commit([{ kind: "internalise", id, messages: written }]);
    for (const { seq, tokenCount, stubTokenCount } of messages) {
      this.#counts.looked++;
      this.#counts.messages++;
      this.#counts.files += bySeq.get(seq)?.files ?? 0;
      this.#counts.bytes += bySeq.get(seq)?.bytes ?? 0;
      this.#counts.tokens += tokenCount - (stubTokenCount ?? tokenCount);
    }
    this.#input.onProgress?.(this.report);
  }

  #stopIfAsked(): void {
    if (this.#input.signal?.aborted === true)
      throw new PalimpsestError("cancelled", "the migration was cancelled");
  }
}

/** Bytes of the externalised results. */
function sizeOf({ files }: ExternalisedMessage): number {
  return files.reduce((sum, { payload }) => sum + (payload?.byteLength ?? 0), 0);
}
