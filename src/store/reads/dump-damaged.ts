/**
 * A dump of a store that may be damaged: everything that can still be read, in the usual order, with a row `damage` before
 * each changed row and for missing ones. Every hash is checked, so that no damaged row passes as intact, and every row can be
 * read from an archive again.
 */
import { createHash } from "node:crypto";
import { isPalimpsestError, messageOf } from "../../errors.ts";
import { sha256 } from "../../text/bytes.ts";
import { EXCLUSION_REASONS, type Scope } from "../../types.ts";
import { rowProblem } from "../archive-rows.ts";
import type { StoredFile } from "../file-store.ts";
import { chainHash, digestContent, hashSummaryText } from "../seal.ts";
import type { DumpRow, Page, StoredMessage } from "../store.ts";
import { brokenRows } from "./broken-rows.ts";
import { brokenFiles } from "./broken-seals.ts";
import {
  conversationsOf,
  type DumpSource,
  dumpAudit,
  dumpBesideMessages,
  dumpHead,
  dumpLostTranscripts,
  type MessageWithFiles,
  type ScopedRow,
  toDumped,
} from "./dump.ts";
import { dumpMemories } from "./dump-memories.ts";

type DamageRow = Extract<DumpRow, { row: "damage" }>;
type MessageRow = Extract<DumpRow, { row: "message" }>;

export async function* dumpDamagedRows(source: DumpSource): AsyncGenerator<DumpRow> {
  for await (const row of conversationsOf(source)) yield* conversationRows(source, row);
  yield* sound(dumpMemories(source, (problem) => damage(null, null, problem)));
  for (const find of [brokenFiles, brokenRows])
    for (const problem of await find(source)) yield damage(null, null, problem);
  yield* sound(dumpAudit(source));
}

function damage(conversation: string | null, seq: number | null, problem: string): DamageRow {
  return { row: "damage", conversation, seq, problem };
}

async function* conversationRows(source: DumpSource, row: ScopedRow): AsyncGenerator<DumpRow> {
  const head = dumpHead(row);
  const problem = rowProblem(head);
  const readable = problem === null || head.row !== "conversation" ? head : readableHead(head);
  yield readable;
  const id = "id" in readable ? readable.id : row.uid;
  if (problem !== null) yield damage(id, null, `its own row: ${problem}`);
  yield* messageRows(source, row, id);
  yield* sound(dumpBesideMessages(source, row, row.uid), id);
  for await (const lost of sound(dumpLostTranscripts(source, row, row.uid), id)) {
    if (lost.row === "transcript") yield damage(id, null, `transcript ${lost.number} is missing`);
    yield lost;
  }
}

const NO_TIME = "1970-01-01T00:00:00.000Z";

/** The messages of a conversation are dumped even if its own row is damaged. */
function readableHead(head: Extract<DumpRow, { row: "conversation" }>): DumpRow {
  const isTime = (time: string | null) =>
    time !== null && /^\d{4}(-\d\d){2}T\d\d(:\d\d){2}\.\d{3}Z$/.test(time);
  const toTime = (time: string) => (isTime(time) ? time : NO_TIME);
  const toCount = (count: number) => (Number.isSafeInteger(count) && count >= 0 ? count : 0);
  return {
    ...head,
    id: /^conv_[0-9a-f]{16}$/.test(head.id) ? head.id : `conv_${sha256(head.id).slice(0, 16)}`,
    createdAt: toTime(head.createdAt),
    updatedAt: toTime(head.updatedAt),
    archivedAt: head.archivedAt === null ? null : toTime(head.archivedAt),
    messageCount: toCount(head.messageCount),
    tokenCount: toCount(head.tokenCount),
    contextItems: toCount(head.contextItems),
    contextTokens: toCount(head.contextTokens),
    contextStubTokens: toCount(head.contextStubTokens),
  };
}

/** `id`: the id of the conversation in the dump. */
async function* messageRows(source: DumpSource, row: ScopedRow, id: string): AsyncGenerator<DumpRow> {
  const chain = new ChainSoFar();
  for (let from: number | null = 0; from !== null; ) {
    const page: Page<MessageWithFiles> = await messagePage(source, row, from);
    for (const { message, files } of page.rows) {
      const problem = chain.problemWith(message);
      const missing = chain.missingBefore(message.seq);
      if (missing !== null) yield damage(id, chain.next, missing);
      if (problem !== null) yield damage(id, message.seq, problem);
      chain.pass(message);
      yield* readable(id, message, problem === null ? files : files.filter(isAttached), (file) =>
        contentRows(source, row, id, file),
      );
    }
    from = page.next;
  }
  const missing = chain.missingBefore(row.last_seq + 1);
  if (missing !== null) yield damage(id, chain.next, missing);
  else if (!chain.endsWith(row.head_hash))
    yield damage(id, null, "the newest message is not the head of its chain");
}

