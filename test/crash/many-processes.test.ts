import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { times } from "../run-length.ts";
import { type CrowdTurn, ownTranscript, SHARED_TRANSCRIPT, turnsOf } from "./crowd-process.ts";
import { runCrowd } from "./run-crowd.ts";
import { saidUnderKey } from "./said-under-key.ts";
import { makeFolder, type StorePlace, storeKinds } from "./store-kinds.ts";
import { growTranscript, messageLinesWithin, transcriptPath } from "./transcript-file.ts";
import { isSaid, type StoreView, viewStore } from "./view-store.ts";

const PROGRAM = fileURLToPath(new URL("./crowd-process.ts", import.meta.url));
const PROCESSES = 4;
const ROUNDS = times({ short: 3, long: 120 });
const LONG = { timeout: 600_000 };

describe.each(storeKinds(inject("postgresUrl")))("four processes on one $name store", (kind) => {
  let place: StorePlace;
  let folder: string;
  beforeEach(async () => {
    place = await kind.create();
    folder = await makeFolder();
  });
  afterEach(async () => {
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it("lose nothing, double nothing and never meet a lock", LONG, async () => {
    growTranscript(transcriptPath(folder, SHARED_TRANSCRIPT), SHARED_TRANSCRIPT, 600, null);
    const turns = await runCrowd<CrowdTurn>(PROGRAM, PROCESSES, {
      store: place.address,
      folder,
      rounds: ROUNDS,
    });
    const engine = await open({ store: place.address });
    try {
      // What its host wrote last may have been read by nobody yet.
      await engine.context.conversations.import(transcriptPath(folder, SHARED_TRANSCRIPT));
      const view = await viewStore(engine);
      for (const committed of turns.flat()) expectTurn(view, committed);
      expectOnce(view);
      expectTranscripts(view);
      await expectSound(engine);
      for (let round = 0; round < ROUNDS; round++)
        expect(statusesOf(turns.flat(), `all-${round}`)).toEqual([
          "committed",
          ...Array(3).fill("duplicate"),
        ]);
    } finally {
      await engine.close();
    }
  });

  it("may create it at the same moment", LONG, async () => {
    for (let again = 0; again < 3; again++) {
      const fresh = await kind.create();
      try {
        await runCrowd<CrowdTurn>(PROGRAM, PROCESSES, { store: fresh.address, folder, rounds: 0 });
        const engine = await open({ store: fresh.address });
        await engine.context.commitTurn({ conversation: "s", key: "k", messages: saidUnderKey("k") });
        await expectSound(engine);
        await engine.close();
      } finally {
        await fresh.remove();
      }
    }
  });

  function expectTranscripts(view: StoreView): void {
    const names = [
      SHARED_TRANSCRIPT,
      ...Array.from({ length: PROCESSES }, (_, index) => ownTranscript(index)),
    ];
    for (const name of names) {
      const file = readFileSync(transcriptPath(folder, name), "utf8");
      const imported = [...view.values()].filter((conversation) => conversation.sessionId === name);
      expect(imported.map(({ transcript }) => transcript === file)).toEqual([true]);
      const originals = imported[0]?.messages.map((message) => message.original);
      expect(originals).toEqual(messageLinesWithin(name, file.length));
    }
  }
});

type CrowdTurns = readonly CrowdTurn[];

/** What a process was told is what the store has. */
function expectTurn(view: StoreView, { key, conversation, seqs }: CrowdTurns[number]): void {
  const messages = view.get(conversation)?.messages;
  saidUnderKey(key).forEach((said, index) => {
    const found = messages?.[(seqs[index] ?? 0) - 1];
    expect(found).toMatchObject({ key: `${key}#${index}`, seq: seqs[index] });
    expect(found !== undefined && isSaid(found, said)).toBe(true);
  });
}

/** Each conversation has the messages of its turns, each once, numbered without a gap. */
function expectOnce(view: StoreView): void {
  const expected = new Map<string, Set<string>>();
  for (let writer = 0; writer < PROCESSES; writer++)
    for (let round = 0; round < ROUNDS; round++)
      for (const [session, key] of turnsOf(writer, round)) {
        const keys = expected.get(session) ?? new Set();
        for (const index of saidUnderKey(key).keys()) keys.add(`${key}#${index}`);
        expected.set(session, keys);
      }
  for (const [session, keys] of expected) {
    const found = [...view.values()].filter((conversation) => conversation.sessionId === session);
    expect(found.length).toBe(1);
    const messages = found[0]?.messages ?? [];
    expect(messages.map(({ key }) => key).sort()).toEqual([...keys].sort());
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
  }
}

async function expectSound({ store }: Engine): Promise<void> {
  expect((await checkIntegrity(store)).problems).toEqual([]);
}

function statusesOf(turns: CrowdTurns, key: string): string[] {
  return turns.flatMap((turn) => (turn.key === key ? [turn.status] : [])).sort();
}
