/**
 * Brings a text into an engine at every place where something of it could be repeated without being asked for, and tells
 * what is repeated: references to files, stubs of results, summaries without a model, titles, errors and logs.
 */
import { readFileSync, truncateSync } from "node:fs";
import path from "node:path";
import { type Engine, open } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-store.ts";
import type { Shape } from "./shape.ts";

export const PLACES = [
  "file name",
  "heading of a file",
  "cell of a table",
  "setting in a file",
  "tool argument",
  "tool name",
  "first sentence",
  "heading of a message",
  "command in a summary",
  "path in a summary",
  "title",
  "error",
  "log",
] as const;
export type ShownPlace = (typeof PLACES)[number];

const SETTINGS = {
  logLevel: "debug",
  searchByMeaning: true,
  freshTailCount: 1,
  leafTargetTokens: 600,
} as const;
const FILLER = "The harbour was quiet in the morning, and the boats came back before noon. ";
/** More than the summary of it may have. */
const MESSAGE_LENGTH = 2_400;

export class ShownUnasked {
  readonly #engine: Engine;
  readonly #log: string;
  readonly #model: { says: string };
  #conversations = 0;

  private constructor(engine: Engine, log: string, model: { says: string }) {
    this.#engine = engine;
    this.#log = log;
    this.#model = model;
  }

