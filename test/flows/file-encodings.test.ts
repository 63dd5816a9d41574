/** Files that are text, though not UTF-8: what is read of them is text as well, says how it was read, and lacks no byte. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { MODEL_TOOLS } from "../../src/operations/index.ts";
import { count } from "../../src/text/counted.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

const LINES = Array.from({ length: 3_000 }, (_, i) => `Zeile ${i + 1} über die Größe der Straße`).join("\n");
const latin = Buffer.from(LINES, "latin1");
const utf16 = Buffer.from(`\ufeff${LINES.replaceAll("der", "😀")}`, "utf16le");
const torn = Buffer.concat([Buffer.from(LINES), Buffer.from([0xff]), Buffer.from("\nend\n")]);
const FILES: Readonly<Record<string, { bytes: Buffer; text: string }>> = {
  Latin: { bytes: latin, text: LINES },
  "UTF-16": { bytes: utf16, text: LINES.replaceAll("der", "😀") },
  "UTF-16 in the other order": { bytes: Buffer.from(utf16).swap16(), text: LINES.replaceAll("der", "😀") },
  "UTF-8 with a broken byte": { bytes: torn, text: `${LINES}\ufffd\nend\n` },
};

describe("a file in another encoding", () => {
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

  const attach = async (bytes: Buffer): Promise<string> => {
    async function* content() {
      yield bytes;
    }
    return (await engine.context.files.attach({ conversation: "encodings", open: content })).id;
  };

  const asModel = async (input: object): Promise<string> => {
    const tool = MODEL_TOOLS.find(({ name }) => name === "lcm_describe");
    return (await tool?.call(engine, input, {})) ?? "";
  };

  it.each(Object.entries(FILES))("is read as text, in %s, and every byte of it is given", async (_, file) => {
    const id = await attach(file.bytes);
    for (const maxBytes of [997, 32_768]) {
      const bytes: Buffer[] = [];
      let text = "";
      for (let next: { startByte?: number; startLine?: number } | null = {}; next !== null; ) {
        const slice = await engine.context.files.read({ id, maxBytes, ...next });
        expect(slice.startByte).toBe(bytes.reduce((sum, { length }) => sum + length, 0));
        text += slice.text;
        bytes.push(
          slice.base64 === null ? Buffer.from(slice.text ?? "") : Buffer.from(slice.base64, "base64"),
        );
        next = slice.next;
      }
      expect(text).toBe(file.text);
      expect(Buffer.concat(bytes).equals(file.bytes)).toBe(true);
    }
  });

  it.each(Object.entries(FILES).slice(0, 3))("has lines, in %s", async (_, { bytes, text }) => {
    const id = await attach(bytes);
    const slice = await engine.context.files.read({ id, startLine: 1_000, endLine: 1_001 });
    expect(slice).toMatchObject({ firstLine: 1_000, lastLine: 1_001, next: null });
    expect(slice.text).toBe(`${text.split("\n").slice(999, 1_001).join("\n")}\n`);
  });

  it.each(Object.entries(FILES))("has lines that are found, in %s", async (_, { bytes, text }) => {
    const id = await attach(bytes);
    const line = text.split("\n")[2_344];
    for (const [mode, pattern] of [
      ["exact", "Zeile 2345 über die Größe"],
      ["regex", "^Zeile 2345 über .* Straße$"],
      ["full_text", "zeile 2345 straße"],
    ] as const) {
      const { hits } = await engine.context.files.grep({ pattern, mode, conversations: ["encodings"] });
      const found = hits.filter((hit) => hit.id === id);
      expect(found.map((hit) => [hit.line, hit.snippet.text])).toEqual([[2_345, line]]);
    }
  });

  it("has lines without the signs that begin and end them", async () => {
    const lines = "\ufefföne\r\ntwö\r\nthree\r\n";
    const swapped = Buffer.from(lines, "utf16le").swap16();
    const contents = [Buffer.from(lines), Buffer.from(lines, "utf16le"), swapped];
    const ids = [];
    for (const content of contents) ids.push(await attach(content));
    for (const pattern of ["^öne$", "^twö$", "^three$"]) {
      const { hits } = await engine.context.files.grep({
        ...{ pattern, mode: "regex", conversations: ["encodings"] },
      });
      expect(hits.map(({ id }) => id)).toEqual(ids.toReversed());
    }
  });

  it("is marked for a model, with where its bytes are", async () => {
    const id = await attach(latin);
    const size = count(latin.length);
    const shown = await asModel({ id, startByte: 0, endByte: 30 });
    expect(shown).toContain(
      `bytes 0 to 30 of ${size}: not valid UTF-8, read as Latin (Windows-1252) ---\n> Zeile 1 über`,
    );
    expect(shown).toContain(`lcm files cat ${id}`);
    expect(await asModel({ id, startByte: 0, endByte: 7 })).toContain(
      `bytes 0 to 7 of ${size} ---\n> Zeile 1\n`,
    );
  });

  it("is base64 where it is no text", async () => {
    const noise = Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7_919) % 256));
    const id = await attach(noise);
    const slice = await engine.context.files.read({ id, startByte: 0, endByte: 300 });
    expect(slice).toMatchObject({ text: null, encoding: null });
    expect(await asModel({ id, startByte: 0, endByte: 300 })).toContain("binary, shown as base64");
    const tail = await attach(Buffer.concat([latin, Buffer.from([0, 0xff, 0, 1, 2])]));
    expect((await engine.context.files.read({ id: tail, startByte: latin.length })).text).toBeNull();
  });
});
