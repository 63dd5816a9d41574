import { describe, expect, it } from "vitest";
import { adviceForTerminals } from "./advice-for-terminals.ts";

describe("advice at a terminal", () => {
  it.each([
    [
      "Read some with: lcm read conv_1 from=<a number>.",
      "Read some with: lcm read conv_1 --from <a number>.",
    ],
    ["Read it: lcm read conv_1 from=42 to=42; or not", "Read it: lcm read conv_1 --from 42 --to 42; or not"],
    ["List all with: lcm conversations archived=true", "List all with: lcm conversations --archived"],
    [
      "Make one with: lcm import <file> dataDir=/a/b.c. Or name another with `dataDir` or LCM_DATA_DIR.",
      "Make one with: lcm import <file> --data /a/b.c. Or name another with --data or LCM_DATA_DIR.",
    ],
    ["Say it with `databaseUrl`.", "Say it with --database-url."],
    ["Give the `next` of it -- or two.", "Give the `next` of it -- or two."],
  ])("of %j is %j", (advice, shown) => {
    expect(adviceForTerminals(advice)).toBe(shown);
  });
});
