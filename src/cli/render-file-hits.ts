/** Lines that were found inside files, for people. */
import type { GrepOutput } from "../operations/grep.ts";
import { oneLine } from "../text/escape-controls.ts";
import { bytes, counted } from "./amounts.ts";
import type { Look } from "./look.ts";
import { indented, withMarks } from "./render-hit.ts";

export function renderFileHits(
  { fileHits, filesRead, bytesRead, unreadable, next }: GrepOutput,
  look: Look,
  { isContinued, wayOn }: { readonly isContinued: boolean; readonly wayOn: (next: string | null) => string },
): string {
  const damaged = unreadable.length === 0 ? "" : `, damaged and passed over: ${unreadable.join(", ")}`;
  const read = `${bytes(bytesRead)} looked through, ${counted(filesRead, "file")} to the end${damaged}`;
  const found =
    fileHits.length === 0
      ? `Nothing ${isContinued ? "more " : ""}matches${next === null ? "" : " so far"}`
      : `${counted(fileHits.length, "line")} found${next === null ? "" : " so far"}`;
  const closing = `${found}; ${read}.${wayOn(next)}`;
  return [...fileHits.map((hit) => renderHit(hit, look)), closing].join("\n\n");
}

function renderHit({ id, name, tool, line, message, snippet }: GrepOutput["fileHits"][number], look: Look) {
  const place = `${id}:${line}`;
  const about = [name, tool, message].flatMap((one) => (one === null ? [] : [` · ${oneLine(one)}`]));
  const head = `${look.style(["bold", "cyan"], place)}${look.style("dim", `${about.join("")}`)}`;
  return `${head}\n${indented(withMarks(snippet, look))}`;
}
