/**
 * Lets a model describe prose files during a compaction, which changes the prefix anyway. Structured data, logs and
 * code keep their first description, which contains more. After any failure, a file keeps its description and the
 * compaction continues.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { countPartTokens } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import type { Complete } from "../../model/complete.ts";
import { describeFilePrompt } from "../../prompts/describe-file.ts";
import { everyRow } from "../../store/every-row.ts";
import type { StoredFile } from "../../store/file-store.ts";
import { writePayload } from "../../store/payloads.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";
import { cleanSummary } from "../../text/clean-summary.ts";
import { mayHoldCredential } from "../../text/credentials/may-hold-credential.ts";
import { cutToTokens } from "../../text/cut-to-tokens.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { referenceOf } from "../../text/file-reference.ts";
import { isoTime } from "../../text/timestamps.ts";
import { decodeExactly, encodeUtf8 } from "../../text/utf8.ts";
import type { Clock } from "../../types.ts";
import { recogniseKind } from "./explore/recognise-kind.ts";
import { type FileHead, readHead, sampleFile } from "./sample-file.ts";

interface DescribeDependencies {
  readonly store: ScopedStore;
  /** Null: nothing is described. */
  readonly fileModel: Complete | null;
  readonly clock: Clock;
  readonly countTokens: CountTokens;
  readonly log: Log;
  /** A message of this conversation reads otherwise from now on. */
  readonly onDescribed: (conversation: string) => void;
}

export interface DescribeLimits {
  /** Time after which no further file is begun. */
  readonly deadline: number;
  /** Begins no further file. */
  readonly signal: AbortSignal | undefined;
  /** Ends a call that is under way. */
  readonly callSignal: AbortSignal | undefined;
}

/** Files that a model is asked about in one compaction, and that are looked at for it. */
const MOST_FILES = 8;
const MOST_LOOKED_AT = 200;
/** Room for the words that are asked for in any language; what is longer is cut. */
const ANSWER_TOKENS = 1_200;

export class FileDescriber {
  readonly #use: DescribeDependencies;
  /** Files that are no prose, or whose description was refused: they are left alone while this process lives. */
  readonly #settled = new Set<string>();

  constructor(use: DescribeDependencies) {
    this.#use = use;
  }

  async describeAll(conversation: string, limits: DescribeLimits): Promise<void> {
    const { fileModel, clock, log } = this.#use;
    if (fileModel === null) return;
    const isOver = () => limits.signal?.aborted === true || clock() > limits.deadline;
    try {
      let asked = 0;
      for (const file of await this.#candidates(conversation)) {
        if (asked === MOST_FILES || isOver()) return;
        if (await this.#describe(file, fileModel, limits)) asked++;
      }
    } catch (error) {
      if (!isPalimpsestError(error)) throw error;
      // A model that does not answer is not asked about the next file either.
      log.warn({ conversation_id: conversation, problem: error.code }, "files were not described");
    }
  }

  async #candidates(conversation: string): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    const { store } = this.#use;
    // Positions count down: the newest come first.
    const rows = everyRow(
      (from) => store.files({ conversation, kind: "file", from }),
      Number.MAX_SAFE_INTEGER,
    );
    for await (const file of rows) {
      if (file.described === null && !this.#settled.has(file.id)) found.push(file);
      if (found.length === MOST_LOOKED_AT) break;
    }
    return found;
  }

  /** Whether the model was asked. */
  async #describe(file: StoredFile, model: Complete, limits: DescribeLimits): Promise<boolean> {
    const { store } = this.#use;
    if (!(await this.#stands(file))) return false;
    const head = await readHead(store, file.id);
    if (head === null || !isProse(file, head)) {
      this.#settled.add(file.id);
      return false;
    }
    const { name, description: exploration } = file;
    const samples = await sampleFile(store, file, head);
    const answer = await model({
      purpose: "large-file",
      ...describeFilePrompt({ name: name ?? "", exploration, samples }),
      maxTokens: ANSWER_TOKENS,
      temperature: 0.2,
      ...(limits.callSignal === undefined ? {} : { signal: limits.callSignal }),
    });
    await this.#keep(file, answer);
    return true;
  }

  /** In the context as itself, and in no summary, which says how many tokens it was made from. */
  async #stands({ conversation, seq }: StoredFile): Promise<boolean> {
    const { store } = this.#use;
    const { inContext, above } = await store.lineage(conversation, { seq });
    return inContext && above.length === 0;
  }

  async #keep(file: StoredFile, answer: { readonly text: string; readonly model: string }): Promise<void> {
    const { store, clock, countTokens, log, onDescribed } = this.#use;
    const { id, conversation } = file;
    const text = cleanDescription(answer.text, countTokens);
    const tokens = text === null ? null : await describedTokens(store, file, text, countTokens);
    const about = { conversation_id: conversation, file_id: id, model: answer.model };
    if (text === null || tokens === null) {
      this.#settled.add(id);
      log.info(about, "description of a file refused");
      return;
    }
    try {
      const at = isoTime(clock());
      const { model } = answer;
      await store.commit([{ kind: "describe-file", id: conversation, file: id, text, model, at, ...tokens }]);
    } catch (error) {
      // Somebody erased, excluded or summarised it meanwhile.
      if (isPalimpsestError(error, "busy")) return;
      throw error;
    }
    onDescribed(conversation);
    log.info(about, "file described");
  }
}

