import { afterAll, describe, expect, it } from "vitest";
import { describePlainly } from "../context/files/explore/describe-plainly.ts";
import { exploreContent } from "../context/files/explore/explore-content.ts";
import { SILENT } from "../log.ts";
import { Compute } from "./compute.ts";

const about = { name: "server.log", mime: null };

describe("exploring contents", () => {
  const compute = new Compute(SILENT);
  const { explorer } = compute;
  afterAll(() => compute.close());

  it("says the same in a thread as here, and leaves the content to its owner", async () => {
    const content = Buffer.from("2026-01-01T00:00:00Z INFO request served in 12 ms\n".repeat(8_000));
    expect(content.length).toBeGreaterThan(256 * 1024);
    expect(await explorer.describe(content, about)).toBe(await exploreContent(content, about));
    expect(content.length).toBeGreaterThan(0);
    expect(await explorer.describe(content.subarray(0, 500), about)).toBe(
      await exploreContent(content.subarray(0, 500), about),
    );
  });

  it("describes plainly what cannot be explored", async () => {
    const closed = new Compute(SILENT);
    await closed.close();
    const content = Buffer.from("Notes of the meeting\n".repeat(20_000));
    expect(await closed.explorer.describe(content, about)).toBe(describePlainly(content));
    expect(describePlainly(content)).toMatch(/20,000 lines\.\nFirst line: Notes of the meeting$/);
  });

  it("shows no first line that may hold a credential", () => {
    expect(describePlainly(Buffer.from("password: swordfish\nmore"))).not.toContain("swordfish");
    expect(describePlainly(new Uint8Array())).toMatch(/^A file of 0/);
    expect(describePlainly(Buffer.from([0xff, 0xfe, 0x00]))).not.toContain("\ufffd");
  });
});
