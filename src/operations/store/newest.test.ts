import { describe, expect, it } from "vitest";
import { Newest } from "./newest.ts";

const row = (id: string, updatedAt: string) => ({ id, updatedAt });

describe("the newest rows of a list", () => {
  it("are news when they came or changed since the look before", () => {
    const newest = new Newest(3);
    newest.changed([row("b", "2"), row("a", "1")]);
    expect(newest.changed([row("b", "2"), row("a", "1")])).toEqual([]);
    expect(newest.changed([row("c", "3"), row("a", "3"), row("b", "2")])).toEqual([
      row("c", "3"),
      row("a", "3"),
    ]);
  });

  it("are no news when they come up only because newer ones went", () => {
    const newest = new Newest(2);
    newest.changed([row("c", "3"), row("b", "2")]);
    expect(newest.changed([row("b", "2"), row("a", "1")])).toEqual([]);
  });

  it("are news when they are older than all others of a list that is not full", () => {
    const newest = new Newest(2);
    newest.changed([row("c", "3")]);
    expect(newest.changed([row("c", "3"), row("a", "1")])).toEqual([row("a", "1")]);
  });
});
