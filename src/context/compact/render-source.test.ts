import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_LIMITS, renderSource } from "./render-source.ts";
import { call, message, result, summary } from "./testing/source-samples.ts";

const OPTIONS = { timezone: "Asia/Tokyo" };
const render = (...messages: Parameters<typeof message>[]) =>
  renderSource({ kind: "leaf", messages: messages.map((one) => message(...one)) }, OPTIONS);

describe("a rendered source", () => {
  it("says who spoke when, in the given zone", () => {
    expect(render([1, "user", "Hello."], [2, "assistant", "Hi."])).toBe(
      "[2026-03-09 17:01 | user]\nHello.\n\n[2026-03-09 17:02 | assistant]\nHi.",
    );
  });

  it("shows calls with their arguments, and results with name and status", () => {
    const text = render(
      [1, "assistant", "I look.", call("a", "read_file", { limit: 5, path: "/srv/a.txt" })],
      [2, "tool", result("a", "no such file", "error")],
    );
    expect(text).toContain("I look.\ntool read_file(path: /srv/a.txt, limit: 5)");
    expect(text).toContain("result of read_file, error:\nno such file");
  });

  it("keeps the path when the rest of a call is cut", () => {
    const content = "x".repeat(9_000);
    const text = render([1, "assistant", call("a", "write_file", { content, path: "/srv/long/name.txt" })]);
    expect(text).toContain("path: /srv/long/name.txt");
    expect(text).toMatch(/\[… [\d,]+ characters left out …\]/);
    expect(text.length).toBeLessThan(2_500);
  });

  it("cuts long results in the middle, and not at all without limits", () => {
    const output = `first\n${"line of log\n".repeat(2_000)}last`;
    const source = { kind: "leaf", messages: [message(1, "tool", result("a", output))] } as const;
    const cut = renderSource(source, OPTIONS);
    expect(cut).toContain("first");
    expect(cut.endsWith("last")).toBe(true);
    expect(cut.length).toBeLessThan(5_000);
    expect(renderSource(source, { ...OPTIONS, limits: NO_LIMITS })).toContain(output);
  });

  it("names files and hides encoded bytes", () => {
    const url = `data:image/png;base64,${"iVBORw0KGgo1Aa".repeat(100)}`;
    const text = render([
      1,
      "user",
      { type: "file", mime: "image/png", name: "curve.png", url },
      `Look: ${url}`,
    ]);
    expect(text).toContain("file curve.png (image/png)");
    expect(text).toContain("characters of base64]");
    expect(text).not.toContain("iVBORw0KGgo1Aa");
  });

  it("shows summaries with their range", () => {
    const source = {
      kind: "condensed",
      depth: 1,
      summaries: [summary(0, "One."), summary(1, "Two.")],
    } as const;
    expect(renderSource(source, { timezone: "UTC" })).toBe(
      "[2026-03-09 08:00 – 2026-03-09 09:00 | summary]\nOne.\n\n[2026-03-09 09:00 – 2026-03-09 10:00 | summary]\nTwo.",
    );
  });

  it("shows thoughts apart from what was said, and marks what a host added", () => {
    const text = render(
      [1, "assistant", { type: "reasoning", text: "Hm." }, "I look."],
      [2, "user", { type: "text", text: "Use skills.", synthetic: true }],
    );
    expect(text).toBe(
      "[2026-03-09 17:01 | assistant thinking]\nHm.\n\n[2026-03-09 17:01 | assistant]\nI look.\n\n[2026-03-09 17:02 | user]\n(added by the host) Use skills.",
    );
  });

  it("leaves out what says nothing", () => {
    expect(render([1, "assistant", { type: "reasoning", text: "" }, { type: "step_start" }])).toBe("");
  });

  it("takes any text and any arguments", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.json(), (text, input) => {
        const part = {
          type: "tool",
          callId: null,
          name: null,
          status: "running",
          input,
          output: text,
        } as const;
        expect(render([1, "user", text, part])).toContain("tool unknown(");
      }),
    );
  });
});
