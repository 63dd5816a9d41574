/** Parts of lossless-claw's messages. Their types match ours; additional columns are kept with the part. */
import { textAt } from "../json-fields.ts";

interface Around {
  readonly role: string;
  /** The whole message as text. */
  readonly content: string;
}

const STATES = ["pending", "running", "completed", "error"];

export function blocksOfPart(part: unknown, around: Around): object[] {
  const beside = rest(part);
  const text = textAt(part, "text_content") ?? "";
  switch (textAt(part, "part_type")) {
    case "text":
      return [{ type: "text", text, ...beside }];
    case "reasoning":
      return [{ type: "reasoning", text, ...beside }];
    case "tool":
      return [{ ...toolOf(part, around), ...beside }];
    case "patch":
      return [{ type: "patch", hash: textAt(part, "patch_hash"), files: namesIn(part), ...beside }];
    case "file":
      return [
        {
          type: "file",
          ...fields(part, { mime: "file_mime", name: "file_name", url: "file_url" }),
          ...beside,
        },
      ];
    case "subtask":
      return [
        {
          ...{ type: "subtask", prompt: textAt(part, "subtask_prompt") ?? text },
          ...fields(part, { description: "subtask_desc", agent: "subtask_agent" }),
          ...beside,
        },
      ];
    case "step_finish":
      return [{ type: "step_finish", ...fields(part, { reason: "step_reason" }), ...beside }];
    case "snapshot":
      return [{ type: "snapshot", ...fields(part, { hash: "snapshot_hash" }), ...beside }];
    case "compaction":
    case "step_start":
    case "agent":
    case "retry":
      return [{ type: textAt(part, "part_type"), ...(text === "" ? {} : { text }), ...beside }];
    default:
      return [{ type: "lossless-claw-part", part }];
  }
}

/** A tool result has its text in the message, and possibly in the part as well. */
function toolOf(part: unknown, { role, content }: Around): object {
  const input = textAt(part, "tool_input");
  const error = textAt(part, "tool_error");
  const isAnswer = role === "tool" || textAt(part, "tool_output") !== null;
  const said = textAt(part, "tool_output") ?? textAt(part, "text_content") ?? content;
  const status = textAt(part, "tool_status");
  return {
    type: "tool",
    callId: textAt(part, "tool_call_id") ?? textAt(part, "part_id") ?? "",
    ...(isAnswer && input === null ? {} : { input: parsed(input) ?? {} }),
    name: textAt(part, "tool_name") ?? "tool",
    ...(isAnswer ? { output: said } : {}),
    ...(error === null ? {} : { error }),
    ...(status !== null && STATES.includes(status) ? { status } : {}),
    ...fields(part, { title: "tool_title" }),
  };
}

function fields(part: unknown, columns: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => {
      const value = textAt(part, column);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function namesIn(part: unknown): string[] {
  const files = parsed(textAt(part, "patch_files"));
  if (Array.isArray(files)) return files.map(String);
  return typeof files === "string" && files !== "" ? [files] : [];
}

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every column with a value, beside the fields of the part. */
function rest(part: unknown): { readonly row: object } {
  const row = Object.entries(Object(part)).filter(
    ([name, value]) =>
      value !== null && name !== "text_content" && name !== "tool_output" && name !== "message_id",
  );
  return { row: Object.fromEntries(row) };
}
