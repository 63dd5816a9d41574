import { z } from "zod";
import type { EraseInput, EraseReport } from "../context/erase/erase-messages.ts";
import { eraseInput } from "../context/inputs.ts";
import { textsOfParts } from "../context/retrieve/message-text.ts";
import type { Engine } from "../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import { andList } from "../text/and-list.ts";
import { counted } from "../text/counted.ts";
import { clip } from "../text/cut-text.ts";
import { oneLine } from "../text/escape-controls.ts";
import { givenId } from "../text/given.ts";
import { isMessageId, kindOfId, parseMessageId } from "../text/identifiers.ts";
import { list } from "../text/terminal/table.ts";
import { afterErasing, cleanUpAfterErasing, copiesKept } from "./after-erasing.ts";
import { describeConversation } from "./conversations/describe-conversation.ts";
import { renderCopies } from "./copies-page.ts";
import { certificateSchema, copySchema } from "./erase-schema.ts";
import { showFile } from "./files/files-show.ts";
import { defineOperation } from "./operation.ts";
import { read } from "./retrieve/read.ts";
import { runOperation } from "./run-operation.ts";
import { shownCopies } from "./shown-copies.ts";

const inputSchema = z.strictObject({
  id: givenId.describe(
    "A conversation's id or session id, or the id of a message, or of a file that a message contains.",
  ),
  ...eraseInput.omit({ conversation: true }).shape,
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  dryRun: z.boolean().describe("Whether this is only a preview and nothing was erased."),
  conversation: z.string().describe("Id of the conversation."),
  message: z
    .string()
    .nullable()
    .describe("If a file was given: the message that contained it, which was erased with all its files."),
  messages: z.number().int().describe("Messages that were erased; 0 if they were already erased."),
  summaries: z.number().int().describe("Summaries of these messages, whose text was erased."),
  memories: z.number().int().describe("Memories from these messages, whose text was erased."),
  restored: z
    .array(z.string())
    .readonly()
    .describe("Ids of memories that are active again, because the memory they were merged into was erased."),
  transcriptLines: z.number().int().describe("Transcript lines that repeated the text and were also erased."),
  ...afterErasing,
  transcriptFiles: z.array(z.string()).describe("Files outside the store that contained the text."),
  alsoIn: z.array(z.string()).describe("Other messages that still repeat the text, in any conversation."),
  conversations: z
    .array(z.string())
    .describe(
      "All affected conversations: this one, others with the same host entries, and others with removed copies.",
    ),
  copies: z.array(copySchema).describe("Every copy of the text that was found."),
  certificate: certificateSchema
    .nullable()
    .describe("The certificate in the audit log; null in a dry run, or if there was nothing to erase."),
});

export const erase = defineOperation({
  name: "erase",
  summary:
    "Erase the content of messages permanently. Tombstones remain, so that the hash chain still verifies.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["id"],
    flags: { from: { value: "seq" }, to: { value: "seq" } },
    examples: [
      ["lcm erase msg_0123456789abcdef_42", "one message; copies of it elsewhere are listed"],
      ["lcm erase msg_0123456789abcdef_42 --dry-run", "only list the copies"],
      ["lcm erase msg_0123456789abcdef_42 --also", "erase the copies as well"],
    ],
    working: "erasing, and rewriting the store's files",
    question,
    outcome: ({ filesCleaned, dryRun }) => (filesCleaned || dryRun ? undefined : "busy"),
    text: (output, shown) => (output.dryRun ? renderPlanned(output, shown) : renderErased(output, shown)),
  },
  run: async (engine, input) => {
    const message = kindOfId(input.id) === "file" ? await messageOfFile(engine, input.id) : null;
    const named = message === null ? input : { ...input, id: message };
    const { filesCleaned: _, ...erased } = await eraseOnce(engine, toEraseInput(named));
    const dryRun = input.dryRun === true;
    const after = dryRun ? await copiesKept(engine) : await cleanUpAfterErasing(engine);
    return {
      dryRun,
      message,
      ...erased,
      ...after,
      transcriptFiles: [...erased.transcriptFiles],
      alsoIn: [...erased.alsoIn],
      conversations: [...erased.conversations],
      copies: [...erased.copies],
    };
  },
});

