/**
 * One long session as two kinds of hosts have it: as messages of the AI SDK that the application sends with each call, and
 * as a session file of pi. Each is taken into a store and compacted, which takes minutes, so both are made once and kept.
 */
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ModelMessage } from "ai";
import { type Engine, open } from "../src/engine.ts";
import type { HostEntry } from "../src/host/index.ts";
import { SCHEMA_NAME } from "./built-store.ts";
import { instantModel } from "./instant-model.ts";
import { keptFolder } from "./kept-folder.ts";
import { DISK, temporaryFolder } from "./measure.ts";
import type { AgentMessage, StandardWorkload } from "./standard-workload.ts";

export const SESSION = "long";
export const BUDGET = 100_000;
/** Messages that a run may add after the history. */
const MORE = 2_000;

export interface LongSession<Item> {
  /** The data folder, a copy of this process's own. */
  readonly folder: string;
  readonly history: readonly Item[];
  /** The messages after the history, in order. */
  readonly next: readonly Item[];
}

export async function sessionOfViews(
  workload: StandardWorkload,
  messages: number,
): Promise<LongSession<HostEntry<ModelMessage>>> {
  const entries = Array.from(workload.messages({ messages: messages + MORE }), (message, i) => ({
    message: toModelMessage(workload.toAgentMessage(message)),
    key: `m${i}`,
  }));
  const history = entries.slice(0, messages);
  const folder = await keptCopy(`views-${messages}`, async (engine) => {
    if (messages > 0) await engine.context.reconcile({ conversation: SESSION, view: history });
  });
  return { folder, history, next: entries.slice(messages) };
}

/** The session file is `fileIn(folder)`. Its items are lines. */
export async function sessionOfPi(
  workload: StandardWorkload,
  messages: number,
): Promise<LongSession<string>> {
  const lines = [...workload.transcriptLines(SESSION, { messages: messages + MORE })];
  const history = lines.slice(0, messages + 1);
  const folder = await keptCopy(`pi-${messages}`, async (engine, made) => {
    writeFileSync(fileIn(made), `${history.join("\n")}\n`);
    if (messages > 0) await engine.context.conversations.import(fileIn(made));
  });
  return { folder, history, next: lines.slice(messages + 1) };
}

export function fileIn(folder: string): string {
  return path.join(folder, "session.jsonl");
}

async function keptCopy(
  name: string,
  fill: (engine: Engine, folder: string) => Promise<void>,
): Promise<string> {
  const kept = await keptFolder(`host-${SCHEMA_NAME}-${name}`, async (folder) => {
    console.error(`building ${name} in ${folder}`);
    const engine = await open({ store: folder, background: "off", complete: instantModel });
    await fill(engine, folder);
    const { conversations } = await engine.context.conversations.list();
    for (const { id } of conversations) await engine.context.compact({ conversation: id, budget: BUDGET });
    await engine.context.index.build();
    await engine.close();
  });
  const folder = temporaryFolder(DISK);
  cpSync(kept, folder, { recursive: true });
  return folder;
}

function toModelMessage({ role, content, toolCallId = "", toolName = "" }: AgentMessage): ModelMessage {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  if (role === "user") return { role, content: [{ type: "text", text }] };
  if (role === "toolResult") {
    const output = { type: "text" as const, value: text };
    return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
  }
  const parts = content.map((block) =>
    block.type === "text"
      ? { type: "text" as const, text: block.text }
      : { type: "tool-call" as const, toolCallId: block.id, toolName: block.name, input: block.arguments },
  );
  return { role, content: parts };
}
