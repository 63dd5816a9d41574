import { randomBytes } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { recordSurvived } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { runMemoryCrashRounds } from "./run-memory-crash-rounds.ts";
import { storeKinds } from "./store-kinds.ts";

const ROUNDS = times({ short: 8, long: 200 });

describe.each(storeKinds(inject("postgresUrl")))("a process killed while it remembers on $name", (kind) => {
  it(
    "loses no memory that was acknowledged (promise: durable) and leaves none half changed (promise: atomic)",
    REPEATED,
    async () => {
      const report = await runMemoryCrashRounds({
        kind,
        rounds: ROUNDS,
        seed: randomBytes(4).toString("hex"),
      });
      expect(report.rounds).toBe(ROUNDS);
      // Kills that hit nothing would prove nothing.
      expect(report.acknowledged).toBeGreaterThan(ROUNDS * 3);
      expect(report.inFlight).toBeGreaterThan(ROUNDS / 4);
      recordSurvived(`a kill while memories are written to ${kind.name}`, ROUNDS);
    },
  );
});
