/** A store with something of every kind in it, and copies of it that are damaged. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { importPath } from "../../src/operations/store/import.ts";
import { EVERY_SCOPE } from "../../src/store/memory-store.ts";
import { sampleDecision, sampleMemory, sampleRemember } from "../../src/store/testing/sample-memory.ts";
import { writeFolder } from "../cli/transcripts.ts";

const TURNS = 40;

/** Conversations with summaries, files inside and beside the database, receipts, transcripts and memories. */
export async function fillStore(store: string, transcripts: string, turns = TURNS): Promise<void> {
  const config = { logLevel: "silent", contextThreshold: 0.5, leafChunkTokens: 400 } as const;
  const engine = await open({ store, background: "off", config });
  try {
    await runOperation(importPath, engine, { path: writeFolder(transcripts) });
    for (const conversation of ["a", "b"]) {
      for (let turn = 0; turn < turns; turn++) {
        if (turn > 0) await engine.context.assemble({ conversation, budget: 4_000 });
        await engine.context.commitTurn({
          conversation,
          key: `turn ${turn}`,
          messages: said(conversation, turn),
        });
      }
      await engine.context.compact({ conversation, budget: 2_000, untilUnder: 1_500 });
      await engine.context.files.attach({
        conversation,
        name: "notes.txt",
        open: () => piecesOf(notes(conversation)),
      });
    }
    for (let number = 0; number < 12; number++)
      await engine.memory.store({
        text: `Invoice ${number} of the customer Example ${number} is paid by bank transfer.`,
      });
    await decide(engine);
  } finally {
    await engine.close();
  }
}

/** What capturing leaves behind, and a memory that was changed and names another one. */
async function decide(engine: Engine): Promise<void> {
  const { rows } = await engine.memory.list();
  const [first, second] = rows.map(({ id }) => id);
  await engine.memory.update({ id: first ?? "", importance: 0.9 });
  await engine.memory.capture({ conversation: "a", flush: true });
  await engine.memory.forget({ id: second ?? "", erase: true });
  const conversation = (await engine.context.conversations.get("a")).id;
  const sources = [{ conversation, firstSeq: 1, lastSeq: 2, kind: "origin" as const }];
  const relations = [{ type: "contradicts" as const, target: first ?? "" }];
  const memory = sampleMemory("global", { sources, relations });
  const decision = sampleDecision("global", { memory: memory.id, conversation, firstSeq: 1, lastSeq: 2 });
  const { tenant } = engine.config;
  await engine.store
    .memoriesOf({ tenant, scopes: EVERY_SCOPE })
    .commit([sampleRemember(memory), { kind: "decide", decision }]);
}

function said(conversation: string, turn: number): object[] {
  const large = turn % 15 === 5 ? LARGE : turn % 5 === 3 ? MIDDLE : 1;
  return [
    { role: "user", content: `Question ${turn} of ${conversation}: what is in report ${turn * 7}?` },
    {
      role: "assistant",
      content: `Report ${turn * 7} says that ${turn} of ${turn * 3} deliveries came late. `.repeat(4),
    },
    { role: "tool", tool_call_id: `call ${turn}`, content: lines(conversation, turn, large) },
  ];
}

/** Lines of a result that is kept in the database, or beside it. */
const MIDDLE = 400;
const LARGE = 9_000;

function lines(conversation: string, turn: number, count: number): string {
  return Array.from(
    { length: count },
    (_, line) => `${conversation} ${turn} ${(line * 2654435761) >>> 0}\n`,
  ).join("");
}

function notes(conversation: string): string {
  return lines(conversation, 99, 3_000);
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A copy in which one file is changed. */
export function damagedCopy(
  store: string,
  target: string,
  file: string,
  damage: (bytes: Buffer) => Buffer,
): void {
  cpSync(store, target, { recursive: true });
  const place = path.join(target, file);
  writeFileSync(place, damage(readFileSync(place)));
}
