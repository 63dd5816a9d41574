/** Shown items as text for people: messages as they were cut, summaries without their frame. */

import { toolNames } from "../../message/names-of-calls.ts";
import type { Part } from "../../types.ts";
import { NO_LIMITS } from "../compact/render-source.ts";
import { renderSourcePart } from "../compact/render-source-part.ts";
import type { Receipt } from "../read/receipt.ts";
import type { AssembleDependencies } from "./assemble.ts";
import type { Entry } from "./entry.ts";
import { shownEntries } from "./shown-entries.ts";

/** Texts by the ids of messages and summaries. */
export async function textsOf(
  answer: {
    readonly conversation: string;
    readonly receipt: Pick<Receipt, "shown" | "cut">;
    readonly shownBefore?: string | null;
  },
  use: Pick<AssembleDependencies, "store" | "countTokens">,
): Promise<ReadonlyMap<string, string>> {
  const { entries } = await shownEntries(answer.conversation, answer.receipt, use, answer.shownBefore);
  const names = toolNames(
    entries.flatMap(({ wire }) => (wire.type === "message" ? [{ parts: wire.parts }] : [])),
  );
  return new Map(entries.map((entry) => [entry.id, textOf(entry, names)]));
}

function textOf(entry: Entry, names: ReadonlyMap<string, string>): string {
  if (entry.wire.type === "message")
    return entry.wire.parts
      .map((part) => mark(part) + renderSourcePart(part, names, NO_LIMITS))
      .filter((text) => text !== "")
      .join("\n");
  return entry.cutTo === null ? (entry.summaryText ?? "") : entry.wire.text;
}

function mark(part: Part): string {
  return part.type === "reasoning" && part.text !== "" ? "(thinking) " : "";
}
