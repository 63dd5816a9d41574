import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FRAME_BYTES } from "../../store/file-store.ts";
import { MOST_READ_BYTES } from "../inputs.ts";
import { bytesOf, DEFAULT_READ_BYTES, type ReadFileInput, readFile } from "./read-file.ts";
import { requireFile } from "./require-file.ts";
import { FILE_ID, fileInMemory } from "./testing/files-in-memory.ts";

type Input = Omit<ReadFileInput, "id">;

const read = (content: string | Uint8Array, input: Input = {}) =>
  readFile(fileInMemory(content), { id: FILE_ID, ...input });

/** The text and lines of a slice, and the range that remains. */
async function shown(content: string | Uint8Array, input: Input) {
  const { text, firstLine, lastLine, next } = await read(content, input);
  return { text, lines: [firstLine, lastLine], next };
}

/** All slices, each read from the `next` of the previous one. */
async function readOn(content: string | Uint8Array, input: Input) {
  const slices = [];
  for (let next: Input | null = input; next !== null; ) {
    const slice = await read(content, { ...next, ...(input.maxBytes ? { maxBytes: input.maxBytes } : {}) });
    slices.push(slice);
    next = slice.next;
  }
  return slices;
}

const refused = (message: string) => ({ code: "invalid-input", message });

const THREE = "first\nsecond\nthird";

describe("a limit of bytes", () => {
  it.each<[number, string, number, object | null]>([
    [4, "firs", 1, { startByte: 4 }],
    [5, "first", 1, { startByte: 5 }],
    [6, "first\n", 1, { startLine: 2 }],
    [7, "first\n", 1, { startLine: 2 }],
    [12, "first\n", 1, { startLine: 2 }],
    [13, "first\nsecond\n", 2, { startLine: 3 }],
    [17, "first\nsecond\n", 2, { startLine: 3 }],
    [18, THREE, 3, null],
    [19, THREE, 3, null],
  ])("of %d ends a slice after the last whole line within it", async (maxBytes, text, lastLine, next) => {
    expect(await shown(THREE, { maxBytes })).toStrictEqual({ text, lines: [1, lastLine], next });
  });

  it("goes on by bytes when bytes were asked for, and never further than was asked", async () => {
    expect(await shown(THREE, { startByte: 0, maxBytes: 6 })).toMatchObject({
      text: "first\n",
      next: { startByte: 6 },
    });
    expect(await shown(THREE, { endByte: 18, maxBytes: 6 })).toMatchObject({ next: { startByte: 6 } });
    expect(await shown(THREE, { endByte: 17, maxBytes: 6 })).toMatchObject({
      next: { startByte: 6, endByte: 17 },
    });
    expect(await shown(THREE, { endLine: 2, maxBytes: 6 })).toMatchObject({
      next: { startLine: 2, endLine: 2 },
    });
    expect(await shown(THREE, { startLine: 2, maxBytes: 3 })).toMatchObject({
      text: "sec",
      next: { startByte: 9 },
    });
    expect(await shown(THREE, { endLine: 2, maxBytes: 3 })).toMatchObject({
      next: { startByte: 3, endByte: 13 },
    });
    expect(await shown(THREE, { endLine: 2, maxBytes: 13 })).toMatchObject({
      text: "first\nsecond\n",
      next: null,
    });
  });

  it("does not end a slice after a line feed that begins it", async () => {
    expect(await shown("a\n\nbcd", { startByte: 2, maxBytes: 2 })).toMatchObject({ text: "\nb" });
    expect(await shown("a\n\nbcd", { startByte: 1, maxBytes: 3 })).toMatchObject({ text: "\n\n" });
  });

  it("is 32 kB unless another is given, and at most 500 kB", async () => {
    const long = "x".repeat(DEFAULT_READ_BYTES + 1);
    expect((await read(long)).endByte).toBe(32_768);
    expect((await read(long, { maxBytes: MOST_READ_BYTES })).endByte).toBe(32_769);
    for (const maxBytes of [0, -1, 1.5, MOST_READ_BYTES + 1, Number.NaN])
      await expect(read(long, { maxBytes })).rejects.toMatchObject(
        refused("maxBytes must be a whole number from 1 to 512000"),
      );
  });
});

