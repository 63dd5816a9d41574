/**
 * The page on a long conversation, in a real browser: the first useful paint, the longest task of the main thread while it
 * is opened, scrolled to the end and looked at as a picture, and memory before and after scrolling.
 *
 *   node bench/page.ts [--messages 100000] [--summaries 5000]
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import { serve } from "../src/http/index.ts";
import { buildPage, launchBrowser } from "../test/page/browser.ts";
import { fillLong } from "../test/page/page-store.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";

const FIRST_PAINT_MS = { atMost: 1_000 };
const LONGEST_TASK_MS = { atMost: 200 };
const GROWTH = { atMost: 2 };
const STEPS = 60;
/** Of one message of the store. */
const MESSAGE_TOKENS = 49;

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "100000" },
    summaries: { type: "string", default: "5000" },
  },
});
const messages = Number(options.messages);
const leafChunkTokens = Math.round((messages * MESSAGE_TOKENS) / Number(options.summaries));
const dataDir = temporaryFolder(DISK);
const config = { dataDir, logLevel: "silent", embeddingModel: "off", leafChunkTokens } as const;
const engine = await open({ store: dataDir, background: "off", config });
const id = await fillLong(engine, messages);
await engine.context.compact({ conversation: id, budget: 8_000 });
const { summaries } = await engine.context.conversations.summaries(id);
const server = await serve(engine, { port: 0, pageFolder: await buildPage() });
const browser = await launchBrowser();
if (browser === null) throw new Error("there is no Chromium for this system");
const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
await page.addInitScript(
  "window.tasks = []; new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'longtask', buffered: true });",
);
await page.goto(server.newLink());
await page.waitForSelector(".row-link");

const rows: string[][] = [];
const longest = async () => Number(await page.evaluate("Math.max(0, ...window.tasks.splice(0))"));
const heapMb = async () => {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
};

async function visit(address: string, selector: string): Promise<number> {
  const start = performance.now();
  await page.goto(`${server.url}${address}`);
  await page.waitForSelector(selector);
  return performance.now() - start;
}

function add(what: string, value: number, limit: { readonly atMost: number }): void {
  rows.push([what, figure(value), checkLimit(value, limit)]);
}

add("list, first useful paint, ms", await visit("/", ".row-link"), FIRST_PAINT_MS);
add("conversation, first useful paint, ms", await visit(`/c/${id}?seq=1`, ".message"), FIRST_PAINT_MS);
await wait(2_000);
add("its longest task, ms", await longest(), LONGEST_TASK_MS);
const before = await heapMb();
for (let step = 1; step <= STEPS; step++) {
  const box = "document.querySelector('.timeline')";
  await page.evaluate(`${box}.scrollTop = ${box}.scrollHeight * ${step / STEPS}`);
  await wait(100);
}
await page.waitForSelector(`.place >> text=Message ${messages}:`);
add("scrolling to the end, longest task, ms", await longest(), LONGEST_TASK_MS);
// Chunks that are out of view are forgotten after half a minute.
await wait(35_000);
add("memory after scrolling / before", (await heapMb()) / before, GROWTH);
add("picture, first useful paint, ms", await visit(`/c/${id}?tab=dag`, "canvas"), FIRST_PAINT_MS);
await page.focus(".picture");
for (let step = 0; step < 20; step++) {
  await page.mouse.move(400, 300);
  await page.mouse.wheel(0, step < 10 ? -200 : 200);
  await page.keyboard.press("ArrowLeft");
}
await wait(1_000);
add("zooming in it, longest task, ms", await longest(), LONGEST_TASK_MS);

console.log(`${messages} messages, ${summaries.length} summaries`);
printTable(["the page", "measured", "limit"], rows);
await browser.close();
await server.close();
await engine.close();
finish();
