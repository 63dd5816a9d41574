/** Cuts payloads out of messages on their way in, and keeps them apart. */
import { PalimpsestError } from "../../errors.ts";
import { sha256 } from "../../text/hash.ts";
import type { Scope } from "../../types.ts";
import type { DatedFile } from "../file-store.ts";
import { cutPayloads } from "../payloads.ts";
import { ERASED, type StoredContent, storeContent } from "./content.ts";
import { putContents } from "./file-contents.ts";
import { type FileOfMessage, insertFiles } from "./large-files.ts";
import type { Transaction } from "./transaction.ts";

export interface MessageWithFiles {
  readonly seq: number;
  /** The whole original; null once erased. */
  readonly content: string | Uint8Array | null;
  readonly files: readonly DatedFile[];
}

/** What stays in the message's row. */
export interface KeptMessage<Message> {
  readonly message: Message;
  readonly content: StoredContent;
  /** Its first payload; null when it is kept whole. */
  readonly largeContent: string | null;
}

/** Asks the server only when there are payloads. */
export async function keepApart<Message extends MessageWithFiles>(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  messages: readonly Message[],
): Promise<KeptMessage<Message>[]> {
  const contents = new Map<string, Uint8Array>();
  const files: FileOfMessage[] = [];
  const kept = messages.map((message) => cut(message, contents, files));
  if (files.length === 0) return kept;
  await putAll(transaction, scope, contents, files);
  insertFiles(transaction, scope, conversationId, files);
  return kept;
}

function cut<Message extends MessageWithFiles>(
  message: Message,
  contents: Map<string, Uint8Array>,
  found: FileOfMessage[],
): KeptMessage<Message> {
  const { seq, content, files } = message;
  if (content === null) return { message, content: ERASED, largeContent: null };
  const [first] = files;
  if (first === undefined) return { message, content: storeContent(content), largeContent: null };
  const original = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const { rest, contents: payloads } = cutPayloads(original, files);
  files.forEach((file, ordinal) => {
    const payload = payloads[ordinal] ?? null;
    const hash = payload === null ? (file.content ?? "") : sha256(payload);
    if (payload !== null) contents.set(hash, payload);
    found.push({ seq, ordinal, file, content: hash });
  });
  // Pages are cut by what a message takes when it is whole.
  return {
    message,
    content: { ...storeContent(rest), size: original.byteLength },
    largeContent: first.id,
  };
}

async function putAll(
  transaction: Transaction,
  scope: Scope,
  contents: ReadonlyMap<string, Uint8Array>,
  files: readonly FileOfMessage[],
): Promise<void> {
  const given = files.filter(({ file }) => file.places.length === 0);
  const known = await putContents(
    transaction,
    scope,
    contents,
    given.map(({ content }) => content),
  );
  const missing = given.find(({ content }) => !known.has(content));
  if (missing !== undefined)
    throw new PalimpsestError("not-found", `the content of ${missing.file.id} is not on record`, {
      advice: "Put the content in again, and then the message. Nothing was written.",
    });
}
