/** Files that are one long line: every place in it is found, at its byte, and can be read around. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileGrepHit } from "../../src/context/retrieve/files/grep-files.ts";
import { type Engine, type GrepFilesInput, open } from "../../src/index.ts";
import { MODEL_TOOLS } from "../../src/operations/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const MIB = 1024 * 1024;
const NEEDLE = `needle-é-${"-".repeat(40)}end`;

describe.each(ENGINES)("a long line on %s", (name) => {
  let place: Place;
  let engine: Engine;

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const attach = async (conversation: string, bytes: Buffer) => {
    async function* content() {
      yield bytes;
    }
    return (await engine.context.files.attach({ conversation, open: content })).id;
  };

  const allHits = async (input: GrepFilesInput) => {
    const hits: FileGrepHit[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const page = await engine.context.files.grep({
        ...input,
        ...(next === undefined ? {} : { cursor: next }),
      });
      hits.push(...page.hits);
      next = page.next;
    }
    return hits;
  };

  it("has every place found, and each is read around by its bytes", async () => {
    const rows = Array.from({ length: 6_000 }, (_, i) => ({
      row: i,
      note: i % 500 === 7 ? "ünique nëedle" : "hay",
    }));
    const bytes = Buffer.from(JSON.stringify(rows));
    const id = await attach("json", bytes);
    const hits = await allHits({
      pattern: "ünique nëedle",
      mode: "exact",
      conversations: ["json"],
      limit: 5,
    });
    expect(hits).toHaveLength(12);
    for (const { byte, line, around } of hits) {
      expect(line).toBe(1);
      expect(bytes.subarray(byte).toString().startsWith("ünique nëedle")).toBe(true);
      expect((await engine.context.files.read({ id, ...around })).text).toContain("ünique nëedle");
    }
    expect(new Set(hits.map(({ byte }) => byte)).size).toBe(12);
    const call = async (tool: string, input: object) =>
      (await MODEL_TOOLS.find((one) => one.name === tool)?.call(engine, input, {})) ?? "";
    const asked = { pattern: "ünique nëedle", mode: "exact", scope: "files", conversations: ["json"] };
    const shown = await call("lcm_grep", asked);
    const hint = JSON.parse(/call lcm_describe with (\{.*\})\.$/m.exec(shown)?.[1] ?? "{}");
    expect(hint).toMatchObject({ id, startByte: (hits[0]?.byte ?? 0) - 2_000 < 0 ? 0 : expect.any(Number) });
    expect(await call("lcm_describe", hint)).toContain("ünique nëedle");
  });

  it("above 1 MiB hides nothing where its parts meet", async () => {
    const parts: Buffer[] = [];
    const expected: number[] = [];
    let size = 0;
    const add = (bytes: Buffer) => {
      parts.push(bytes);
      size += bytes.length;
    };
    for (const [i, off] of [-9, -6, -3, -1, 0, 1].entries()) {
      // Characters of three bytes, so that the border falls into one.
      const room = (i + 1) * MIB + off - size;
      add(Buffer.from(`${".".repeat(room % 3)}${"上".repeat(Math.floor(room / 3))}`));
      expected.push(size);
      add(Buffer.from(NEEDLE));
    }
    add(Buffer.from(" tail"));
    await attach("cuts", Buffer.concat(parts));
    for (const [mode, pattern] of [
      ["exact", NEEDLE],
      ["regex", "n[e]+dle-.-+end"],
      ["full_text", '"needle e end" tail'],
    ] as const) {
      const hits = await allHits({ pattern, mode, conversations: ["cuts"], limit: 2 });
      const found = hits.map(({ byte }) => byte);
      expect(found.filter((byte) => byte < size - 5 && expected.includes(byte))).toEqual(expected);
      expect(found.length).toBeLessThanOrEqual(expected.length + 1);
    }
    expect(await allHits({ pattern: "needle nowhere", conversations: ["cuts"] })).toEqual([]);
    expect(await allHits({ pattern: "^needle|needle$", mode: "regex", conversations: ["cuts"] })).toEqual([]);
  });

  it("in UTF-16 ends at line feeds, and not inside of characters", async () => {
    const text = `\ufeff一\n去上海吧 ઊ\nend ${"上a".repeat(3_000)}上海`;
    for (const [conversation, bytes] of [
      ["little", Buffer.from(text, "utf16le")],
      ["big", Buffer.from(text, "utf16le").swap16()],
    ] as const) {
      const id = await attach(conversation, bytes);
      const hits = await allHits({ pattern: "上海", mode: "exact", conversations: [conversation] });
      expect(hits.map(({ byte }) => byte)).toEqual([6, 2 * text.lastIndexOf("上海")]);
      for (const { around } of hits)
        expect((await engine.context.files.read({ id, ...around })).text).toContain("上海");
    }
  });
});
