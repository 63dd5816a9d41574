/** Lines that were found inside files, and places in long ones, for people. */
import type { GrepOutput } from "../../operations/retrieve/grep.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { bytes, count, counted } from "../amounts.ts";
import type { Look } from "../look.ts";
import { rangeWords } from "./render-file.ts";
import { indented, withMarks } from "./render-hit.ts";

interface Closing {
  readonly isContinued: boolean;
  /** A command to type next. */
  readonly suggest: (words: string) => string;
  readonly wayOn: (next: string | null) => string;
}

export function renderFileHits(
  { fileHits, filesRead, bytesRead, unreadable, next }: GrepOutput,
  look: Look,
  { isContinued, suggest, wayOn }: Closing,
): string {
  const damaged = unreadable.length === 0 ? "" : `, damaged and passed over: ${unreadable.join(", ")}`;
  const read = `${bytes(bytesRead)} looked through, ${counted(filesRead, "file")} to the end${damaged}`;
  const found =
    fileHits.length === 0
      ? `Nothing ${isContinued ? "more " : ""}matches${next === null ? "" : " so far"}`
      : `${counted(fileHits.length, "hit")}${next === null ? "" : " so far"}`;
  const closing = `${found}; ${read}.${readAround(fileHits, suggest)}${wayOn(next)}`;
  return [...fileHits.map((hit) => renderHit(hit, look)), closing].join("\n\n");
}

function readAround([first]: GrepOutput["fileHits"], suggest: Closing["suggest"]): string {
  if (first === undefined) return "";
  return `\nAround the first: ${suggest(`describe ${first.id} ${rangeWords(first.around)}`)}`;
}

function renderHit(hit: GrepOutput["fileHits"][number], look: Look) {
  const { id, name, tool, line, byte, message, snippet, around } = hit;
  const place = `${id}:${line}`;
  // Of a line that is read as one, the number is enough.
  const inLine = around.startByte === undefined ? [] : [`byte ${count(byte)}`];
  const about = [...inLine, name, tool, message].flatMap((one) =>
    one === null ? [] : [` · ${oneLine(one)}`],
  );
  const head = `${look.style(["bold", "cyan"], place)}${look.style("dim", `${about.join("")}`)}`;
  return `${head}\n${indented(withMarks(snippet, look))}`;
}