describe("a range of lines", () => {
  it.each<[Input, string, number, number]>([
    [{ startLine: 1, endLine: 1 }, "first\n", 1, 1],
    [{ startLine: 2, endLine: 2 }, "second\n", 2, 2],
    [{ startLine: 2 }, "second\nthird", 2, 3],
    [{ endLine: 2 }, "first\nsecond\n", 1, 2],
    [{ startLine: 3, endLine: 3 }, "third", 3, 3],
    [{ startLine: 3, endLine: 9 }, "third", 3, 3],
  ])("%o is both ends and all between", async (input, text, first, last) => {
    expect(await shown(THREE, input)).toEqual({ text, lines: [first, last], next: null });
  });

  it("has no line after a last line feed, and one in an empty file", async () => {
    expect(await shown("a\nb\n", { startLine: 2 })).toEqual({ text: "b\n", lines: [2, 2], next: null });
    await expect(read("a\nb\n", { startLine: 3 })).rejects.toMatchObject(
      refused("line 3 is after the end: the file has 2 lines"),
    );
    expect(await shown("", { startLine: 1 })).toEqual({ text: "", lines: [1, 1], next: null });
    await expect(read("", { startLine: 2 })).rejects.toMatchObject(
      refused("line 2 is after the end: the file has 1 line"),
    );
  });

  it("is refused backwards, from 0, or with bytes", async () => {
    await expect(read(THREE, { startLine: 2, endLine: 1 })).rejects.toMatchObject(
      refused("endLine is before startLine"),
    );
    await expect(read(THREE, { startLine: 0 })).rejects.toMatchObject(
      refused("startLine must be a whole number of at least 1"),
    );
    await expect(read(THREE, { endLine: 0 })).rejects.toMatchObject(
      refused("endLine must be a whole number of at least 1"),
    );
    for (const bytes of [{ startByte: 0 }, { endByte: 5 }])
      for (const lines of [{ startLine: 1 }, { endLine: 2 }])
        await expect(read(THREE, { ...bytes, ...lines })).rejects.toMatchObject({
          code: "invalid-input",
          message: "lines and bytes cannot be combined",
          advice: "Use startLine and endLine, or startByte and endByte.",
        });
  });

  it("is found in any frame of a long file, by one frame", async () => {
    const line = `${"x".repeat(999)}\n`;
    const lines = Math.ceil((3 * FRAME_BYTES) / line.length);
    const store = fileInMemory(line.repeat(lines));
    const readFrom: number[] = [];
    const counting = {
      ...store,
      fileBytes: (id: string, start: number, end: number) => {
        readFrom.push(Math.floor(start / FRAME_BYTES));
        return store.fileBytes(id, start, end);
      },
    };
    for (const number of [1, 2, 262, 263, 264, 524, 525, 526, lines - 1, lines]) {
      readFrom.length = 0;
      const slice = await readFile(counting, { id: FILE_ID, startLine: number, endLine: number });
      expect(slice).toMatchObject({
        startByte: (number - 1) * 1_000,
        endByte: number * 1_000,
        firstLine: number,
        lastLine: number,
        text: line,
      });
      expect(readFrom.length).toBeLessThanOrEqual(4);
    }
    expect(await bytesOf(store, await requireFile(store, FILE_ID), { startLine: 263, endLine: 263 })).toEqual(
      {
        start: 262_000,
        end: 263_000,
      },
    );
  });

  it("is found where a frame ends with a line feed, and where one has none", async () => {
    const content = `${"a".repeat(FRAME_BYTES - 1)}\n${"b".repeat(2 * FRAME_BYTES)}\nc\n`;
    const expected = [
      [0, FRAME_BYTES],
      [FRAME_BYTES, 3 * FRAME_BYTES + 1],
      [3 * FRAME_BYTES + 1, 3 * FRAME_BYTES + 3],
    ];
    const store = fileInMemory(content);
    const file = await requireFile(store, FILE_ID);
    for (const [index, [start, end]] of expected.entries()) {
      const line = index + 1;
      expect(await bytesOf(store, file, { startLine: line, endLine: line })).toEqual({ start, end });
    }
    expect(await shown(content, { startByte: FRAME_BYTES - 1, endByte: FRAME_BYTES + 1 })).toEqual({
      text: "\nb",
      lines: [1, 2],
      next: null,
    });
    expect((await read(content, { startByte: 3 * FRAME_BYTES })).firstLine).toBe(2);
    expect((await read(content, { startByte: 3 * FRAME_BYTES + 3 })).firstLine).toBe(4);
  });
});

