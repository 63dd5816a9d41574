import { afterAll, describe, expect, it } from "vitest";
import { SILENT } from "../log.ts";
import { buildSegment } from "../memory/recall/index/build-segment.ts";
import { NO_DOCUMENT } from "../memory/recall/index/memory-document.ts";
import { Compute } from "./compute.ts";

const memories = Array.from({ length: 200 }, (_, i) => ({ ...NO_DOCUMENT, abstract: `memory number ${i}` }));

describe("the compute threads", () => {
  const compute = new Compute(SILENT);
  afterAll(() => compute.close());

  it("make the same segments as the caller's thread", async () => {
    const built = await compute.memorySegments.build(memories);
    expect(built).toEqual(buildSegment(memories));
    const small = await compute.memorySegments.build(memories.slice(0, 2));
    expect(small).toEqual(buildSegment(memories.slice(0, 2)));
  });

  it("build a segment while a long exploration goes on", async () => {
    await compute.memorySegments.build(memories);
    const content = Buffer.from("2026-01-01T00:00:00Z INFO request served in 12 ms\n".repeat(200_000));
    const ended: string[] = [];
    const exploring = compute.explorer.describe(content, { name: "server.log", mime: null });
    const building = compute.memorySegments.build(memories);
    await Promise.all([
      exploring.then(() => ended.push("exploration")),
      building.then(() => ended.push("segment")),
    ]);
    expect(ended).toEqual(["segment", "exploration"]);
  });
});
