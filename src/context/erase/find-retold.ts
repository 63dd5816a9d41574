/**
 * Summaries that repeat erased text although they have other sources: the model saw the previous summary
 * as context and may have repeated it. Text from a summary's own sources is not counted.
 */

import { textOfParts } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { isReferenceHeading } from "../../text/file-reference.ts";
import { type AnchorKind, literalAnchors } from "../compact/anchors.ts";

/** Dates and names are too common to identify a text. */
const TELLING: ReadonlySet<AnchorKind> = new Set(["identifier", "path", "url", "number", "command"]);
const SHORTEST = 4;
/** Shorter lines are too common. */
const SHORTEST_LINE = 12;

/** For each leaf that repeats something of the erased texts, one message under it. */
export async function findRetold(
  store: ScopedStore,
  conversation: string,
  erasedTexts: readonly string[],
): Promise<number[]> {
  const traces = [...new Set(erasedTexts.flatMap((text) => [...anchorTexts(text), ...longLines(text)]))];
  const retold: number[] = [];
  for await (const summary of everyRow((from) => store.summaries(conversation, { from }))) {
    if (summary.depth > 0) break;
    const { content, sources } = summary;
    if (content === null || sources.type !== "messages") continue;
    const repeated = traces.filter((trace) => content.includes(trace));
    if (repeated.length > 0 && !(await isOwn(store, summary, repeated))) retold.push(summary.firstSeq);
  }
  return retold;
}

function longLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line.length >= SHORTEST_LINE && !isReferenceHeading(line));
}

function anchorTexts(text: string): string[] {
  return literalAnchors(text)
    .filter((anchor) => TELLING.has(anchor.kind) && anchor.text.length >= SHORTEST)
    .map((anchor) => anchor.text);
}

/** Whether the summary's own messages contain all traces. */
async function isOwn(
  store: ScopedStore,
  summary: StoredSummary,
  traces: readonly string[],
): Promise<boolean> {
  const { conversation, firstSeq, lastSeq } = summary;
  const open = new Set(traces);
  for await (const row of everyRow(
    (from) => store.messages(conversation, { from, to: lastSeq, payloads: "search" }),
    firstSeq,
  )) {
    if (row.content === null) continue;
    const text = textOfParts(partsOf(row.format, row.content));
    for (const trace of open) if (text.includes(trace)) open.delete(trace);
    if (open.size === 0) return true;
  }
  return false;
}
