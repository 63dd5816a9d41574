import { z } from "zod";
import type { ReadInput } from "../context/read.ts";
import { type MessagePiece, readPage } from "../context/retrieve/read-page.ts";
import { refuseOtherKinds } from "../context/wrong-kind.ts";
import { PalimpsestError } from "../errors.ts";
import { isMessageId, kindOfId, parseMessageId } from "../text/identifiers.ts";
import { ROLES } from "../types.ts";
import { conversationSchema } from "./conversation-schema.ts";
import { messageSchema, toAnswer } from "./message-schema.ts";
import { explained, renderMessage, renderTexts, SAID } from "./model-text.ts";
import { defineOperation } from "./operation.ts";

const position = z.number().int().min(1).exactOptional();
const whole = z.int();

type Input = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  id: z.string().min(1).describe("A conversation's id or session id, or a message's id."),
  from: position.describe("First seq wanted. Default 1."),
  to: position.describe("Last seq wanted, inclusive. Default: the last."),
  roles: z.array(z.enum(ROLES)).min(1).exactOptional().describe("Only messages of these roles."),
  limit: position.describe("Most messages in the answer. Default 1,000."),
  maxTokens: position.describe(
    "Most tokens of words in the answer. A message that is longer comes in pieces. Default: no limit; for models 4,000.",
  ),
  offset: z
    .int()
    .min(0)
    .exactOptional()
    .describe("Begin at this character of the first message: `nextOffset` of the answer before. Default 0."),
  length: position.describe("Most characters of the first message, which then comes alone."),
  raw: z
    .boolean()
    .exactOptional()
    .describe("Show, count and cut the exact original, as it was stored, instead of the words in it."),
});

const pieceSchema = z.strictObject({
  message: z.string().describe("Id of the message."),
  role: z.enum(ROLES).describe("Who spoke."),
  createdAt: z.string().describe("When it was said, ISO 8601 in UTC."),
  offset: whole.describe("First character; never the second half of one."),
  end: whole.describe("Behind the last character."),
  length: whole.describe("Characters of the whole message."),
  texts: z
    .array(
      z.strictObject({
        label: z.string().nullable().describe("What the words are, such as the call of a tool."),
        text: z.string().describe("The words, exactly."),
      }),
    )
    .describe("What is in the piece, in order."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: conversationSchema.describe("The conversation that was read."),
  messages: z.array(messageSchema).describe("The messages, in order. Empty where a piece of one is given."),
  piece: pieceSchema.nullable().describe("A part of one message that is long; null when all are whole."),
  next: whole.nullable().describe("The seq to go on from; null when nothing is left."),
  nextOffset: whole
    .nullable()
    .describe("The `offset` to go on from in the message `next`; null when at its beginning."),
});

export const read = defineOperation({
  name: "read",
  summary: "Read messages exactly as they were said, by conversation and range or by message id.",
  input: inputSchema,
  output: outputSchema,
  tool: {
    name: "lcm_read",
    description: [
      "Read the exact words of one message (by its id) or of a range of a conversation (by its id, from and to), also of what is no longer in your context.",
      "Long answers come in pieces: each says how to go on.",
    ].join(" "),
    defaults: { maxTokens: 4_000 },
    text: (output, input) => explained(render(output, input)),
  },
  run: async (engine, { offset, length, maxTokens, raw, ...input }) => {
    const range = toReadInput(input);
    const given = Object.entries({ offset, length, maxTokens }).filter(([, value]) => value !== undefined);
    const { conversation, messages, piece, next, nextOffset } =
      given.length === 0
        ? { ...(await engine.context.read(range)), piece: null, nextOffset: null }
        : await readPage((some) => engine.context.read(some), {
            ...range,
            raw: raw === true,
            ...Object.fromEntries(given),
          });
    // Tells what is there instead.
    if (messages.length === 0 && piece === null && isMessageId(input.id))
      await engine.context.readMessage(input.id);
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

function toReadInput({ id, ...rest }: Pick<Input, "id" | "from" | "to" | "roles" | "limit">): ReadInput {
  if (kindOfId(id) === "summary" || kindOfId(id) === "file") refuseOtherKinds(id, "message");
  if (!isMessageId(id)) return { conversation: id, ...rest };
  if (rest.from !== undefined || rest.to !== undefined)
    throw new PalimpsestError("invalid-input", `${id} is one message: from and to do not apply`, {
      advice: "Name the conversation to read a range of it.",
    });
  const { conversation, seq } = parseMessageId(id);
  return { conversation, ...rest, from: seq, to: seq };
}

function render(output: Output, input: Input): string {
  const { conversation, messages, piece, next } = output;
  if (messages.length === 0 && piece === null)
    return `Nothing to show: ${conversation.id} has messages 1 to ${conversation.messageCount}.`;
  const pieces =
    piece === null ? messages.map((message) => renderMessage(message, rawOf(input))) : [renderPiece(piece)];
  return [
    `From ${conversation.id}, which has ${conversation.messageCount} messages. ${SAID}`,
    ...pieces,
    next === null ? "That is all." : `There is more: ${wayOn(output, input)}`,
  ].join("\n\n");
}

function rawOf({ raw = false }: Input): { raw: boolean } {
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
  const about = `${role} | ${createdAt} | characters ${offset} to ${end} of ${length}`;
  return `${message} (${about})\n${renderTexts(texts)}`;
}

function wayOn({ next, nextOffset }: Output, { id, from: _, offset: __, ...rest }: Input): string {
  const place = isMessageId(id) ? {} : { from: next };
  const inside = nextOffset === null ? {} : { offset: nextOffset };
  return `call lcm_read with ${JSON.stringify({ id, ...place, ...inside, ...rest })}.`;
}
