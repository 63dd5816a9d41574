/** The rules of Anthropic's Messages API, according to its documentation and its error messages. */
import { isObject, type Json, objectsIn, Violations } from "./violations.ts";

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const IMAGE = /^image\/(jpeg|png|gif|webp)$/;

export function checkAnthropic(context: { readonly system: unknown; readonly messages: unknown }): string[] {
  const violations = new Violations();
  if (context.system !== null) violations.filled(context.system, "system");
  const messages = objectsIn(context.messages, "messages", violations);
  for (const [index, message] of messages.entries()) checkMessage(message, index, messages, violations);
  checkUnique(messages, violations);
  checkEnd(messages.at(-1), violations);
  return violations.found;
}

function checkMessage(message: Json, index: number, messages: readonly Json[], violations: Violations) {
  const place = `messages[${index}]`;
  violations.fields(message, place, "role", "content");
  violations.expect(message.role === (index % 2 === 0 ? "user" : "assistant"), place, "breaks the turns");
  const blocks = objectsIn(message.content, `${place}.content`, violations);
  violations.expect(blocks.length > 0, place, "is empty");
  for (const [at, block] of blocks.entries())
    checkBlock(block, message.role, `${place}.content[${at}]`, violations);
  if (message.role === "assistant") checkAnswers(blocks, messages[index + 1], place, violations);
  else checkResults(blocks, messages[index - 1], place, violations);
  const last = blocks.at(-1)?.type;
  violations.expect(last !== "thinking" && last !== "redacted_thinking", place, "ends with thinking");
}

function checkBlock(block: Json, role: unknown, place: string, violations: Violations) {
  if (block.type === "text") return checkText(block, place, violations);
  if (role === "user") return checkUserBlock(block, place, violations);
  switch (block.type) {
    case "thinking":
      violations.fields(block, place, "type", "thinking", "signature");
      return violations.filled(block.signature, `${place}.signature`);
    case "redacted_thinking":
      violations.fields(block, place, "type", "data");
      return violations.filled(block.data, `${place}.data`);
    case "tool_use":
    case "server_tool_use":
      violations.fields(block, place, "type", "id", "name", "input");
      violations.matches(block.id, block.type === "tool_use" ? ID : SERVER_ID, `${place}.id`);
      violations.matches(block.name, NAME, `${place}.name`);
      return violations.expect(isObject(block.input), `${place}.input`, "is not an object");
    default:
      violations.matches(block.type, /_tool_result$/, `${place}.type`);
      violations.fields(block, place, "type", "tool_use_id", "content");
      violations.matches(block.tool_use_id, SERVER_ID, `${place}.tool_use_id`);
  }
}

function checkUserBlock(block: Json, place: string, violations: Violations) {
  if (block.type !== "tool_result") return checkContent(block, place, violations);
  violations.fields(block, place, "type", "tool_use_id", "content", "is_error?");
  if (block.is_error !== undefined)
    violations.expect(typeof block.is_error === "boolean", `${place}.is_error`, "is not a boolean");
  if (typeof block.content === "string") {
    if (block.is_error === true) violations.filled(block.content, `${place}.content`);
    return;
  }
  const blocks = objectsIn(block.content, `${place}.content`, violations);
  const isText = blocks.length > 0 && blocks.every(({ type }) => type === "text");
  violations.expect(block.is_error !== true || isText, place, "failed with something that is not text");
  for (const [at, inner] of blocks.entries()) checkContent(inner, `${place}.content[${at}]`, violations);
}

