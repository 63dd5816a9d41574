/**
 * Restores originals of messages that were found elsewhere, and lost rows of messages. Those that do not match the stored
 * digests and the chain are ignored, and erased content is never restored.
 */
import { PalimpsestError } from "../../errors.ts";
import { sha256 } from "../../text/bytes.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { encodeContent } from "../content-encoding.ts";
import type { StoredFile } from "../file-store.ts";
import { cutPayloads } from "../payloads.ts";
import type { HeldConversation } from "../port.ts";
import { filesOfMessage } from "../reads/files.ts";
import { chainHash, digestContent, sealMessage } from "../seal.ts";
import type { RestoredMessage, RestoredRow } from "../store.ts";
import type { ConversationRow } from "../tables/conversations.ts";
import { replaceParts } from "../tables/message-parts.ts";
import {
  type ChainLink,
  type KeptContent,
  ownOrFreeKey,
  type RowOfMessage,
  readLinks,
  readSeal,
  recountTokens,
  rewriteMessage,
  setTokens,
  updateContent,
} from "../tables/messages.ts";
import { findOrigin } from "../tables/transcript-lines.ts";

type LostMessage = RestoredMessage & { readonly row: RestoredRow };
type SealedRow = Omit<RowOfMessage, "key">;

export async function restoreMessages(
  held: HeldConversation,
  conversation: ConversationRow,
  messages: readonly RestoredMessage[],
): Promise<void> {
  const sorted = messages.toSorted((a, b) => a.seq - b.seq);
  for (const message of sorted) if (!isLost(message)) await restoreContent(held, conversation.uid, message);
  const lost = sorted.filter(isLost);
  for (const run of runsOf(lost)) await restoreRun(held, conversation, run);
  if (lost.length > 0) recountTokens(held);
}

function isLost(message: RestoredMessage): message is LostMessage {
  return message.row !== undefined;
}

/** Consecutive messages: their hashes are confirmed by the message after them. */
function runsOf(lost: readonly LostMessage[]): LostMessage[][] {
  const runs: LostMessage[][] = [];
  for (const message of lost) {
    const run = runs.at(-1);
    if (run?.at(-1)?.seq === message.seq - 1) run.push(message);
    else runs.push([message]);
  }
  return runs;
}

async function restoreContent(
  held: HeldConversation,
  conversation: string,
  { seq, content }: RestoredMessage,
): Promise<void> {
  const seal = await readSeal(held, seq);
  if (seal === undefined || seal.salt === null || digestContent(seal.salt, content) !== seal.digest) return;
  updateContent(held, seq, await keepAgain(held, conversation, seq, content));
}

async function restoreRun(
  held: HeldConversation,
  { uid, last_seq, head_hash }: ConversationRow,
  run: readonly LostMessage[],
): Promise<void> {
  const first = run[0]?.seq ?? 1;
  const last = run.at(-1)?.seq ?? first;
  const links = await readLinks(held, first - 1, last + 1);
  let before = first === 1 ? "" : links.get(first - 1)?.hash;
  const sealed: { readonly message: LostMessage; readonly row: SealedRow }[] = [];
  for (const message of run) {
    const row = before === undefined ? null : await sealAgain(held, before, message);
    if (row === null) break;
    sealed.push({ message, row });
    before = row.hash;
  }
  const isWhole = sealed.length === run.length;
  if (isWhole && !isFollowed(before ?? "", links.get(last + 1), last === last_seq ? head_hash : null)) return;
  for (const { message, row } of sealed) await writeRow(held, uid, message, row);
}

/** Null for an erased one, or one that was never in a line with this content. */
async function sealAgain(
  held: HeldConversation,
  before: string,
  { seq, content, row }: LostMessage,
): Promise<SealedRow | null> {
  const origin = await findOrigin(held, seq, sha256(content));
  if (origin === undefined) return null;
  const { role, format, tokenCount, stubTokenCount } = row;
  const { digest, hash } = sealMessage(before, seq, { ...origin, role, format, content });
  return { ...origin, seq, role, format, tokenCount, stubTokenCount, erasedAt: null, digest, hash };
}

/** By the next message, or by the end of the conversation. If the next one is lost as well, the hash is accepted. */
function isFollowed(hash: string, next: ChainLink | undefined, headHash: string | null): boolean {
  if (headHash !== null) return hash === headHash;
  return next === undefined || chainHash(hash, next, next.digest) === next.hash;
}

async function writeRow(
  held: HeldConversation,
  conversation: string,
  { seq, content, row: { keys, parts } }: LostMessage,
  row: SealedRow,
): Promise<void> {
  const key = await ownOrFreeKey(held, seq, keys);
  if (key === undefined) return;
  rewriteMessage(held, { ...row, key }, await keepAgain(held, conversation, seq, content));
  replaceParts(held, [{ seq, parts }]);
  setTokens(held, seq, row);
}

/** The content of the row after its files are cut out again. */
async function keepAgain(
  held: HeldConversation,
  conversation: string,
  seq: number,
  content: string | Uint8Array,
): Promise<KeptContent> {
  const original = typeof content === "string" ? encodeUtf8(content) : content;
  const files = await filesOfMessage(held.port, held.scope, conversation, seq);
  const cut = cutAgain(original, files);
  if (cut !== null) await held.port.contents.renew(held.scope, cut.contents);
  return {
    ...encodeContent(cut?.rest ?? content),
    size: original.byteLength,
    largeContent: cut === null ? null : (files[0]?.id ?? null),
  };
}

/** Null if its files are not at their recorded places: it is stored whole then. */
function cutAgain(
  original: Uint8Array,
  files: readonly StoredFile[],
): { readonly rest: Uint8Array; readonly contents: ReadonlyMap<string, Uint8Array> } | null {
  if (files.length === 0) return null;
  try {
    const { rest, contents } = cutPayloads(original, files);
    const payloads = contents.flatMap((content, index) => {
      const file = files[index];
      return content === null || file === undefined ? [] : [[file.content, content] as const];
    });
    const isSame = payloads.every(([hash, payload]) => sha256(payload) === hash);
    return isSame ? { rest, contents: new Map(payloads) } : null;
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    return null;
  }
}