/** The content of a file belongs to its message. */
async function messageOfFile(engine: Engine, id: string): Promise<string> {
  const description = await engine.context.describe({ id });
  if (description.type !== "file") throw new Error(`${id} was described as another kind`);
  return description.message;
}

function toEraseInput({ id, ...rest }: z.infer<typeof inputSchema>): EraseInput {
  if (kindOfId(id) === "memory")
    throw new PalimpsestError("invalid-input", `${id} is a memory, not a message`, {
      advice: `Erase it with: lcm memory forget ${id} erase=true`,
    });
  if (!isMessageId(id)) return { conversation: id, ...rest };
  if (rest.from !== undefined || rest.to !== undefined)
    throw new PalimpsestError("invalid-input", `${id} is one message: from and to do not apply`, {
      advice: "Name the conversation to erase a range of it.",
    });
  const { conversation, seq } = parseMessageId(id);
  return { conversation, ...rest, from: seq, to: seq };
}

/** Erasing again changes nothing, so that a failed clean-up of the files can be repeated. */
async function eraseOnce(engine: Engine, input: EraseInput): Promise<EraseReport> {
  try {
    return await engine.context.erase(input);
  } catch (error) {
    if (!isPalimpsestError(error, "not-found")) throw error;
    const { id, messageCount } = await engine.context.conversations.get(input.conversation);
    if (messageCount === 0 || (input.from ?? 1) > messageCount) throw error;
    return {
      conversation: id,
      messages: 0,
      summaries: 0,
      memories: 0,
      restored: [],
      transcriptLines: 0,
      transcriptFiles: [],
      alsoIn: [],
      conversations: [],
      copies: [],
      certificate: null,
      filesCleaned: false,
    };
  }
}

const IN_DRY_RUN = "--dry-run lists all";
const IN_JSON = "only --json lists all";
const MOST_NAMED = 10;

/** Lists the copies first, so that what is erased stands directly above the question. A dry run asks nothing. */
async function question(engine: Engine, input: z.infer<typeof inputSchema>): Promise<string | null> {
  if (input.dryRun === true) return null;
  const target = await targetOf(engine, input);
  const planned = await runOperation(erase, engine, { ...input, dryRun: true });
  const others = planned.conversations.filter((other) => other !== planned.conversation);
  return [
    ...shownCopies("These copies are erased as well:", copiesWhere(planned, { removed: true }), IN_DRY_RUN),
    ...shownCopies(
      "These copies stay unless you add --also; erasing again later does not find them:",
      copiesWhere(planned, { removed: false }),
      IN_DRY_RUN,
    ),
    ...(others.length === 0 ? [] : [`The same entries are also erased from ${namedOrCounted(others)}.`]),
    `This permanently erases ${target}.`,
    `It removes ${amounts(planned)}.`,
    "Erase it permanently?",
  ].join("\n");
}

function namedOrCounted(conversations: readonly string[]): string {
  const { length } = conversations;
  return length > MOST_NAMED ? counted(length, "other conversation") : andList(conversations);
}

function copiesWhere({ copies }: Output, { removed }: { readonly removed: boolean }): Output["copies"] {
  return copies.filter((copy) => copy.removed === removed);
}

function amounts({ messages, transcriptLines, summaries, memories }: Output): string {
  return andList([
    counted(messages, "message"),
    ...(transcriptLines === 0 ? [] : [counted(transcriptLines, "transcript line")]),
    ...(summaries === 0 ? [] : [counted(summaries, "summary", "summaries")]),
    ...(memories === 0 ? [] : [counted(memories, "memory", "memories")]),
  ]);
}