describe("a range of bytes", () => {
  it("ends before its last byte, and at the end of the file", async () => {
    expect(await shown(THREE, { startByte: 2, endByte: 5 })).toEqual({
      text: "rst",
      lines: [1, 1],
      next: null,
    });
    expect(await shown(THREE, { startByte: 2, endByte: 7 })).toEqual({
      text: "rst\ns",
      lines: [1, 2],
      next: null,
    });
    expect(await shown(THREE, { startByte: 15, endByte: 99 })).toEqual({
      text: "ird",
      lines: [3, 3],
      next: null,
    });
    expect(await shown(THREE, { startByte: 18 })).toEqual({ text: "", lines: [3, 3], next: null });
    expect(await shown(THREE, { startByte: 3, endByte: 3 })).toMatchObject({ text: "", next: null });
  });

  it("is refused behind the end and backwards", async () => {
    await expect(read(THREE, { startByte: 19 })).rejects.toMatchObject(
      refused("byte 19 is after the end: the file has 18 bytes"),
    );
    await expect(read(THREE, { startByte: 4, endByte: 3 })).rejects.toMatchObject(
      refused("endByte is before startByte"),
    );
    await expect(read(THREE, { startByte: -1 })).rejects.toMatchObject(
      refused("startByte must be a whole number of at least 0"),
    );
    await expect(read(THREE, { endByte: 0.5 })).rejects.toMatchObject(
      refused("endByte must be a whole number of at least 0"),
    );
  });

  it("begins with the whole character that its first byte is in, and ends before one it would cut", async () => {
    // Characters of one, two, three and four bytes.
    const text = "aé語😀z";
    const starts = [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11];
    for (const [startByte, start] of starts.entries())
      expect((await read(text, { startByte })).startByte).toBe(start);
    for (const [maxBytes, start] of starts.entries())
      if (maxBytes > 0) expect((await read(text, { maxBytes })).endByte).toBe(start);
  });

  it("is at least one character, so that reading comes to an end", async () => {
    for (const maxBytes of [1, 2, 3]) expect((await read("😀é", { maxBytes })).text).toBe("😀");
    expect((await read("é", { startByte: 1, maxBytes: 1 })).text).toBe("é");
    expect((await readOn("😀語é", { maxBytes: 1 })).map(({ text }) => text)).toEqual(["😀", "語", "é"]);
  });

  it("takes bytes that are no text one by one", async () => {
    const bytes = Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0xff, 0x00, 0xc3);
    const slices = await readOn(bytes, { maxBytes: 3 });
    const all = slices.map(({ base64, text }) =>
      Buffer.from(base64 ?? text ?? "", base64 === null ? "utf8" : "base64"),
    );
    expect(Buffer.concat(all)).toEqual(Buffer.from(bytes));
    expect((await read(bytes, { startByte: 2, endByte: 4 })).base64).toBe(
      Buffer.of(0x80, 0x80).toString("base64"),
    );
  });
});

describe("bytes that are cut in a character of another kind", () => {
  it.each([
    ["a continuation too many, after two bytes", [0x61, 0xc3, 0xa9, 0xa9, 0x62], 3, 3],
    ["a continuation too many, after three bytes", [0x61, 0xe8, 0xaa, 0x9e, 0x9e, 0x62], 4, 4],
    ["a continuation too many, after four bytes", [0x61, 0xf0, 0x9f, 0x98, 0x80, 0x80, 0x62], 5, 5],
    ["a continuation after a plain letter", [0x61, 0x61, 0x80, 0x62], 2, 2],
    ["the first character of three bytes", [0x61, 0xe0, 0xa0, 0x80, 0x62], 3, 1],
    ["the first character of four bytes", [0x61, 0xf0, 0x90, 0x80, 0x80, 0x62], 4, 1],
    ["the first character of two bytes", [0x61, 0xc2, 0x80, 0x62], 2, 1],
  ])("begin where they were asked for in %s", async (_, bytes, startByte, start) => {
    expect((await read(Uint8Array.from(bytes), { startByte })).startByte).toBe(start);
  });

  it("are read as the whole file is", async () => {
    const latin = Buffer.from("Die Größe der Straße\n".repeat(20), "latin1");
    expect(await read(latin, { maxBytes: 21 })).toMatchObject({
      text: "Die Größe der Straße\n",
      encoding: "windows-1252",
      base64: latin.subarray(0, 21).toString("base64"),
    });
  });
});

