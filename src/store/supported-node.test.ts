import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { requireNode } from "./supported-node.ts";

describe("a Node that is too old", () => {
  it.each(["18.20.8", "20.20.2", "22.15.1"])("%s is refused, and told which is needed", (version) => {
    expect(() => requireNode(version)).toThrow(
      expect.objectContaining({
        code: "not-supported",
        message: `palimpsest needs Node 22.16 or newer; this is ${version}`,
      }),
    );
  });

  it.each(["22.16.0", "23.0.0", "24.21.0"])("%s is none", (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it("gets as far as being told: what it lacks is not imported by name", () => {
    const files = globSync("src/**/*.ts").filter((file) => !/\.test\.ts$|\/testing\//.test(file));
    const naming = files.filter((file) =>
      /import \{[^}]*\} from "node:(zlib|sqlite)"/.test(readFileSync(file, "utf8")),
    );
    // These are loaded by a thread, or on first use.
    const later = [
      ...["database.ts", "host-database.ts", "read-openclaw.ts"],
      ...["salvage/salvage-in-place.ts", "salvage/salvage.ts"],
    ];
    expect(naming.toSorted()).toEqual(later.map((file) => `src/store/sqlite/${file}`));
  });
});
