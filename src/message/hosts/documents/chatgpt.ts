/**
 * ChatGPT's data export, `conversations.json`: a list of conversations, each a tree of nodes under `mapping`. Every branch
 * is imported, the shown one (`current_node`) last, so that it is the active one. A message to a tool is a call, and the
 * message of a tool is the result of its parent node. Hidden and empty nodes are events.
 */
import { fieldAt, isObject, listAt, textAt, timeAt } from "../json-fields.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentSession,
  restOf,
  sessionForEach,
  textIn,
  timeOf,
} from "./document-format.ts";

export const chatgpt: DocumentFormat = {
  name: "chatgpt",
  label: "ChatGPT export",
  recognises: (lines, start) =>
    lines.some(isConversation) || /^\s*\[?\s*\{\s*"title"\s*:[\s\S]*?"mapping"\s*:\s*\{/.test(start),
  sessions: sessionForEach("ChatGPT", isConversation, sessionOf),
};

function isConversation(value: unknown): boolean {
  return isObject(fieldAt(value, "mapping")) && fieldAt(value, "current_node") !== undefined;
}

function sessionOf(value: unknown): DocumentSession {
  const entries: DocumentEntry[] = [{ id: "conversation", event: restOf(value, "mapping") }];
  /** The message before a node, by the node's id. */
  const messageAt = new Map<string, string | null>();
  for (const node of inOrder(value)) {
    const id = textAt(node, "id") ?? "";
    const parentId = messageAt.get(textAt(node, "parent") ?? "") ?? null;
    const message = messageOf(fieldAt(node, "message"), parentId);
    messageAt.set(id, message === null ? parentId : id);
    if (message !== null)
      entries.push({ id, parentId, ...timeOf(timeAt(fieldAt(node, "message"), "create_time")), message });
    else if (isObject(fieldAt(node, "message"))) entries.push({ id, event: fieldAt(node, "message") });
  }
  return {
    sessionId: textAt(value, "conversation_id") ?? textAt(value, "id") ?? "",
    title: textAt(value, "title"),
    titleIsAutomatic: true,
    hostContext: { host: "chatgpt", model: textAt(value, "default_model_slug") },
    entries,
  };
}

/** Parents before children, and among the children the shown one last. */
function inOrder(value: unknown): unknown[] {
  const mapping = fieldAt(value, "mapping");
  const shown = new Set<string>();
  for (let id = textAt(value, "current_node"); id !== null && !shown.has(id); )
    id = textAt(fieldAt(mapping, shown.add(id) && id), "parent");
  const nodes = Object.values(restOf(mapping));
  const children = Map.groupBy(nodes, (node) => {
    const parent = textAt(node, "parent");
    return parent !== null && fieldAt(mapping, parent) !== undefined ? parent : "";
  });
  const ordered: unknown[] = [];
  const waiting = byShown(children.get("") ?? [], shown);
  // `pop` takes the last node first, so the shown node is pushed first.
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    ordered.push(node);
    waiting.push(...byShown(children.get(textAt(node, "id") ?? "\0") ?? [], shown));
  }
  return ordered;
}

function byShown(nodes: readonly unknown[], shown: ReadonlySet<string>): unknown[] {
  const isShown = (node: unknown) => shown.has(textAt(node, "id") ?? "");
  return [...nodes.filter(isShown), ...nodes.filter((node) => !isShown(node)).toReversed()];
}

/** Null for messages that the model did not see, and for messages without content. */
function messageOf(message: unknown, parentId: string | null): object | null {
  const role = textIn(message, "author", "role");
  const content = blocksOf(fieldAt(message, "content"));
  if (role === null || content.length === 0) return null;
  const host = restOf(message, "content");
  const model = textIn(message, "metadata", "model_slug");
  const shared = { ...(model === null ? {} : { model }), host };
  const recipient = textAt(message, "recipient") ?? "all";
  if (role === "tool")
    return {
      role,
      tool_call_id: parentId ?? "",
      name: textIn(message, "author", "name"),
      content,
      ...shared,
    };
  if (role === "assistant" && recipient !== "all") {
    const call = { name: recipient, arguments: textsOf(content).join("\n") };
    return {
      role,
      content: null,
      tool_calls: [{ id: textAt(message, "id"), type: "function", function: call }],
      ...shared,
    };
  }
  return { role: role === "system" ? "developer" : role, content, ...shared };
}

function textsOf(blocks: readonly object[]): string[] {
  return blocks.flatMap((block) => textAt(block, "text") ?? []);
}

function blocksOf(content: unknown): object[] {
  const type = textAt(content, "content_type");
  const parts = listAt(content, "parts");
  if (type === "text" || type === "multimodal_text") return parts.flatMap(partBlocks);
  if (type === "thoughts") return listAt(content, "thoughts").map(thoughtBlock);
  const text = textAt(content, "text") ?? textAt(content, "result");
  const more = restOf(content, "content_type", "text", "result", "language", "response_format_name");
  if (text !== null) return [{ type: "text", text, ...more }];
  return type === null || Object.keys(more).length === 0 ? [] : [{ ...more, type: `chatgpt-${type}` }];
}

function partBlocks(part: unknown): object[] {
  if (typeof part === "string") return part === "" ? [] : [{ type: "text", text: part }];
  const address = textAt(part, "asset_pointer");
  if (address !== null) return [{ ...restOf(part), type: "file", name: null, url: address }];
  const transcript = textAt(part, "text");
  return [
    transcript === null
      ? { type: "chatgpt-part", part }
      : { ...restOf(part), type: "text", text: transcript },
  ];
}

function thoughtBlock(thought: unknown): object {
  const text = [textAt(thought, "summary"), textAt(thought, "content")].filter(Boolean).join("\n");
  return { type: "reasoning", text };
}
