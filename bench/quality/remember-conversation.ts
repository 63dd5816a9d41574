/** Every turn of a conversation as a message and as a memory, said in the same order and with the same words. */

import type { Context } from "../../src/context/context.ts";
import type { Engine } from "../../src/engine.ts";
import { LONGEST_CONTENT } from "../../src/memory/inputs.ts";
import type { AgentMemory } from "../../src/memory/memory.ts";
import { type Conversation, type Document, timeOf } from "./question-set.ts";

export interface Remembered {
  readonly memory: AgentMemory;
  readonly context: Context;
  /** Ids of documents by ids of memories and of messages. */
  readonly documents: ReadonlyMap<string, string>;
}

/** Longer ones are known by how they begin. */
const LONGEST_LINE = 2_000;
const OPENING = 200;

export async function rememberConversation(engine: Engine, { id, docs }: Conversation): Promise<Remembered> {
  const scope = { tenant: id, agent: "reader" };
  const [context, memory] = [engine.contextOf(scope), engine.memoryOf(scope)];
  const documents = new Map<string, string>();
  let time: string | null = null;
  for (const [session, said] of Map.groupBy(docs, (document) => document.session)) {
    const result = await context.commitTurn({
      conversation: session,
      key: session,
      messages: said.map((document) => {
        time = timeOf(document) ?? time;
        return { message: toMessage(document), ...(time === null ? {} : { createdAt: time }) };
      }),
    });
    if (result.status === "skipped") throw new Error("nothing was stored");
    const ids = result.messages.map((message) => message.id);
    ids.forEach((message, place) => {
      documents.set(message, said[place]?.id ?? "");
    });
    const stored = await memory.storeMany(
      said.map((document, place) => toMemory(document, ids[place] ?? "")),
    );
    stored.forEach((one, place) => {
      documents.set(one.id, said[place]?.id ?? "");
    });
  }
  await memory.maintenance.index();
  return { memory, context, documents };
}

/** As chat APIs take it: who speaks in a talk of several has a name. */
function toMessage({ role, text }: Document) {
  const isRole = role === "assistant" || role === "user";
  return isRole ? { role, content: text } : { role: "user", name: role, content: text };
}

function toMemory({ role, text }: Document, message: string) {
  const words = text.trim() === "" ? "(nothing)" : text;
  const isLine = words.length <= LONGEST_LINE;
  return {
    text: isLine ? words : words.slice(0, OPENING),
    // One text of one set is longer than a memory may be.
    ...(isLine ? {} : { content: words.slice(0, LONGEST_CONTENT) }),
    category: "events" as const,
    sources: [message],
    speaker: role,
  };
}
