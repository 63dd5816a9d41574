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
  /** Null: no file is described. */
  readonly fileModel: Complete | null;
  readonly clock: Clock;
  readonly countTokens: CountTokens;
  readonly log: Log;
  /** Called when the rendering of a message in this conversation changes. */
  readonly onDescribed: (conversation: string) => void;
}

export interface DescribeLimits {
  /** Time after which no further file starts. */
  readonly deadline: number;
  /** Stops before the next file. */
  readonly signal: AbortSignal | undefined;
  /** Aborts the current call. */
  readonly callSignal: AbortSignal | undefined;
}

/** Most files for which a model is called in one compaction, and most that are examined for it. */
const MOST_FILES = 8;
const MOST_LOOKED_AT = 200;
/** Room for the requested number of words in any language; longer output is cut. */
const ANSWER_TOKENS = 1_200;

export class FileDescriber {
  readonly #use: DescribeDependencies;
  /** Files that are not prose, or whose description was rejected: they are skipped while this process runs. */
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
      // If the model does not respond, the next file is not tried either.
      log.warn({ conversation_id: conversation, problem: error.code }, "files were not described");
    }
  }

  async #candidates(conversation: string): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    const { store } = this.#use;
    // Positions are in descending order: the newest come first.
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

  /** Whether the model was called. */
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

  /** Whether the file's message itself is in the context and not part of a summary, whose token count would change. */
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
      // Another writer erased, excluded or summarised it meanwhile.
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

/** The limit of a description made without a model. */
const MOST_TOKENS = 400;

/** A model's description, cleaned for permanent use in a context; null if it is unusable. */
function cleanDescription(answer: string, countTokens: CountTokens): string | null {
  const plain = cleanSummary(answer)
    .replaceAll("\0", "")
    .toWellFormed()
    // Only Palimpsest writes references.
    .replaceAll("[LCM ", "(LCM ")
    .replaceAll(/\n{3,}/g, "\n\n");
  const text = cutToTokens(plain, MOST_TOKENS, countTokens).trim();
  return text === "" || mayHoldCredential(text) ? null : text;
}

/** The token counts of a message after a file in it gets a new description, measured on the message itself. */
interface DescribedTokens {
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

/** Null if the reference is not found in the message: a new description would not be visible. */
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
