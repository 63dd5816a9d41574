/** A store with the standard workload, indexed, and the same texts in a full-text table of SQLite's own; both kept. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { open } from "../src/engine.ts";
import { SCHEMA_NAME } from "./built-store.ts";
import { keptFolder } from "./kept-folder.ts";
import { type Cost, measure } from "./measure.ts";
import type {
  AgentMessage,
  StandardWorkload,
  WorkloadMessage,
  WorkloadOptions,
} from "./standard-workload.ts";

export const CONVERSATIONS = 200;
const TURN = 500;
const PEER = "fts5.db";
const FACTS = "facts.json";
/** Counts up when other content is built. */
const BUILDER = 1;

/** Measurements during its creation. */
export interface Built {
  readonly folder: string;
  readonly rawBytes: number;
  readonly ingest: Cost;
  readonly index: Cost;
  readonly peerIndex: Cost;
}

export async function searchedStore(
  messages: number,
  workload: StandardWorkload,
  convs = CONVERSATIONS,
): Promise<Built> {
  const amount = convs === CONVERSATIONS ? messages : `${messages}-in-${convs}`;
  const folder = await keptFolder(`searched-${BUILDER}-${SCHEMA_NAME}-${amount}`, (made) =>
    build(made, { messages, convs }, workload),
  );
  return { folder, ...JSON.parse(readFileSync(path.join(folder, FACTS), "utf8")) };
}

export function openPeer(folder: string): DatabaseSync {
  return new DatabaseSync(path.join(folder, PEER), { readOnly: true });
}

async function build(folder: string, size: WorkloadOptions, workload: StandardWorkload): Promise<void> {
  console.error(`building a store of ${size.messages} messages in ${folder}`);
  let rawBytes = 0;
  const engine = await open({ store: folder, background: "off" });
  const ingest = await measure(async () => {
    for (const [conversation, batch] of batches(workload, size)) {
      rawBytes += batch.reduce(
        (sum, message) => sum + Buffer.byteLength(JSON.stringify(workload.toAgentMessage(message))),
        0,
      );
      const key = `${conversation}-${batch[0]?.seq}`;
      await engine.context.commitTurn({
        conversation,
        key,
        messages: batch.map((message) => workload.toAgentMessage(message)),
      });
    }
  });
  console.error(`stored after ${Math.round(ingest.wallMs / 1000)} s; indexing`);
  const index = await measure(() => engine.context.index.build());
  await engine.store.compactFiles();
  await engine.close();
  console.error(`indexed after ${Math.round(index.wallMs / 1000)} s; building the peer`);
  const peerIndex = await measure(() => buildPeer(path.join(folder, PEER), size, workload));
  writeFileSync(path.join(folder, FACTS), JSON.stringify({ rawBytes, ingest, index, peerIndex }));
}

function* batches(
  workload: StandardWorkload,
  size: WorkloadOptions,
): Generator<readonly [string, readonly WorkloadMessage[]]> {
  let batch: WorkloadMessage[] = [];
  for (const message of workload.messages(size)) {
    const [first] = batch;
    if (first !== undefined && (first.conv !== message.conv || batch.length === TURN)) {
      yield [first.conv, batch];
      batch = [];
    }
    batch.push(message);
  }
  const [first] = batch;
  if (first !== undefined) yield [first.conv, batch];
}

/** As small as such a table gets: without the texts. */
function buildPeer(file: string, size: WorkloadOptions, workload: StandardWorkload): void {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = 'porter unicode61'); BEGIN",
  );
  const insert = database.prepare("INSERT INTO words (text) VALUES (?)");
  for (const message of workload.messages(size)) insert.run(textOf(workload.toAgentMessage(message)));
  database.exec("COMMIT");
  database.close();
}

function textOf({ content }: AgentMessage): string {
  return content
    .map((block) => (block.type === "text" ? block.text : JSON.stringify(block.arguments)))
    .join("\n");
}
