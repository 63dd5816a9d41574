import { randomBytes } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { recordSurvived } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { runCrashRounds } from "./run-crash-rounds.ts";
import { storeKinds } from "./store-kinds.ts";

const ROUNDS = times({ short: 15, long: 600 });

describe.each(storeKinds(inject("postgresUrl")))("a process killed while it writes to $name", (kind) => {
  it(
    "loses nothing that was acknowledged (promise: durable) and leaves nothing half done (promise: atomic)",
    REPEATED,
    async () => {
      const report = await runCrashRounds({ kind, rounds: ROUNDS, seed: randomBytes(4).toString("hex") });
      expect(report.rounds).toBe(ROUNDS);
      // Kills that hit nothing would prove nothing.
      expect(report.acknowledged).toBeGreaterThan(ROUNDS * 3);
      expect(report.inFlight).toBeGreaterThan(ROUNDS / 4);
      recordSurvived(`a kill while writing to ${kind.name}`, ROUNDS);
    },
  );
});
