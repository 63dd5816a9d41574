import { describe, expect, it } from "vitest";
import { fromSqlite } from "./sqlite-errors.ts";

const IOERR = 10;

describe("what SQLite says", () => {
  it.each([
    ["the disk cannot be read", IOERR | (1 << 8), "store-unavailable"],
    ["the disk cannot be written", IOERR | (3 << 8), "store-unavailable"],
    ["the file is too short", IOERR | (2 << 8), "store-corrupt"],
    ["a checksum of the file system fails", IOERR | (32 << 8), "store-corrupt"],
    ["the file system is damaged", IOERR | (33 << 8), "store-corrupt"],
    ["the disk is full", 13, "store-full"],
    ["an index is damaged", 11 | (3 << 8), "store-corrupt"],
    ["the disk may only be read", 8 | (1 << 8), "store-readonly"],
  ])("is named when %s", (message, errcode, code) => {
    const error = fromSqlite(Object.assign(new Error(message), { errcode }), "palimpsest.db");
    expect(error).toMatchObject({ code, message: `palimpsest.db: ${message}` });
    expect(error.advice).toBeTruthy();
  });
});
