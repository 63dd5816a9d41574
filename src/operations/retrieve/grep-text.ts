/** Search results for a model: every hit with its id, and how to continue. */
import { count, counted } from "../../text/counted.ts";
import { clip } from "../../text/cut-text.ts";
import { matchCount } from "../../text/hints/match-count.ts";
import { escapeHint, filesApartHint, meaningHint, nearToolsHint } from "../../text/hints/search-hints.ts";
import { quoteName, quoteText } from "../../text/quote-text.ts";
import { FROM_FILES, placeOf, WRITTEN } from "../model-text.ts";
import { toolCall } from "../tool-call.ts";
import type { GrepArguments, GrepOutput } from "./grep.ts";

const LONGEST_NAMED = 200;

export function renderHits(output: GrepOutput, input: GrepArguments): string {
  return input.scope === "files" ? renderFileHits(output, input) : renderSaidHits(output, input);
}

function renderSaidHits(output: GrepOutput, input: GrepArguments): string {
  const { hits, next, total, searched, nearTools: near, meaning } = output;
  const { pattern, tool } = input;
  const scope = counted(searched, "message or summary", "messages and summaries");
  if (hits.length === 0 && input.cursor !== undefined)
    return `No more matches for ${named(pattern)} in ${scope}.${meaningHint(meaning)} ${wayOn(next)}`;
  if (hits.length === 0) {
    const inFiles = filesApartHint(output.filesApart, toolCall("lcm_grep", { pattern, scope: "files" }));
    return `No matches for ${named(pattern)} in ${scope}.${meaningHint(meaning)} Try fewer or other words, or another mode.${escapeHint(pattern)}${nearToolsHint(tool, near)}${inFiles}`;
  }
  const found =
    total === null ? `${hits.length}${next === null ? "" : " so far"}` : `${hits.length} of ${total}`;
  return [
    `${found} for ${named(pattern)} in ${scope}.${meaningHint(meaning)} ${WRITTEN}`,
    ...hits.map(renderHit),
    wayOn(next),
  ].join("\n\n");
}

/** The pattern; only its beginning if it is very long. */
function named(pattern: string): string {
  return JSON.stringify(clip(pattern, LONGEST_NAMED));
}

function wayOn(next: string | null): string {
  if (next === null) return "That is all.";
  return `There is more: call lcm_grep again with the same arguments and cursor ${JSON.stringify(next)}.`;
}

function renderHit(hit: GrepOutput["hits"][number]): string {
  const { id, role, tools, createdAt, tokenCount, matches, snippet } = hit;
  const about = [
    role ?? "summary",
    ...tools.map(quoteName),
    createdAt,
    placeOf(hit),
    counted(tokenCount, "token"),
    ...matchCount(matches),
  ];
  return `${id} (${about.join(" | ")})\n${quoteText(snippet.text)}`;
}

function renderFileHits(output: GrepOutput, { pattern, cursor }: GrepArguments): string {
  const { fileHits: hits, filesRead, bytesRead, unreadable, next } = output;
  const damaged = unreadable.length === 0 ? "" : `, damaged and skipped: ${unreadable.join(", ")}`;
  const read = `${counted(bytesRead, "byte")} searched, ${counted(filesRead, "file")} completely${damaged}`;
  if (hits.length === 0 && next === null && cursor !== undefined)
    return `No more lines of files match ${named(pattern)}; ${read}. ${wayOn(next)}`;
  if (hits.length === 0 && next === null)
    return `No line of a file matches ${named(pattern)}; ${read}. A line matches only if it contains all words; try fewer or other words, or another mode.${escapeHint(pattern)}`;
  const found = `${counted(hits.length, "hit")}${next === null ? "" : " so far"}`;
  return [
    `${found} for ${named(pattern)}; ${read}. ${FROM_FILES}`,
    ...hits.map(renderFileHit),
    ...hits.slice(0, 1).map(readAround),
    wayOn(next),
  ].join("\n\n");
}

function renderFileHit({ id, name, tool, message, line, byte, snippet }: FileHit): string {
  const names = [name, tool].flatMap((one) => (one === null ? [] : [quoteName(one)]));
  const about = [`line ${count(line)}`, `byte ${count(byte)}`, ...names, message];
  return `${id} (${about.join(" | ")})\n${quoteText(snippet.text)}`;
}

type FileHit = GrepOutput["fileHits"][number];

function readAround({ id, around }: FileHit): string {
  return `To read around a hit, such as the first: call ${toolCall("lcm_describe", { id, ...around })}.`;
}
