/**
 * Attaches a file of any size to a conversation: its content is externalised piece by piece, and a user message
 * represents it with a description. The file is read twice and never held in memory as a whole.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import type { PutContent } from "../../store/file-store.ts";
import { referenceOf } from "../../text/file-reference.ts";
import { messageId, newFileId } from "../../text/identifiers.ts";
import type { ConversationRef } from "../../types.ts";
import { mimeOfName } from "../files/mime-of-name.ts";
import type { attachFileInput } from "../inputs.ts";
import { toAddress } from "../read/address.ts";
import { appendToConversation } from "./append-to-conversation.ts";
import { attachedKey } from "./attached-key.ts";
import { attachedPieces } from "./attached-pieces.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import { prepareTurn } from "./prepare-turn.ts";
import { skipReason } from "./skip-reason.ts";

export interface AttachFileInput extends Readonly<z.input<typeof attachFileInput>> {
  /**
   * Returns the content from its beginning, as pieces of bytes: a file's stream, or a list with one `Uint8Array`. Called
   * more than once.
   */
  readonly open: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly bytes: number }) => void;
}

export interface AttachFileResult {
  readonly status: "committed" | "duplicate";
  readonly conversation: string;
  readonly message: string;
  /** Id of the file. */
  readonly id: string;
  readonly bytes: number;
  /** The text that represents it in the context. */
  readonly reference: string;
}

export async function attachFile(input: AttachFileInput, use: IngestDependencies): Promise<AttachFileResult> {
  const { name = null, mime = null, signal } = input;
  const address = toAddress(input.conversation);
  const reason = skipReason(use.settings, address);
  if (reason !== undefined)
    throw new PalimpsestError("not-supported", `this session is not stored: ${reason}`);
  const content = await use.store.putContent(followed(input));
  const { explore } = await import("../files/explore/explore.ts");
  const { text: description } = await explore({
    ...{ name, mime, bytes: content.bytes, open: () => followed({ ...input, onProgress: () => {} }) },
    ...(signal === undefined ? {} : { signal }),
  });
  return commitReference(input, content, description, use);
}

async function* followed({ onProgress, ...from }: AttachFileInput): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of attachedPieces(from)) {
    yield piece;
    bytes += piece.byteLength;
    onProgress?.({ bytes });
  }
}

async function commitReference(
  { conversation, key, ...about }: AttachFileInput,
  { hash, bytes }: PutContent,
  description: string,
  use: IngestDependencies,
): Promise<AttachFileResult> {
  const name = about.name ?? null;
  const mime = about.mime ?? mimeOfName(name);
  // Attaching the same file again gives the same message, although file ids are random.
  const turnKey = key ?? `file:${hash}:${name ?? ""}`;
  const known = await attachedBefore(conversation, turnKey, hash, use);
  if (known !== undefined) return known;
  const id = newFileId(use.random);
  const reference = referenceOf({ id, kind: "file", name, mime, tool: null, bytes, description });
  const message = { message: { role: "user", content: reference }, key: attachedKey(turnKey, hash) };
  const [prepared] = prepareTurn(turnKey, [message], use);
  if (prepared === undefined) throw new Error("a turn of one message has one");
  const file = { id, kind: "file", name, mime, tool: null, description, origin: "ingest" } as const;
  const placed = { writing: "json", places: [], content: hash } as const;
  const result = await appendToConversation(
    {
      address: toAddress(conversation),
      create: { title: name },
      turnKey,
      messages: [{ ...prepared.message, files: [{ ...file, ...placed }] }],
    },
    use,
  );
  const { id: stored } = result.conversation;
  const place = { conversation: stored, message: messageId(stored, result.messages[0]?.seq ?? 0) };
  return { status: result.status, ...place, id, bytes, reference };
}

/** The file already attached under this key, if there is one. */
async function attachedBefore(
  conversation: ConversationRef,
  turnKey: string,
  hash: string,
  { store }: IngestDependencies,
): Promise<AttachFileResult | undefined> {
  const found = await store.conversation(toAddress(conversation));
  if (found === undefined) return undefined;
  const { rows } = await store.files({ conversation: found.id, kind: "file" });
  for (const { id, seq, bytes, ...file } of rows) {
    if (file.content !== hash) continue;
    const [message] = (await store.messages(found.id, { from: seq, to: seq, payloads: "context" })).rows;
    if (message === undefined || !message.key.startsWith(`${turnKey}#`)) continue;
    const place = { conversation: found.id, message: messageId(found.id, seq), id, bytes };
    return { status: "duplicate", ...place, reference: referenceOf({ ...file, id, bytes }) };
  }
  return undefined;
}
