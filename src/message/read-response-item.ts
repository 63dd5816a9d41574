/**
 * Items of OpenAI's Responses API that are not messages: calls, their outputs, reasoning, references. Types
 * added later are recognised by their suffix: `…_call` comes from the model, `…_output` from a
 * tool's.
 */
import type { Part, Role } from "../types.ts";
import { type Block, Misfit, otherPart, type ReadBlock, requireText, textOf } from "./block.ts";
import { reasoningDefinition } from "./parts/reasoning.ts";
import { filePart } from "./read-file-block.ts";
import { dataText, readToolOutput } from "./read-tool-output.ts";
import { callPart, donePart, resultParts, saysFailed } from "./tool-part.ts";

interface ResponseItem {
  readonly role: Role;
  readonly read: ReadBlock;
}

const other: ReadBlock = (item) => [otherPart(item)];

const ITEMS: ReadonlyMap<string, ResponseItem> = new Map<string, ResponseItem>([
  ["function_call", { role: "assistant", read: readNamedCall }],
  ["custom_tool_call", { role: "assistant", read: readNamedCall }],
  ["reasoning", { role: "assistant", read: reasoningDefinition.read }],
  ["web_search_call", { role: "assistant", read: readHostedCall }],
  ["file_search_call", { role: "assistant", read: readHostedCall }],
  ["code_interpreter_call", { role: "assistant", read: readHostedCall }],
  ["mcp_call", { role: "assistant", read: readHostedCall }],
  ["image_generation_call", { role: "assistant", read: readImageGeneration }],
  ["program", { role: "assistant", read: readCall }],
  ["mcp_list_tools", { role: "assistant", read: other }],
  ["mcp_approval_request", { role: "assistant", read: other }],
  ["mcp_approval_response", { role: "user", read: other }],
  ["item_reference", { role: "assistant", read: other }],
  ["agent_message", { role: "assistant", read: other }],
  ["additional_tools", { role: "system", read: other }],
  ["compaction", { role: "assistant", read: () => [{ type: "compaction", auto: true, text: "" }] }],
  ["compaction_trigger", { role: "user", read: () => [{ type: "compaction", auto: false, text: "" }] }],
]);

export function responseItemFor(type: unknown): ResponseItem | undefined {
  if (typeof type !== "string") return undefined;
  const known = ITEMS.get(type);
  if (known !== undefined) return known;
  if (type.endsWith("_call")) return { role: "assistant", read: readCall };
  return type.endsWith("_output") ? { role: "tool", read: readOutput } : undefined;
}

function readNamedCall(item: Block): readonly Part[] {
  const callId = requireText(item, "call_id", "the id of the tool call as a string");
  const name = requireText(item, "name", "the name of the tool as a string");
  return [callPart(callId, name, inputOf(item))];
}

/** A call that the client answers with an item of its own. */
function readCall(item: Block): readonly Part[] {
  const callId = callIdOf(item);
  if (callId === null) throw new Misfit(".call_id", item.call_id, "the id of the tool call as a string");
  return [callPart(callId, textOf(item.name) ?? toolNameOf(item), inputOf(item))];
}

/** A call that the provider itself has answered. It needs no id, and some hosts strip it. */
function readHostedCall(item: Block): readonly Part[] {
  const output = readToolOutput(item.output ?? item.outputs ?? item.results ?? item.error);
  const name = textOf(item.name) ?? toolNameOf(item);
  return [donePart(callIdOf(item), name, inputOf(item), output.text, hasFailed(item)), ...output.files];
}

function readImageGeneration(item: Block): readonly Part[] {
  const call = donePart(callIdOf(item), toolNameOf(item), item.revised_prompt, "", hasFailed(item));
  const mime = `image/${textOf(item.output_format) ?? "png"}`;
  return typeof item.result === "string" ? [call, filePart({ mime }, null, null)] : [call];
}

function readOutput(item: Block): readonly Part[] {
  const callId = callIdOf(item);
  const name = textOf(item.name);
  if (callId === null && name === null)
    throw new Misfit(".call_id", item.call_id, "the id of the tool call as a string");
  const output = readToolOutput(item.output ?? item.result ?? item.tools);
  return resultParts(callId, name ?? toolNameOf(item), output, hasFailed(item));
}

function callIdOf(item: Block): string | null {
  return textOf(item.call_id) ?? textOf(item.id);
}

/** `local_shell_call_output` answers `local_shell`; a function's output does not name its function. */
function toolNameOf(item: Block): string | null {
  const name = String(item.type).replace(/(_call)?(_output)?$/, "");
  return name === "function" || name === "custom_tool" ? null : name;
}

function inputOf(item: Block): string {
  const { arguments: text, input, action, actions, operation, code, queries } = item;
  return dataText(text ?? input ?? action ?? actions ?? operation ?? code ?? queries);
}

function hasFailed(item: Block): boolean {
  const saysError = item.error !== undefined && item.error !== null;
  return saysFailed(item) || saysError || item.status === "failed";
}
