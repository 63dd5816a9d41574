import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, isPalimpsestError, open, type PalimpsestError } from "../../src/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import type { EngineName } from "../../src/store/store.ts";
import { lcm, spawnLcm } from "../cli/lcm.ts";
import { withEngine } from "../cli/stores.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { archiveOf } from "./archive-of.ts";

/** About a page of the database that does not compress. */
const say = () => ({ role: "user", content: randomBytes(3000).toString("base64") });
const sayMuch = (count: number) => Array.from({ length: count }, say);

describe.each(ENGINES)("a full disk under %s", (name) => {
  let place: Place;
  let folder: string;
  let engine: Engine;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await openFull(name, place, FEW_MESSAGES);
    await engine.context.commitTurn({ conversation: "s", key: "before", messages: [say()] });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it("refuses a turn that has no room, keeps what was there, and takes the turn once there is room (promise: atomic)", async () => {
    const before = await archiveOf(engine.store);
    const turn = { conversation: "s", key: "large", messages: sayMuch(200) };
    await expect(engine.context.commitTurn(turn)).rejects.toMatchObject({
      code: "store-full",
      advice: expect.stringMatching(/nothing of this write was stored\.$/),
    });
    expect(await archiveOf(engine.store)).toBe(before);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    engine = await reopenWithRoom(name, place, engine);
    expect(await engine.context.commitTurn(turn)).toMatchObject({ status: "committed" });
    expect((await engine.context.read({ conversation: "s" })).conversation.messageCount).toBe(201);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("lets each of several turns at a time happen wholly or not at all", async () => {
    const turns = Array.from({ length: 12 }, (_, index) => ({
      conversation: `s${index % 3}`,
      key: `t${index}`,
      messages: sayMuch(10 + ((index * 7) % 30)),
    }));
    const done = await Promise.allSettled(turns.map((turn) => engine.context.commitTurn(turn)));
    const refused = done.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(isPalimpsestError(reason, "store-full")).toBe(true);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    engine = await reopenWithRoom(name, place, engine);
    const again = await Promise.all(turns.map((turn) => engine.context.commitTurn(turn)));
    expect(again.map(({ status }) => status)).toEqual(
      done.map(({ status }) => (status === "fulfilled" ? "duplicate" : "committed")),
    );
    const keys = (await Promise.all([0, 1, 2].map((index) => keysOf(engine, `s${index}`)))).flat();
    expect(keys.length).toBe(turns.reduce((sum, { messages }) => sum + messages.length, 0));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("stops an import between two batches, and goes on from there", async () => {
    const file = path.join(folder, "transcript.jsonl");
    writeFileSync(
      file,
      sayMuch(1200)
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(""),
    );
    await engine.close();
    engine = await openFull(name, place, ONE_BATCH);
    const failure = await engine.context.conversations.import(file).catch((error: PalimpsestError) => error);
    expect(failure).toMatchObject({ code: "store-full", advice: expect.stringMatching(/^Free some space /) });
    const stays =
      /\nAlready stored: (\d+) lines of .*, with \1 new messages\. Importing it again resumes there\.$/;
    const kept = Number(stays.exec("advice" in failure ? (failure.advice ?? "") : "")?.[1]);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(1200);
    expect(await keysOf(engine, "transcript")).toHaveLength(kept);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    engine = await reopenWithRoom(name, place, engine);
    const { conversation } = await engine.context.conversations.import(file);
    expect(await keysOf(engine, conversation ?? "")).toHaveLength(1200);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });
});

describe("a disk that becomes full", () => {
  const disk = temporaryFolder();
  // Only root may mount a small disk, and not in every container.
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=5m", "none", disk]).status === 0;
  afterAll(() => {
    if (isMounted) spawnSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  it.skipIf(!isMounted)(
    "is named by every command that needs room, also by those that only read",
    async () => {
      const data = path.join(disk, "named");
      await withEngine(data, ({ context }) =>
        context.commitTurn({ conversation: "s", key: "t", messages: sayMuch(50) }),
      );
      const fill = path.join(disk, "fill");
      spawnSync("dd", ["if=/dev/zero", `of=${fill}`, "bs=4096"]);
      const unopened = await lcm(["--data", data, "read", "s"]);
      expect(unopened).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/the disk is full\nFree some space/),
      });
      rmSync(fill);
      await withEngine(data, async ({ context }) => {
        await context.conversations.list();
        spawnSync("dd", ["if=/dev/zero", `of=${fill}`, "bs=4096"]);
        for (const words of [
          ["backup"],
          ["export", "-o", path.join(disk, "e")],
          ["memory", "export", "-o", path.join(disk, "m")],
        ]) {
          const { code, stderr } = await lcm(["--data", data, ...words]);
          expect([words[0], code, stderr]).toEqual([
            words[0],
            5,
            expect.stringContaining("the disk is full (ENOSPC)"),
          ]);
        }
        rmSync(fill);
      });
      rmSync(data, { recursive: true });
    },
  );

  it.skipIf(!isMounted)("stops an import, which says what stays and how to go on", async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "transcript.jsonl");
    const lines = sayMuch(1200).map((message) => `${JSON.stringify(message)}\n`);
    writeFileSync(file, lines.join(""));
    const data = path.join(disk, "data");
    const { code, stdout, stderr } = await spawnLcm(["--data", data, "import", file]);
    rmSync(folder, { recursive: true, force: true });
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toMatch(/\nAlready stored: [\d,]+0 lines of .*, with [\d,]+0 new messages\./);
    expect(stderr).toMatch(new RegExp(`\nResume with: lcm --data ${data} import ${file}\n$`));
    expect(stderr).not.toContain("nothing was written");
  });
});

/** How much fits: pages of a SQLite file, messages in PostgreSQL. */
const FEW_MESSAGES = { sqlite: 200, postgres: 100 };
const ONE_BATCH = { sqlite: 900, postgres: 600 };

async function openFull(name: EngineName, place: Place, room: Record<EngineName, number>): Promise<Engine> {
  if (name === "sqlite")
    return open({
      store: await openSqliteStore({ dataDir: place.store, maxPages: room.sqlite }),
      background: "off",
    });
  const engine = await open({ store: place.store, background: "off" });
  await runStatement(place.store, refuseGrowth(room.postgres));
  return engine;
}

async function reopenWithRoom(name: EngineName, place: Place, engine: Engine): Promise<Engine> {
  await engine.close();
  if (name === "postgres") await runStatement(place.store, "DROP FUNCTION palimpsest.refuse_growth CASCADE");
  return open({ store: place.store, background: "off" });
}

/**
 * PostgreSQL has no limit of its own to set: a trigger reports what the server reports when the disk is full, from
 * the table that is written last.
 */
const refuseGrowth = (messages: number) => `
  CREATE OR REPLACE FUNCTION palimpsest.refuse_growth() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM palimpsest.messages) > ${messages} THEN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER refuse_growth AFTER UPDATE ON palimpsest.conversations
    FOR EACH ROW EXECUTE FUNCTION palimpsest.refuse_growth()`;

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function keysOf({ context }: Engine, conversation: string): Promise<string[]> {
  const keys: string[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page: Awaited<ReturnType<typeof context.read>> = await context.read({ conversation, from });
    keys.push(...page.messages.map(({ key }) => `${conversation} ${key}`));
    from = page.next;
  }
  return keys;
}
