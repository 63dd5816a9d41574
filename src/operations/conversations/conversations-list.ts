import path from "node:path";
import { z } from "zod";
import { listConversationsInput } from "../../context/inputs.ts";
import type { Engine } from "../../engine.ts";
import { count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { quoteName, quoteText } from "../../text/quote-text.ts";
import { displayWidth, fitWidth, table } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import { SAID } from "../model-text.ts";
import { defineOperation } from "../operation.ts";
import { toolCall } from "../tool-call.ts";
import { conversationSchema } from "./conversation-schema.ts";

type Input = z.infer<typeof listConversationsInput>;

const listedSchema = z.strictObject({
  ...conversationSchema.shape,
  firstAt: z.string().nullable().describe("Time of the first message; null if there is none."),
  lastAt: z.string().nullable().describe("Time of the newest message; null if there is none."),
});
type Listed = z.infer<typeof listedSchema>;

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversations: z.array(listedSchema).readonly().describe("The conversations of this page."),
  next: z.number().int().nullable().describe("`from` for the next page; null on the last page."),
});

export const listConversations = defineOperation({
  name: "conversations-list",
  summary: "List the conversations of this tenant and agent, most recently active first.",
  input: listConversationsInput,
  output: outputSchema,
  command: {
    examples: [
      ["lcm conversations", "most recently active first"],
      ["lcm conversations --project .", "started in this folder or below it"],
      ["lcm conversations --since 'last week'", "active since then"],
      ["lcm conversations --archived", "include archived ones"],
      ["lcm conversations --from 20 --limit 10"],
    ],
    flags: { since: { value: "time" }, before: { value: "time" } },
    paged: true,
    text: (output, view) => (output.conversations.length === 0 ? nothing(view) : render(output, view)),
  },
  tool: {
    name: "lcm_conversations",
    description: [
      "List this agent's conversations with title, host, project folder, dates and size, most recently active first.",
      "Use it to find out which conversations exist, or the id of one; lcm_grep searches inside them and lcm_read reads one.",
    ].join(" "),
    defaults: { limit: 20 },
    text: renderForModel,
  },
  run: (engine, input) => engine.context.conversations.list(input),
});

/** Why the list is empty: there are no conversations, the page is past the end, or all are archived. */
async function nothing({ on, input, look, suggest }: View<Input, Engine>): Promise<string> {
  const { archived = false, from = 0, project, host, since, before } = input;
  const hasAny = async (all: boolean) =>
    (await on.context.conversations.list({ archived: all, limit: 1 })).conversations.length > 0;
  const filters = [
    ...(host === undefined ? [] : [` of ${host}`]),
    ...(project === undefined ? [] : [` that was started in ${path.resolve(project)}`]),
    ...(since === undefined ? [] : [` with a message since ${look.time(since)}`]),
    ...(before === undefined ? [] : [` whose newest message is before ${look.time(before)}`]),
  ];
  if (filters.length > 0 && (await hasAny(true)))
    return `There is no ${archived ? "" : "active "}conversation${filters.join("")}. List all with: ${suggest("conversations")}`;
  if (from > 0 && (await hasAny(archived))) return `There are no conversations after the first ${from}.`;
  if (!archived && (await hasAny(true)))
    return `All conversations are archived. See them with: ${suggest("conversations --archived")}`;
  return `No conversations yet. Import some with: ${suggest("import <file or folder>")}`;
}

function renderForModel({ conversations, next }: Output, input: Input): string {
  if (conversations.length === 0)
    return (input.from ?? 0) > 0
      ? "There are no more conversations."
      : "No conversation matches. Archived ones are listed with archived true.";
  const wayOn =
    next === null
      ? "That is all."
      : `There are more: call ${toolCall("lcm_conversations", { ...input, from: next })}.`;
  return [
    `${counted(conversations.length, "conversation")}. ${SAID}`,
    ...conversations.map(listed),
    wayOn,
  ].join("\n\n");
}

function listed(conversation: Listed): string {
  const { id, host, project, firstAt, lastAt, messageCount, tokenCount, archivedAt } = conversation;
  const about = [
    ...(host === null ? [] : [quoteName(host)]),
    ...(project === null ? [] : [quoteName(project)]),
    `${firstAt ?? conversation.createdAt} to ${lastAt ?? conversation.updatedAt}`,
    counted(messageCount, "message"),
    counted(tokenCount, "token"),
    ...(archivedAt === null ? [] : [`archived ${archivedAt}`]),
  ];
  return `${id} (${about.join(" | ")})\n${quoteText(oneLine(conversation.title ?? "untitled"))}`;
}

/** The minimum width of a terminal for all columns. */
const WIDE = 120;

function render({ conversations, next }: Output, { look, again }: View<Input, Engine>): string {
  const isWide = look.columns >= WIDE;
  const date = (time: string | null) => (time === null ? "" : look.time(time).slice(0, "2026-11-16".length));
  const rows = conversations.map((conversation) => [
    conversation.id,
    ...(isWide ? [date(conversation.firstAt)] : []),
    date(conversation.lastAt),
    count(conversation.messageCount),
    ...(isWide ? [count(conversation.tokenCount), count(conversation.contextTokens)] : []),
    conversation.host ?? "",
    nameOf(conversation),
  ]);
  const columns = [
    { title: "conversation" },
    ...(isWide ? [{ title: "first" }] : []),
    { title: "last" },
    { title: "messages", align: "right" },
    ...(isWide
      ? [{ title: "tokens", align: "right" } as const, { title: "context", align: "right" } as const]
      : []),
    { title: "host" },
    {
      title: "project: title",
      flexible: true,
      fit: (width: number, row: number) => {
        const conversation = conversations[row];
        return conversation === undefined ? "" : nameOf(conversation, width);
      },
    },
  ] as const;
  const listed = table(columns, rows, look);
  return next === null ? listed : `${listed}\nThere are more: ${again({ from: next })}`;
}

/** A long project must leave room for the title: it gets a third, or what a short title leaves. */
function nameOf(
  { archivedAt, project, title, sessionId }: Listed,
  columns = Number.POSITIVE_INFINITY,
): string {
  const mark = archivedAt === null ? "" : "(archived) ";
  const name = oneLine(title ?? sessionId);
  if (project === null) return mark + name;
  // A transcript may come from Windows.
  const folder = project.split(/[\\/]/).findLast((part) => part !== "") ?? project;
  const room = columns - mark.length - ": ".length;
  return `${mark}${fitWidth(oneLine(folder), Math.max(room / 3, room - displayWidth(name)))}: ${name}`;
}
