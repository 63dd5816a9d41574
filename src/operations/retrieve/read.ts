import { z } from "zod";
import { readInput } from "../../context/inputs.ts";
import { type ReadInput, requireMessage } from "../../context/read/read-messages.ts";
import { refuseOtherKinds } from "../../context/read/wrong-kind.ts";
import { requireSummary } from "../../context/retrieve/expand-summary.ts";
import { type MessagePiece, pieceOf, readPage } from "../../context/retrieve/read-page.ts";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { givenId } from "../../text/given.ts";
import { isMessageId, isSummaryId, kindOfId, parseMessageId } from "../../text/identifiers.ts";
import type { Look } from "../../text/terminal/look.ts";
import { ROLES } from "../../types.ts";
import { conversationSchema } from "../conversations/conversation-schema.ts";
import { explained, renderMessage, renderTexts, SAID, WRITTEN } from "../model-text.ts";
import { defineOperation } from "../operation.ts";
import { toolCall } from "../tool-call.ts";
import { renderMessage as renderForPeople } from "./message-page.ts";
import { messageSchema, toAnswer } from "./message-schema.ts";

const position = z.number().int().min(1).exactOptional();
const whole = z.int();

export type ReadArguments = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  id: givenId.describe("A conversation's id or session id, or the id of a message or a summary."),
  ...readInput.omit({ conversation: true }).shape,
  maxTokens: position.describe(
    "Maximum tokens of text in the answer. A longer message is returned in parts. Default: no limit.",
  ),
  offset: z
    .int()
    .min(0)
    .exactOptional()
    .describe(
      "Start at this character of the first message, or of its original with raw: `nextOffset` of the previous answer. Default 0.",
    ),
  length: position.describe("Maximum characters of the first message, which is then returned alone."),
  raw: z.boolean().exactOptional().describe("Return the exact stored original instead of its text."),
});

const pieceSchema = z.strictObject({
  message: z.string().describe("Id of the message or summary."),
  role: z.enum(ROLES).nullable().describe("Role of the message; null for a summary."),
  createdAt: z
    .string()
    .describe("Time of the message, ISO 8601 in UTC; for a summary, of the last message it covers."),
  offset: whole.describe("Offset of the first character; never inside a surrogate pair."),
  end: whole.describe("Offset after the last character."),
  length: whole.describe("Characters of the whole text."),
  texts: z
    .array(
      z.strictObject({
        label: z.string().nullable().describe("Kind of text, such as a tool call."),
        text: z.string().describe("The exact text."),
      }),
    )
    .describe("Content of the part, in order."),
});

export type ReadOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: conversationSchema.describe("The conversation that was read."),
  messages: z.array(messageSchema).describe("The messages, in order. Empty if `piece` is set."),
  piece: pieceSchema
    .nullable()
    .describe("A part of a long message, or a summary; null if whole messages are returned."),
  next: whole.nullable().describe("`from` for the next page; null on the last page."),
  nextOffset: whole
    .nullable()
    .describe("`offset` in the message `next` for the next page; null for its start."),
});

export const read = defineOperation({
  name: "read",
  summary: "Read messages exactly as stored, by conversation and range or by id; or read one summary.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["id"],
    flags: {
      from: { value: "seq" },
      to: { value: "seq" },
      ...{ maxTokens: false, offset: false, length: false },
    },
    paged: true,
    text: (page, { look }) => readTexts(page, look).join("\n\n"),
  },
  tool: {
    name: "lcm_read",
    isDelegated: true,
    description: [
      "Read the exact text of one message (by its id) or of a range of a conversation (by its id, from and to), including messages that are no longer in your context.",
      "The text of a summary is read the same way, by its id. Long answers are split: each part says how to read the next.",
    ].join(" "),
    defaults: { maxTokens: 4_000 },
    text: (output, input) => explained(render(output, input)),
  },
  run: async (engine, given) => {
    if (kindOfId(given.id) === "summary") return readSummary(engine, given);
    const { offset, length, maxTokens, raw, ...input } = given;
    const range = toReadInput(input);
    const bounds = Object.entries({ offset, length, maxTokens }).filter(([, value]) => value !== undefined);
    const { conversation, messages, piece, next, nextOffset } =
      bounds.length === 0
        ? { ...(await engine.context.read(range)), piece: null, nextOffset: null }
        : await readPage((some) => engine.context.read(some), {
            ...range,
            raw: raw === true,
            ...Object.fromEntries(bounds),
          });
    // The error reports what exists instead.
    if (messages.length === 0 && piece === null && isMessageId(input.id))
      await requireMessage(internalsOf(engine).conversations, input.id);
    return {
      conversation,
      messages: messages.map(toAnswer),
      piece: piece && toPiece(piece),
      next,
      nextOffset,
    };
  },
});

