import { describe, expect, it } from "vitest";
import type { ScopedStore } from "../../store/store.ts";
import { readHead, sampleFile } from "./sample-file.ts";

/** A store with one file. */
function holding(bytes: Uint8Array): ScopedStore {
  const fileBytes = async (_: string, start: number, end: number) => bytes.subarray(start, end);
  return { fileBytes } as Partial<ScopedStore> as ScopedStore;
}

async function samplesOf(bytes: Uint8Array) {
  const store = holding(bytes);
  const head = await readHead(store, "file_1");
  return head === null ? null : sampleFile(store, { id: "file_1", bytes: bytes.length }, head);
}

describe("samples of a file", () => {
  it("are the whole of a small one", async () => {
    expect(await samplesOf(Buffer.from("ebb and flood"))).toEqual([
      { place: "The whole file", text: "ebb and flood" },
    ]);
  });

  it.each([
    ["two bytes", "é"],
    ["three bytes", "漢"],
    ["four bytes", "😀"],
  ])("begin and end between characters of %s", async (_, sign) => {
    for (const ahead of ["", "x", "xx", "xxx"]) {
      const bytes = Buffer.from(`${ahead}${sign.repeat(50_001)}`);
      const samples = (await samplesOf(bytes)) ?? [];
      expect(samples.map(({ place }) => place)).toEqual([
        "Start of the file",
        "Middle of the file",
        "End of the file",
      ]);
      for (const { text } of samples) {
        expect(text.length).toBeGreaterThan(2_000);
        expect(text.length).toBeLessThanOrEqual(2_401);
        expect(text.replaceAll(sign, "").replaceAll("x", "")).toBe("");
      }
    }
  });

  it("are read from UTF-16 too", async () => {
    const samples = await samplesOf(Buffer.from(`\ufeff${"漢字 ".repeat(30_000)}.`, "utf16le"));
    for (const { text } of samples ?? []) expect(text).toMatch(/^[漢字 .]+$/);
    expect(samples).toHaveLength(3);
  });

  it("are none of what is no text", async () => {
    expect(await samplesOf(new Uint8Array(5_000))).toBeNull();
  });
});
