import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PROMISES } from "./promises.ts";

const files = [...globSync("src/**/*.ts"), ...globSync("test/**/*.ts")].filter(
  (file) => !file.startsWith("test/promises"),
);
const cited = new Set(
  files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:\(|\/\/ )promise: ([a-z-]+)/g)].map(
      (match) => match[1] ?? "",
    ),
  ),
);

describe("promises", () => {
  it.each(Object.entries(PROMISES))("%s is shown by a test: %s", (id) => {
    expect(cited).toContain(id);
  });

  it("are the only ones that tests speak of", () => {
    expect([...cited].filter((id) => !(id in PROMISES))).toEqual([]);
  });
});
