/** The page in a real browser: what people do with it, on a store with a bit of everything. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import { serve } from "../../src/http/index.ts";
import { type Engine, open } from "../../src/index.ts";
import { exportHtml } from "../../src/operations/store/export-html.ts";
import { remember, sampleMemory } from "../../src/store/testing/sample-memory.ts";
import { type SampleApi, startApi } from "../http/sample-api.ts";
import { times } from "../run-length.ts";
import { ENGINES, temporaryFolder } from "../temporary-store.ts";
import { buildPage, buildViewer, complaintsOf, launchBrowser } from "./browser.ts";
import { fillPageStore, MARKUP } from "./page-store.ts";

const LONG = times({ short: 3_000, long: 50_000 });
const STORES = times({ short: 1, long: ENGINES.length });
const MOST_SCRIPT_BYTES = 350_000;
const DEMO = fileURLToPath(new URL("../../examples/demo.ts", import.meta.url));
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const browser: Browser | null = await launchBrowser();

// A browser on a busy machine may take longer than it is waited for.
const OPTIONS = { retry: 1 };

describe.skipIf(browser === null).each(ENGINES.slice(0, STORES))(
  "the page on %s, where Chromium is packaged for this system (Linux x64)",
  OPTIONS,
  (store) => {
    let api: SampleApi;
    let engine: Engine;
    let folder: string;
    let page: Page;
    let complaints: string[];
    let ids: { readonly id: string; readonly long: string };

    beforeAll(async () => {
      folder = await buildPage();
      const settings = { leafChunkTokens: 1_500, freshTailCount: 8, leafMinFanout: 2 };
      api = await startApi(store, { pageFolder: folder }, settings);
      engine = api.engine;
      ids = await fillPageStore(engine, LONG);
      if (browser !== null) page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
      complaints = complaintsOf(page);
      await page.goto(api.server.newLink());
      await page.waitForSelector(".row-link");
    });
    afterAll(async () => {
      await page.close();
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    });
    beforeEach(() => {
      complaints.length = 0;
    });

    async function visit(address: string, selector: string): Promise<void> {
      await page.goto(new URL(address, api.server.url).href);
      await page.waitForSelector(selector);
    }

    async function seriousFindings(): Promise<unknown[]> {
      // The policy of the page keeps every other script out; the debugger's own way is not bound by it.
      await page.evaluate(readFileSync(AXE, "utf8"));
      const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
      const { violations }: { violations: readonly Finding[] } = Object(found);
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
    }

    it("fits into 350 kB of gzipped script", () => {
      const assets = readdirSync(path.join(folder, "assets")).filter((name) => name.endsWith(".js"));
      const sizes = assets.map(
        (name) => gzipSync(readFileSync(path.join(folder, "assets", name))).byteLength,
      );
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_SCRIPT_BYTES);
    });

    it("takes the code out of the address, and finds messages while one types", async () => {
      expect(new URL(page.url()).hash).toBe("");
      await page.keyboard.press("/");
      await page.keyboard.type("restarts within");
      await page.waitForSelector(".hits mark");
      expect(await page.textContent(".hits")).toContain("two seconds");
      expect(await page.textContent(".hits .where")).toMatch(/^Move the shop to port 8417, message \d+, 20/);
      await page.focus(".hits a");
      for (const [key, way] of [
        ["m", "memories"],
        ["f", "files"],
        ["h", "health"],
        ["c", ""],
      ] as const) {
        await page.keyboard.press("g");
        await page.keyboard.press(key);
        await page.waitForURL(`**/${way}`);
        await page.waitForSelector("h1");
      }
      await visit("/?q=restarts+within", ".hits mark");
      await page.click(".hits a");
      await page.waitForSelector(".asked .message");
      expect(await page.textContent(".asked .message")).toContain("restarts within two seconds");
      expect(complaints).toEqual([]);
    });

    it("lists conversations whose titles match above the messages that do", async () => {
      await visit("/?q=port", ".hits mark");
      expect(await page.locator(".row-link .title").allTextContents()).toEqual([
        "Move the shop to port 8417",
      ]);
      const [list, hits] = [
        await page.locator(".rows").boundingBox(),
        await page.locator(".hits").boundingBox(),
      ];
      expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(hits?.y ?? 0);
    });

    it("renders messages well, and never what they say as markup", async () => {
      await visit(`/c/${ids.id}?seq=157`, ".asked .message");
      expect(await page.textContent(".asked .message")).toContain('<img src=x onerror="window.broken=1">');
      await visit(`/c/${ids.id}?seq=160`, "img.attached");
      await visit(`/c/${ids.id}?seq=148`, ".timeline .added");
      expect(await page.textContent(".timeline .added")).toContain("8417");
      await visit(`/c/${ids.id}?seq=156`, ".timeline table");
      for (const address of ["/memories", "/files"]) await visit(address, ".cards a");
      expect(await page.textContent(".cards")).toContain("<img");
      expect(await page.evaluate("window.broken")).toBeUndefined();
      expect(complaints).toEqual([]);
    });

    it("shows an edit as a diff, text of several lines as text, and lists within lists", async () => {
      const call = { type: "tool_use", id: "edit", name: "Edit" };
      const input = { path: "a.ts", old_string: "let a;\nlet b;", new_string: "let a;\nlet c;" };
      const write = { type: "tool_use", id: "write", name: "Write", input: { content: "one\ntwo" } };
      const text = "3. third\n   - inner\n4. fourth";
      await engine.context.commitTurn({
        ...{ conversation: "edits", key: "edits" },
        messages: [{ role: "assistant", content: [{ type: "text", text }, { ...call, input }, write] }],
      });
      const { id } = await engine.context.conversations.get("edits");
      await visit(`/c/${id}`, ".message .added");
      expect(await page.locator(".message .removed").allTextContents()).toEqual(["-let b;\n"]);
      expect(await page.locator(".message .added").allTextContents()).toEqual(["+let c;\n"]);
      expect(await page.locator(".message pre").last().textContent()).toBe("one\ntwo");
      expect(await page.getAttribute(".message ol", "start")).toBe("3");
      expect(await page.locator(".message ol > li").count()).toBe(2);
      expect(await page.textContent(".message ol ul")).toBe("inner");
      await visit("/", ".row-link");
      await engine.context.conversations.delete(id);
    });

    it("colours code of known languages, whatever is in it, and code of files by their names", async () => {
      const code = `const port = "</span>"; // ${MARKUP}\nstart(8_417);`;
      const input = { file_path: "src/run.py", content: "def run():\n    return 1" };
      const call = { type: "tool_use", id: "write", name: "Write", input };
      const text = `\`\`\`ts\n${code}\n\`\`\``;
      await engine.context.commitTurn({
        ...{ conversation: "coloured", key: "coloured" },
        messages: [{ role: "assistant", content: [{ type: "text", text }, call] }],
      });
      const { id } = await engine.context.conversations.get("coloured");
      await visit(`/c/${id}`, ".message .code-keyword:has-text('return')");
      expect(await page.locator(".message pre").first().textContent()).toBe(code);
      const first = page.locator(".message pre").first();
      expect(await first.locator(".code-keyword").allTextContents()).toEqual(["const"]);
      expect(await first.locator(".code-string").allTextContents()).toEqual(['"</span>"']);
      expect(await first.locator(".code-number").allTextContents()).toEqual(["8_417"]);
      expect(await page.evaluate("window.broken")).toBeUndefined();
      expect(complaints).toEqual([]);
      await visit("/", ".row-link");
      await engine.context.conversations.delete(id);
    });

    it("says so at an address of nothing, and where to look", async () => {
      for (const [address, words] of [
        ["/nothing/here", "There is no page at this address"],
        ["/c/", "There is no page at this address"],
        [`/c/${ids.id}/more`, "There is no page at this address"],
        ["/health/more", "There is no page at this address"],
        ["/c/conv_00000000000000aa", "This cannot be shown"],
        ["/memories/mem_00000000000000aa", "This cannot be shown"],
        ["/files/file_00000000000000aa", "This cannot be shown"],
      ] as const) {
        await visit(address, `h1:has-text('${words}')`);
        await page.click("main a:has-text('conversations')");
        await page.waitForSelector(".row-link");
      }
      // A browser tells of each answer that is not found.
      expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
    });

    it("follows what is new from a link by the name of a session", async () => {
      const session = "shop/märz 1";
      const say = (content: string) =>
        engine.context.commitTurn({
          ...{ conversation: session, key: content, messages: [{ role: "user", content }] },
        });
      await say("first words");
      const { id: conversation } = await engine.context.conversations.get(session);
      await visit(`/c/${encodeURIComponent(session)}?seq=1`, "text=first words");
      await page.waitForURL(`**/c/${conversation}?seq=1`);
      await say("second words");
      await page.waitForSelector("text=2 messages");
      await engine.context.conversations.delete(conversation);
      await page.waitForSelector("h1:has-text('This cannot be shown')");
      await visit("/", ".row-link");
      expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
    });

    it("shows memories and files as they come and change", async () => {
      await visit("/memories", ".cards a");
      const { memory } = await engine.memory.store({ text: "The lighthouse is open on Sundays." });
      await page.click("text=The lighthouse is open on Sundays.");
      await page.waitForSelector("button:has-text('Forget')");
      await engine.memory.forget({ id: memory.id });
      await page.waitForSelector("text=Restore");
      await visit("/files", ".cards a");
      const open = async function* () {
        yield Buffer.from("a,b\n1,2\n");
      };
      await engine.context.files.attach({ conversation: "late", name: "late.csv", mime: "text/csv", open });
      await page.waitForSelector("text=late.csv");
      await engine.context.conversations.delete("late");
      await page.waitForSelector("text=late.csv", { state: "detached" });
      expect(complaints).toEqual([]);
    });

    it("shows what the model saw at a turn, what changed, and why", async () => {
      await visit(`/c/${ids.id}?turn=121`, ".items .is-summary");
      await page.waitForSelector(".context:has-text('Since the previous turn')");
      const panel = await page.textContent(".context");
      expect(panel).toContain("What the model saw before message 121");
      expect(panel).toContain("of 6,000 tokens");
      expect(panel).toContain("Since the previous turn");
      expect(panel).toContain("summary of older messages");
      await page.click("[aria-label='Previous turn']");
      await page.waitForSelector(".context h2:has-text('message 117')");
      await page.focus("input[type=range]");
      await page.keyboard.press("End");
      await page.waitForSelector(".context h2:has-text('sees now')");
      expect(new URL(page.url()).searchParams.get("turn")).toBeNull();
      expect(complaints).toEqual([]);
    });

    it("opens a summary of the picture, and from there its messages", async () => {
      await visit(`/c/${ids.id}?tab=dag`, ".picture canvas");
      await page.focus(".picture");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector(".summary-view .items a");
      expect(await page.textContent(".summary-view")).toContain("fidelity");
      await page.click(".picture canvas", { position: { x: 20, y: 60 } });
      await page.waitForSelector(".summary-view h2 a:has-text('1–')");
      const colours = () => page.evaluate("document.querySelector('.picture canvas').toDataURL()");
      const drawn = await colours();
      await page.click("[aria-label='Switch between light and dark']");
      await expect.poll(colours).not.toEqual(drawn);
      await page.click("[aria-label='Switch between light and dark']");
      await page.click(".summary-view h2 a");
      await page.waitForSelector(".asked .message");
      expect(complaints).toEqual([]);
    });

    it("changes and forgets a memory, and shows its history", async () => {
      await visit("/memories", ".cards a");
      await page.click("text=The shop listens on port 8417.");
      await page.waitForSelector(".fact-line li >> nth=1");
      expect(await page.textContent(".fact-line")).toContain("The shop listens on port 8080.");
      await page.click("text=Edit");
      await page.fill("#abstract", "The shop listens on port 9000.");
      await page.click("text=Save");
      await page.waitForSelector("h1:has-text('9000')");
      expect(await page.locator(".fact-line li").count()).toBe(3);
      await page.click("text=Forget");
      await page.waitForSelector("text=Restore");
      expect(await page.locator(".fact-line li").last().textContent()).not.toContain("now");
      expect((await engine.memory.list({ factKey: "shop port" })).rows).toEqual([]);
      await visit("/memories?q=lis", "select");
      await page.selectOption("select", "archived");
      await page.waitForSelector(".cards a:has-text('9000')");
      expect(new URL(page.url()).search).toBe("?q=lis&state=archived");
      await page.reload();
      await page.waitForSelector(".cards a:has-text('9000')");
      expect(await page.locator(".cards a").count()).toBe(1);
      expect(complaints).toEqual([]);
    });

    it("shows each message that a memory came from once", async () => {
      const source = { conversation: ids.id, firstSeq: 1, lastSeq: 1 };
      const sources = (["origin", "support"] as const).map((kind) => ({ ...source, kind }));
      const memory = sampleMemory("agent:default", { abstract: "Service 1 has a port.", sources });
      await remember(internalsOf(engine).memories, memory);
      await visit(`/memories/${memory.id}`, "blockquote a");
      expect(await page.locator("blockquote a").allTextContents()).toEqual(["user #1"]);
    });

    it("merges two memories into one", async () => {
      await visit("/memories", ".cards a");
      await page.click("text=Mara deploys on Tuesdays.");
      await page.click("text=Merge");
      await page.selectOption("#other", { label: "Mara deploys on Fridays too." });
      expect(await page.inputValue("#abstract")).toBe(
        "Mara deploys on Tuesdays. Mara deploys on Fridays too.",
      );
      await page.fill("#abstract", "Mara deploys on Tuesdays and Fridays.");
      await page.click("text=Save");
      await page.waitForSelector("h1:has-text('Tuesdays and Fridays')");
      expect(await page.locator(".fact-line li").count()).toBe(3);
      await visit("/memories", ".cards a");
      expect(await page.textContent(".cards")).not.toContain("Fridays too");
      expect(complaints).toEqual([]);
    });

    it("shows a file, and the health of the store", async () => {
      await visit("/files", ".cards a");
      await page.click(".cards a");
      await page.waitForSelector("text=3,000 rows");
      await visit("/health", ".figures");
      await page.waitForSelector(".plots svg");
      expect(await page.textContent(".figures")).toContain(store);
      await page.waitForSelector(".plot:has-text('Requests') .axis:has-text('+')");
      const failed = page.locator(".plot:has-text('Failed requests') b");
      const before = Number(await failed.textContent());
      api.metrics.observe({
        ...{ type: "model-called", model: "m", inputTokens: 0, outputTokens: 0, cost: 0, milliseconds: 1 },
        outcome: "model-unavailable",
      });
      await page.waitForSelector(`.plot:has-text('Failed requests') b:text-is('${before + 1}')`);
      expect(complaints).toEqual([]);
    });

    it("scrolls through a long conversation with few elements, and follows what is new", async () => {
      await visit(`/c/${ids.long}`, `text=Message ${LONG}:`);
      expect(await page.locator(".place").count()).toBeLessThan(60);
      await visit(`/c/${ids.long}?seq=1`, "text=Message 1:");
      await page.evaluate("document.querySelector('.timeline').scrollTop = 200_000");
      await page.waitForSelector(".waiting", { state: "detached" });
      expect(await page.locator(".place").count()).toBeLessThan(60);
      await engine.context.commitTurn({
        ...{ conversation: "long", key: "live", messages: [{ role: "user", content: "said elsewhere" }] },
      });
      await page.waitForSelector(`text=${(LONG + 1).toLocaleString("en")} messages`);
      expect(complaints).toEqual([]);
    });

    it.each(["light", "dark"])("has no serious fault of accessibility in %s", async (theme) => {
      await visit("/", ".row-link");
      const isDark = (await page.evaluate("document.documentElement.dataset.theme")) === "dark";
      if (isDark !== (theme === "dark")) await page.click("[aria-label='Switch between light and dark']");
      for (const [address, selector] of [
        ["/", ".row-link"],
        [`/c/${ids.id}?turn=121&seq=100`, ".items .is-summary"],
        [`/c/${ids.id}?tab=dag`, ".picture canvas"],
        ["/memories", ".cards a"],
        ["/files", ".cards a"],
        ["/health", ".plots svg"],
      ] as const) {
        await visit(address, selector);
        expect({ address, findings: await seriousFindings() }).toEqual({ address, findings: [] });
      }
    });

    it("fits on a phone", async () => {
      await page.setViewportSize({ width: 390, height: 800 });
      for (const address of ["/", `/c/${ids.id}`, `/c/${ids.id}?tab=dag`, "/memories", "/files", "/health"]) {
        await visit(address, "h1");
        expect({ address, width: await page.evaluate("document.documentElement.scrollWidth") }).toEqual({
          ...{ address, width: 390 },
        });
      }
      await visit("/", ".row-link");
      const isCut = "(e) => e.scrollWidth > e.clientWidth || e.getBoundingClientRect().right > 390";
      const cut = `[...document.querySelectorAll('.row-link .facts, .row-link .facts > *')].filter(${isCut}).length`;
      expect(await page.evaluate(cut)).toBe(0);
      const last = await page.locator(".frame nav a").last().boundingBox();
      expect((last?.x ?? 390) + (last?.width ?? 0)).toBeLessThan(390);
      await page.setViewportSize({ width: 1360, height: 860 });
    });

    it("exports a conversation as a file that shows the same, and runs nothing that was said", async () => {
      const viewer = await buildViewer();
      const file = path.join(folder, "exported.html");
      const options = { file, viewer, withoutToolResults: true };
      expect(await exportHtml(engine, ids.id, options)).toMatchObject({ file, messages: 162, leftOut: [] });
      expect(readFileSync(file, "utf8").includes("export const port = 4007")).toBe(false);
      await page.goto(pathToFileURL(file).href);
      await page.waitForSelector(".items .is-summary");
      expect(await page.textContent(".warning")).toContain(
        "every word of 162 messages, without tool results",
      );
      expect(await page.locator(".about a").count()).toBe(0);
      await page.click("[aria-label='Previous turn']");
      await page.waitForSelector(".context h2:has-text('before message')");
      await page.click("[role=tab]:has-text('Summaries')");
      await page.focus(".picture");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector(".summary-view .items a");
      expect(await page.evaluate("window.broken")).toBeUndefined();
      expect(complaints).toEqual([]);
      await expect(exportHtml(engine, ids.id, options)).rejects.toThrow("exported.html");
      rmSync(viewer, { recursive: true, force: true });
      await visit("/", ".row-link");
    });

    it("opens in more tabs than a browser has connections, and all of them follow what is new", async () => {
      const tabs = await browser?.newContext();
      if (tabs === undefined) throw new Error("there is no browser");
      const token = await api.token(["read"]);
      const record = (await api.tokens.list()).at(-1);
      const opened: Page[] = [];
      for (let tab = 0; tab < 8; tab++) {
        const one = await tabs.newPage();
        opened.push(one);
        // Nobody follows for a while once the first tab is closed.
        if (tab > 0)
          await one.route("**/api/events", async (route) => {
            await wait(1_500);
            await route.continue().catch(() => undefined);
          });
        await one.goto(api.server.url);
        if (tab === 0) {
          await one.fill("#token", token);
          await one.click("button[type=submit]");
        }
        await one.waitForSelector(".row-link");
      }
      const last = opened.at(-1);
      await engine.context.conversations.rename(ids.long, "Told to every tab");
      await last?.waitForSelector("text=Told to every tab");
      // What changes before another tab follows is not missed either.
      await opened[0]?.close();
      await engine.context.conversations.rename(ids.long, "Told after the first tab closed");
      await last?.waitForSelector("text=Told after the first tab closed");
      for (const one of opened.slice(1)) await one.unrouteAll({ behavior: "ignoreErrors" });
      await api.tokens.revoke(record?.id ?? "");
      await engine.context.conversations.rename(ids.long, "Told to nobody");
      await last?.waitForSelector("#token");
      await tabs.close();
    });

    it("asks for a token once the session has ended", async () => {
      await page.click("text=Sign out");
      await page.waitForSelector("#token");
      await page.fill("#token", await api.token(["read"]));
      await page.click("button[type=submit]");
      await page.waitForSelector("h1");
    });
  },
);

