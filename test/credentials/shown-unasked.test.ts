/** No credential is shown where nobody asked for one, and ordinary names, headings and sentences are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORDINARY_FILES, ORDINARY_HEADINGS, ORDINARY_SENTENCES } from "./ordinary-names.ts";
import { SHAPES } from "./shapes.ts";
import { PLACES, type ShownPlace, ShownUnasked, shows } from "./shown-unasked.ts";

describe("what is shown unasked", () => {
  let measured: ShownUnasked;
  beforeAll(async () => {
    measured = await ShownUnasked.open();
  });
  afterAll(() => measured.close());

  it.each(PLACES)("holds no credential: %s", { timeout: 60_000 }, async (place) => {
    const shown: string[] = [];
    for (const shape of SHAPES)
      if (shows(await measured.shownAt(place, shape.text), shape)) shown.push(shape.kind);
    expect(shown).toEqual([]);
  });

  it("holds what is asked for: the exact words of a message and the exact name of a file", async () => {
    const [{ text = "", secret = "" } = {}] = SHAPES;
    expect(secret).not.toBe("");
    expect(await measured.readBack(text)).toEqual({ message: text, file: `${text}.txt`, found: 1 });
  });

  it("says something useful where a name is not shown", async () => {
    const shown = await measured.shownAt("file name", "password=hunter2");
    expect(shown).toMatch(/^\[LCM File: file_[0-9a-f]{16} \| password=…\.txt \| text\/plain \| 225 bytes\]/);
  });

  it("holds nearly all ordinary names of files", async () => {
    const hidden: string[] = [];
    for (const name of ORDINARY_FILES)
      if (!(await measured.referenceTo(name)).includes(` | ${name} | `)) hidden.push(name);
    expect(ORDINARY_FILES.length).toBeGreaterThanOrEqual(75);
    // What follows an equals sign is hidden in every name, and `.key` is the end of a key as well.
    expect(hidden).toEqual(["year=2024/part.parquet", "untitled 3.key"]);
  });

  it.each([
    ["title", ORDINARY_HEADINGS],
    ["heading of a message", ORDINARY_HEADINGS],
    ["title", ORDINARY_SENTENCES],
    ["first sentence", ORDINARY_SENTENCES],
  ] as const)("holds ordinary text: %s", { timeout: 60_000 }, async (place, texts) => {
    expect(await hiddenAt(place, texts)).toEqual([]);
  });

  it("holds nearly all ordinary headings of files, of which every word has to be plain", async () => {
    expect((await hiddenAt("heading of a file", ORDINARY_HEADINGS)).length).toBeLessThanOrEqual(4);
  });

  /** Those of which the beginning is not repeated. */
  async function hiddenAt(place: ShownPlace, texts: readonly string[]): Promise<string[]> {
    const hidden: string[] = [];
    for (const text of texts) {
      const shown = await measured.shownAt(place, text);
      const beginning = text.slice(0, 50);
      if (!shown.includes(beginning) && !shown.includes(JSON.stringify(beginning).slice(1, -1)))
        hidden.push(text);
    }
    return hidden;
  }
});
