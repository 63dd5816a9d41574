import { describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { open } from "../../src/index.ts";
import { ENGINES, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("verifying on %s while somebody writes", (name) => {
  it("finds nothing wrong in what is only half seen", async () => {
    const place = await temporaryPlace(name);
    const engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    let isWriting = true;
    const write = async () => {
      for (let turn = 0; isWriting; turn++)
        await engine.context.commitTurn({
          conversation: "s",
          key: `t${turn}`,
          messages: [
            { role: "user", content: `question ${turn}` },
            { role: "assistant", content: `answer ${turn}` },
          ],
        });
    };
    const writing = write();
    for (let look = 0; look < 4; look++) expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    isWriting = false;
    await writing;
    expect((await checkIntegrity(engine.store)).ok).toBe(true);
    await engine.close();
    await place.dispose();
  });
});
