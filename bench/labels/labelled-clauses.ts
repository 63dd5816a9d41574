/** Clauses with whether they are worth keeping: from sentences of our own, and from labelled sessions for development. */
import { readFileSync } from "node:fs";
import { open, textOfParts } from "../../src/index.ts";
import { clausesOf } from "../../src/memory/capture/clauses.ts";
import { cleanMessage } from "../../src/memory/capture/clean-message.ts";
import { readStatements } from "../../src/memory/capture/read-statements.ts";
import { DISK, temporaryFolder } from "../measure.ts";
import { importSession, messagesOf, type Session } from "../real-sessions.ts";
import { type LabelledSession, locateLabels } from "./read-labels.ts";
import { scoreCapture } from "./score-capture.ts";

export interface Clause {
  readonly text: string;
  readonly isKept: boolean;
  /** `own`, or the name of the session. */
  readonly from: string;
}

/** Of a line of several clauses, the longest is the one that the line is about. */
export function ownClauses(): readonly Clause[] {
  const clauses: Clause[] = [];
  let isKept = false;
  for (const line of readFileSync(new URL("statements.txt", import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("## ")) isKept = line.startsWith("## keep");
    else if (line !== "" && !line.startsWith("#"))
      clauses.push({ text: longest(clausesOf(line)), isKept, from: "own" });
  }
  return clauses;
}

function longest(clauses: readonly string[]): string {
  return clauses.reduce((one, other) => (other.length > one.length ? other : one), "");
}

export function clausesIn(text: string): readonly string[] {
  const read = readStatements(cleanMessage(text).text);
  return read.ok ? read.statements.flatMap(({ masked }) => clausesOf(masked)) : [];
}

export async function sessionClauses(session: Session, marks: LabelledSession): Promise<readonly Clause[]> {
  if (marks.heldOut) throw new Error(`${session.name} is held out`);
  const engine = await open({
    store: temporaryFolder(DISK),
    background: "off",
    config: { autoCapture: false, logLevel: "error" },
  });
  try {
    const report = await importSession(engine, session);
    if (report?.conversation == null) throw new Error(`${session.name} was not imported`);
    const { conversation } = report;
    const messages = await messagesOf(engine, conversation);
    const clauses = messages.flatMap(({ role, seq, parts }) =>
      role !== "user"
        ? []
        : clausesIn(textOfParts(parts)).map((abstract) => ({
            abstract,
            sources: [{ conversation, firstSeq: seq, lastSeq: seq, kind: "origin" as const }],
          })),
    );
    const { right } = scoreCapture(clauses, locateLabels(marks, session.file, messages));
    return clauses.map((one) => ({ text: one.abstract, isKept: right.includes(one), from: session.name }));
  } finally {
    await engine.close();
  }
}
