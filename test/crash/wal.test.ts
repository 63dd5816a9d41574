/**
 * A kill never loses what the operating system has buffered, so kills alone prove nothing about a machine that
 * stops. Here the settings that make a commit durable are read from the connections that write, and the log is
 * cut and damaged behind the last acknowledged commit, as a power failure leaves it.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { open } from "../../src/index.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { startThread } from "../../src/store/sqlite/thread.ts";
import type { StoreInfo } from "../../src/store/store.ts";
import { recordSurvived } from "../fault-table.ts";
import { times } from "../run-length.ts";
import { explainByLog } from "./explain-by-log.ts";
import { perform } from "./operation.ts";
import { KEPT_CONTENTS, type LoggedStep, type LogRecording, recordLog, WAVES } from "./record-log.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { makeFolder, type StorePlace, storeKinds } from "./store-kinds.ts";
import { compareView, viewStore } from "./view-store.ts";

const DURABLE = {
  SQLite: { journal_mode: "wal", synchronous: "full" },
  PostgreSQL: { fsync: "on", synchronous_commit: "on", full_page_writes: "on" },
};

describe.each(storeKinds(inject("postgresUrl")))("the settings of $name", (kind) => {
  let place: StorePlace;
  beforeAll(async () => {
    place = await kind.create();
  });
  afterAll(() => place.remove());

  it("make every commit durable before it is acknowledged", async () => {
    const engine = await open({ store: place.address });
    const { durability } = await engine.store.info();
    await engine.close();
    expect(durability).toMatchObject(DURABLE[kind.name]);
  });
});

describe("a SQLite log after a power failure", () => {
  const seed = `log-${process.pid}-${Date.now()}`;
  const random = seededRandom(seed);
  let folder: string;
  let recording: LogRecording;
  /** What was acknowledged before the log was copied. */
  let acknowledged: readonly LoggedStep[];

  beforeAll(async () => {
    folder = await makeFolder();
    recording = await recordLog(folder, seed);
    acknowledged = recording.steps.filter((step) => step.wave < WAVES);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is written by threads that wait for the disk, whatever they were started for", async () => {
    const file = path.join(folder, "data", DATABASE_NAME);
    const thread = await startThread({ file, readOnly: false });
    const { durability } = await thread.call<StoreInfo>("info");
    await thread.close();
    expect(durability).toMatchObject(DURABLE.SQLite);
  });

  it("was recorded while work was going on", () => {
    expect(acknowledged.length).toBeGreaterThan(WAVES);
    expect(recording.log.length).toBeGreaterThanOrEqual(safeSize(acknowledged));
  });

  it.each(numbers(times({ short: 15, long: 200 })))(
    "has everything that was acknowledged when it is cut (%i)",
    async () => {
      const count = random.below(acknowledged.length + 1);
      const safe = safeSize(acknowledged.slice(0, count));
      const cut = random.chance(0.1) ? safe : safe + random.below(recording.log.length - safe + 1);
      await checkLog(count, recording.log.subarray(0, cut));
      recordSurvived("a log that is cut off", 1);
    },
  );

  it.each(numbers(times({ short: 15, long: 200 })))(
    "has everything that was acknowledged when it is damaged (%i)",
    async () => {
      const count = random.below(acknowledged.length);
      const safe = safeSize(acknowledged.slice(0, count));
      await checkLog(count, damage(recording.log, safe, random));
      recordSurvived("bytes of a log that are changed", 1);
    },
  );

  /** Opens the database with another log and looks whether the first `count` acknowledged steps are there. */
  async function checkLog(count: number, log: Uint8Array): Promise<void> {
    const dataDir = path.join(folder, "copy");
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, DATABASE_NAME), recording.database);
    writeFileSync(path.join(dataDir, `${DATABASE_NAME}-wal`), log);
    const kept = path.join(folder, KEPT_CONTENTS);
    if (existsSync(kept)) cpSync(kept, path.join(dataDir, "files"), { recursive: true });
    const engine = await open({ store: dataDir });
    try {
      const { ledger, problems } = explainByLog(recording, count, await viewStore(engine));
      expect(problems, `seed ${seed}`).toEqual([]);
      expect((await checkIntegrity(engine.store)).problems).toEqual([]);
      const next = { kind: "commit", session: "s0", key: "after the failure" } as const;
      ledger.apply(next, await perform(engine, folder, next));
      expect(compareView(await viewStore(engine), ledger)).toEqual([]);
    } finally {
      await engine.close();
    }
  }
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** How long the log was when the last of these steps was acknowledged. */
function safeSize(steps: readonly LoggedStep[]): number {
  return Math.max(0, ...steps.map((step) => step.logSize));
}

/** Other bytes in one to four places behind `from`. */
function damage(log: Buffer, from: number, random: SeededRandom): Buffer {
  const damaged = Buffer.from(log);
  for (let places = 1 + random.below(4); places > 0 && from < log.length; places--) {
    const at = from + random.below(log.length - from);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 + random.below(255)), at);
  }
  return damaged;
}
