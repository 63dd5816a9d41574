/** A file for models: its metadata, and the requested lines, exact and between borders. */
import { count, counted } from "../../text/counted.ts";
import { quoteExactly, quoteName, quoteText } from "../../text/quote-text.ts";
import { explained, FROM_FILES } from "../model-text.ts";
import type { DescribeInput, DescribeOutput } from "../retrieve/describe.ts";
import { toolCall } from "../tool-call.ts";
import { decodedAs, type FileAnswer, type SliceAnswer } from "./file-schema.ts";

type FileOutput = Extract<DescribeOutput, { type: "file" }>;

/** The metadata on one line. */
export function aboutFile({ id, kind, name, mime, tool, bytes, lines, createdAt }: FileAnswer): string {
  const about = [
    kind === "file" ? "attached file" : "tool result",
    ...[name, tool, mime].flatMap((one) => (one === null ? [] : [quoteName(one)])),
    counted(bytes, "byte"),
    counted(lines, "line"),
    createdAt,
  ];
  return `${id} (${about.join(" | ")})`;
}

export function renderFile(file: FileOutput, input: DescribeInput): string {
  const { message, conversation, description, described, content } = file;
  return [
    FROM_FILES,
    `${aboutFile(file)}, in ${message} of ${conversation}.\n${quoteText(description)}`,
    ...(described === null ? [] : [`Description by a model:\n${quoteText(described.text)}`]),
    ...(content === null ? [howToRead(file)] : [renderSlice(file, content), wayOn(file, content, input)]),
  ].join("\n\n");
}

function howToRead({ id, bytes, lines }: FileOutput): string {
  if (bytes === 0) return "The file is empty.";
  const whole = `call ${toolCall("lcm_describe", { id, expandFile: true })}`;
  if (lines < 2) return `To read it: ${whole}.`;
  const part = toolCall("lcm_describe", { id, startLine: 1, endLine: Math.min(lines, 100) });
  return `To read all of it: ${whole}. To read some lines: ${part}. To search it: lcm_grep with scope "files".`;
}

/** The border lines are ours; every line between them has the quote mark. */
function renderSlice(file: FileOutput, slice: SliceAnswer): string {
  const { startByte, endByte, firstLine, lastLine, text, base64 } = slice;
  const place = `lines ${count(firstLine)} to ${count(lastLine)}, bytes ${count(startByte)} to ${count(endByte)} of ${count(file.bytes)}`;
  if (startByte === endByte) return `(the range is empty: ${place})`;
  if (text === null)
    return `--- ${file.id}, ${place}: binary, shown as base64 ---\n> ${base64 ?? ""}\n--- end ---`;
  const encoding = decodedAs(slice);
  const how = encoding === null ? "" : `: not valid UTF-8, read as ${encoding}`;
  return explained(
    `--- ${file.id}, ${place}${how} ---\n${quoteExactly(text)}\n--- end ---${exactBytes(file.id, encoding)}`,
  );
}

function exactBytes(id: string, encoding: string | null): string {
  return encoding === null ? "" : `\n(To get the exact bytes, run: lcm files cat ${id})`;
}

function wayOn({ id, bytes }: FileOutput, { next, endByte }: SliceAnswer, input: DescribeInput): string {
  if (next === null)
    return endByte >= bytes ? "This is the whole file." : "This is the whole requested range.";
  const call = toolCall("lcm_describe", { id, ...next, maxBytes: input.maxBytes });
  return `There is more, up to byte ${count(bytes)}: call ${call}.`;
}
