/** Search results, for people. */
import type { Engine } from "../../engine.ts";
import { count, counted } from "../../text/counted.ts";
import { matchCount } from "../../text/hints/match-count.ts";
import { escapeHint, filesApartHint, meaningHint, nearToolsHint } from "../../text/hints/search-hints.ts";
import type { Look } from "../../text/terminal/look.ts";
import { table } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import { renderFileHits } from "../files/file-hits-page.ts";
import type { GrepArguments, GrepOutput } from "./grep.ts";
import { renderFound } from "./hit-page.ts";
import { filtersHint } from "./look-in.ts";

type GrepView = View<GrepArguments, Engine>;

export function renderHits(output: GrepOutput, view: GrepView): string {
  if (view.input.scope === "files") return renderFileHits(output, view);
  return [...output.hits.map((hit) => renderHit(hit, view.look)), closingOf(output, view)].join("\n\n");
}

/** The conversations with hits, for people. */
export function renderHitCounts(
  counts: readonly { readonly conversation: string; readonly title: string | null; readonly hits: number }[],
  look: Look,
): string {
  const columns = [
    { title: "conversation" },
    { title: "hits", align: "right" },
    { title: "title", flexible: true },
  ] as const;
  const rows = counts.map(({ conversation, hits, title }) => [conversation, count(hits), title ?? ""]);
  return table(columns, rows, look);
}

export function renderHit(
  hit: Pick<GrepOutput["hits"][number], "snippet" | "matches"> & FoundHit,
  look: Look,
) {
  return renderFound(hit, hit.snippet, look, matchCount(hit.matches));
}

type FoundHit = Parameters<typeof renderFound>[0];

/** The last lines: the number of hits, and how to continue. */
export function closingOf(output: GrepOutput, view: GrepView): string {
  const { hits, next, total, searched, meaning } = output;
  const { input, suggest, again } = view;
  const scope = counted(searched, "message or summary", "messages and summaries");
  const told = meaningHint(meaning, suggest("embed"));
  if (hits.length === 0 && input.cursor !== undefined) return `No more matches in ${scope}.${told}`;
  if (hits.length === 0)
    return `No matches in ${scope}.${filtersHint(input, view.look)}${told}${hintsOn(output, view)}`;
  const amount = total === null ? count(hits.length) : `${count(hits.length)} of ${count(total)}`;
  const found = `${amount} found ${total === null && next !== null ? "so far " : ""}in ${scope}.`;
  return `${found}${told}${next === null ? "" : `\nThere is more: ${again({ cursor: next })}`}`;
}

function hintsOn({ nearTools, filesApart }: GrepOutput, { input, again }: GrepView): string {
  const inFiles = again({
    ...NOT_IN_FILES,
    ...(input.mode === "hybrid" ? { mode: undefined } : {}),
    scope: "files",
  });
  return `${escapeHint(input.pattern)}${nearToolsHint(input.tool, nearTools)}${filesApartHint(filesApart, inFiles)}`;
}

/** Inputs that a search inside files does not support. */
const NOT_IN_FILES = {
  kinds: undefined,
  roles: undefined,
  tool: undefined,
  since: undefined,
  before: undefined,
  sort: undefined,
  limit: undefined,
  contextLines: undefined,
};
