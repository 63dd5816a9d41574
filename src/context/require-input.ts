/** Checks the input of library callers with the same schemas that every face uses. */
import type { z } from "zod";
import { givenFunction, givenSignal, requireGiven, whileRunning } from "../text/given.ts";
import * as inputs from "./inputs.ts";

const signal = givenSignal.exactOptional();
const callback = givenFunction.exactOptional();

/** Adds the signals, callbacks and sources that only the library accepts. */
const SCHEMAS = {
  commitTurn: inputs.commitTurnInput.extend({ complete: callback }),
  reconcile: inputs.reconcileInput.extend({ complete: callback }),
  evaluate: inputs.evaluateInput,
  compact: inputs.compactInput.extend({ signal, onPass: callback, complete: callback }),
  assemble: inputs.assembleBesideHostInput.extend({ complete: callback }),
  "conversations.at": inputs.atInput,
  "conversations.diff": inputs.diffInput,
  expand: inputs.expandInput,
  read: inputs.readInput,
  grep: inputs.grepInput.extend({ signal, onHit: callback, onOpened: callback }),
  recent: inputs.recentInput.extend({ signal }),
  describe: inputs.describeInput,
  "files.list": inputs.listFilesInput,
  "files.read": inputs.readFileInput,
  "files.content": inputs.rangeInput,
  "files.grep": inputs.grepFilesInput.extend({ signal }),
  "files.attach": inputs.attachFileInput.extend({ open: givenFunction, ...whileRunning }),
  "files.migrate": inputs.migrateFilesInput.extend(whileRunning),
  "conversations.list": inputs.listConversationsInput,
  erase: inputs.eraseInput,
  ask: inputs.askInput.extend(whileRunning),
  "conversations.import": inputs.importInput.extend(whileRunning),
  "conversations.importAll": inputs.importInput.extend(whileRunning),
  "conversations.importEntries": inputs.entriesInput,
  "conversations.reset": inputs.resetInput,
  "conversations.transcript": inputs.transcriptInput,
  "index.build": inputs.buildIndexInput.extend(whileRunning),
  "index.embed": inputs.embedInput.extend(whileRunning),
} as const satisfies Readonly<Record<string, z.ZodObject>>;

export function requireInput(call: keyof typeof SCHEMAS, input: object): void {
  requireGiven<unknown>(call, SCHEMAS[call], input);
}
