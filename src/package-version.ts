import { readFileSync } from "node:fs";

/** The version of this package. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const content: { version?: unknown } = JSON.parse(text);
  return String(content.version);
}
