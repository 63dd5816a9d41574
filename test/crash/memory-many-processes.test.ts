import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type { Engine } from "../../src/index.ts";
import { type Memory, stateOf } from "../../src/memory-types.ts";
import { readMemories } from "../properties/compare-memories.ts";
import { rareWord, retoldRumour, sayingOf } from "../properties/memory-words.ts";
import { type RememberedInCrowd, STORED_KEY, UPDATED_KEY } from "./memory-crowd-process.ts";
import { openInRound } from "./memory-writer-process.ts";
import { runCrowd } from "./run-crowd.ts";
import { type StorePlace, storeKinds } from "./store-kinds.ts";

const PROGRAM = fileURLToPath(new URL("./memory-crowd-process.ts", import.meta.url));
const PROCESSES = 3;
const ROUNDS = 4;
const TOPICS = ["ships", "whales", "stars", "bees"];

describe.each(storeKinds(inject("postgresUrl")))("three processes on the same memories in $name", (kind) => {
  let place: StorePlace;
  beforeEach(async () => {
    place = await kind.create();
  });
  afterEach(() => place.remove());

  it("leave one version of each fact in force, and every one that was acknowledged in its chain", {
    timeout: 300_000,
  }, async () => {
    const shape = await prepare();
    const orders = { store: place.address, rounds: ROUNDS };
    const done = (await runCrowd<RememberedInCrowd>(PROGRAM, PROCESSES, orders)).flat();
    const engine = await openInRound(place.address, 1, "off");
    try {
      await expectOneChain(engine, STORED_KEY, done);
      await expectOneChain(engine, UPDATED_KEY, [...done, shape]);
      expectOneOfEachTopic([...(await readMemories(engine.memory)).values()]);
    } finally {
      await engine.close();
    }
  });

  /** A week before: what all will change, and what says the same several times. */
  async function prepare(): Promise<RememberedInCrowd> {
    const engine = await openInRound(place.address, 0, "off");
    const text = sayingOf("shape", rareWord("first"));
    const { memory } = await engine.memory.store({ text, scope: "global", factKey: UPDATED_KEY });
    await engine.memory.storeMany(
      TOPICS.flatMap((topic) =>
        Array.from({ length: 5 }, (_, i) => ({
          text: retoldRumour(topic, `${topic} ${i}`),
          scope: "global",
          category: "events" as const,
        })),
      ),
    );
    await engine.memory.maintenance.reembed();
    await engine.close();
    return { id: memory.id, factKey: memory.factKey, text };
  }
});

async function expectOneChain(
  { memory }: Engine,
  factKey: string,
  done: readonly RememberedInCrowd[],
): Promise<void> {
  const { rows } = await memory.list({ factKey });
  expect(rows).toHaveLength(1);
  const versions = await memory.history.versions(rows[0]?.id ?? "");
  const told = done.filter((one) => one.factKey === factKey);
  const said = (all: readonly { readonly id: string; readonly text: string }[]) =>
    all.map(({ id, text }) => `${id} ${text}`).toSorted();
  expect(said(versions.map(({ id, abstract: text }) => ({ id, text })))).toEqual(said(told));
  // Each took the place of the one before it.
  expect(versions.slice(1).map(({ supersedes }) => supersedes)).toEqual(
    versions.slice(0, -1).map(({ id }) => [id]),
  );
  expect(versions.map(stateOf)).toEqual([...versions.slice(1).map(() => "superseded"), "active"]);
}

/** What was set aside says for which one, and of each topic one stays. */
function expectOneOfEachTopic(memories: readonly Memory[]): void {
  for (const topic of TOPICS) {
    const told = memories.filter(({ abstract }) => abstract.includes(`about ${topic}`));
    expect(told.map(stateOf).toSorted()).toEqual(["active", ...Array(4).fill("archived")]);
  }
}