describe("reading on", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "語", "😀", "\n", "\r\n"), maxLength: 60 });
  const limit = fc.integer({ min: 1, max: 20 });

  it("gives every byte once, in whole characters and within the limit", async () => {
    await fc.assert(
      fc.asyncProperty(text, limit, async (content, maxBytes) => {
        const slices = await readOn(content, { maxBytes });
        expect(slices.map((slice) => slice.text).join("")).toBe(content);
        let [byte, line] = [0, 1];
        for (const slice of slices) {
          const size = Buffer.byteLength(slice.text ?? "");
          expect([slice.startByte, slice.firstLine]).toEqual([byte, line]);
          expect(slice.endByte).toBe(byte + size);
          if ([...(slice.text ?? "")].length > 1) expect(size).toBeLessThanOrEqual(maxBytes);
          const feeds = (slice.text?.split("\n").length ?? 1) - 1;
          const endsLine = slice.text?.endsWith("\n") === true;
          expect(slice.lastLine).toBe(line + feeds - (endsLine ? 1 : 0));
          [byte, line] = [slice.endByte, line + feeds];
        }
      }),
    );
  });

  it.each(["utf16le", "utf16be"])("gives every character once in %s", async (encoding) => {
    await fc.assert(
      fc.asyncProperty(text, limit, async (words, maxBytes) => {
        const content = Buffer.from(`\ufeffline\n${words}\nend`, "utf16le");
        if (encoding === "utf16be") content.swap16();
        const slices = await readOn(content, { maxBytes });
        expect(slices.map((slice) => slice.text).join("")).toBe(`line\n${words}\nend`);
        for (const slice of slices) {
          expect((slice.endByte - slice.startByte) % 2).toBe(0);
          if (maxBytes < 2) expect([...(slice.text ?? "")].length).toBeLessThanOrEqual(1);
        }
        expect(slices.at(-1)?.endByte).toBe(content.length);
      }),
      { numRuns: 50 },
    );
  });

  it("gives one character of UTF-16 at a time although its bytes look like the rest of one of UTF-8", async () => {
    const content = Buffer.from("\ufeffé語語", "utf16le").swap16();
    const slices = await readOn(content, { maxBytes: 1 });
    expect(slices.map(({ text }) => text)).toEqual(["", "é", "語", "語"]);
  });

  it("gives nothing of UTF-16 for an empty range", async () => {
    const content = Buffer.from("\ufeffone\ntwo", "utf16le");
    expect(await shown(content, { startByte: 4, endByte: 4 })).toMatchObject({ text: "", next: null });
  });

  it("reads hardly more than it gives", async () => {
    const store = fileInMemory("x".repeat(999_999));
    const sizes: number[] = [];
    const counting = {
      ...store,
      fileBytes: (id: string, start: number, end: number) => {
        sizes.push(end - start);
        return store.fileBytes(id, start, end);
      },
    };
    await readFile(counting, { id: FILE_ID, startByte: 500_000, maxBytes: 10 });
    expect(sizes.toSorted((a, b) => a - b)).toEqual([18, FRAME_BYTES]);
  });

  it("counts lines in UTF-16 in either order", async () => {
    const content = Buffer.from("\ufeffone\ntwo\nthree", "utf16le");
    for (const bytes of [content, Buffer.from(content).swap16()]) {
      expect(await shown(bytes, { startLine: 2, endLine: 2 })).toEqual({
        text: "two\n",
        lines: [2, 2],
        next: null,
      });
      expect(await shown(bytes, { maxBytes: 11 })).toMatchObject({
        text: "one\n",
        lines: [1, 1],
        next: { startLine: 2 },
      });
    }
  });
});

describe("a file that is not there", () => {
  it("is refused, with its neighbours in the advice", async () => {
    await expect(readFile(fileInMemory(""), { id: "file_0123456789abcdee" })).rejects.toMatchObject({
      code: "not-found",
      advice: expect.stringContaining(FILE_ID),
    });
  });
});
