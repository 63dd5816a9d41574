/**
 * Converts a caller's input into messages for the store: keys, exact originals, shape, token counts.
 * Pure except for the clock and the salts passed to it. Rejects the whole turn if one message is invalid.
 */
import { PalimpsestError } from "../../errors.ts";
import { encodeOriginal } from "../../message/original.ts";
import { isOwnText } from "../../message/own-text.ts";
import { countPartTokens, indexParts, type MessageShape, readMessage } from "../../message/read-parts.ts";
import type { NewMessage } from "../../store/store.ts";
import { toHex } from "../../text/bytes.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { isoTime, normaliseTimestamp } from "../../text/timestamps.ts";
import type { Clock, Part, RandomBytes, Role } from "../../types.ts";
import { requireName } from "../read/require-name.ts";

/** A message in its provider's or host's form: any object with a role, or an item of the Responses API. */
export type HostMessage = object;

/** A message with facts that the host knows but does not write into it. */
export interface TurnMessage {
  readonly message: HostMessage;
  /** The host's id of the message. Default: the message's own `id`, else the turn's key and the position. */
  readonly key?: string;
  /** Time of the message. Default: the message's own timestamp, else now. */
  readonly createdAt?: string | number | Date;
  /**
   * The author. `ours`: text that Palimpsest put into the host's context, which is also recognised automatically. `host`: a
   * summary by the host. Neither enters the context, searches or memories. `left`: belongs to a branch that
   * the host has left; it is stored and searchable, but does not enter the context. Default `said`.
   */
  readonly origin?: "said" | "left" | "ours" | "host";
}

export interface PrepareOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly countTokens: CountTokens;
}

export interface PreparedMessage {
  readonly message: NewMessage;
  readonly role: Role;
  readonly parts: readonly Part[];
  /** The unchanged input. */
  readonly value: HostMessage;
}

export const SALT_BYTES = 16;

export function prepareTurn(
  turnKey: string,
  messages: readonly (HostMessage | TurnMessage)[],
  options: PrepareOptions & { readonly reading?: "strict" | "lenient" },
): PreparedMessage[] {
  requireName("key", turnKey);
  if (!Array.isArray(messages) || messages.length === 0)
    throw new PalimpsestError("invalid-input", "messages must be a list of at least one message");
  // Drawn together, because each call of the random source costs more than its bytes.
  const salts = toHex(options.random(SALT_BYTES * messages.length));
  return messages.map((input, index) => {
    const salt = salts.slice(2 * SALT_BYTES * index, 2 * SALT_BYTES * (index + 1));
    return prepareMessage(turnKey, input, index, salt, options);
  });
}

function prepareMessage(
  turnKey: string,
  input: HostMessage | TurnMessage,
  index: number,
  salt: string,
  options: Omit<PrepareOptions, "random"> & { readonly reading?: "strict" | "lenient" },
): PreparedMessage {
  const given = isTurnMessage(input) ? input : { message: input };
  const original = atMessage(index, () => encodeOriginal(given.message));
  const shape = atMessage(index, () => readMessage(given.message, options.reading ?? "strict"));
  const key = given.key ?? shape.id ?? `${turnKey}#${index}`;
  atMessage(index, () => requireName("key", key));
  const createdAt = atMessage(index, () => timeOf(given, shape)) ?? isoTime(options.clock());
  return {
    role: shape.role,
    parts: shape.parts,
    value: given.message,
    message: {
      ...newMessage(
        { key, ...shape, format: original.format, content: original.text, createdAt, salt },
        options.countTokens,
      ),
      excluded: atMessage(index, () => exclusionOf(given, shape)),
    },
  };
}

const EXCLUDED_ORIGINS = { said: null, left: "branch", ours: "injected", host: "host-summary" } as const;

function exclusionOf({ origin = "said", message }: TurnMessage, { parts }: MessageShape) {
  if (!Object.hasOwn(EXCLUDED_ORIGINS, origin))
    throw new PalimpsestError(
      "invalid-input",
      `origin must be said, left, ours or host, not ${String(origin)}`,
    );
  // The host does not send such a message, for example a command that a person ran besides the conversation.
  const isPrivate = "excludeFromContext" in message && message.excludeFromContext === true;
  return isPrivate || isOwnText(parts) ? "injected" : EXCLUDED_ORIGINS[origin];
}

/** A parsed message for the store: counted, in the context, with nothing externalised yet. */
export function newMessage(
  given: Pick<NewMessage, "key" | "role" | "format" | "content" | "createdAt" | "salt"> & {
    readonly parts: readonly Part[];
  },
  countTokens: CountTokens,
): NewMessage {
  const { key, role, format, content, createdAt, salt, parts } = given;
  return {
    key,
    role,
    format,
    content,
    tokenCount: countPartTokens(parts, countTokens),
    stubTokenCount: null,
    files: [],
    createdAt,
    salt,
    parts: indexParts(parts),
    excluded: null,
  };
}

function isTurnMessage(input: HostMessage | TurnMessage): input is TurnMessage {
  return (
    typeof input === "object" &&
    input !== null &&
    "message" in input &&
    !("role" in input) &&
    !("type" in input)
  );
}

function timeOf(given: TurnMessage, shape: MessageShape): string | null {
  if (given.createdAt === undefined) return shape.createdAt;
  const time = normaliseTimestamp(given.createdAt);
  if (time === undefined)
    throw new PalimpsestError("invalid-input", `createdAt "${String(given.createdAt)}" is not a time`, {
      advice: "Use ISO 8601 text, milliseconds since 1970, or a Date, in the years 1 to 9999.",
    });
  return time;
}

function atMessage<Result>(index: number, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    throw new PalimpsestError(error.code, `messages[${index}]: ${error.message}`, {
      ...(error.advice === undefined ? {} : { advice: error.advice }),
      cause: error,
    });
  }
}