describe.skipIf(browser === null || STORES === 1)(
  "the page on the store of the demo (long runs)",
  OPTIONS,
  () => {
    it("shows each of its conversations, what a model saw, and the summaries", async () => {
      const place = temporaryFolder();
      await promisify(execFile)(process.execPath, [DEMO], { cwd: place });
      const pageFolder = await buildPage();
      const engine = await open({
        store: path.join(place, ".palimpsest/demo"),
        config: { logLevel: "silent" },
      });
      const server = await serve(engine, { port: 0, pageFolder });
      const page = await browser?.newPage();
      if (page === undefined) throw new Error("there is no browser");
      const complaints = complaintsOf(page);
      await page.goto(server.newLink());
      await page.waitForSelector(".row-link");
      for (const { id } of (await engine.context.conversations.list()).conversations) {
        await page.goto(`${server.url}/c/${id}?seq=1`);
        await page.waitForSelector(".asked .message");
        await page.waitForSelector(".items");
        await page.goto(`${server.url}/c/${id}?tab=dag`);
        await page.waitForSelector(".picture canvas, .dag p");
      }
      expect(complaints).toEqual([]);
      await page.close();
      await server.close();
      await engine.close();
      rmSync(pageFolder, { recursive: true, force: true });
    });
  },
);

afterAll(() => browser?.close());

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
