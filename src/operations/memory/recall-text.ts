/** Recalled memories for models, with the reason. */
import { counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { idIn, isMemoryId } from "../../text/identifiers.ts";
import { toolCall } from "../tool-call.ts";
import type { RecallArguments } from "./memory-recall.ts";
import { fullHint, memoryAnswer, REMEMBERED, renderMemory, sourceHint } from "./memory-text.ts";
import type { RecallAnswer } from "./recall-schema.ts";

export function renderRecall(output: RecallAnswer, { query, full = false }: RecallArguments): string {
  const { memories, searched } = output;
  if (memories.length === 0) return nothing(output, query);
  const shown = memories.map(({ memory, score }) => renderMemory(memory, { score, full }));
  const found = memories.map(({ memory }) => memory);
  return memoryAnswer(
    `${memories.length} of ${counted(searched, "memory", "memories")} for ${JSON.stringify(query)}, best first. ${REMEMBERED}`,
    shown,
    [
      ...notesOf(output),
      ...(output.isCut
        ? ["More exist: use a higher limit, or narrow it down by categories, scopes, tags or time."]
        : []),
      ...sourceHint(found),
      ...(full ? [] : fullHint(found)),
      ...(isMemoryId(idIn(query))
        ? []
        : [`To explain this ranking: call ${toolCall("memory_explain", { query })}.`]),
    ],
  );
}

function nothing(output: RecallAnswer, query: string): string {
  const { searched } = output;
  const looked =
    searched === 0
      ? "there are no memories to search."
      : `${counted(searched, "memory was", "memories were")} searched.`;
  return [
    `No memory matches ${JSON.stringify(query)}; ${looked}`,
    ...notesOf(output),
    `Try other words; memory_list shows what there is. To search the messages themselves: call ${toolCall("lcm_grep", { pattern: query })}.`,
  ].join("\n");
}

function notesOf({ notes }: RecallAnswer): string[] {
  return notes.map((note) => `Note: ${oneLine(note)}`);
}

export function renderExplanation(output: RecallAnswer, { query }: { readonly query: string }): string {
  const { memories, searched, mode, trace } = output;
  const heading = [
    `Recall of ${counted(memories.length, "memory", "memories")} for ${JSON.stringify(query)}, out of ${searched}, by mode ${mode}.`,
    ...trace.map(stageLine),
    ...notesOf(output),
    ...(memories.length === 0 ? [] : [REMEMBERED]),
  ];
  const shown = memories.map(({ memory, score, parts }) =>
    [renderMemory(memory, { score }), `score ${score.toFixed(3)}${partsLine(parts)}`].join("\n"),
  );
  return memoryAnswer(heading.join("\n"), shown, sourceHint(memories.map(({ memory }) => memory)));
}

const MOST_DROPPED = 5;

function stageLine(stage: RecallAnswer["trace"][number]): string {
  const { in: before, out, milliseconds, dropped, note } = stage;
  const rest = dropped.length - MOST_DROPPED;
  const named = `${dropped.slice(0, MOST_DROPPED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const left = dropped.length === 0 ? "" : `; dropped ${named}`;
  const why = note === null ? "" : `; ${oneLine(note)}`;
  return `- ${oneLine(stage.stage)}: ${before} in, ${out} out, ${milliseconds.toFixed(1)} ms${left}${why}`;
}

function partsLine(parts: Readonly<Record<string, number>>): string {
  const named = Object.entries(parts).map(([name, value]) => `${oneLine(name)} ${value.toFixed(3)}`);
  return named.length === 0 ? "" : `, from ${named.join(", ")}`;
}
