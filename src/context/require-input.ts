/** What callers of the library give is checked here, by the schemas that every face checks it with. */
import type { z } from "zod";
import { parseGiven } from "../text/given.ts";
import * as inputs from "./inputs.ts";
import { requireOptions } from "./read/require-options.ts";

const SCHEMAS = {
  commitTurn: inputs.commitTurnInput,
  evaluate: inputs.evaluateInput,
  compact: inputs.compactInput,
  assemble: inputs.assembleInput,
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
  "conversations.reset": inputs.resetInput,
  "conversations.transcript": inputs.transcriptInput,
} as const satisfies Readonly<Record<string, z.ZodObject>>;

/** Signals, callbacks and sources, which come with the data. */
const BESIDE: Readonly<Partial<Record<keyof typeof SCHEMAS, readonly string[]>>> = {
  ask: ["signal", "onProgress"],
  compact: ["signal", "onPass"],
  grep: ["signal", "onHit", "onOpened"],
  recent: ["signal"],
  "files.grep": ["signal"],
  "files.attach": ["open", "signal", "onProgress"],
  "files.migrate": ["signal", "onProgress"],
};

export function requireInput(call: keyof typeof SCHEMAS, input: object): void {
  const schema: z.ZodObject = SCHEMAS[call];
  const beside = BESIDE[call] ?? [];
  requireOptions(call, [...Object.keys(schema.shape), ...beside], input);
  parseGiven(
    call,
    schema,
    Object.fromEntries(Object.entries(input).filter(([name]) => !beside.includes(name))),
  );
}
