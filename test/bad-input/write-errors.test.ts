/** A write that the disk refuses, at whatever page, leaves everything that was acknowledged and nothing of itself. */
import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { DATABASE_NAME, openSqliteStore } from "../../src/store/sqlite/index.ts";
import { seededRandom } from "../crash/seeded-random.ts";
import { recordSurvived } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { temporaryFolder } from "../temporary-store.ts";

const PAGE = 4096;
const MOST_ROOM = 40;
/** A store that has grown larger than this is left for a new one. */
const ROUNDS_PER_STORE = 20;

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = seededRandom("write errors");
const say = () => ({ role: "user", content: randomBytes(50 + random.below(4_000)).toString("base64") });

/** Turns that were acknowledged, and the one that was refused last. */
interface Ledger {
  turns: number;
  messages: number;
  refused: object[] | null;
}

async function fill(engine: Engine, ledger: Ledger): Promise<void> {
  for (;;) {
    const messages = ledger.refused ?? Array.from({ length: 1 + random.below(5) }, say);
    ledger.refused = null;
    try {
      const { status } = await engine.context.commitTurn({
        conversation: "s",
        key: `turn ${ledger.turns}`,
        messages,
      });
      expect(status).toBe("committed");
    } catch (error) {
      if (!isPalimpsestError(error, "store-full")) throw error;
      ledger.refused = messages;
      return;
    }
    ledger.turns++;
    ledger.messages += messages.length;
  }
}

describe("a disk that becomes full again and again", () => {
  it(
    "loses nothing that was acknowledged, and keeps nothing of what was refused (promise: atomic)",
    REPEATED,
    async () => {
      const rounds = times({ short: 5, long: 400 });
      let ledger: Ledger = { turns: 0, messages: 0, refused: null };
      for (let round = 0; round < rounds; round++) {
        const dataDir = path.join(folder, `store-${Math.floor(round / ROUNDS_PER_STORE)}`);
        if (round % ROUNDS_PER_STORE === 0) {
          ledger = { turns: 0, messages: 0, refused: null };
          await (await openSqliteStore({ dataDir })).close();
        }
        const pages = Math.ceil(statSync(path.join(dataDir, DATABASE_NAME)).size / PAGE);
        const maxPages = pages + 4 + random.below(MOST_ROOM);
        const engine = await open({ store: await openSqliteStore({ dataDir, maxPages }), background: "off" });
        try {
          await fill(engine, ledger);
          if (ledger.turns > 0)
            expect((await engine.context.conversations.get("s")).messageCount).toBe(ledger.messages);
          expect((await checkIntegrity(engine.store)).problems).toEqual([]);
        } finally {
          await engine.close();
        }
      }
      recordSurvived("a write that the disk refuses", rounds);
    },
  );
});
