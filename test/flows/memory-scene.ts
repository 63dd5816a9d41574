/** An engine with a memory, as a host has it: a real store, a clock that tests move, models that a script speaks for. */
import { createHash } from "node:crypto";
import { type Engine, type OpenOptions, open } from "../../src/index.ts";
import type { HostEmbedder } from "../../src/model/embed/embedder.ts";
import {
  reply,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedRequest,
  type Step,
  startScriptedModel,
} from "../scripted-model.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

export const DAY_MS = 86_400_000;
export const START = Date.parse("2026-03-01T10:00:00.000Z");

export interface SceneOptions extends Omit<OpenOptions, "store" | "clock"> {
  /** What the model says. Without: there is none, and rules capture. */
  readonly answers?: MemoryAnswers;
}

export interface Scene {
  engine: Engine;
  /** Where it is opened, for others. */
  readonly store: Place["store"];
  readonly time: { now: number };
  /** What the model was asked. */
  readonly asked: readonly (ScriptedRequest & { readonly kind: Kind })[];
  /** The same store, opened anew. */
  reopen(options?: SceneOptions): Promise<Engine>;
  /** A turn of the conversation `s`, and what follows it in the background. */
  say(...messages: readonly (string | object)[]): Promise<void>;
  /** Abstracts of what is in force, oldest first. */
  known(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What the engine asks a model for when it captures. */
export type Kind = "read" | "judge" | "merge" | "rate";
export type MemoryAnswers = { readonly [Name in Kind]?: Step };

const KINDS: readonly (readonly [Kind, string])[] = [
  ["read", "you pick out what will still be worth knowing"],
  ["judge", "decide what the new one does to them"],
  ["merge", "write one note that takes their place"],
  ["rate", "You judge notes"],
];

function kindOf({ system }: ScriptedRequest): Kind {
  const found = KINDS.find(([, words]) => system.includes(words));
  if (found === undefined) throw new Error(`the model was asked for something else: ${system}`);
  return found[0];
}

export async function openScene(name: Place["engine"], options: SceneOptions = {}): Promise<Scene> {
  const place = await temporaryPlace(name);
  const time = { now: START };
  const asked: (ScriptedRequest & { kind: Kind })[] = [];
  const servers: ScriptedModel[] = [];
  const start = async ({ answers, config, ...rest }: SceneOptions) => {
    const model = answers === undefined ? {} : await modelThat(answers, asked, servers);
    return open({
      store: place.store,
      background: "manual",
      clock: () => time.now,
      ...rest,
      config: { embeddingModel: "off", logLevel: "silent", agent: "main", ...model, ...config },
    });
  };
  let turns = 0;
  const scene: Scene = {
    engine: await start(options),
    store: place.store,
    time,
    asked,
    reopen: async (changed = options) => {
      await scene.engine.close();
      scene.engine = await start(changed);
      return scene.engine;
    },
    say: async (...messages) => {
      const said = messages.map((one) => (typeof one === "string" ? { role: "user", content: one } : one));
      await scene.engine.context.commitTurn({ conversation: "s", key: `turn ${++turns}`, messages: said });
      await scene.engine.background?.run();
    },
    known: async () => {
      const { rows } = await scene.engine.memory.list({ limit: 1_000 });
      return rows.toReversed().map(({ abstract }) => abstract);
    },
    close: async () => {
      await scene.engine.close();
      for (const server of servers) await server.close();
      await place.dispose();
    },
  };
  return scene;
}

async function modelThat(
  answers: MemoryAnswers,
  asked: (ScriptedRequest & { kind: Kind })[],
  servers: ScriptedModel[],
) {
  const server = await startScriptedModel((request) => {
    const kind = kindOf(request);
    asked.push({ ...request, kind });
    const step = answers[kind] ?? NOTHING_TO_SAY[kind];
    return typeof step === "function" ? step(request) : step;
  });
  servers.push(server);
  return {
    summaryModel: "openai-compatible/scribe",
    modelBaseUrl: server.url,
    modelApiKey: "sk-0123456789",
    modelRetries: 0,
    captureMinMessages: 1,
  };
}

const NOTHING_TO_SAY: Readonly<Record<Kind, ScriptedAnswer>> = {
  read: reply('{"memories": []}'),
  judge: reply('{"decision": "create"}'),
  merge: reply("I would rather not."),
  rate: reply('{"utility": 0.5}'),
};

export interface Extract {
  readonly category: string;
  readonly abstract: string;
  readonly content?: string;
  readonly quote: string;
}

/** The model's answer when it is asked to read. */
export const found = (...memories: readonly Extract[]): ScriptedAnswer =>
  reply(
    JSON.stringify({ memories: memories.map((one) => ({ overview: "", content: "", message: 1, ...one })) }),
  );

/** An embedder of the host's: the caller says where each text points. */
export function embedderOf(pointOf: (text: string) => readonly number[], model = "points"): HostEmbedder {
  return { model, embed: async (texts) => texts.map((text) => Float32Array.from(pointOf(text))) };
}

const OTHERS = 64;

/** Texts that share a topic point the same way, and all others to somewhere of their own. */
export function topics(...words: readonly RegExp[]): HostEmbedder {
  return embedderOf((text) => {
    const point = words.map((word) => (word.test(text) ? 1 : 0));
    const own = createHash("sha256").update(text).digest();
    const others = Array.from({ length: OTHERS }, (_, at) => (own[at % own.length] ?? 0) / 128 - 1);
    return point.includes(1) ? [...point, ...others.map(() => 0)] : [...point, ...others];
  });
}
