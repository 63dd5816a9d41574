/** Every operation over HTTP, from the OpenAPI document: its answers fit the schemas that the document gives. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ENGINES } from "../temporary-store.ts";
import { fill, type SampleApi, startApi } from "./sample-api.ts";

interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
}

interface PathItem {
  readonly get?: Documented;
  readonly post: Documented;
}

interface Documented {
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[];
  readonly responses: {
    readonly 200: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  };
}

/** Sizes on disk, scores that fade, and facts as of now. */
const DEPENDS_ON_TIME = /\/(status|explain|facts)$/;

const PROBLEM = z.strictObject({
  type: z.string().startsWith("urn:palimpsest:problem:"),
  title: z.string(),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string(),
  advice: z.string().optional(),
  retryable: z.boolean(),
});

describe.each(ENGINES)("the API on %s", (engineName) => {
  let api: SampleApi;
  let admin: string;
  let document: Document;
  /** Values for parameters, by name. */
  let values: Readonly<Record<string, string>>;
  beforeAll(async () => {
    api = await startApi(engineName);
    admin = await api.token(["admin"]);
    const conversation = await fill(api.engine);
    const { summaries } = await api.engine.context.conversations.summaries(conversation);
    const { rows } = await api.engine.memory.list();
    document = JSON.parse(await (await api.fetch("/api/openapi.json", null)).text());
    values = {
      ...{ conversation, pattern: "kettle", query: "pot", prompt: "Where is the pot?" },
      ...{ summary: summaries[0]?.id ?? "", memory: rows[0]?.id ?? "", factKey: "pot", from: "5", to: "9" },
    };
  });
  afterAll(() => api.close());

  function inputFor(path: string, { parameters = [] }: Documented): Record<string, string> {
    const needed = parameters.filter(({ required }) => required).map(({ name }) => name);
    if (path.endsWith("/expand")) needed.push("summary");
    if (path.endsWith("/facts")) needed.push("factKey");
    const id = path.includes("/memory/") ? "memory" : "conversation";
    const nameOf = (name: string) => (name === "id" ? (path.endsWith("/describe") ? "summary" : id) : name);
    return Object.fromEntries(needed.map((name) => [name, values[nameOf(name)] ?? ""]));
  }

  it("takes short ids", async () => {
    const { conversation = "" } = values;
    const short = conversation.slice(0, "conv_012345".length);
    const answer = await api.fetch(`/api/v1/tree?conversation=${short}`, admin);
    expect(await answer.json()).toMatchObject({ conversation: { id: conversation } });
  });

  it("answers every reading operation as the document says, with an ETag", async () => {
    const answered: string[] = [];
    for (const [path, { get }] of Object.entries(document.paths)) {
      // There is no file in this store, and these run on a setup.
      if (get === undefined || /files\/(show|cat)|doctor|config/.test(path)) continue;
      const query = new URLSearchParams(inputFor(path, get));
      const response = await api.fetch(`${path}?${query}`, admin);
      const text = await response.text();
      expect({ path, status: response.status, text: response.ok ? "" : text }).toEqual({
        path,
        status: 200,
        text: "",
      });
      const type = response.headers.get("content-type") ?? "";
      const schema = get.responses[200].content[type]?.schema;
      expect({ path, type, isDocumented: schema !== undefined }).toMatchObject({ path, isDocumented: true });
      if (type === "application/json") {
        const checked = z.fromJSONSchema(Object(schema)).safeParse(JSON.parse(text));
        expect({ path, problem: checked.error?.message }).toEqual({ path, problem: undefined });
        const again = await api.fetch(`${path}?${query}`, admin, {
          headers: { "if-none-match": response.headers.get("etag") ?? "" },
        });
        if (!DEPENDS_ON_TIME.test(path))
          expect({ path, status: again.status }).toEqual({ path, status: 304 });
      }
      answered.push(path);
    }
    expect(answered.length).toBeGreaterThanOrEqual(25);
  });

  it("documents every input, and refuses what does not fit it as a problem", async () => {
    for (const [path, { post }] of Object.entries(document.paths)) {
      const response = await api.fetch(path, admin, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ noSuchField: 1 }),
      });
      const problem = PROBLEM.parse(await response.json());
      expect({ path, status: response.status, type: response.headers.get("content-type") }).toEqual({
        ...{ path, status: problem.status, type: "application/problem+json" },
      });
      expect(problem.status === 422 || problem.status === 400).toBe(true);
      expect(post.responses).toHaveProperty("default");
    }
  });

  it("gives every page as a line", async () => {
    const client = await api.client(["read"]);
    const seqs: number[] = [];
    for await (const page of client.pages("read", { id: "tea", limit: 7 }))
      seqs.push(...page.messages.map(({ seq }) => seq));
    expect(seqs).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it("stores a turn once, and its words come back by the typed client", async () => {
    const client = await api.client(["read", "write"]);
    const turn = {
      conversation: "http",
      key: "1",
      messages: [{ role: "user", content: "the samovar is green" }],
    };
    expect(await client.call("turns commit", turn)).toMatchObject({ status: "committed" });
    expect(await client.call("turns commit", turn)).toMatchObject({ status: "duplicate" });
    const { hits } = await client.call("grep", { pattern: "samovar" });
    expect(hits).toMatchObject([{ snippet: { text: "the samovar is green" } }]);
    const other = { ...turn, messages: [{ role: "user", content: "the samovar is red" }] };
    await expect(client.call("turns commit", other)).rejects.toMatchObject({ problem: { status: 409 } });
  });

  it("shows a context over GET without noting it as what a model saw", async () => {
    const client = await api.client(["read", "write"]);
    const turn = (key: string) => ({
      conversation: "noted",
      key,
      messages: [{ role: "user", content: key }],
    });
    await client.call("turns commit", turn("first"));
    await client.look("context", { conversation: "noted" });
    await client.call("turns commit", turn("second"));
    await client.call("context", { conversation: "noted", budget: 9_000 });
    await client.call("turns commit", turn("third"));
    const { turns } = await client.call("turns", { conversation: "noted" });
    expect(turns.map(({ key, seen }) => [key, seen?.budget ?? null])).toEqual([
      ["first", null],
      ["second", null],
      ["third", 9_000],
    ]);
  });

  it("streams a file byte for byte", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const open = async function* () {
      yield bytes;
    };
    const { id } = await api.engine.context.files.attach({
      ...{ conversation: "tea", name: "all.bin", mime: "application/octet-stream", open },
    });
    const client = await api.client(["read"]);
    const response = await client.stream("files cat", { id });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    await expect(client.stream("files cat", { id: "file_0000000000000000" })).rejects.toMatchObject({
      problem: { status: 404 },
    });
  });

  it("tells viewers what another process stored", async () => {
    const client = await api.client(["read"]);
    const stop = new AbortController();
    const changes = client.changes({ signal: stop.signal });
    const first = changes.next();
    // The feed knows the store as it was when the viewer came.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await api.engine.context.commitTurn({
      ...{ conversation: "live", key: "1", messages: [{ role: "user", content: "hello" }] },
    });
    const { value } = await first;
    expect(value?.conversations).toMatchObject([{ messageCount: 1, title: "hello" }]);
    stop.abort();
  });

  it("counts requests and the work of the engine", async () => {
    const text = await (await api.fetch("/metrics", await api.token(["metrics"]))).text();
    for (const name of [
      "lcm_context_tokens_total",
      "lcm_compaction_runs_total",
      "lcm_search_latency_ms_count",
    ])
      expect(text).toMatch(new RegExp(`^${name}.* [1-9]`, "m"));
    expect(text).toContain('lcm_http_requests_total{route="grep",status="200"}');
  });
});
