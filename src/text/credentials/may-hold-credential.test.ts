import { describe, expect, it } from "vitest";
import { mayHoldCredential } from "./may-hold-credential.ts";

describe("running text", () => {
  it.each([
    "The harbour report of Bremerhaven for 2025 counts 3.2 million containers, up 4.1%. Dr. Anna Szymańska signs on 12 March 2026; investments of €41.5 million are planned until 2030.",
    "Notes on the engine: SQLite and PostgreSQL stores, compaction in src/context/compact/sweep.ts, receipts (SHA-256), HTTP/2, version v2.3.1, IPv6. Mentions OpenAI, gpt-5-mini, README.md and https://example.org/docs.",
    "Die Satzung des Vereins: Zweck, Mitgliedschaft, Beiträge von 120 Euro im Jahr. Beschlossen am 4. Mai 2024 in Köln-Ehrenfeld, geändert am 2026-03-01T10:00Z.",
    "A guide for operators. It explains how tokens are refreshed every 15 minutes, and the section on passwords lists rules for choosing them.",
    "一份关于港口的年度报告，分为五章，作者是王小明，日期为2025年3月。",
  ])("is let through: %s", (text) => {
    expect(mayHoldCredential(text)).toBe(false);
  });

  it.each([
    "The service is called with sk-proj-abc123def456ghi789.",
    "AKIAIOSFODNN7EXAMPLE is used for uploads.",
    "The password is tangerine.",
    "It says that tangerine is the password.",
    "The passphrase of the archive: ebb and flood.",
    "Deployments use hunter2 as password.",
    "Logs in at https://admin:tiger@db.example.org/prod.",
    "The device identifies itself as xK9vQ2mZ7pLw.",
    "Set TOKEN=xyzzyplugh before the start.",
    "The account DE89370400440532013000 receives it.",
    "It repeats xkqzjwvbtrplmn twice.",
    "The words are abandon ability able about above absent absorb abstract absurd abuse access accident.",
  ])("is held back: %s", (text) => {
    expect(mayHoldCredential(text)).toBe(true);
  });
});
