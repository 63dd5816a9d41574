/** What callers of the library give is checked here, by the schemas that every face checks it with. */
import type { z } from "zod";
import { parseGiven } from "../text/given.ts";
import * as inputs from "./inputs.ts";
import { requireOptions } from "./read/require-options.ts";

const SCHEMAS = {
  commitTurn: inputs.commitTurnInput,
  reconcile: inputs.reconcileInput,
  evaluate: inputs.evaluateInput,
  compact: inputs.compactInput,
  assemble: inputs.assembleBesideHostInput,
  "conversations.at": inputs.atInput,
  "conversations.diff": inputs.diffInput,
  expand: inputs.expandInput,
  read: inputs.readInput,
  grep: inputs.grepInput,
  recent: inputs.recentInput,
  describe: inputs.describeInput,
  "files.list": inputs.listFilesInput,
  "files.read": inputs.readFileInput,
  "files.grep": inputs.grepFilesInput,
  "files.attach": inputs.attachFileInput,
  "files.migrate": inputs.migrateFilesInput,
  "conversations.list": inputs.listConversationsInput,
  erase: inputs.eraseInput,
  ask: inputs.askInput,
  "conversations.importEntries": inputs.entriesInput,
  "conversations.reset": inputs.resetInput,
  "conversations.transcript": inputs.transcriptInput,
} as const satisfies Readonly<Record<string, z.ZodObject>>;

/** Signals, callbacks and sources, which come with the data. */
const BESIDE: Readonly<Partial<Record<keyof typeof SCHEMAS, readonly string[]>>> = {
  ask: ["signal", "onProgress"],
  assemble: ["complete"],
  commitTurn: ["complete"],
  reconcile: ["complete"],
  compact: ["signal", "onPass", "complete"],
  grep: ["signal", "onHit", "onOpened"],
  recent: ["signal"],
  "files.grep": ["signal"],
  "files.attach": ["open", "signal", "onProgress"],
  "files.migrate": ["signal", "onProgress"],
};

/** What each call takes, worked out once: this is asked for every call there is. */
const names = new Map<keyof typeof SCHEMAS, readonly string[]>();

function namesOf(call: keyof typeof SCHEMAS): readonly string[] {
  let known = names.get(call);
  if (known === undefined) {
    known = [...Object.keys(SCHEMAS[call].shape), ...(BESIDE[call] ?? [])];
    names.set(call, known);
  }
  return known;
}

export function requireInput(call: keyof typeof SCHEMAS, input: object): void {
  const schema: z.ZodObject = SCHEMAS[call];
  requireOptions(call, namesOf(call), input);
  const beside = BESIDE[call];
  const data =
    beside === undefined
      ? input
      : Object.fromEntries(Object.entries(input).filter(([name]) => !beside.includes(name)));
  parseGiven(call, schema, data);
}
