/** The rules of OpenAI's Responses API for the items of its input. */
import { type Json, objectsIn, Violations } from "./violations.ts";

const ID = /^[\x21-\x7e]{1,64}$/;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const CALLS = ["function_call", "custom_tool_call"];
const OUTPUTS = ["function_call_output", "custom_tool_call_output"];

export function checkResponses(context: { readonly system: unknown; readonly messages: unknown }): string[] {
  const violations = new Violations();
  violations.expect(context.system === null, "system", "is not null");
  const items = objectsIn(context.messages, "input", violations);
  for (const [index, item] of items.entries())
    checkItem(item, items[index + 1], `input[${index}]`, violations);
  checkPairs(items, violations);
  return violations.found;
}

function checkPairs(items: readonly Json[], violations: Violations) {
  const called = new Map<unknown, unknown>();
  const waiting = new Set<unknown>();
  items.forEach((item, index) => {
    const { type, call_id: id } = item;
    const place = `input[${index}]`;
    if (CALLS.includes(String(type))) {
      violations.expect(!called.has(id), place, `calls ${String(id)} again`);
      called.set(id, type);
      waiting.add(id);
    } else if (OUTPUTS.includes(String(type))) {
      violations.expect(waiting.delete(id), place, `answers ${String(id)}, which no call waits for`);
      violations.expect(`${String(called.get(id))}_output` === type, place, "answers a call of another type");
    } else if (type === "message" && item.role !== "assistant") {
      violations.expect(waiting.size === 0, place, `stands before the results of ${[...waiting].join(", ")}`);
    }
  });
  violations.expect(waiting.size === 0, "input", `has no results of ${[...waiting].join(", ")}`);
}

function checkItem(item: Json, next: Json | undefined, place: string, violations: Violations) {
  switch (item.type) {
    case "message":
      return checkMessage(item, place, violations);
    case "reasoning":
      violations.fields(item, place, "type", "id", "summary", "encrypted_content");
      violations.filled(item.encrypted_content, place);
      return violations.expect(
        next?.type === "reasoning" || typeof next?.id === "string",
        place,
        "is not followed by what it led to",
      );
    case "function_call":
      violations.fields(item, place, "type", "call_id", "name", "arguments", "id?");
      checkCall(item, place, violations);
      return violations.jsonObject(item.arguments, `${place}.arguments`);
    case "custom_tool_call":
      violations.fields(item, place, "type", "call_id", "name", "input", "id?");
      checkCall(item, place, violations);
      return violations.expect(typeof item.input === "string", place, "has an input that is not text");
    case "function_call_output":
    case "custom_tool_call_output":
      violations.fields(item, place, "type", "call_id", "output");
      return typeof item.output === "string" ? undefined : checkContent(item.output, place, violations);
    default:
      violations.expect(false, place, `has the type ${String(item.type)}`);
  }
}

function checkCall(item: Json, place: string, violations: Violations) {
  violations.matches(item.call_id, ID, `${place}.call_id`);
  violations.matches(item.name, NAME, `${place}.name`);
}

function checkMessage(item: Json, place: string, violations: Violations) {
  violations.expect(["system", "user", "assistant"].includes(String(item.role)), place, "has no role");
  violations.fields(item, place, "type", "role", "content", "id?", "status?");
  if (item.role !== "assistant") return checkContent(item.content, `${place}.content`, violations);
  if (item.id === undefined) return violations.filled(item.content, `${place}.content`);
  violations.expect(item.status === "completed", place, "has an id and no status");
  for (const part of objectsIn(item.content, place, violations)) {
    violations.fields(part, place, "type", "text", "annotations");
    violations.filled(part.text, place);
  }
}

function checkContent(content: unknown, place: string, violations: Violations) {
  const parts = objectsIn(content, place, violations);
  violations.expect(parts.length > 0, place, "is empty");
  for (const [index, part] of parts.entries()) checkPart(part, `${place}[${index}]`, violations);
}

function checkPart(part: Json, place: string, violations: Violations) {
  switch (part.type) {
    case "input_text":
      violations.fields(part, place, "type", "text");
      return violations.filled(part.text, place);
    case "input_image":
      violations.fields(part, place, "type", "detail", "image_url");
      return violations.link(part.image_url, place);
    case "input_file":
      violations.fields(part, place, "type", "filename?", "file_data?", "file_url?");
      return violations.link(part.file_data ?? part.file_url, place);
    default:
      violations.expect(false, place, `has the type ${String(part.type)}`);
  }
}
