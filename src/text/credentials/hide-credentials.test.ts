import { describe, expect, it } from "vitest";
import { hideCredentials } from "./hide-credentials.ts";

/** Random characters made for this test, so that scanners do not report them as a key. */
const DRAWN = "q7Rt2vXk9LmZ4pWs8YbN3dHf";

describe("running text", () => {
  it.each([
    ["Authorization: Bearer swordfish", "Authorization: Bearer …"],
    [`curl -H 'X-Api-Key: ${DRAWN}' https://example.com`, "curl -H 'X-Api-Key: …' https://example.com"],
    ["Set-Cookie: sid=4f2; HttpOnly", "Set-Cookie: …"],
    ["deploy --password swordfish now", "deploy --password … now"],
    ["DB_PASSWORD=swordfish npm start", "DB_PASSWORD=… npm start"],
    ['{"apiKey": "swordfish", "limit": 5}', '{"apiKey": "…", "limit": 5}'],
    ["postgres://app:swordfish@db/shop", "postgres://…@db/shop"],
    [`https://example.com/hook?token=${DRAWN}&page=2`, "https://example.com/hook?token=…&page=2"],
    [
      "The password of the server is tangerine, and it is old.",
      "The password of the server is …, and it is old.",
    ],
    ["Use tangerine7 as the password", "Use … as the password"],
    ["Your one-time code: 482913", "Your one-time code: …"],
    ["curl -u ana:swordfish https://ci", "curl -u ana:… https://ci"],
    ["passphrase swordfish", "passphrase …"],
    ["password-hunter2", "password-…"],
  ])("loses what something announces: %s", (text, shown) => {
    expect(hideCredentials(text)).toBe(shown);
  });

  it.each([
    [`It answers to ${DRAWN} only.`, "It answers to … only."],
    [`uploads/${DRAWN}/a.csv`, "uploads/…/a.csv"],
    ["0123456789abcdef".repeat(2), "…"],
    [`mem_${DRAWN.slice(0, 16)} is not an id`, "… is not an id"],
    ["Paid with 4111 1111 1111 1111 today.", "Paid with … today."],
    ["Paid with 4111111111111111 today.", "Paid with … today."],
    ["to DE89370400440532013000 by Monday", "to … by Monday"],
    ["lwzb qaxd nmoe vury", "…"],
    ["Sommer2024! works", "… works"],
  ])("loses keys that can be told by themselves: %s", (text, shown) => {
    expect(hideCredentials(text)).toBe(shown);
  });

  it.each([
    "The password is wrong, and the token is expired.",
    "Password reset",
    "Secretary: Anna Szymańska",
    "PWD=/home/ana/work",
    "The limit is 200000 tokens; maxTokens: 4_000, token_count = 12.",
    "Write it as postgres://user:password@host:5432/database.",
    `Commit ${"0123456789abcdef0123".repeat(2)} broke it.`,
    "files/9f/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.zst is a link",
    "file_0123456789abcdef and msg_0123456789abcdef_42",
    "there is no summary sum_96bc06a6f1b14a3x, and no message msg_96bc06a6f1b14a3o_42",
    "token-create: name must not be empty",
    "550e8400-e29b-41d4-a716-446655440000",
    "At 1790000000123 the job began.",
    "git clone git@github.com:org/repo.git",
    "mailto:ana@example.com",
    "make sure that they have been here",
    "Basic features of the bearer of bad news",
    "const maxAssemblyTokenBudget = isForeignObjectPrototype(value);",
    "Donaudampfschifffahrtsgesellschaft",
    "20260309T170112Z",
  ])("keeps what people work with: %s", (text) => {
    expect(hideCredentials(text)).toBe(text);
  });

  it("is the same when it is hidden again", () => {
    const hidden = hideCredentials(`password: swordfish, Bearer ${DRAWN}, --token=x9, 4111 1111 1111 1111`);
    expect(hideCredentials(hidden)).toBe(hidden);
  });

  it.each([
    "x=",
    "Ab1/",
    "\n",
    "password is of a ",
    "-----BEGIN RSA-----",
    "a:b@",
    "1234-",
    "alpha beta ",
    "aB1!2",
  ])("takes time in proportion to its length: %j over and over", (unit) => {
    const start = performance.now();
    hideCredentials(unit.repeat(Math.ceil(200_000 / unit.length)));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
