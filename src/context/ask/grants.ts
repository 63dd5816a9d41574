/**
 * The permissions of a sub-agent and their duration: which conversations exist for it, and how many of their tokens
 * it may read. A grant ends when it is revoked or expires; after that nothing exists for its holder. Each origin can
 * have one grant at a time. Grants are kept in memory: a sub-agent runs inside this process and cannot outlive it.
 */
import { toHex } from "../../text/bytes.ts";
import type { Clock, RandomBytes } from "../../types.ts";

export interface GrantRequest {
  /** The owner: a session, or any other caller that asks one question at a time. */
  readonly origin: string;
  /** Conversation ids. */
  readonly conversations: Iterable<string>;
  /** Most tokens that the sub-agent may receive. */
  readonly tokenCap: number;
  readonly ttlMs: number;
}

type GrantState = "active" | "expired" | "revoked";

const NOTHING: ReadonlySet<string> = new Set();

export class Grant {
  readonly id: string;
  readonly origin: string;
  readonly tokenCap: number;
  readonly expiresAt: number;
  readonly #conversations: ReadonlySet<string>;
  readonly #clock: Clock;
  readonly #revoked = new AbortController();
  #spent = 0;

  constructor(id: string, { origin, conversations, tokenCap, ttlMs }: GrantRequest, clock: Clock) {
    this.id = id;
    this.origin = origin;
    this.tokenCap = tokenCap;
    this.expiresAt = clock() + ttlMs;
    this.#conversations = new Set(conversations);
    this.#clock = clock;
  }

  get state(): GrantState {
    if (this.#revoked.signal.aborted) return "revoked";
    return this.#clock() < this.expiresAt ? "active" : "expired";
  }

  /** Aborted when the grant is revoked. */
  get revoked(): AbortSignal {
    return this.#revoked.signal;
  }

  /** The conversations accessible under this grant: none once it has ended. */
  get conversations(): ReadonlySet<string> {
    return this.state === "active" ? this.#conversations : NOTHING;
  }

  get tokensSpent(): number {
    return this.#spent;
  }

  get tokensLeft(): number {
    return this.state === "active" ? Math.max(0, this.tokenCap - this.#spent) : 0;
  }

  spend(tokens: number): void {
    this.#spent += tokens;
  }

  revoke(): void {
    this.#revoked.abort();
  }
}

export class Grants {
  readonly #grants = new Map<string, Grant>();
  readonly #clock: Clock;
  readonly #random: RandomBytes;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: RandomBytes }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Null while another grant of this origin is active. */
  issue(request: GrantRequest): Grant | null {
    this.sweep();
    if (this.active().some(({ origin }) => origin === request.origin)) return null;
    const grant = new Grant(`grant_${toHex(this.#random(8))}`, request, this.#clock);
    this.#grants.set(grant.id, grant);
    return grant;
  }

  /** The active grants. */
  active(): readonly Grant[] {
    return [...this.#grants.values()].filter(({ state }) => state === "active");
  }

  /** Ends a grant immediately. False if no such grant is active. */
  revoke(id: string): boolean {
    this.#grants.get(id)?.revoke();
    return this.#grants.delete(id);
  }

  revokeAll(): void {
    for (const id of [...this.#grants.keys()]) this.revoke(id);
  }

  /** Removes expired grants that were never revoked. Returns how many. */
  sweep(): number {
    const ended = [...this.#grants.values()].filter(({ state }) => state !== "active");
    for (const { id } of ended) this.revoke(id);
    return ended.length;
  }
}
