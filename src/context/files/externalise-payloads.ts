/**
 * Externalises the payloads of an incoming message: finds them, records their positions, gives each an id and a
 * description, and counts the message as the model will read it. The original stays complete and exact; a message without
 * payloads is returned unchanged, at the cost of measuring it.
 */
import { isBlock } from "../../message/block.ts";
import { readMessage } from "../../message/read-parts.ts";
import { hasParts } from "../../message/read-role.ts";
import { readValue, unwrapped } from "../../message/stored-value.ts";
import type { FileOrigin, NewFile } from "../../store/file-store.ts";
import { cutPayloads } from "../../store/payloads.ts";
import type { NewMessage } from "../../store/store.ts";
import { toHex } from "../../text/bytes.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { referenceOf } from "../../text/file-reference.ts";
import { newFileId } from "../../text/identifiers.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import type { RandomBytes } from "../../types.ts";
import { describeCall } from "./describe-call.ts";
import type { Explorer } from "./explore/explorer.ts";
import { mimeOfName } from "./mime-of-name.ts";
import { findPayloads } from "./payloads/find-payloads.ts";
import { holdsNoPayload, type LocatedPayload, type PayloadLimits } from "./payloads/found-payload.ts";
import { locatePayloads } from "./payloads/locate-payloads.ts";
import { tokensWithFiles } from "./tokens-with-files.ts";
import type { FindCall } from "./tool-calls.ts";

/** Facts about the message that the caller already has. */
interface MessageReading {
  /** The parsed original with its envelope. Default: parsed on demand. */
  readonly value?: unknown;
}

export interface ExternaliseOptions {
  readonly settings: PayloadLimits;
  readonly countTokens: CountTokens;
  readonly random: RandomBytes;
  readonly explorer: Explorer;
  /** Finds the call of a result. */
  readonly findCall: FindCall;
  /** Default: it just arrived. */
  readonly origin?: FileOrigin;
}

/** Whether a search is needed: most messages are too short to contain a payload. */
export function mayHoldPayloads(
  { role, content }: Pick<NewMessage, "role" | "content">,
  limits: PayloadLimits,
) {
  return !holdsNoPayload(
    role,
    typeof content === "string" ? Buffer.byteLength(content) : content.length,
    limits,
  );
}

export async function externalisePayloads(
  message: NewMessage,
  reading: MessageReading,
  use: ExternaliseOptions,
): Promise<NewMessage> {
  const payloads = payloadsIn(message, reading, use);
  if (payloads.length === 0) return { ...message, files: [], stubTokenCount: null };
  const { rest, contents } = cutPayloads(bytesOf(message.content), payloads);
  const files: NewFile[] = [];
  for (const [index, payload] of payloads.entries())
    files.push(await fileOf(payload, contents[index] ?? new Uint8Array(), use));
  const references = files.map((file, index) =>
    referenceOf({ ...file, bytes: contents[index]?.length ?? 0 }),
  );
  const shown = files.map((file, index) => ({ ...file, reference: references[index] ?? "" }));
  return { ...message, files, ...tokensWithFiles(message, { rest, contents }, shown, use.countTokens) };
}

function payloadsIn(message: NewMessage, reading: MessageReading, use: ExternaliseOptions): LocatedPayload[] {
  const { content, format, role } = message;
  if (!mayHoldPayloads(message, use.settings)) return [];
  const value =
    typeof content === "string" ? (reading.value ?? readValue(format, content)) : latin1Value(content);
  const inside = unwrapped(format, value);
  if (role === "assistant" && !isAnsweredByCaller(inside)) return [];
  const found = findPayloads({
    value,
    read: (value) => readMessage(unwrapped(format, value), "lenient"),
    limits: use.settings,
    countTokens: use.countTokens,
    original: typeof content === "string" ? content : null,
    keepsShapes: hasShapedOutput(inside),
    // Random, so that the message cannot contain it.
    secret: toHex(use.random(16)),
  });
  return locatePayloads(content, found);
}

/** Bytes that are not UTF-8 are read one by one: the text between the invalid ones then keeps its position. */
function latin1Value(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return JSON.parse(text.replace(/^\u00ef\u00bb\u00bf/, ""));
}

async function fileOf(
  payload: LocatedPayload,
  content: Uint8Array,
  { random, explorer, findCall, origin = "ingest" }: ExternaliseOptions,
): Promise<NewFile> {
  const { kind, writing, places, callId } = payload;
  const name = storable(payload.name);
  const mime = storable(payload.mime) ?? mimeOfName(name);
  const id = newFileId(random);
  const file = { id, kind, name, mime, writing, places, origin, content: null, payload: content } as const;
  if (kind === "file") {
    const description = storable(await explorer.describe(content, { name, mime })) ?? "";
    return { ...file, tool: null, description };
  }
  const call = callId === null || payload.input !== null ? null : await findCall(callId);
  const tool = storable(payload.tool ?? call?.name ?? null);
  return { ...file, tool, description: describeCall(tool, payload.input ?? call?.input ?? null) };
}

const LONGEST_FIELD = 4_000;

/** A message may contain characters that no store accepts as text. */
function storable(text: string | null): string | null {
  return text === null ? null : text.slice(0, LONGEST_FIELD).replaceAll("\0", "").toWellFormed();
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? encodeUtf8(content) : content;
}

/**
 * Whether an assistant message contains results of the caller's tools, as UI messages do: call and result
 * in one part. The result of a provider's own tool must be sent back unchanged.
 */
function isAnsweredByCaller(message: unknown): boolean {
  if (!isBlock(message) || !hasParts(message)) return false;
  return !message.parts.some((part) => isBlock(part) && part.providerExecuted === true);
}

const MAY_BE_TEXT = new Set(["function_call_output", "custom_tool_call_output"]);

/** Whether it is an item of the Responses API whose output is never text, such as that of a shell. */
function hasShapedOutput(message: unknown): boolean {
  if (!isBlock(message) || message.role !== undefined || typeof message.type !== "string") return false;
  return message.type.endsWith("_output") && !MAY_BE_TEXT.has(message.type);
}
