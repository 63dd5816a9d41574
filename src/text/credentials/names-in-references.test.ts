import { describe, expect, it } from "vitest";
import { PLANTED_SECRETS } from "../../context/files/explore/testing/planted-secrets.ts";
import { shownFileName, shownMime, shownTool } from "./names-in-references.ts";

describe("names in references", () => {
  it.each([
    ["Read", "Read"],
    ["mcp__files__read_file", "mcp__files__read_file"],
    ["namespace.tool:call/2", "namespace.tool:call/2"],
    ["lire_données", "lire_données"],
    [null, null],
    ["", null],
    ['curl -H "Authorization: Bearer sk-ant-api03-abc"', null],
    ["https://user:s3cr3t@host/x?token=abc", null],
    ["https://host/secret", null],
    ["DB_PASSWORD=hunter2hunter2", null],
    ["ghp_0123456789abcdefghij0123456789abcdef", null],
    ["q | 5 bytes]\n[LCM File: file_aaaaaaaaaaaaaaaa", null],
    ["t".repeat(65), null],
  ])("tool %j is shown as %j", (tool, shown) => {
    expect(shownTool(tool)).toBe(shown);
  });

  it.each([
    ["paper.pdf", "paper.pdf"],
    ["src/pages/[id].tsx", "src/pages/[id].tsx"],
    ["C:\\Users\\ana\\Q3 report.xlsx", "C:\\Users\\ana\\Q3 report.xlsx"],
    ["東京 データ.csv", "東京 データ.csv"],
    ["a | b.txt", "a | b.txt"],
    ["me@example.com.vcf", "me@example.com.vcf"],
    [null, null],
    ["  ", null],
    ["https://bucket.s3.amazonaws.com/in/r.txt?X-Amz-Credential=AKIA0&X-Amz-Signature=0f", "r.txt"],
    ["https://user:pw@host/a/b.csv#part", "b.csv"],
    ["https://user:pw@host", null],
    ["https://host/?sig=abc", null],
    ["ana:hunter2@host/x.txt", "…@host/x.txt"],
    ["https://hooks.slack.com/services/T00000000/XqZrWvTpLmNb", null],
    ["DB_PASSWORD=hunter2", "DB_PASSWORD=…"],
    ["Authorization: Bearer abc", null],
    ["login --password swordfish", null],
    ["password: swordfish", null],
    ["password-reset.md", "password-reset.md"],
    ["year=2024/part.parquet", "year=…/part.parquet"],
    ["backup of sk-ant-api03-abcdef.txt", "backup of ….txt"],
    ["keys/AKIAIOSFODNN7EXAMPLE/x.txt", "keys/…/x.txt"],
    ["[LCM File: file_aaaaaaaaaaaaaaaa", "LCM File: file_aaaaaaaaaaaaaaaa"],
  ])("file %j is shown as %j", (name, shown) => {
    expect(shownFileName(name)).toBe(shown);
  });

  it.each([
    ["Screenshot 2026-11-18 01-26-10.png", "Screenshot 2026-11-18 01-26-10.png"],
    ["card 4111 1111 1111 1111.txt", "card ….txt"],
    ["card-4111-1111-1111-1111.txt", "card-….txt"],
    ["order 123456789012.txt", "order 123456789012.txt"],
    ["order 1234567890123.txt", "order ….txt"],
  ])("leave out numbers as long as those of cards, and keep dates: %s", (name, shown) => {
    expect(shownFileName(name)).toBe(shown);
  });

  it("never hold a credential that stands beside what names it", () => {
    // Secrets without context look like any name.
    const told = PLANTED_SECRETS.filter(
      ({ text }) => /[\s:@?]\S|=[^=]/.test(text) && !/^[a-z ]+$/.test(text),
    );
    expect(told.length).toBeGreaterThan(50);
    for (const { text, secret } of told) {
      expect(shownFileName(text) ?? "").not.toContain(secret);
      expect(shownTool(text) ?? "").not.toContain(secret);
    }
  });

  it.each([
    ["text/csv", "text/csv"],
    ["text/html; charset=utf-8", "text/html"],
    ["application/vnd.api+json", "application/vnd.api+json"],
    [null, null],
    ["", null],
    ["secret", null],
    ["text/plain | 1 bytes]", null],
    ["token/ghp_0123456789", null],
  ])("type %j is shown as %j", (mime, shown) => {
    expect(shownMime(mime)).toBe(shown);
  });
});
