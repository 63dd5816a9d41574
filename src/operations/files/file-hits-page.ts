/** Hits inside files, and positions in long lines, for people. */
import type { Engine } from "../../engine.ts";
import { bytes, count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { indented } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import type { GrepArguments, GrepOutput } from "../retrieve/grep.ts";
import { withMarks } from "../retrieve/hit-page.ts";
import { rangeWords } from "./range-flags.ts";

export function renderFileHits(
  { fileHits, filesRead, bytesRead, unreadable, next }: GrepOutput,
  { input, look, suggest, again }: View<GrepArguments, Engine>,
): string {
  const damaged = unreadable.length === 0 ? "" : `, damaged and skipped: ${unreadable.join(", ")}`;
  const read = `${bytes(bytesRead)} searched (${counted(filesRead, "complete file")})${damaged}`;
  const isContinued = input.cursor !== undefined;
  const found =
    fileHits.length === 0
      ? `No ${isContinued ? "more " : ""}matches${next === null ? "" : " so far"}`
      : `${counted(fileHits.length, "hit")}${next === null ? "" : " so far"}`;
  const more = next === null ? "" : `\nThere is more: ${again({ cursor: next })}`;
  const closing = `${found}; ${read}.${readAround(fileHits, suggest)}${more}`;
  return [...fileHits.map((hit) => renderHit(hit, look)), closing].join("\n\n");
}

function readAround([first]: GrepOutput["fileHits"], suggest: (words: string) => string): string {
  if (first === undefined) return "";
  return `\nRead around the first hit: ${suggest(`describe ${first.id} ${rangeWords(first.around)}`)}`;
}

function renderHit(hit: GrepOutput["fileHits"][number], look: Look) {
  const { id, name, tool, line, byte, message, snippet, around } = hit;
  const place = `${id}:${line}`;
  // For a line that is read whole, its number is enough.
  const inLine = around.startByte === undefined ? [] : [`byte ${count(byte)}`];
  const about = [...inLine, name, tool, message].flatMap((one) =>
    one === null ? [] : [` · ${oneLine(one)}`],
  );
  const head = `${look.style(["bold", "cyan"], place)}${look.style("dim", `${about.join("")}`)}`;
  return `${head}\n${indented(withMarks(snippet, look))}`;
}
