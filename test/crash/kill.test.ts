import { randomBytes } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { recordSurvived } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { runCrashRounds } from "./run-crash-rounds.ts";
import { storeKinds } from "./store-kinds.ts";

const ROUNDS = times({ short: 15, long: 600 });
/** Everything in a store is read after each kill: one that grows for ever takes most of the time. */
const ROUNDS_PER_STORE = 25;

describe.each(storeKinds(inject("postgresUrl")))("a process killed while it writes to $name", (kind) => {
  it(
    "loses nothing that was acknowledged (promise: durable) and leaves nothing half done (promise: atomic)",
    REPEATED,
    async () => {
      for (let left = ROUNDS; left > 0; left -= ROUNDS_PER_STORE) {
        const rounds = Math.min(left, ROUNDS_PER_STORE);
        const report = await runCrashRounds({ kind, rounds, seed: randomBytes(4).toString("hex") });
        expect(report.rounds).toBe(rounds);
        // Kills that hit nothing would prove nothing.
        expect(report.acknowledged).toBeGreaterThan(rounds * 3);
        expect(report.inFlight).toBeGreaterThan(rounds / 4);
        recordSurvived(`a kill while writing to ${kind.name}`, rounds);
      }
    },
  );
});
