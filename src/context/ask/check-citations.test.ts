import { describe, expect, it } from "vitest";
import type { Citation } from "../read/cite.ts";
import { checkCitations } from "./check-citations.ts";

const A = "msg_aaaaaaaaaaaaaaaa_1";
const B = "sum_bbbbbbbbbbbbbbbb";
const UNSEEN = "msg_aaaaaaaaaaaaaaaa_2";
const FAKE = "msg_ffffffffffffffff_9";
const KNOWN = [A, B, UNSEEN];

function check(text: string) {
  const cite = async (ids: readonly string[]) =>
    ids.filter((id) => KNOWN.includes(id)).map((id) => ({ id }) as Citation);
  return checkCitations(text, { seen: new Set([A, B, FAKE]), cite });
}

const CASES: readonly [string, string, string, readonly string[]][] = [
  ["keeps what was seen", `Yes [${A}] and [${B}].`, `Yes [${A}] and [${B}].`, []],
  ["drops a bracket", `Yes [${FAKE}].`, "Yes.", [FAKE]],
  ["drops round brackets too", `Yes (${FAKE}).`, "Yes.", [FAKE]],
  ["drops what was not seen", `Yes [${UNSEEN}].`, "Yes.", [UNSEEN]],
  ["keeps the good ones of a list", `Yes [${FAKE}, ${A}; ${B}].`, `Yes [${A}, ${B}].`, [FAKE]],
  ["says so in a sentence", `As ${FAKE} says.`, "As (no such source) says.", [FAKE]],
  ["leaves the words of a bracket", `(see ${FAKE} there)`, "(see (no such source) there)", [FAKE]],
  ["knows misshapen ids", "Yes [msg_12] [sum_xyz].", "Yes.", ["msg_12", "sum_xyz"]],
  ["lists each once", `${FAKE} ${FAKE}`, "(no such source) (no such source)", [FAKE]],
  ["leaves other brackets alone", `f(x) [1] \`${A}\``, `f(x) [1] \`${A}\``, []],
  ["leaves an answer without sources as it is", "I did not find it.", "I did not find it.", []],
  ["knows no conversation as a source", "In conv_aaaaaaaaaaaaaaaa.", "In conv_aaaaaaaaaaaaaaaa.", []],
];

describe("checking citations", () => {
  it.each(CASES)("%s", async (_, text, expected, removed) => {
    const checked = await check(text);
    expect(checked.text).toBe(expected);
    expect(checked.removed.map(({ id }) => id)).toEqual(removed);
  });

  it("says why one was taken out, and lists those that stayed once", async () => {
    const { citations, removed } = await check(`${A} ${A} ${UNSEEN} ${FAKE}`);
    expect(citations.map(({ id }) => id)).toEqual([A]);
    expect(removed).toEqual([
      { id: UNSEEN, why: "unseen" },
      { id: FAKE, why: "unknown" },
    ]);
  });
});
