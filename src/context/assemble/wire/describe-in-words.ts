/** Text for content that a format cannot represent. */
import { escaped } from "../render-summary.ts";
import { type CallPiece, type Media, plainContent, type ResultPiece } from "./piece.ts";

export const NO_RESULT = "[no result on record]";
export const FAILED_SILENTLY = "[failed without a message]";
/** Anthropic requires the first message to be a user message. */
export const CONTINUES = "[The conversation continues.]";

export function describeMedia({ type, mime, name, url }: Media): string {
  const what = [name ?? url, mime === null ? null : `(${mime})`].filter((word) => word !== null);
  return what.length === 0 ? `[${type}]` : `[${type}: ${what.join(" ")}]`;
}

/** A result as text only: other content is named. */
export function resultText(result: ResultPiece): string {
  const [only] = result.content;
  if (result.content.length === 1 && only?.kind === "text") return only.text;
  return plainContent(result.content)
    .map((piece) => (piece.kind === "text" ? piece.text : describeMedia(piece.media)))
    .join("\n");
}

/** A result whose call is not shown: quoted as data, in a frame that it cannot close. */
export function quoteResult(result: ResultPiece): string {
  return quote(result.name, null, resultText(result));
}

/** A command that the person ran, not the model. */
export function quoteRun(call: CallPiece, result: ResultPiece): string {
  return quote(call.name, typeof call.input === "string" ? call.input : null, resultText(result));
}

function quote(name: string | null, input: string | null, output: string): string {
  const tool = escaped(name ?? "unknown").replaceAll('"', "&quot;");
  const command = input === null ? "" : `<input>\n${escaped(input)}\n</input>\n`;
  return `<tool_output tool="${tool}" trust="untrusted">\n${command}${escaped(output)}\n</tool_output>`;
}
