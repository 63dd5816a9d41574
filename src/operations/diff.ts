import { z } from "zod";
import type { ReplayResult } from "../context/assemble/replay.ts";
import { TURN } from "../context/inputs.ts";
import { count, counted } from "../text/counted.ts";
import { oneLine } from "../text/escape-controls.ts";
import type { Look } from "../text/terminal/look.ts";
import { conversationName } from "./conversations/conversation-schema.ts";
import { readTurn } from "./conversations/read-turn.ts";
import { defineOperation } from "./operation.ts";
import { itemTable } from "./shown-page.ts";
import { itemSchema, toTurn, turnSchema, withTexts } from "./shown-schema.ts";

const sideSchema = z.strictObject({
  turn: turnSchema.describe("The turn."),
  tokens: z.int().describe("Tokens of what the model saw."),
  items: z.int().describe("Number of items that the model saw."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the conversation."),
  from: sideSchema.describe("What the model saw before the first turn."),
  to: sideSchema.describe("What the model saw before the second turn."),
  added: z.array(itemSchema).describe("Items that the model saw only before the second turn."),
  removed: z.array(itemSchema).describe("Items that the model saw only before the first turn."),
  kept: z.int().describe("Number of items that the model saw before both turns."),
  samePrefix: z.int().describe("Number of identical items at the start, which a provider's cache can reuse."),
});

export const diff = defineOperation({
  name: "diff",
  summary: "Compare what the model saw before two turns.",
  input: z.strictObject({
    conversation: conversationName,
    from: TURN.describe("The first turn: its key, or the number of one of its messages."),
    to: TURN.describe("The second turn, in the same form."),
  }),
  output: outputSchema,
  command: {
    positional: ["conversation", "from", "to"],
    flags: { from: { value: "from", read: readTurn }, to: { value: "to", read: readTurn } },
    paged: true,
    text: (output, { look }) => render(output, look),
  },
  run: async (engine, input) => {
    const { conversation, from, to, kept, samePrefix, ...changed } =
      await engine.context.conversations.diff(input);
    const [added, removed] = await Promise.all([
      withTexts(engine, to, changed.added),
      withTexts(engine, from, changed.removed),
    ]);
    return { conversation, from: toSide(from), to: toSide(to), added, removed, kept, samePrefix };
  },
});

function toSide(side: ReplayResult) {
  return { turn: toTurn(side), tokens: side.receipt.tokens, items: side.items.length };
}

function render(output: Output, look: Look): string {
  const { added, removed, kept, samePrefix } = output;
  const share = samePrefix === output.from.items ? "all of the first" : counted(samePrefix, "item");
  return [
    look.style("bold", output.conversation),
    describe("from", output.from, look),
    describe("to  ", output.to, look),
    `${counted(added.length, "item")} added, ${count(removed.length)} removed, ${count(kept)} kept · same prefix: ${share}`,
    ...changed(look.style("red", "− removed"), removed, look),
    ...changed(look.style("green", "+ added"), added, look),
  ].join("\n");
}

function describe(name: string, { turn, tokens, items }: Output["from"], look: Look): string {
  const exact = turn.differs === null ? "" : look.style("yellow", ` · not exact: ${turn.differs}`);
  const about = `${oneLine(turn.key)} · message ${turn.firstSeq} · ${look.time(turn.at)}`;
  return `${look.style("dim", name)} ${about} · ${counted(items, "item")}, ${counted(tokens, "token")}${exact}`;
}

function changed(heading: string, items: Output["added"], look: Look): string[] {
  return items.length === 0 ? [] : ["", heading, itemTable(items, look)];
}
