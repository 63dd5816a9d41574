/**
 * Tokens of the HTTP API, in one file of the data folder that only its owner may read. A token has 256 random bits, so a
 * plain SHA-256 of it is enough: it cannot be guessed from its hash. The file is replaced atomically, so that a server that
 * reads it concurrently sees the old or the new version.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { fileErrorCode } from "../../text/file-problem.ts";

/** `read` and `write` concern one tenant and agent, `erase` also permits erasing there, `metrics` and `admin` concern the whole store. */
export const RIGHTS = ["read", "write", "erase", "metrics", "admin"] as const;
export type Right = (typeof RIGHTS)[number];

const PREFIX = "lcm_";

const recordSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  hash: z.string(),
  tenant: z.string(),
  agent: z.string(),
  rights: z.array(z.enum(RIGHTS)).readonly(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
});
export type TokenRecord = z.infer<typeof recordSchema>;

const fileSchema = z.strictObject({ tokens: z.array(recordSchema).readonly() });

export class TokenFile {
  readonly #file: string;
  #known: { readonly version: string; readonly tokens: readonly TokenRecord[] } | undefined;
  #asked: Promise<string | null> | undefined;

  constructor(dataDir: string) {
    this.#file = path.resolve(dataDir, "tokens.json");
  }

  /** Read again only when the file was replaced. */
  async list(): Promise<readonly TokenRecord[]> {
    const version = await this.#version();
    if (version === null) return [];
    if (this.#known?.version === version) return this.#known.tokens;
    const tokens = await this.#read();
    this.#known = { version, tokens };
    return tokens;
  }

  /** The token itself is returned once and never stored. */
  async create(
    given: Omit<TokenRecord, "id" | "hash">,
  ): Promise<{ readonly token: string; readonly record: TokenRecord }> {
    const token = `${PREFIX}${randomBytes(32).toString("base64url")}`;
    const record = { ...given, id: `tok_${randomBytes(8).toString("hex")}`, hash: hashOf(token) };
    await this.#write([...(await this.list()), record]);
    return { token, record };
  }

  /** False when there is no such token. */
  async revoke(id: string): Promise<boolean> {
    const tokens = await this.list();
    const left = tokens.filter((token) => token.id !== id);
    if (left.length === tokens.length) return false;
    await this.#write(left);
    return true;
  }

  /** Undefined for a token that is unknown, revoked or expired. */
  async find(token: string, now: number): Promise<TokenRecord | undefined> {
    const hash = Buffer.from(hashOf(token));
    const tokens = await this.list();
    const found = tokens.find((record) => timingSafeEqual(Buffer.from(record.hash), hash));
    const isExpired = found?.expiresAt != null && Date.parse(found.expiresAt) <= now;
    return isExpired ? undefined : found;
  }

  /** Concurrent callers, such as all live viewers of an event, share one check of the file. */
  #version(): Promise<string | null> {
    this.#asked ??= Promise.resolve().then(() => {
      this.#asked = undefined;
      return this.#look();
    });
    return this.#asked;
  }

  async #look(): Promise<string | null> {
    try {
      const { mtimeNs, ino, size } = await stat(this.#file, { bigint: true });
      return `${mtimeNs} ${ino} ${size}`;
    } catch (error) {
      if (fileErrorCode(error) === "ENOENT") return null;
      throw error;
    }
  }

  async #read(): Promise<readonly TokenRecord[]> {
    try {
      return fileSchema.parse(JSON.parse(await readFile(this.#file, "utf8"))).tokens;
    } catch (cause) {
      throw new PalimpsestError("config-invalid", `${this.#file} cannot be read`, {
        advice: "Remove the file and create the tokens again with: lcm token create.",
        cause,
      });
    }
  }

  async #write(tokens: readonly TokenRecord[]): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const fresh = `${this.#file}.${randomBytes(4).toString("hex")}`;
    try {
      await writeFile(fresh, `${JSON.stringify({ tokens }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      await rename(fresh, this.#file);
    } finally {
      await rm(fresh, { force: true });
    }
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
