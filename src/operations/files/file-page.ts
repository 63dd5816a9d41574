/** A file for people: type, source, description, and the requested part of its content. */
import { bytes, count, counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { fields, table } from "../../text/terminal/table.ts";
import type { DescribeOutput } from "../retrieve/describe.ts";
import { decodedAs, type FileAnswer, type SliceAnswer } from "./file-schema.ts";
import { rangeWords } from "./range-flags.ts";

type Suggest = (words: string) => string;

export function renderFile(
  file: Extract<DescribeOutput, { type: "file" }>,
  look: Look,
  suggest: Suggest,
): string[] {
  const facts = aboutFile(file, look);
  if (file.content === null) return [...facts, howToRead(file, look, suggest)];
  return [...facts, ...renderSlice(file, file.content, look, suggest)];
}

/** Without its content. */
export function aboutFile(file: FileAnswer, look: Look): string[] {
  const { id, kind, conversation, message, name, mime, tool, lines, createdAt, description, described } =
    file;
  const facts = fields(
    [
      ...(name === null ? [] : [["name", oneLine(name)] as const]),
      ...(tool === null ? [] : [["tool", oneLine(tool)] as const]),
      ...(mime === null ? [] : [["type", oneLine(mime)] as const]),
      ["size", `${counted(file.bytes, "byte")}, ${counted(lines, "line")}`],
      ["message", `${message} of ${conversation}, ${look.time(createdAt)}`],
    ],
    look,
  );
  const what = kind === "file" ? "attached file" : "tool result";
  const words =
    described === null
      ? []
      : [
          `${look.style("dim", `${oneLine(described.model)} wrote ${look.time(described.at)}:`)}\n${escapeControls(described.text)}`,
        ];
  return [`${look.style(["bold", "cyan"], id)} ${what}\n${facts}`, escapeControls(description), ...words];
}

export function howToRead({ id }: FileAnswer, look: Look, suggest: Suggest): string {
  return look.style("dim", `its content: ${suggest(`files cat ${id}`)}`);
}

function renderSlice(
  { id, bytes: size }: FileAnswer,
  slice: SliceAnswer,
  look: Look,
  suggest: Suggest,
): string[] {
  const { firstLine, lastLine, startByte, endByte, text, base64, next } = slice;
  const place = `lines ${count(firstLine)}–${count(lastLine)}, bytes ${count(startByte)}–${count(endByte)} of ${count(size)}`;
  const encoding = decodedAs(slice);
  const how = text === null ? ", binary: shown as base64" : encoding === null ? "" : `, read as ${encoding}`;
  const head = look.style("dim", `${place}${how}:`);
  const words = text === null ? (base64 ?? "") : escapeControls(text).replace(/\n$/, "");
  const exact =
    encoding === null
      ? ""
      : look.style(
          "dim",
          `not valid UTF-8; its exact bytes: ${suggest(`files cat ${id}`)}, or base64 in --json`,
        );
  const more =
    next === null ? "" : look.style("dim", `there is more: ${suggest(`describe ${id} ${rangeWords(next)}`)}`);
  return [`${head}\n${words}`, exact, more];
}

/** The files of a message. */
export function filesIn(files: readonly FileAnswer[], look: Look, suggest: Suggest): string {
  const [first] = files;
  if (first === undefined) return "";
  const columns = [
    { title: "file" },
    { title: "name, tool" },
    { title: "size", align: "right" as const },
    { title: "what", flexible: true as const },
  ];
  const rows = files.map(({ id, name, tool, bytes: size, description }) => [
    id,
    name ?? tool ?? "",
    bytes(size),
    description.split("\n", 1)[0] ?? "",
  ]);
  return `files in this message:\n${table(columns, rows, look)}\n${howToRead(first, look, suggest)}`;
}