/** Payloads that cannot be read are left out, but only if there are some. */
async function messagePage(
  source: DumpSource,
  row: ScopedRow,
  from: number,
): Promise<Page<MessageWithFiles>> {
  try {
    return await source.messagesWithFiles(row, row.uid, { from });
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return source.messagesWithFiles(row, row.uid, { from, payloads: "sound" });
  }
}

class ChainSoFar {
  next = 1;
  #hash = "";

  missingBefore(seq: number): string | null {
    if (seq <= this.next) return null;
    return seq === this.next + 1
      ? `message ${this.next} is missing`
      : `messages ${this.next} to ${seq - 1} are missing`;
  }

  problemWith(message: StoredMessage): string | null {
    const { seq, content, salt, digest, erasedAt } = message;
    if (content === null && erasedAt === null) return "its content is missing, and it was not erased";
    if (content !== null && (salt === null || digestContent(salt, content) !== digest))
      return "its content has changed (hash mismatch)";
    if (seq === this.next && chainHash(this.#hash, message, digest) !== message.hash)
      return "its hash does not follow from the message before it";
    return null;
  }

  pass({ seq, hash }: StoredMessage): void {
    this.next = seq + 1;
    this.#hash = hash;
  }

  endsWith(hash: string): boolean {
    return this.#hash === hash;
  }
}

function isAttached({ places }: StoredFile): boolean {
  return places.length === 0;
}

/** A message with those files whose contents are intact, and these before it. */
async function* readable(
  conversation: string,
  message: StoredMessage,
  files: readonly StoredFile[],
  contentsOf: (file: StoredFile) => AsyncGenerator<DumpRow, string | null>,
): AsyncGenerator<DumpRow> {
  const kept: StoredFile[] = [];
  for (const file of files) {
    const problem = isAttached(file) ? yield* contentsOf(file) : null;
    if (problem === null) kept.push(file);
    else yield damage(conversation, message.seq, `${file.id}: ${problem}`);
  }
  const row: MessageRow = { row: "message", conversation, ...message, files: kept.map(toDumped) };
  const problem = rowProblem(row);
  if (problem === null) {
    yield row;
    return;
  }
  const alone = withoutRelated(row);
  const isReadable = rowProblem(alone) === null;
  yield damage(
    conversation,
    message.seq,
    isReadable ? `what belongs to it is left out: ${problem}` : `it is left out: ${problem}`,
  );
  if (isReadable) yield alone;
}

/** Damage in rows of other tables must not cost a message. Its parts follow from its content: verifying rebuilds them. */
function withoutRelated(row: MessageRow): MessageRow {
  const isReason = EXCLUSION_REASONS.some((reason) => reason === row.excluded);
  return { ...row, parts: [], excluded: isReason ? row.excluded : null };
}

/** Returns the problem of the content at the end, if it has one. */
async function* contentRows(
  source: DumpSource,
  scope: Scope,
  conversation: string,
  file: StoredFile,
): AsyncGenerator<DumpRow, string | null> {
  const hash = createHash("sha256");
  try {
    for await (const [start, content] of source.contentPieces(scope, file)) {
      hash.update(content);
      yield { row: "file-content", conversation, hash: file.content, start, content };
    }
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return error.message;
  }
  return hash.digest("hex") === file.content ? null : "its content has changed (hash mismatch)";
}

/** Rows that an archive can represent, with the given conversation id if they have one; damage instead of the others. */
async function* sound(
  rows: AsyncIterable<DumpRow>,
  conversation: string | null = null,
): AsyncGenerator<DumpRow> {
  try {
    for await (const stored of rows) {
      const row = conversation !== null && "conversation" in stored ? { ...stored, conversation } : stored;
      const problem = rowProblem(row);
      if (problem !== null) {
        yield damage(conversation, null, `a row of the kind ${row.row} is left out: ${problem}`);
        continue;
      }
      if (row.row === "summary" && hashSummaryText(row.content) !== row.contentHash)
        yield damage(conversation, row.firstSeq, `${row.id}: its text has changed (hash mismatch)`);
      yield row;
    }
  } catch (error) {
    if (isPalimpsestError(error) && error.code !== "store-corrupt" && error.code !== "internal") throw error;
    yield damage(conversation, null, `what follows cannot be read: ${messageOf(error)}`);
  }
}
