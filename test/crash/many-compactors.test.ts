import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { findLosses } from "../properties/losslessness.ts";
import { Compactor } from "./compactor.ts";
import { COMPACTOR_SETTINGS, turnOf } from "./compactor-process.ts";
import { type StorePlace, storeKinds } from "./store-kinds.ts";

const PROCESSES = 4;
const TURNS = 40;

describe.each(storeKinds(inject("postgresUrl")))(
  "four processes that compact one conversation on $name",
  (kind) => {
    const committed = new Map<string, object>();
    let place: StorePlace;
    let engine: Engine;
    let compactors: Compactor[];
    beforeEach(async () => {
      place = await kind.create();
      engine = await open({ store: place.address, config: COMPACTOR_SETTINGS, background: "off" });
      compactors = Array.from({ length: PROCESSES }, () => new Compactor());
      for (let turn = 0; turn < TURNS; turn++) {
        const [key, messages] = [`t${turn}`, turnOf(`t${turn}`)];
        await engine.context.commitTurn({ conversation: "s", key, messages });
        for (const [index, message] of messages.entries()) committed.set(`${key}#${index}`, message);
      }
    });
    afterEach(async () => {
      await Promise.all(compactors.map((compactor) => compactor.end()));
      await engine.close();
      await place.remove();
    });

    it("summarise nothing twice; who comes late is told to come again, or finds nothing to do", async () => {
      const orders = { store: place.address, conversation: "s", round: "", work: "finish" } as const;
      await Promise.all(compactors.map((compactor) => compactor.prepare(orders)));
      for (const compactor of compactors) compactor.begin();
      const said = (await Promise.all(compactors.map((compactor) => compactor.finished()))).flat();

      const published = said.filter(({ what }) => what === "pass").map(({ value }) => value);
      const { summaries } = await engine.context.conversations.summaries("s");
      expect(published.toSorted()).toEqual(summaries.map(({ id }) => id).sort());
      expect(summaries.some(({ depth }) => depth >= 2)).toBe(true);
      const covered: unknown[] = summaries.flatMap(({ sources }): readonly unknown[] =>
        sources.type === "messages" ? sources.seqs : sources.ids,
      );
      expect(new Set(covered).size).toBe(covered.length);
      expect(said.some(({ what }) => what === "busy")).toBe(true);
      const { passes } = await engine.context.compact({ conversation: "s", budget: 2_000, untilUnder: 1 });
      expect(passes).toEqual([]);
      expect(await findLosses({ store: engine.store, conversation: "s", committed })).toEqual([]);
    });
  },
);
