/** How the store behaves when the server is missing, refuses, or disconnects during work. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectTo, createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { PalimpsestError } from "../../errors.ts";
import { DEFAULT_SCOPE } from "../../types.ts";
import type { Store } from "../store.ts";
import { conversationIdFor, sampleAppend, sampleMessage } from "../testing/sample.ts";
import { openPostgresStore } from "./index.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let client: pg.Client;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("postgresUrl"));
  client = new pg.Client(database.url);
  await client.connect();
  store = await openPostgresStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await client.end();
  await database.drop();
});

const commit = (session: string, key: string, more = {}) =>
  store.scoped(DEFAULT_SCOPE).commit([sampleAppend(session, [sampleMessage(key)], more)]);
const keysOf = async (session: string) =>
  (await store.scoped(DEFAULT_SCOPE).messages(conversationIdFor(session), {})).rows.map((row) => row.key);

describe("a server that cannot be used", () => {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };
  const failure = async (url: string) => {
    const error = await openPostgresStore({ url }).catch((reason: unknown) => reason);
    if (!(error instanceof PalimpsestError)) throw new Error("expected a PalimpsestError", { cause: error });
    expect(error.advice).toBeTruthy();
    const said = `${error.message} ${error.advice} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`;
    const { password } = new URL(database.url);
    expect(said).not.toContain(password);
    expect(said).not.toContain("wrong-secret");
    return error;
  };

  it("is unavailable when nothing listens there", async () => {
    const error = await failure(changed((url) => (url.port = "1")));
    expect(error.code).toBe("store-unavailable");
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("is unavailable when the host does not exist", async () => {
    expect((await failure(changed((url) => (url.hostname = "nowhere.invalid")))).code).toBe(
      "store-unavailable",
    );
  });

  it("is unavailable when the password is wrong, and does not repeat it", async () => {
    const error = await failure(changed((url) => (url.password = "wrong-secret")));
    expect(error.code).toBe("store-unavailable");
    expect(error.message).toContain("password authentication failed");
  });

  it("is unavailable when the database does not exist", async () => {
    const error = await failure(changed((url) => (url.pathname = "/not_there")));
    expect(error).toMatchObject({
      code: "store-unavailable",
      advice: expect.stringContaining("Create the database"),
    });
  });

  it("refuses a URL that is none, and a schema that is no name", async () => {
    expect((await failure("mysql://u:wrong-secret@h/d")).code).toBe("config-invalid");
    expect((await failure("postgres://u:wrong-secret@h:port/d")).code).toBe("config-invalid");
    expect((await failure(changed((url) => url.searchParams.set("schema", 'x"; DROP')))).code).toBe(
      "config-invalid",
    );
  });

  it("says so when the user may not create or write", async () => {
    const role = `reader_${randomBytes(4).toString("hex")}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT USAGE ON SCHEMA palimpsest TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA palimpsest TO ${role}`);
    const url = changed((target) => ([target.username, target.password] = [role, "reader"]));
    expect((await failure(`${url}?schema=elsewhere`)).code).toBe("store-readonly");
    const reader = await openPostgresStore({ url });
    const write = reader.scoped(DEFAULT_SCOPE).commit([sampleAppend("r", [sampleMessage("a")])]);
    await expect(write).rejects.toMatchObject({
      code: "store-readonly",
      advice: expect.stringContaining("grant"),
    });
    await reader.close();
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it("reads on, and says so on a write, when the server only reads", async () => {
    await commit("readonly", "a");
    const reader = await openPostgresStore({
      url: `${database.url}?options=-c%20default_transaction_read_only=on`,
    });
    expect((await reader.info()).conversations).toBeGreaterThan(0);
    const write = reader.scoped(DEFAULT_SCOPE).commit([sampleAppend("readonly", [sampleMessage("b")])]);
    await expect(write).rejects.toMatchObject({ code: "store-readonly" });
    await reader.close();
  });

  it("is unavailable after it was closed", async () => {
    const closed = await openPostgresStore({ url: database.url });
    await closed.close();
    await closed.close();
    await expect(closed.info()).rejects.toMatchObject({ code: "store-unavailable" });
  });
});

describe("a connection that is lost", () => {
  const endOthers = (state: string) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${state}`,
    );

  it("is replaced when it was idle", async () => {
    await commit("idle", "a");
    await endOthers("true");
    await commit("idle", "b");
    expect(await keysOf("idle")).toEqual(["a", "b"]);
  });

  it("is replaced, and the write done again, when it went before the commit", async () => {
    await commit("waiting", "a");
    await client.query("BEGIN; SELECT FROM palimpsest.conversations WHERE session_id = 'waiting' FOR UPDATE");
    const write = commit("waiting", "b");
    const isWaiting = "wait_event_type = 'Lock'";
    await expect.poll(async () => (await endOthers(isWaiting)).rowCount).toBe(1);
    await client.query("COMMIT");
    await write;
    expect(await keysOf("waiting")).toEqual(["a", "b"]);
  });

  it("is reported when it went during the commit; the same turn again is recognised", async () => {
    await commit("uncertain", "a");
    const proxy = await startProxy(new URL(database.url));
    const behind = await openPostgresStore({ url: proxy.url });
    const write = sampleAppend("uncertain", [sampleMessage("b")], { turnKey: "t" });
    proxy.cutAtCommit();
    await expect(behind.scoped(DEFAULT_SCOPE).commit([write])).rejects.toMatchObject({
      code: "store-unavailable",
      advice: expect.stringContaining("again with the same keys"),
    });
    await expect.poll(() => keysOf("uncertain")).toEqual(["a", "b"]);
    const [again] = await behind.scoped(DEFAULT_SCOPE).commit([write]);
    expect(again).toMatchObject({ status: "duplicate" });
    await behind.close();
    proxy.close();
  });
});

describe("a server that is far away", () => {
  it("is asked twice for an append, to look and to write, and once for a window that the caller holds", async () => {
    const proxy = await startProxy(new URL(database.url), 20);
    const behind = await openPostgresStore({ url: proxy.url });
    const turn = (key: string) =>
      sampleAppend("far", [sampleMessage(`${key}#0`), sampleMessage(`${key}#1`)], { turnKey: key });
    await behind.scoped(DEFAULT_SCOPE).commit([turn("first")]);
    const before = proxy.roundTrips();
    await behind.scoped(DEFAULT_SCOPE).commit([turn("second")]);
    expect(proxy.roundTrips() - before).toBe(2);
    await behind.scoped(DEFAULT_SCOPE).messages(conversationIdFor("far"), {});
    expect(proxy.roundTrips() - before).toBe(3);
    const held = { seqs: [1, 2, 3, 4], summaries: [] };
    const query = { maxTokens: 1, held, opening: { to: 1 } };
    const { opening } = await behind.scoped(DEFAULT_SCOPE).contextWindow(conversationIdFor("far"), query);
    expect(opening).toEqual([{ seq: 1, isItem: true, message: null }]);
    expect(proxy.roundTrips() - before).toBe(4);
    await behind.close();
    proxy.close();
  });
});

describe("writers in each other's way", () => {
  it("leave connections to others however many write to one conversation", async () => {
    await commit("crowded", "first");
    let written = 0;
    const writes = Array.from({ length: 300 }, async (_, i) => {
      await commit("crowded", `k${i}`);
      written++;
    });
    await commit("elsewhere", "a");
    expect(written).toBeLessThan(150);
    await Promise.all(writes);
    expect((await keysOf("crowded")).length).toBe(301);
  });

  it("do not wait for each other in a circle", async () => {
    const sessions = ["circle-1", "circle-2", "circle-3"];
    const write = (order: readonly string[], round: number) =>
      store
        .scoped(DEFAULT_SCOPE)
        .commit(order.map((session) => sampleAppend(session, [sampleMessage(`${order.join()}-${round}`)])));
    const rounds = Array.from({ length: 12 }, (_, round) => round);
    await Promise.all(
      rounds.flatMap((round) => [write(sessions, round), write(sessions.toReversed(), round)]),
    );
    for (const session of sessions) expect((await keysOf(session)).length).toBe(24);
  });

  it("create one conversation for a session that both see for the first time", async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        commit("first-time", `k${i}`, {
          create: {
            id: `conv_${String(i).padStart(16, "0")}`,
            title: null,
            createdAt: "2026-03-01T10:00:00.000Z",
          },
        }),
      ),
    );
    const created = results.flatMap(([result]) =>
      result?.kind === "append" && result.created ? [result] : [],
    );
    expect(created.length).toBe(1);
    const ids = results.map(([result]) => (result?.kind === "append" ? result.conversation.id : ""));
    expect(new Set(ids).size).toBe(1);
  });
});

/** Data from the store and from the server, in the order in which a proxy between them saw it. */
interface Proxy {
  readonly url: string;
  /** The next COMMIT reaches the server, but its answer is lost. */
  cutAtCommit(): void;
  /** How often the store sent data after it had received some from the server. */
  roundTrips(): number;
  close(): void;
}

async function startProxy(target: URL, latencyMs = 0): Promise<Proxy> {
  let [isArmed, isAnswered, roundTrips] = [false, true, 0];
  const server = createServer((near) => {
    const far = connectTo(Number(target.port), target.hostname);
    near.on("error", () => far.destroy());
    near.on("end", () => far.end());
    far.on("error", () => near.destroy());
    far.on("data", (chunk) =>
      setTimeout(() => {
        isAnswered = true;
        near.write(chunk);
      }, latencyMs),
    );
    near.on("data", (chunk) => {
      roundTrips += isAnswered ? 1 : 0;
      isAnswered = false;
      setTimeout(() => far.write(chunk), latencyMs);
      if (!isArmed || !chunk.includes("COMMIT\0")) return;
      isArmed = false;
      near.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === "object" ? address?.port : undefined);
  return {
    url: url.href,
    cutAtCommit: () => {
      isArmed = true;
    },
    roundTrips: () => roundTrips,
    close: () => server.close(),
  };
}
