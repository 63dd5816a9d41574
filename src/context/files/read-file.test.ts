import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, temporaryPlace } from "../../../test/temporary-store.ts";
import { type Engine, open } from "../../index.ts";

describe("reading a file", () => {
  let place: Place;
  let engine: Engine;

  beforeAll(async () => {
    place = await temporaryPlace("sqlite");
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });

  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const attach = async (content: string | Uint8Array): Promise<string> => {
    async function* bytes() {
      yield Buffer.from(content);
    }
    return (await engine.context.attachFile({ conversation: "read", open: bytes })).id;
  };

  it("never gives more bytes than were asked for, up to the byte before a line feed and behind it", async () => {
    const id = await attach("first\nsecond\nthird");
    const read = async (maxBytes: number) => {
      const { text, lastLine, next } = await engine.context.readFile({ id, maxBytes });
      return { text, lastLine, next };
    };
    expect(await read(5)).toEqual({ text: "first", lastLine: 1, next: { startByte: 5 } });
    expect(await read(6)).toEqual({ text: "first\n", lastLine: 1, next: { startLine: 2 } });
    expect(await read(12)).toEqual({ text: "first\n", lastLine: 1, next: { startLine: 2 } });
    expect(await read(13)).toEqual({ text: "first\nsecond\n", lastLine: 2, next: { startLine: 3 } });
    expect(await read(18)).toEqual({ text: "first\nsecond\nthird", lastLine: 3, next: null });
  });
});