  static async open(): Promise<ShownUnasked> {
    const folder = temporaryFolder();
    const log = path.join(folder, "log.jsonl");
    const model = { says: "" };
    const engine = await open({
      store: path.join(folder, "store"),
      background: "off",
      config: { ...SETTINGS, logFile: log },
      // The only model there is: it refuses, and says why.
      embedder: {
        model: "scripted",
        dimensions: 4,
        embed: () => Promise.reject(new Error(`refused: ${model.says}`)),
      },
    });
    return new ShownUnasked(engine, log, model);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async shownAt(place: ShownPlace, text: string): Promise<string> {
    switch (place) {
      case "file name":
        return this.#reference(`${text}.txt`, FILLER.repeat(3));
      case "heading of a file":
        return this.#reference("notes.md", `# Notes\n\n${FILLER}\n\n## ${text}\n\n${FILLER.repeat(3)}`);
      case "cell of a table":
        return this.#reference(
          "rows.csv",
          `id,state,label\n${`1,open,"${text.replaceAll('"', '""')}"\n`.repeat(9)}`,
        );
      case "setting in a file":
        return this.#reference("settings.yaml", `title: Settings\nstate: ${JSON.stringify(text)}\n`);
      case "tool argument":
        return this.#stub("run", { command: text, path: text, query: text, pattern: text });
      case "tool name":
        return this.#stub(text, { path: "src/a.ts" });
      case "first sentence":
        return this.#summary([{ role: "user", content: `${text}\n\n${FILLER.repeat(20)}` }]);
      case "heading of a message":
        return this.#summary([
          { role: "assistant", content: `# Notes\n\n## ${text}\n\n${FILLER.repeat(30)}` },
        ]);
      case "command in a summary":
        return this.#summary(call({ command: text }, `exit code 1\n${FILLER}`));
      case "path in a summary":
        return this.#summary(call({ path: `work/${text}.txt` }, "done"));
      case "title":
        return this.#title(text);
      case "error":
        return this.#error(text);
      case "log":
        return this.#logged(text);
    }
  }

  referenceTo(name: string): Promise<string> {
    return this.#reference(name, FILLER);
  }

  /** What somebody gets who asks for it. */
  async readBack(text: string): Promise<{ message: unknown; file: string | null; found: number }> {
    const { context } = this.#engine;
    const conversation = this.#next();
    await this.#commit(conversation, [{ role: "user", content: text }]);
    await this.#reference(`${text}.txt`, FILLER);
    const { messages } = await context.read({ conversation });
    const { files } = await context.files.list({});
    const { hits } = await context.grep({ pattern: text, mode: "exact", conversations: [conversation] });
    const [part] = messages[0]?.parts ?? [];
    return {
      message: part?.type === "text" ? part.text : undefined,
      file: files[0]?.name ?? null,
      found: hits.length,
    };
  }

  async #reference(name: string, content: string): Promise<string> {
    const bytes = new TextEncoder().encode(content);
    const { reference } = await this.#engine.context.files.attach({
      conversation: this.#next(),
      name,
      open: async function* () {
        yield bytes;
      },
    });
    return reference;
  }

  async #stub(name: string, input: object): Promise<string> {
    const conversation = this.#next();
    const result = { type: "tool_result", tool_use_id: "c", content: FILLER.repeat(150) };
    await this.#commit(conversation, [
      { role: "assistant", content: [{ type: "tool_use", id: "c", name, input }] },
      { role: "user", content: [result] },
    ]);
    for (let i = 0; i < 4; i++)
      await this.#commit(conversation, [{ role: "user", content: FILLER.repeat(40) }]);
    const { messages } = await this.#engine.context.assemble({
      conversation,
      budget: 4_000,
      format: "anthropic",
    });
    const { files } = await this.#engine.context.files.list({ conversation });
    const stubs = JSON.stringify(messages).match(/\[LCM Tool Output:.*?to read it\./g) ?? [];
    return [...files.map(({ description }) => description), ...stubs].join("\n");
  }

  async #summary(messages: readonly object[]): Promise<string> {
    const conversation = this.#next();
    await this.#commit(conversation, [
      ...messages,
      { role: "assistant", content: FILLER.repeat(MESSAGE_LENGTH / FILLER.length) },
    ]);
    await this.#commit(conversation, [{ role: "user", content: "Go on." }]);
    const report = await this.#engine.context.compact({ conversation, budget: 2_000 });
    if (report.passes.length === 0) throw new Error("nothing was summarised");
    const assembled = await this.#engine.context.assemble({ conversation, format: "anthropic" });
    return JSON.stringify(assembled.messages);
  }

  async #title(text: string): Promise<string> {
    const conversation = this.#next();
    await this.#commit(conversation, [{ role: "user", content: text }]);
    return (await this.#engine.context.conversations.get(conversation)).title ?? "";
  }

  async #error(text: string): Promise<string> {
    const { context } = this.#engine;
    const errors = await Promise.allSettled([
      context.conversations.get(text),
      context.files.read({ id: text }),
      context.grep({ pattern: `(${text}`, mode: "regex" }),
      context.assemble({ conversation: text }),
    ]);
    return errors.map((one) => (one.status === "rejected" ? String(one.reason) : "")).join("\n");
  }

  async #logged(text: string): Promise<string> {
    truncateSync(this.#log);
    this.#model.says = text;
    await this.#title(text);
    await this.#engine.context.grep({ pattern: "harbour", mode: "hybrid" });
    return readFileSync(this.#log, "utf8");
  }

  async #commit(conversation: string, messages: readonly object[]): Promise<void> {
    await this.#engine.context.commitTurn({
      conversation,
      key: `k${Math.random()}`,
      messages: [...messages],
    });
  }

  #next(): string {
    return `s${++this.#conversations}`;
  }
}

function call(input: object, output: string): object[] {
  return [
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "run", input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: output, is_error: true }] },
  ];
}

/** A credential is shown when all of it is, or twelve characters of a long one in a row. */
export function shows(shown: string, { secret }: Shape): boolean {
  const plain = JSON.stringify(secret).slice(1, -1);
  if (plain.length <= 12) return shown.includes(plain) || shown.includes(secret);
  return Array.from({ length: secret.length - 11 }, (_, i) => secret.slice(i, i + 12)).some((piece) =>
    shown.includes(piece),
  );
}

/** For each place the kinds of credentials that are shown there. */
export async function countShown(shapes: readonly Shape[]): Promise<Map<ShownPlace, string[]>> {
  const measured = await ShownUnasked.open();
  const shown = new Map<ShownPlace, string[]>();
  for (const place of PLACES) {
    const kinds: string[] = [];
    for (const shape of shapes)
      if (shows(await measured.shownAt(place, shape.text), shape)) kinds.push(shape.kind);
    shown.set(place, kinds);
  }
  await measured.close();
  return shown;
}