function checkContent(block: Json, place: string, violations: Violations) {
  const source = isObject(block.source) ? block.source : {};
  switch (block.type) {
    case "text":
      return checkText(block, place, violations);
    case "image":
      violations.fields(block, place, "type", "source");
      return checkSource(source, IMAGE, `${place}.source`, violations);
    case "document":
      violations.fields(block, place, "type", "source", "title?", "context?", "citations?");
      if (source.type === "text") return violations.filled(source.data, `${place}.source.data`);
      return checkSource(source, /^application\/pdf$/, `${place}.source`, violations);
    case "search_result":
      violations.fields(block, place, "type", "source", "title", "content", "citations?");
      violations.filled(block.source, `${place}.source`);
      return objectsIn(block.content, place, violations).forEach((inner) => {
        checkText(inner, place, violations);
      });
    default:
      violations.expect(false, place, `has the type ${String(block.type)}, which has no place here`);
  }
}

function checkText(block: Json, place: string, violations: Violations) {
  violations.fields(block, place, "type", "text", "citations?");
  violations.expect(block.type === "text", place, "is not a text");
  violations.filled(block.text, `${place}.text`);
}

function checkSource(source: Json, mime: RegExp, place: string, violations: Violations) {
  if (source.type === "url") {
    violations.fields(source, place, "type", "url");
    return violations.matches(source.url, /^https?:\/\//i, `${place}.url`);
  }
  violations.fields(source, place, "type", "media_type", "data");
  violations.expect(source.type === "base64", place, "is neither base64 nor a link");
  violations.matches(source.media_type, mime, `${place}.media_type`);
  violations.base64(source.data, `${place}.data`);
}

/** Each call is answered in the next message, each server tool's call later in the same one. */
function checkAnswers(
  blocks: readonly Json[],
  next: Json | undefined,
  place: string,
  violations: Violations,
) {
  const answered = new Set(resultsIn(next).map((result) => result.tool_use_id));
  blocks.forEach((block, index) => {
    if (block.type === "tool_use")
      violations.expect(answered.has(block.id), place, `has the call ${String(block.id)} without a result`);
    if (block.type !== "server_tool_use") return;
    const isAnswered = blocks.slice(index + 1).some(({ tool_use_id: id }) => id === block.id);
    violations.expect(isAnswered, place, `has the server tool ${String(block.id)} without a result`);
  });
  for (const { tool_use_id: id } of blocks.filter((block) => block.tool_use_id !== undefined))
    violations.expect(
      blocks.some((block) => block.type === "server_tool_use" && block.id === id),
      place,
      `has a result of ${String(id)}, which was not called`,
    );
}

function checkResults(
  blocks: readonly Json[],
  before: Json | undefined,
  place: string,
  violations: Violations,
) {
  const called = isObject(before) && Array.isArray(before.content) ? before.content.filter(isObject) : [];
  const ids = called.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  const results = blocks.filter(({ type }) => type === "tool_result");
  violations.expect(
    blocks.slice(0, results.length).every(({ type }) => type === "tool_result"),
    place,
    "has something before its results",
  );
  const seen = new Set<unknown>();
  for (const { tool_use_id: id } of results) {
    violations.expect(
      ids.includes(id),
      place,
      `answers ${String(id)}, which the message before did not call`,
    );
    violations.expect(!seen.has(id), place, `answers ${String(id)} twice`);
    seen.add(id);
  }
}

function resultsIn(message: Json | undefined): readonly Json[] {
  if (message === undefined || !Array.isArray(message.content)) return [];
  return message.content.filter(isObject).filter(({ type }) => type === "tool_result");
}

function checkUnique(messages: readonly Json[], violations: Violations) {
  const seen = new Set<unknown>();
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  for (const { id } of blocks.filter(({ type }) => type === "tool_use" || type === "server_tool_use")) {
    violations.expect(!seen.has(id), "messages", `call ${String(id)} twice`);
    seen.add(id);
  }
}

function checkEnd(last: Json | undefined, violations: Violations) {
  if (last?.role !== "assistant" || !Array.isArray(last.content)) return;
  const text: unknown = last.content.at(-1)?.text;
  violations.expect(typeof text !== "string" || !/\s$/.test(text), "the last message", "ends in white space");
}
