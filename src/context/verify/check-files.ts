/**
 * Checks that externalised content is present and unchanged: its bytes, its size and its lines. Payloads cut out of a
 * message are verified with it, by its digest; an attached file is compared with what its
 * message says about it.
 */
import { createHash } from "node:crypto";
import { isPalimpsestError } from "../../errors.ts";
import { messageValue, partsIn } from "../../message/stored-value.ts";
import { everyRow } from "../../store/every-row.ts";
import { FRAME_BYTES, type StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { findFileReferences } from "../../text/file-reference.ts";
import { filePieces } from "../files/file-pieces.ts";
import { attachedHash } from "../ingest/attached-key.ts";
import type { StoreCheck } from "./integrity.ts";

export const checkFiles: StoreCheck = {
  name: "files",
  run: async (scoped, { id: conversation, messageCount }, report) => {
    const page = (from: number) => scoped.files({ conversation, ...(from === 0 ? {} : { from }) });
    const withFiles = new Set<number>();
    for await (const file of everyRow(page)) {
      const { id, seq } = file;
      withFiles.add(seq);
      if (seq < 1 || seq > messageCount)
        report({ message: `${id} belongs to message ${seq}, which does not exist` });
      const problem = (await contentProblem(scoped, file)) ?? (await messageProblem(scoped, file));
      if (problem !== null) report({ seq, message: `${id}: ${problem}` });
    }
    const messages = (from: number) => scoped.messages(conversation, { from, withoutContent: true });
    for await (const { seq, key, erasedAt } of everyRow(messages, 1))
      if (erasedAt === null && attachedHash(key) !== null && !withFiles.has(seq))
        report({ seq, message: "the file that was attached with it is missing" });
  },
};

function contentProblem(scoped: ScopedStore, file: StoredFile): Promise<string | null> {
  return unlessCorrupt(async () => {
    const hash = createHash("sha256");
    const counter = new FeedCounter();
    for await (const piece of filePieces(scoped, file)) {
      hash.update(piece);
      counter.add(piece);
    }
    const feeds = (await scoped.fileLines(file.id)) ?? new Uint32Array();
    if (hash.digest("hex") !== file.content) return "its content has changed (hash mismatch)";
    if (counter.lines !== file.lines) return `it has ${counter.lines} lines, but ${file.lines} are on record`;
    return counter.agreesWith(feeds) ? null : "its line index does not match its content";
  });
}

/** For an attached file: whether its message refers to this content. */
async function messageProblem(scoped: ScopedStore, file: StoredFile): Promise<string | null> {
  if (file.places.some(({ start }) => start < 0)) return "its position in its message cannot be read";
  if (file.places.length > 0) return null;
  const { conversation, id, seq, bytes } = file;
  const [message] = (await scoped.messages(conversation, { from: seq, to: seq, payloads: "sound" })).rows;
  if (message === undefined || message.content === null) return null;
  if ((attachedHash(message.key) ?? file.content) !== file.content)
    return "its content differs from the one its message refers to";
  const said = await unlessCorrupt(() => {
    const texts = partsIn(messageValue(message)).map((part) => (part.type === "text" ? part.text : ""));
    return texts.flatMap(findFileReferences).find((reference) => reference.id === id) ?? null;
  });
  if (said === null) return "its message does not refer to it";
  // An unreadable message is reported by the checks of messages.
  if (typeof said === "string" || said.bytes === bytes) return null;
  return `it has ${bytes} bytes, but its message says ${said.bytes}`;
}

/** A problem of the store is a result here: the remaining files are still checked. */
async function unlessCorrupt<Result>(look: () => Result | Promise<Result>): Promise<Result | string> {
  try {
    return await look();
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return error.message;
  }
}

const LINE_FEED = 10;

/** Counts the lines of content in pieces, and the line feeds in each of its frames. */
class FeedCounter {
  readonly #feeds: number[] = [];
  #bytes = 0;
  #last: number | undefined;

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.byteLength; ) {
      const end = Math.min(piece.byteLength, at + FRAME_BYTES - (this.#bytes % FRAME_BYTES));
      const frame = Math.floor(this.#bytes / FRAME_BYTES);
      this.#feeds[frame] = (this.#feeds[frame] ?? 0) + countFeeds(piece.subarray(at, end));
      this.#bytes += end - at;
      at = end;
    }
    this.#last = piece.at(-1) ?? this.#last;
  }

  /** A last line without a line feed counts. */
  get lines(): number {
    const feeds = this.#feeds.reduce((sum, count) => sum + count, 0);
    return feeds + (this.#last === undefined || this.#last === LINE_FEED ? 0 : 1);
  }

  agreesWith(feeds: Uint32Array): boolean {
    return feeds.length === this.#feeds.length && this.#feeds.every((count, frame) => count === feeds[frame]);
  }
}

function countFeeds(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) found++;
  return found;
}
