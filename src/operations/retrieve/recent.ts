import { z } from "zod";
import { recentInput } from "../../context/inputs.ts";
import type { Engine } from "../../engine.ts";
import { count, counted } from "../../text/counted.ts";
import { nearToolsHint } from "../../text/hints/search-hints.ts";
import { quoteName, quoteText } from "../../text/quote-text.ts";
import type { Look } from "../../text/terminal/look.ts";
import type { View } from "../command.ts";
import { placeOf, WRITTEN } from "../model-text.ts";
import { defineOperation } from "../operation.ts";
import { toolCall } from "../tool-call.ts";
import { renderFound } from "./hit-page.ts";
import { conversationNames, filtersHint, foundIn, LOOK_IN_FLAGS, nearTools, titleAdder } from "./look-in.ts";

type Input = z.infer<typeof inputSchema>;
const inputSchema = recentInput.extend({ conversations: conversationNames });

const entrySchema = z.strictObject({
  ...foundIn,
  opening: z.string().describe("Start of the text; … if it continues."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  entries: z.array(entrySchema).describe("The entries, newest first."),
  next: z.string().nullable().describe("`cursor` for the next page; null on the last page."),
  total: z
    .int()
    .describe("Total number of entries. Erased entries and those without text are counted but not shown."),
  nearTools,
});

export const recent = defineOperation({
  name: "recent",
  summary: "List recent messages, or those of a time range, newest first.",
  input: inputSchema,
  output: outputSchema,
  command: {
    flags: LOOK_IN_FLAGS,
    paged: true,
    text: (output, view) =>
      [...output.entries.map((entry) => renderOpening(entry, view.look)), closingOf(output, view)].join(
        "\n\n",
      ),
  },
  tool: {
    name: "lcm_recent",
    isDelegated: true,
    description: [
      "List recent messages, or those between since and before, newest first, over all conversations of this agent or the given ones.",
      'Use it for questions such as "what did we do yesterday". kinds ["summary"] gives an overview of a long period; lcm_read returns exact text.',
    ].join(" "),
    text: renderEntries,
  },
  run: async (engine, input, { signal }) => {
    const { entries, ...rest } = await engine.context.recent({
      ...input,
      signal,
    });
    return { entries: await Promise.all(entries.map(titleAdder(engine))), ...rest };
  },
});

function renderEntries(
  { entries, next, total, nearTools: near }: Output,
  { cursor, ...input }: Input,
): string {
  if (entries.length === 0 && cursor !== undefined) return "No more entries match.";
  if (entries.length === 0)
    return `No entries match. Try another time range or fewer filters.${nearToolsHint(input.tool, near)}`;
  return [
    `${entries.length} of ${counted(total, "entry", "entries")}, newest first. ${WRITTEN}`,
    ...entries.map(renderEntry),
    next === null
      ? "That is all."
      : `There is more: call ${toolCall("lcm_recent", { ...input, cursor: next })}.`,
  ].join("\n\n");
}

function renderEntry(entry: Output["entries"][number]): string {
  const { id, role, tools, createdAt, tokenCount, opening } = entry;
  const about = [
    role ?? "summary",
    ...tools.map(quoteName),
    createdAt,
    placeOf(entry),
    counted(tokenCount, "token"),
  ];
  return `${id} (${about.join(" | ")})\n${quoteText(opening)}`;
}

function renderOpening(entry: Output["entries"][number], look: Look): string {
  return renderFound(entry, { text: entry.opening, marks: [] }, look);
}

function closingOf(
  { entries, next, total, nearTools: near }: Output,
  { input, look, again }: View<Input, Engine>,
) {
  if (entries.length === 0 && input.cursor !== undefined) return "No more entries match.";
  if (entries.length === 0)
    return `No entries match.${filtersHint(input, look)}${nearToolsHint(input.tool, near)}`;
  const more = next === null ? "" : `\nThere is more: ${again({ cursor: next })}`;
  return `${count(entries.length)} of ${counted(total, "entry", "entries")}.${more}`;
}
