/**
 * Authenticates callers. A program sends a token that was created with `lcm token create`. The page exchanges a one-time code, which is
 * in the link that `lcm ui` opens, for a session that lives as long as the server. Both come in the Authorization header
 * and never in a cookie, so that no other page or port of this machine can make a browser send them.
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { PalimpsestError } from "../errors.ts";
import type { TokenFile } from "../operations/tokens/token-file.ts";
import type { Scope } from "../types.ts";
import type { Caller } from "./access.ts";
import { Refusal } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";

/** How long the link of the page is valid. */
const CODE_MS = 15 * 60_000;
const MOST_SESSIONS = 1_000;
/** The rate limit for wrong tokens from one address. */
const GUESSES = { perSecond: 1, burst: 20 };
const CHALLENGE = { "www-authenticate": 'Bearer realm="palimpsest"' };

export class Callers {
  readonly #tokens: TokenFile;
  readonly #owner: Scope;
  readonly #clock: () => number;
  readonly #guesses: RateLimit;
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, Caller>();

  constructor(tokens: TokenFile, owner: Scope, clock: () => number) {
    this.#tokens = tokens;
    this.#owner = owner;
    this.#clock = clock;
    this.#guesses = new RateLimit(GUESSES, clock);
  }

  /** Creates a code for a link that can be opened once. */
  newCode(): string {
    const code = randomBytes(32).toString("base64url");
    this.#codes.set(digest(code), this.#clock() + CODE_MS);
    return code;
  }

  /** A session of the person who runs the server. */
  openSession(code: string, address: string): { readonly token: string; readonly caller: Caller } {
    const key = digest(code);
    const until = this.#codes.get(key) ?? 0;
    this.#codes.delete(key);
    if (until <= this.#clock()) throw this.#wrong(address, "this link was already used or has expired");
    const token = randomBytes(32).toString("base64url");
    const { tenant, agent } = this.#owner;
    const caller: Caller = { id: `page ${randomBytes(4).toString("hex")}`, tenant, agent, rights: ["admin"] };
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(digest(token), caller);
    return { token, caller };
  }

  async identify({ headers, socket }: IncomingMessage): Promise<Caller> {
    const address = socket.remoteAddress ?? "";
    const [, token] = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(headers.authorization ?? "") ?? [];
    if (token === undefined) throw new Refusal("unauthorized", "a bearer token is required", CHALLENGE);
    const session = this.#sessions.get(digest(token));
    if (session !== undefined) return session;
    const record = await this.#tokens.find(token, this.#clock());
    if (record === undefined) throw this.#wrong(address, "unknown, revoked or expired token");
    const { id, tenant, agent, rights } = record;
    return { id, tenant, agent, rights };
  }

  /** Valid tokens are never delayed: every user and program of a machine comes from the same address. */
  #wrong(address: string, detail: string): Refusal {
    const seconds = this.#guesses.take(address);
    if (seconds === 0) return new Refusal("unauthorized", detail, CHALLENGE);
    return new Refusal("too-many-requests", "too many wrong tokens", { "retry-after": String(seconds) });
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A server that other machines can reach needs at least one token to authenticate callers. */
export async function requireTokens(tokens: TokenFile, host: string): Promise<void> {
  if ((await tokens.list()).length > 0) return;
  throw new PalimpsestError(
    "invalid-input",
    `${host} can be reached from other machines, but there is no token`,
    {
      advice: "Create one first with: lcm token create <name>. Or listen on 127.0.0.1.",
    },
  );
}
