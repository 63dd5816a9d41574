/** A certificate says that something was erased: where nothing was, there is none. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { readCertificate } from "../../src/store/rules/certificate.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("an erasure on %s", (kind) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(kind);
    const config = { logLevel: "silent" } as const;
    engine = await open({ store: place.store, background: "off", config });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  async function certified(): Promise<(string | null)[]> {
    const { tenant, agent } = engine.config;
    const { rows } = await engine.store.scoped({ tenant, agent }).auditLog({});
    return rows.flatMap((row) => (readCertificate(row) === null ? [] : [row.conversation]));
  }

  it("leaves one certificate for a memory, however often it is erased", async () => {
    const stored = await engine.memory.store({ text: "The spare key is under the third flower pot." });
    const id = "memory" in stored ? (stored.memory?.id ?? "") : "";
    const before = (await certified()).length;
    for (let time = 0; time < 2; time++)
      await engine.memory.forget({ id, erase: true }).catch((error: { code: string }) => error.code);
    expect((await certified()).length).toBe(before + 1);
  });
});