function toPiece({ message, offset, end, length, texts }: MessagePiece): z.infer<typeof pieceSchema> {
  const { id, role, createdAt } = message;
  return { message: id, role, createdAt, offset, end, length, texts: [...texts] };
}

/** A summary is returned as one piece, or in several if it is long. */
async function readSummary(
  engine: Engine,
  { id, offset, length, maxTokens, ...rest }: ReadArguments,
): Promise<ReadOutput> {
  refuseRange(id, rest);
  const { conversation, content, latestAt, firstSeq } = await requireSummary(
    internalsOf(engine).conversations,
    id,
  );
  const texts = content === null ? [] : [{ label: null, text: content }];
  const piece = pieceOf(id, texts, { offset, length, maxTokens });
  const isWhole = piece.end === piece.length;
  return {
    conversation: await engine.context.conversations.get(conversation),
    messages: [],
    piece: { message: id, role: null, createdAt: latestAt, ...piece, texts: [...piece.texts] },
    next: isWhole ? null : firstSeq,
    nextOffset: isWhole ? null : piece.end,
  };
}

function toReadInput({
  id,
  ...rest
}: Pick<ReadArguments, "id" | "from" | "to" | "roles" | "limit">): ReadInput {
  if (["file", "memory"].includes(kindOfId(id) ?? "")) refuseOtherKinds(id, "message");
  if (!isMessageId(id)) return { conversation: id, ...rest };
  refuseRange(id, rest);
  const { conversation, seq } = parseMessageId(id);
  return { conversation, ...rest, from: seq, to: seq };
}

function refuseRange(id: string, { from, to }: Pick<ReadArguments, "from" | "to">): void {
  if (from === undefined && to === undefined) return;
  throw new PalimpsestError("invalid-input", `${id} is one ${kindOfId(id)}: from and to do not apply`, {
    advice: "Name the conversation to read a range of it.",
  });
}

function render(output: ReadOutput, input: ReadArguments): string {
  const { conversation, messages, piece, next } = output;
  if (messages.length === 0 && piece === null)
    return `Nothing to show: ${conversation.id} has messages 1 to ${conversation.messageCount}.`;
  const pieces =
    piece === null ? messages.map((message) => renderMessage(message, rawOf(input))) : [renderPiece(piece)];
  return [
    `From ${conversation.id}, which has ${counted(conversation.messageCount, "message")}. ${isSummaryId(input.id) ? WRITTEN : SAID}`,
    ...pieces,
    next === null ? "That is all." : `There is more: ${wayOn(output, input)}`,
  ].join("\n\n");
}

function rawOf({ raw = false }: ReadArguments): { raw: boolean } {
  return { raw };
}

function renderPiece({
  message,
  role,
  createdAt,
  offset,
  end,
  length,
  texts,
}: z.infer<typeof pieceSchema>): string {
  const about = `${role ?? "summary"} | ${createdAt} | characters ${offset} to ${end} of ${length}`;
  return `${message} (${about})\n${texts.length === 0 ? "(erased, or no words)" : renderTexts(texts)}`;
}

function wayOn(
  { next, nextOffset }: ReadOutput,
  { id, from: _, offset: __, ...rest }: ReadArguments,
): string {
  const place = isMessageId(id) || isSummaryId(id) ? {} : { from: next };
  const inside = nextOffset === null ? {} : { offset: nextOffset };
  return `call ${toolCall("lcm_read", { id, ...place, ...inside, ...rest })}.`;
}

/** The text of each message, or of the piece, for people. */
export function readTexts({ messages, piece }: ReadOutput, look: Look): string[] {
  if (piece === null) return messages.map((message) => renderForPeople(message, look));
  const head = look.style(["bold", "magenta"], piece.message);
  const about = look.style("dim", ` · ${look.time(piece.createdAt)} · ${counted(piece.length, "character")}`);
  const words = piece.texts.map(({ text }) => escapeControls(text)).join("");
  return [`${head}${about}\n${piece.texts.length === 0 ? look.style("dim", "(erased)") : words}`];
}
