import { describe, expect, it } from "vitest";
import { decideSkip } from "./skip-recall.ts";

describe("recall is skipped for", () => {
  it.each([
    ["ok", "filler"],
    ["Yes, go ahead!", "filler"],
    ["thanks", "filler"],
    ["danke", "filler"],
    ["继续", "filler"],
    ["네", "filler"],
    ["да", "filler"],
    ["👍", "empty"],
    ["…", "empty"],
    ["/compact now", "command"],
    ["git status", "command"],
    ["git push origin main", "command"],
    ['git commit -m "fix the tests"', "command"],
    ["npm run build", "command"],
    ["run tests", "command"],
    ["ls -la src/", "command"],
    ["sudo docker ps -a", "command"],
    ["cat notes.txt", "command"],
    ["HEARTBEAT", "signal"],
    ["[cron:daily] ok", "filler"],
    ["ping", "signal"],
  ])("%s (%s)", (message, rule) => {
    expect(decideSkip(message)).toMatchObject({ skip: true, rule });
  });
});

describe("recall is never skipped for", () => {
  it.each([
    "find out what my wife likes",
    "make a plan for the trip we discussed",
    "test results from the lab for Anna",
    "run me through what we decided on pricing",
    "cat food brand for Mimi?",
    "2024",
    "Anna",
    "git commit messages should be in English",
    "/etc/hosts needs the new entry",
    "hi, book a table at the usual place",
    "Hiking boots",
    "remember?",
    "昨天",
    "午饭",
    "no meat",
    "ok book it for Anna",
  ])("%s", (message) => {
    expect(decideSkip(message).skip).toBe(false);
  });

  it("a bare word of testing is filler", () => {
    expect(decideSkip("test")).toMatchObject({ skip: true });
  });
});