function isProse({ name, mime, bytes }: StoredFile, { text }: FileHead): boolean {
  const kind = recogniseKind({ name, mime, bytes, head: text, isWhole: Buffer.byteLength(text) >= bytes });
  return kind === "markdown" || kind === "text";
}

/** As long as a description that is made without a model may be. */
const MOST_TOKENS = 400;

/** What a model wrote of a file, fit to be in a context for as long as the conversation lives; null when it is not. */
function cleanDescription(answer: string, countTokens: CountTokens): string | null {
  const plain = cleanSummary(answer)
    .replaceAll("\0", "")
    .toWellFormed()
    // Nobody but us writes references.
    .replaceAll("[LCM ", "(LCM ")
    .replaceAll(/\n{3,}/g, "\n\n");
  const text = cutToTokens(plain, MOST_TOKENS, countTokens).trim();
  return text === "" || mayHoldCredential(text) ? null : text;
}

/** What a message will cost once a file in it is shown with other words, counted on the message itself. */
interface DescribedTokens {
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

/** Null when the reference is not found in the message: then nobody would see another one. */
async function describedTokens(
  store: ScopedStore,
  file: StoredFile,
  text: string,
  countTokens: CountTokens,
): Promise<DescribedTokens | null> {
  const described = { ...file, described: { text } };
  const count = async (payloads: "context" | "stubs") => {
    const { conversation, seq: from } = file;
    const [message] = (await store.messages(conversation, { from, to: from, payloads })).rows;
    const content = message === undefined ? null : withReference(message, file, described);
    if (message === undefined || content === null) return null;
    const tokens = countPartTokens(partsOf(message.format, content), countTokens);
    return { tokens, hasStubs: message.stubTokenCount !== null };
  };
  const shown = await count("context");
  if (shown === null) return null;
  const stubs = shown.hasStubs ? await count("stubs") : null;
  return { tokenCount: shown.tokens, stubTokenCount: stubs?.tokens ?? null };
}

function withReference(
  { content }: StoredMessage,
  file: StoredFile,
  described: Parameters<typeof referenceOf>[0],
): string | null {
  if (typeof content !== "string") return null;
  const [before, after] = [file, described].map((one) =>
    decodeExactly(writePayload(encodeUtf8(referenceOf(one)), file.writing)),
  );
  if (before === undefined || after === undefined || !content.includes(before)) return null;
  return content.replaceAll(before, () => after);
}
