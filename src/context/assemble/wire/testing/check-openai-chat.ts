/** The rules of OpenAI's Chat Completions. */
import { type Json, objectsIn, Violations } from "./violations.ts";

const ID = /^[\x21-\x7e]{1,40}$/;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function checkOpenaiChat(context: { readonly system: unknown; readonly messages: unknown }): string[] {
  const violations = new Violations();
  violations.expect(context.system === null, "system", "is not null");
  const messages = objectsIn(context.messages, "messages", violations);
  const seen = new Set<unknown>();
  let waiting: unknown[] = [];
  messages.forEach((message, index) => {
    const place = `messages[${index}]`;
    if (message.role === "tool") {
      violations.expect(
        waiting.includes(message.tool_call_id),
        place,
        "answers no open call of the response before",
      );
      waiting = waiting.filter((id) => id !== message.tool_call_id);
    } else {
      violations.expect(waiting.length === 0, place, `stands before the results of ${waiting.join(", ")}`);
      waiting = callIds(message, place, seen, violations);
    }
    checkMessage(message, place, violations);
  });
  violations.expect(waiting.length === 0, "messages", `end before the results of ${waiting.join(", ")}`);
  return violations.found;
}

function callIds(message: Json, place: string, seen: Set<unknown>, violations: Violations): unknown[] {
  if (message.tool_calls === undefined) return [];
  const calls = objectsIn(message.tool_calls, `${place}.tool_calls`, violations);
  violations.expect(calls.length > 0, place, "has an empty list of calls");
  for (const { id } of calls) {
    violations.expect(!seen.has(id), place, `calls ${String(id)} again`);
    seen.add(id);
  }
  return calls.map(({ id }) => id);
}

function checkMessage(message: Json, place: string, violations: Violations) {
  switch (message.role) {
    case "system":
      violations.fields(message, place, "role", "content");
      return violations.filled(message.content, `${place}.content`);
    case "user":
      violations.fields(message, place, "role", "content");
      return checkUser(message.content, `${place}.content`, violations);
    case "tool":
      violations.fields(message, place, "role", "tool_call_id", "content");
      return violations.expect(
        typeof message.content === "string",
        place,
        "has content that is not a string",
      );
    case "assistant":
      return checkAssistant(message, place, violations);
    default:
      violations.expect(false, place, `has the role ${String(message.role)}`);
  }
}

function checkAssistant(message: Json, place: string, violations: Violations) {
  violations.fields(message, place, "role", "content", "tool_calls?");
  if (message.tool_calls === undefined || message.content !== null)
    violations.filled(message.content, `${place}.content`);
  if (message.tool_calls === undefined) return;
  objectsIn(message.tool_calls, place, violations).forEach((call, index) => {
    const at = `${place}.tool_calls[${index}]`;
    violations.fields(call, at, "id", "type", "function");
    violations.matches(call.id, ID, `${at}.id`);
    const [called] = objectsIn([call.function], at, violations);
    violations.matches(called?.name, NAME, `${at}.function.name`);
    violations.jsonObject(called?.arguments, `${at}.function.arguments`);
  });
}

function checkUser(content: unknown, place: string, violations: Violations) {
  if (typeof content === "string") return violations.filled(content, place);
  const parts = objectsIn(content, place, violations);
  violations.expect(parts.length > 0, place, "is empty");
  for (const [index, part] of parts.entries()) checkPart(part, `${place}[${index}]`, violations);
}

function checkPart(part: Json, place: string, violations: Violations) {
  const inner = objectsIn([part[String(part.type)]], place, new Violations())[0] ?? {};
  switch (part.type) {
    case "text":
      violations.fields(part, place, "type", "text");
      return violations.filled(part.text, `${place}.text`);
    case "image_url":
      violations.fields(inner, place, "url");
      return violations.link(inner.url, `${place}.image_url.url`);
    case "input_audio":
      violations.matches(inner.format, /^(wav|mp3)$/, `${place}.format`);
      return violations.base64(inner.data, `${place}.data`);
    case "file":
      violations.filled(inner.filename, `${place}.filename`);
      return violations.link(inner.file_data, `${place}.file_data`);
    default:
      violations.expect(false, place, `has the type ${String(part.type)}`);
  }
}
