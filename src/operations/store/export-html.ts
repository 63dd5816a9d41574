/**
 * A conversation as one HTML file: the viewer script, its style, and the responses that it would request from a server. The
 * file makes no requests: its policy allows only the inline script and style, by their hashes.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { isoTime } from "../../text/timestamps.ts";
import { context } from "../context.ts";
import { turns } from "../conversations/turns.ts";
import { describe } from "../retrieve/describe.ts";
import type { MessageAnswer } from "../retrieve/message-schema.ts";
import { read } from "../retrieve/read.ts";
import { runOperation } from "../run-operation.ts";
import { tree } from "../tree.ts";
import { writeNewFile } from "./write-new-file.ts";

const VIEWER = new URL("../../../dist/viewer/", import.meta.url);
/** Maximum views at turns, the newest ones, since they are the largest part of the file. */
const MOST_VIEWS = 200;
const SHOWN_CHARACTERS = 120;
const CHUNK = 200;
const LEFT_OUT = "(left out of this file)";

export interface ExportHtmlOptions {
  readonly file: string;
  readonly withoutToolResults: boolean;
  /** Where the viewer was built. */
  readonly viewer?: URL;
}

export async function exportHtml(
  engine: Engine,
  conversation: string,
  { file, ...options }: ExportHtmlOptions,
) {
  const { page, messages } = await htmlPage(engine, conversation, options);
  const { file: written, bytes } = await writeNewFile(file, once(page));
  const sha256 = createHash("sha256").update(page).digest("hex");
  const amounts = { conversations: 1, messages, rows: messages };
  return { file: written, bytes, sha256, ...amounts, leftOut: [] };
}

/** The same for standard output. */
export async function* streamHtml(
  engine: Engine,
  conversation: string,
  options: Omit<ExportHtmlOptions, "file">,
): AsyncGenerator<Uint8Array> {
  yield (await htmlPage(engine, conversation, options)).page;
}

async function htmlPage(
  engine: Engine,
  conversation: string,
  { withoutToolResults, viewer = VIEWER }: Omit<ExportHtmlOptions, "file">,
): Promise<{ readonly page: Buffer; readonly messages: number }> {
  const { script, style } = await readViewer(viewer);
  const messages = await allMessages(engine, conversation, withoutToolResults);
  const data = {
    exportedAt: isoTime(internalsOf(engine).clock()),
    withoutToolResults,
    messages,
    ...(await answers(engine, conversation, withoutToolResults)),
  };
  const page = Buffer.from(render(data.tree.conversation.title ?? conversation, { script, style, data }));
  return { page, messages: messages.length };
}

async function readViewer(viewer: URL): Promise<{ readonly script: string; readonly style: string }> {
  try {
    const files = ["viewer.js", "viewer.css"].map((name) => readFile(new URL(name, viewer), "utf8"));
    const [script = "", style = ""] = await Promise.all(files);
    // It occurs only in a string, where the escape means the same and does not end the element.
    return { script: script.replaceAll("</script", "<\\/script"), style };
  } catch (cause) {
    throw new PalimpsestError("not-supported", "the viewer for HTML files is not built", {
      advice: "In a checkout, build it with: npm run build.",
      cause,
    });
  }
}

async function allMessages(
  engine: Engine,
  id: string,
  withoutToolResults: boolean,
): Promise<MessageAnswer[]> {
  const messages: MessageAnswer[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page: Awaited<ReturnType<typeof read.run>> = await runOperation(read, engine, {
      id,
      from,
      limit: CHUNK,
    });
    messages.push(
      ...page.messages.map((message) => (withoutToolResults ? withoutResults(message) : message)),
    );
    from = page.next;
  }
  return messages;
}

/** The original repeats the result, so it is left out as well. */
function withoutResults(message: MessageAnswer): MessageAnswer {
  const hasResult = message.parts.some((part) => part.type === "tool" && part.output !== null);
  if (!hasResult) return message;
  const parts = message.parts.map((part) =>
    part.type === "tool" && part.output !== null ? { ...part, output: LEFT_OUT } : part,
  );
  return { ...message, parts, original: null };
}

async function answers(engine: Engine, conversation: string, withoutToolResults: boolean) {
  const found = await runOperation(tree, engine, { conversation });
  const listed = await runOperation(turns, engine, { conversation, limit: 10_000 });
  const recorded = listed.turns.filter(({ seen }) => seen !== null).slice(-MOST_VIEWS);
  const looking = internalsOf(engine).scopedTo(engine.config, { background: false });
  const views = [];
  for (const at of [null, ...recorded.map(({ firstSeq }) => firstSeq)])
    views.push(await viewAt(looking, conversation, { at, withoutToolResults }));
  const summaries = await Promise.all(
    found.summaries.map(({ id }) => runOperation(describe, engine, { id })),
  );
  return { tree: found, turns: { ...listed, turns: recorded }, views, summaries };
}

/** Items with a preview only, since the messages contain the full text. */
async function viewAt(
  engine: Engine,
  conversation: string,
  { at, withoutToolResults }: { readonly at: number | null; readonly withoutToolResults: boolean },
) {
  const view = await runOperation(context, engine, { conversation, ...(at === null ? {} : { at }) });
  const items = view.items.map((item) => {
    const isLeftOut = withoutToolResults && item.role === "tool";
    return { ...item, text: isLeftOut ? LEFT_OUT : item.text.slice(0, SHOWN_CHARACTERS) };
  });
  return { ...view, items, messages: [] };
}

interface Contents {
  readonly script: string;
  readonly style: string;
  readonly data: object;
}

function render(title: string, { script, style, data }: Contents): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // A script element without a JavaScript type is data: it needs no permission, but must not end early.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(title)}</title><style>${style}</style></head><body><div id="root"></div>`,
    `<script type="application/json" id="data">${json}</script>`,
    `<script>${script}</script></body></html>`,
  ].join("\n");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
