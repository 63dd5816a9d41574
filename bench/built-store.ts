/**
 * A store with one conversation of a given size, made once through the store's contract and kept. Texts are short
 * and cut from the standard workload, the same at every size, so that a million fit and sizes compare.
 */
import { randomBytes } from "node:crypto";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { schemaSql } from "../src/store/sqlite/migrate.ts";
import type { NewMessage, ScopedStore } from "../src/store/store.ts";
import { sha256 } from "../src/text/bytes.ts";
import { estimateTokens } from "../src/text/estimate-tokens.ts";
import { newConversationId } from "../src/text/identifiers.ts";
import { keptFolder } from "./kept-folder.ts";
import type { AgentBlock, StandardWorkload } from "./standard-workload.ts";

const SAMPLES = 2_000;
const TEXT_LENGTH = 400;
const BATCH = 5_000;
/** Counts up when other content is built. */
const BUILDER = 2;

export const BUILT_AT = "2026-01-05T08:00:00.000Z";

/** In the names of kept folders: a store of another schema is not read. */
export const SCHEMA_NAME = `${BUILDER}-${sha256(schemaSql()).slice(0, 8)}`;

type Sample = Pick<NewMessage, "role" | "content" | "tokenCount">;

/** The store's data folder. */
export function builtStore(messages: number, workload: StandardWorkload): Promise<string> {
  return keptFolder(`built-${SCHEMA_NAME}-${messages}`, (folder) =>
    build(folder, messages, sampleTexts(workload)),
  );
}

/** Texts of the workload's messages, each cut to the same short length. */
export function sampleTexts(workload: StandardWorkload): string[] {
  return Array.from(workload.messages({ messages: SAMPLES }), (message) =>
    workload.toAgentMessage(message).content.map(textOf).join("\n").slice(0, TEXT_LENGTH).toWellFormed(),
  );
}

function textOf(block: AgentBlock): string {
  return block.type === "text" ? block.text : JSON.stringify(block.arguments);
}

async function build(folder: string, messages: number, texts: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ dataDir: folder });
  const scoped = store.scoped({ tenant: "default", agent: "default" });
  const samples = texts.map(toSample);
  console.error(`building a store of ${messages} messages in ${folder}`);
  for (let from = 0; from < messages; from += BATCH)
    await appendBatch(scoped, samples, from, Math.min(from + BATCH, messages));
  await store.compactFiles();
  await store.close();
}

function toSample(text: string, index: number): Sample {
  const role = index % 2 === 0 ? "user" : "assistant";
  const content = JSON.stringify({ role, content: [{ type: "text", text }] });
  return { role, content, tokenCount: estimateTokens(text) };
}

async function appendBatch(
  store: ScopedStore,
  samples: readonly Sample[],
  from: number,
  to: number,
): Promise<void> {
  await store.commit([
    {
      kind: "append",
      address: { sessionId: "built", sessionKey: null },
      create: { id: newConversationId(randomBytes), title: null, createdAt: BUILT_AT },
      turnKey: `batch-${from}`,
      messages: Array.from({ length: to - from }, (_, index) => newMessage(samples, from + index)),
      onOtherContent: "refuse",
      afterSeq: null,
      leaveOthersAfter: null,
      leaveContext: [],
      enterContext: [],
      transcript: null,
      receipt: null,
      at: BUILT_AT,
    },
  ]);
}

function newMessage(samples: readonly Sample[], index: number): NewMessage {
  const sample = samples[index % samples.length];
  if (sample === undefined) throw new Error("the workload is empty");
  return {
    ...sample,
    stubTokenCount: null,
    files: [],
    key: `message-${index}`,
    format: "message",
    createdAt: BUILT_AT,
    salt: randomBytes(16).toString("hex"),
    parts: [{ type: "text", toolCallId: null, toolName: null, toolStatus: null }],
    excluded: null,
  };
}
