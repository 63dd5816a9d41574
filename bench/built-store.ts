/**
 * A store with one conversation of a given size, made once and kept in the system's temporary folder. Texts are
 * short and cut from the standard workload, the same at every size, so that a million fit and sizes compare.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { SCHEMA_VERSION } from "../src/store/sqlite/migrate.ts";
import type { NewMessage, ScopedStore } from "../src/store/store.ts";
import { newConversationId } from "../src/text/identifiers.ts";
import type { StandardWorkload } from "./standard-workload.ts";

const SAMPLES = 2_000;
const TEXT_LENGTH = 400;
const BATCH = 5_000;

/** The store's data folder. */
export async function builtStore(messages: number, workload: StandardWorkload): Promise<string> {
  const folder = path.join(os.tmpdir(), `palimpsest-bench-built-${SCHEMA_VERSION}-${messages}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await build(unfinished, messages, samples(workload));
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function samples(workload: StandardWorkload): string[] {
  return Array.from(workload.messages({ messages: SAMPLES }), (message) => {
    const { role, content } = workload.toAgentMessage(message);
    const text = JSON.stringify(content).slice(0, TEXT_LENGTH);
    return JSON.stringify({ role, content: [{ type: "text", text }] });
  });
}

async function build(folder: string, messages: number, contents: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ dataDir: folder });
  const scoped = store.scoped({ tenant: "default", agent: "default" });
  console.error(`building a store of ${messages} messages in ${folder}`);
  for (let from = 0; from < messages; from += BATCH)
    await appendBatch(scoped, contents, from, Math.min(from + BATCH, messages));
  await store.compactFiles();
  await store.close();
}

async function appendBatch(
  store: ScopedStore,
  contents: readonly string[],
  from: number,
  to: number,
): Promise<void> {
  const at = "2026-01-05T08:00:00.000Z";
  await store.commit([
    {
      kind: "append",
      address: { sessionId: "built", sessionKey: null },
      create: { id: newConversationId(randomBytes), title: null, createdAt: at },
      turnKey: `batch-${from}`,
      messages: Array.from({ length: to - from }, (_, index) => newMessage(contents, from + index, at)),
      onOtherContent: "refuse",
      afterSeq: null,
      leaveContext: [],
      enterContext: [],
      transcript: null,
      receipt: null,
      at,
    },
  ]);
}

function newMessage(contents: readonly string[], index: number, at: string): NewMessage {
  return {
    key: `message-${index}`,
    role: "user",
    format: "message",
    content: contents[index % contents.length] ?? "{}",
    tokenCount: 100,
    createdAt: at,
    salt: randomBytes(16).toString("hex"),
    parts: [{ type: "text", toolCallId: null, toolName: null, toolStatus: null }],
    excluded: null,
  };
}