async function targetOf(engine: Engine, { id, from, to }: z.infer<typeof inputSchema>): Promise<string> {
  if (kindOfId(id) === "file") return targetOfFile(engine, id);
  const conversation = await describeConversation(engine, id, { from, to: to ?? from });
  if (kindOfId(id) === "message") return `${id} ${await openingOf(engine, { id })} from ${conversation}`;
  if (from === undefined && to === undefined) return `ALL of ${conversation}`;
  if (from !== undefined && from === (to ?? from))
    return `message ${from} ${await openingOf(engine, { id, from, to: from })} from ${conversation}`;
  return `messages ${from ?? 1} to ${to ?? from} from ${conversation}`;
}

interface ReadRange {
  readonly id: string;
  readonly from?: number;
  readonly to?: number;
}

/** The role of a message and its first words, by which a person recognises it. */
async function openingOf(engine: Engine, named: ReadRange): Promise<string> {
  const { messages } = await runOperation(read, engine, named);
  const [message] = messages;
  const opening = textsOfParts(message?.parts ?? [])[0]?.text ?? "";
  const quoted = opening === "" ? "" : `: "${oneLine(clip(opening, OPENING))}"`;
  return `(${message?.role}${quoted})`;
}

const OPENING = 60;

async function targetOfFile(engine: Engine, id: string): Promise<string> {
  const { message, name, tool, bytes } = await runOperation(showFile, engine, { id });
  const called = oneLine(name ?? tool ?? "unnamed");
  return `${message}, the message that contains ${id} "${called}" (${counted(bytes, "byte")}), with all its files`;
}

interface Suggestions {
  again(changes?: { readonly dryRun?: undefined }): string;
  suggest(words: string): string;
}

function renderPlanned(output: Output, { again }: Suggestions): string {
  const { conversations, copies } = output;
  const would = `This would erase ${amounts(output)} from ${andList(conversations)}.`;
  return [
    would,
    ...shownCopies("Copies found:", copies),
    ...(copies.length === 0 ? ["No copies found."] : []),
    `Erase it with: ${again({ dryRun: undefined })}`,
  ].join("\n");
}

function renderErased(output: Output, { again, suggest }: Suggestions): string {
  const { messages, summaries, memories, transcriptLines, conversation } = output;
  const erased =
    messages === 0
      ? `Nothing to erase in ${conversation}: it is already erased.`
      : `Erased ${counted(messages, "message")}, ${counted(summaries, "summary", "summaries")} and ${counted(transcriptLines, "transcript line")} from ${conversation}${withMemories(memories)}.`;
  const left = copiesWhere(output, { removed: false });
  const elsewhere = [
    ...list("Files of the host, which were not changed:", output.transcriptFiles),
    ...shownCopies("Copies of the text that stay:", left, IN_JSON),
    ...(left.some(hasOwnId) ? [`Erase a message or memory of these with: ${suggest("erase <id>")}`] : []),
    ...shownCopies("Copies that were also erased:", copiesWhere(output, { removed: true }), IN_JSON),
    ...list("Memories that are active again after the erasure:", output.restored),
  ];
  return [
    erased,
    ...(output.message === null ? [] : [`The erased message is ${output.message}, with all its files.`]),
    ...renderCopies(output, again(), elsewhere),
    ...certified(output),
  ].join("\n");
}

function certified({ certificate }: Output): string[] {
  if (certificate === null) return [];
  const { hash, searched } = certificate;
  const { conversations, messages, lines, files, summaries, memories } = searched;
  const places = [
    counted(conversations, "conversation"),
    counted(messages, "message"),
    counted(lines, "line"),
    counted(files, "file"),
    counted(summaries, "summary", "summaries"),
    counted(memories, "memory", "memories"),
  ];
  return [`Searched for copies in ${places.join(", ")}. Certificate: ${hash}`];
}

/** Not a title, a transcript line or a summary, which are not erased by an id of their own. */
function hasOwnId({ type }: Output["copies"][number]): boolean {
  return type === "message" || type === "memory";
}

/** Mentioned only if there were some, since most conversations have none. */
function withMemories(memories: number): string {
  return memories === 0 ? "" : `, and ${counted(memories, "memory", "memories")} derived from them`;
}
