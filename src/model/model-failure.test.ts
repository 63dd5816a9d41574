import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../errors.ts";
import { factsOf, isAuthenticationFailure, modelFailure, readRetryAfter } from "./model-failure.ts";

const KEY = "abcdef-0123456789";
const call = { model: "openai/m", apiKey: KEY, now: 0 };

/** An error of a provider's client. */
function clientError(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields);
}

describe("a provider's failure", () => {
  it.each([
    `Incorrect API key provided: ${KEY}.`,
    `Headers.append: "Bearer ${KEY}" is an invalid header value.`,
    "Incorrect API key provided: sk-proj-abc***********wxyz.",
    "API key AIzaSyD-1234567890 is not valid",
  ])("keeps the key to itself: %s", (message) => {
    const error = modelFailure(clientError(message, { statusCode: 401 }), call);
    expect(error.message).toContain("(key)");
    expect(error.message).not.toMatch(/abcdef|abc\*|wxyz|SyD/);
  });

  it("keeps neither the request nor the client's error", () => {
    const secret = clientError("bad", {
      statusCode: 500,
      requestBodyValues: { prompt: "my private words" },
      responseBody: "my private words",
    });
    const error = modelFailure(secret, call);
    expect(JSON.stringify({ ...error, cause: error.cause })).not.toContain("private");
    expect(error.cause).toEqual({ status: 500, temporary: true, retryAfterMs: null });
  });

  it("shortens what the provider says", () => {
    const error = modelFailure(clientError("long ".repeat(1000)), call);
    expect(error.message.length).toBeLessThan(300);
  });

  it("leaves our own errors as they are", () => {
    const error = new PalimpsestError("cancelled", "stop");
    expect(modelFailure(error, call)).toBe(error);
  });

  it.each([[undefined], ["text"], [new Error("a bug")]])(
    "may be anything at all (%o), and is then not repeated",
    (thrown) => {
      const error = modelFailure(thrown, call);
      expect(error.code).toBe("model-unavailable");
      expect(factsOf(error)).toMatchObject({ temporary: false });
    },
  );

  it("has facts only when it is one", () => {
    expect(factsOf(new Error("x"))).toBeNull();
    expect(factsOf(new PalimpsestError("model-unavailable", "x"))).toBeNull();
  });

  it("is about the key when something below it is", () => {
    const refused = new PalimpsestError("model-authentication", "x");
    const above = new PalimpsestError("model-unavailable", "y", { cause: refused });
    expect([refused, above, new Error("z")].map(isAuthenticationFailure)).toEqual([true, true, false]);
  });
});

describe("retry-after", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  it.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "20", "retry-after": "7" }, 20],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }, 9000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-3" }, null],
    [{}, null],
    [undefined, null],
  ])("%o asks for %o ms", (headers, expected) => {
    expect(readRetryAfter(headers, now)).toBe(expected);
  });
});
