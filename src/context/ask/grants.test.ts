import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type GrantRequest, Grants } from "./grants.ts";

const REQUEST: GrantRequest = { origin: "session", conversations: ["a", "b"], tokenCap: 100, ttlMs: 1_000 };

function ledger() {
  const time = { now: 5_000 };
  const grants = new Grants({ clock: () => time.now, random: randomBytes });
  const issue = (more: Partial<GrantRequest> = {}) => {
    const grant = grants.issue({ ...REQUEST, ...more });
    if (grant === null) throw new Error("the grant was refused");
    return grant;
  };
  return { time, grants, issue };
}

describe("a grant", () => {
  it("names its conversations and counts its tokens while it is in force", () => {
    const grant = ledger().issue();
    expect(grant).toMatchObject({ state: "active", tokenCap: 100, tokensLeft: 100, expiresAt: 6_000 });
    expect(grant.id).toMatch(/^grant_[0-9a-f]{16}$/);
    expect([...grant.conversations]).toEqual(["a", "b"]);
    grant.spend(30);
    expect(grant).toMatchObject({ tokensSpent: 30, tokensLeft: 70 });
    grant.spend(80);
    expect(grant.tokensLeft).toBe(0);
  });

  it("ends at its time, to the millisecond", () => {
    const { time, issue } = ledger();
    const grant = issue();
    time.now += 999;
    expect(grant.state).toBe("active");
    time.now += 1;
    expect(grant).toMatchObject({ state: "expired", tokensLeft: 0 });
    expect(grant.conversations.size).toBe(0);
  });

  it("ends when it is revoked, and tells who waits", () => {
    const { grants, issue } = ledger();
    const grant = issue();
    expect(grants.revoke(grant.id)).toBe(true);
    expect(grant).toMatchObject({ state: "revoked", tokensLeft: 0 });
    expect(grant.conversations.size).toBe(0);
    expect(grant.revoked.aborted).toBe(true);
    expect(grants.revoke(grant.id)).toBe(false);
    expect(grants.revoke("grant_of nobody")).toBe(false);
  });

  it("keeps its own list, whatever becomes of the caller's", () => {
    const conversations = ["a"];
    const grant = ledger().issue({ conversations });
    conversations.push("z");
    expect([...grant.conversations]).toEqual(["a"]);
  });
});

describe("grants", () => {
  it("are one at a time for each origin", () => {
    const { grants, issue } = ledger();
    const first = issue();
    expect(grants.issue(REQUEST)).toBeNull();
    expect(grants.issue({ ...REQUEST, origin: "another" })).not.toBeNull();
    grants.revoke(first.id);
    expect(grants.issue(REQUEST)).not.toBeNull();
  });

  it("make room when nobody revoked them in time", () => {
    const { time, grants, issue } = ledger();
    const forgotten = issue();
    time.now += 1_000;
    expect(grants.active()).toEqual([]);
    expect(grants.issue(REQUEST)).not.toBeNull();
    expect(forgotten.revoked.aborted).toBe(true);
  });

  it("are swept once their time is over", () => {
    const { time, grants, issue } = ledger();
    issue();
    issue({ origin: "long", ttlMs: 9_000 });
    time.now += 1_000;
    expect(grants.sweep()).toBe(1);
    expect(grants.sweep()).toBe(0);
    expect(grants.active().map(({ origin }) => origin)).toEqual(["long"]);
  });

  it("all end together", () => {
    const { grants, issue } = ledger();
    const both = [issue(), issue({ origin: "another" })];
    grants.revokeAll();
    expect(both.map(({ state }) => state)).toEqual(["revoked", "revoked"]);
  });
});
