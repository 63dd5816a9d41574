/** Tool calls with their results, paired by id across messages. */

import { type Arguments, readArguments } from "../../../message/tool-arguments.ts";
import type { Part, ToolStatus } from "../../../types.ts";
import type { SourceMessage } from "../source.ts";

export interface ToolEvent {
  /** Index of the message with the call, or with the result if the call is not in the source. */
  readonly message: number;
  readonly name: string;
  readonly input: string;
  readonly arguments: Arguments;
  readonly status: ToolStatus;
  readonly output: string;
}

type ToolPart = Extract<Part, { type: "tool" }>;

export function toolEvents(messages: readonly SourceMessage[]): ToolEvent[] {
  const answers = answersById(messages);
  const events: ToolEvent[] = [];
  const seen = new Set<string>();
  for (const [index, message] of messages.entries())
    for (const part of message.parts) {
      if (part.type !== "tool" || (part.callId !== null && seen.has(part.callId))) continue;
      if (part.callId !== null) seen.add(part.callId);
      events.push(toEvent(index, part, answers.get(part.callId ?? "") ?? part));
    }
  return events;
}

function answersById(messages: readonly SourceMessage[]): Map<string, ToolPart> {
  const answers = new Map<string, ToolPart>();
  for (const { parts } of messages)
    for (const part of parts)
      if (part.type === "tool" && part.output !== null && part.callId !== null)
        answers.set(part.callId, part);
  return answers;
}

function toEvent(message: number, call: ToolPart, answer: ToolPart): ToolEvent {
  const input = call.input ?? "";
  return {
    message,
    name: call.name ?? answer.name ?? "",
    input,
    arguments: readArguments(input) ?? [],
    status: answer.status,
    output: answer.output ?? "",
  };
}

/** The first text among the arguments with these names. */
export function argument(event: ToolEvent, ...names: readonly string[]): string | undefined {
  for (const wanted of names)
    for (const [name, value] of event.arguments)
      if (name.toLowerCase() === wanted && typeof value === "string" && value !== "") return value;
  return undefined;
}

/** The command line of a shell call; some hosts send a list of words. */
export function commandOf(event: ToolEvent): string | undefined {
  const line = argument(event, "command", "cmd", "script");
  if (line !== undefined) return line;
  const words = event.arguments.find(([name]) => name === "command" || name === "cmd")?.[1];
  if (!Array.isArray(words)) return undefined;
  const list = words.filter((word): word is string => typeof word === "string");
  return /^(ba|z|da)?sh$/.test(list[0] ?? "") && list[1]?.startsWith("-")
    ? list.slice(2).join(" ")
    : list.join(" ");
}

/** Failed according to its status or to the exit code in its output. */
export function hasFailed(event: ToolEvent): boolean {
  if (event.status === "error") return true;
  return /(?:exit(?:ed)?(?: with)?(?: code| status)?:?|returncode[=:]) ?[1-9]\d{0,2}\b/i.test(
    endsOf(event.output),
  );
}

/** Exit codes are in the first or last lines. */
function endsOf(output: string): string {
  return output.length <= 600 ? output : `${output.slice(0, 300)}\n${output.slice(-300)}`;
}
