import { describe, expect, it } from "vitest";
import { certify, isGenuine, readCertificate } from "./certificate.ts";

const SCOPE = { tenant: "t", agent: "a" };
const RECORD = {
  at: "2026-03-01T10:00:00.000Z",
  action: "erase",
  conversation: "conv_a",
  detail: '{"messages":1}',
};

describe("a certificate", () => {
  const { record, certificate } = certify(SCOPE, RECORD, { erased: [[1, "ab"]], previous: null });

  it("says what the record said, what was erased, and which one came before", () => {
    expect(readCertificate(record)).toEqual({
      messages: 1,
      erased: [[1, "ab"]],
      previous: null,
      certificate,
    });
    expect(readCertificate(RECORD)).toBeNull();
    expect(readCertificate({ ...RECORD, detail: "torn {" })).toBeNull();
  });

  it("is genuine until something of it is changed", () => {
    expect(isGenuine(SCOPE, record)).toBe(true);
    const changed = [
      { ...record, at: "2026-03-01T10:00:00.001Z" },
      { ...record, action: "other" },
      { ...record, conversation: null },
      { ...record, detail: record.detail.replace('"messages":1', '"messages":2') },
      { ...record, detail: record.detail.replace("null", '"ab"') },
    ];
    expect(changed.map((one) => isGenuine(SCOPE, one))).toEqual([false, false, false, false, false]);
    expect(isGenuine({ ...SCOPE, agent: "b" }, record)).toBe(false);
    expect(isGenuine({ ...SCOPE, tenant: "b" }, record)).toBe(false);
  });
});
