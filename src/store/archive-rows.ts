/** Encodes rows of a dump as lines of JSON: text stays text, bytes become base64 in an object of their own. */
import { z } from "zod";
import type { PalimpsestError } from "../errors.ts";
import { describeMisfits, sentenceOf } from "../text/describe-misfit.ts";
import {
  EXCLUSION_REASONS,
  MESSAGE_FORMATS,
  PART_TYPES,
  RELATIONS,
  ROLES,
  SUMMARY_QUALITIES,
} from "../types.ts";
import { FILE_KINDS, FILE_ORIGINS, PAYLOAD_WRITINGS } from "./file-store.ts";
import { conversationId, count, memoryFields, memoryId, text, time } from "./memory-fields.ts";
import { hashSummaryText } from "./seal.ts";
import type { DumpRow, StoredSummary } from "./store.ts";
import { SUMMARY_COLUMNS, type SummaryColumn, type SummaryField } from "./tables/summary-fields.ts";

/** Fields are in the order of the schema below, whichever engine the row comes from. */
export function encodeRow(row: DumpRow): string {
  if (!("content" in row) || !(row.content instanceof Uint8Array)) return JSON.stringify(row, FIELDS);
  return JSON.stringify({ ...row, content: { base64: Buffer.from(row.content).toString("base64") } }, FIELDS);
}

/** `refuse` creates the error for an invalid row. */
export function decodeRow(value: object, refuse: (problem: string) => PalimpsestError): DumpRow {
  const parsed = rowSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(sentenceOf(describeMisfits(parsed.error, value, { isPrivate: true }).slice(0, 1)));
}

const optional = z.string().nullable();
const hash = z.string().regex(/^([0-9a-f]{2})*$/);
const summaryId = z.string().regex(/^sum_[0-9a-f]{16}$/);

/** Text, or bytes under `base64`; null once erased. */
const content = z
  .union([
    z.string(),
    z.strictObject({ base64: z.base64() }).transform(({ base64 }) => Buffer.from(base64, "base64")),
  ])
  .nullable();

const part = z.strictObject({
  type: z.enum(PART_TYPES),
  toolCallId: optional,
  toolName: optional,
  toolStatus: z.enum(["pending", "running", "completed", "error"]).nullable(),
});

const place = z.strictObject({
  start: count,
  end: count,
  before: count,
  after: count,
  head: count.exactOptional(),
  tail: count.exactOptional(),
});

const described = z.strictObject({ text, model: text, at: time });

const file = z.strictObject({
  id: z.string().regex(/^file_[0-9a-f]{16}$/),
  kind: z.enum(FILE_KINDS),
  name: optional,
  mime: optional,
  tool: optional,
  description: text,
  origin: z.enum(FILE_ORIGINS),
  content: hash,
  writing: z.enum(PAYLOAD_WRITINGS),
  places: z.array(place),
  createdAt: time,
  described: described.nullable().default(null),
});

const contextItemPlace = { row: z.literal("context-item"), conversation: conversationId, ordinal: count };

const contextItem = z.discriminatedUnion("type", [
  z.strictObject({ ...contextItemPlace, type: z.literal("message"), seq: count, tokenCount: count }),
  z.strictObject({ ...contextItemPlace, type: z.literal("summary"), summary: summaryId, tokenCount: count }),
]);

const sources = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("messages"), seqs: z.array(count) }),
  z.strictObject({ type: z.literal("summaries"), ids: z.array(summaryId) }),
]);

const { id, scope, category, tier, ...otherFields } = memoryFields;
const memory = z.strictObject({
  ...{ row: z.literal("memory"), tenant: text, id, scope, number: count, category, tier },
  ...otherFields,
});

const decision = z.strictObject({
  row: z.literal("decision"),
  tenant: text,
  at: time,
  agent: text,
  stage: z.enum(["extract", "admit", "dedup"]),
  verdict: text,
  reason: text,
  detail: text,
  memory: memoryId.nullable(),
  scope: text,
  conversation: conversationId.nullable(),
  firstSeq: count.nullable(),
  lastSeq: count.nullable(),
});

const capture = z.strictObject({
  row: z.literal("capture"),
  tenant: text,
  conversation: conversationId,
  to: count,
  at: time,
});

const BY_COLUMN_TYPE: Readonly<Record<SummaryColumn["type"], z.ZodType>> = {
  text,
  shown: text,
  time,
  hash,
  integer: count,
  bigint: count,
  real: z.number(),
  json: z.array(text),
};

function schemaOf({ type, isNullable, isMissingInOldArchives }: SummaryColumn): z.ZodType {
  const schema = BY_COLUMN_TYPE[type];
  if (isNullable !== true) return schema;
  return isMissingInOldArchives === true ? schema.nullable().default(null) : schema.nullable();
}

const summaryFields = Object.fromEntries(
  SUMMARY_COLUMNS.map((column) => [column.name, schemaOf(column)]),
) as { [Name in SummaryField]: z.ZodType<StoredSummary[Name]> };

const summary = z.strictObject({
  row: z.literal("summary"),
  conversation: conversationId,
  content: text.nullable(),
  ...summaryFields,
  id: summaryId,
  kind: z.enum(["leaf", "condensed"]),
  quality: z.enum(SUMMARY_QUALITIES),
  contentHash: hash.nullable().exactOptional(),
  sources,
});

/** Archives written before summaries had a hash of their text: the hash is computed when they are read. */
function withContentHash(row: z.infer<typeof summary>) {
  return { contentHash: hashSummaryText(row.content), ...row };
}

const transcript = z.strictObject({
  row: z.literal("transcript"),
  conversation: conversationId,
  number: count,
  path: text,
  format: z.enum(MESSAGE_FORMATS),
  previous: count.nullable(),
  sharedLines: count,
  lineCount: count,
  offset: count,
  size: count,
  modifiedAtMs: z.number(),
  readHash: hash.nullable().default(null),
  lastLineHash: hash.nullable().exactOptional(),
  lastLineBytes: count,
  readerVersion: count,
  updatedAt: time,
});

/** Archives written before a transcript had a hash of all that was read have one of its last line instead. */
function withoutLastLineHash({ lastLineHash: _, ...row }: z.infer<typeof transcript>) {
  return row;
}

const rowSchema = z.discriminatedUnion("row", [
  z.strictObject({
    row: z.literal("conversation"),
    tenant: text,
    agent: text,
    id: conversationId,
    sessionId: text,
    sessionKey: optional,
    title: optional,
    titleIsAutomatic: z.boolean(),
    createdAt: time,
    updatedAt: time,
    archivedAt: time.nullable(),
    messageCount: count,
    tokenCount: count,
    headHash: hash,
    contextItems: count,
    contextTokens: count,
    contextStubTokens: count.default(0),
    host: optional.default(null),
    project: optional.default(null),
    branch: optional.default(null),
    model: optional.default(null),
    parent: conversationId.nullable().default(null),
    relation: z.enum(RELATIONS).nullable().default(null),
  }),
  z.strictObject({
    row: z.literal("message"),
    conversation: conversationId,
    seq: count,
    key: text,
    role: z.enum(ROLES),
    format: z.enum(MESSAGE_FORMATS),
    content,
    tokenCount: count,
    stubTokenCount: count.nullable().default(null),
    createdAt: time,
    erasedAt: time.nullable(),
    excluded: z.enum(EXCLUSION_REASONS).nullable(),
    salt: hash.nullable(),
    digest: hash,
    hash,
    parts: z.array(part),
    files: z.array(file).default([]),
  }),
  z.strictObject({
    row: z.literal("file-content"),
    conversation: conversationId,
    hash,
    start: count,
    content: z.strictObject({ base64: z.base64() }).transform(({ base64 }) => Buffer.from(base64, "base64")),
  }),
  summary.transform(withContentHash),
  z.strictObject({
    row: z.literal("compaction-event"),
    conversation: conversationId,
    at: time,
    summary: summaryId,
    trigger: text,
    tokensBefore: count,
    tokensAfter: count,
    milliseconds: z.number(),
    freshFrom: count,
  }),
  contextItem,
  z.strictObject({
    row: z.literal("turn"),
    conversation: conversationId,
    key: text,
    keysDigest: hash,
    firstSeq: count,
    messageCount: count,
  }),
  z.strictObject({
    row: z.literal("receipt"),
    conversation: conversationId,
    firstSeq: count,
    at: time,
    content: text,
  }),
  transcript.transform(withoutLastLineHash),
  z.strictObject({
    row: z.literal("transcript-line"),
    conversation: conversationId,
    transcript: count,
    line: count,
    kind: z.enum(["message", "event", "unreadable", "torn", "erased"]),
    content,
    seq: count.nullable(),
    entryKey: optional,
    parentKey: optional,
    response: optional,
    lane: z.enum(["main", "sidechain", "injected"]),
    hash: hash.nullable(),
    problem: optional,
    origin: z.strictObject({ salt: hash, createdAt: time }).nullable().default(null),
  }),
  memory,
  decision,
  capture,
  z.strictObject({
    row: z.literal("audit"),
    tenant: text,
    agent: text,
    at: time,
    action: text,
    conversation: optional,
    detail: text,
  }),
  z.strictObject({
    row: z.literal("damage"),
    conversation: conversationId.nullable(),
    seq: count.nullable(),
    problem: text,
  }),
]);

/** Why an archive with this row could not be read again; null if it can. */
export function rowProblem(row: DumpRow): string | null {
  // Any bytes can be written, so they are left out of the check.
  const content = "content" in row && row.content instanceof Uint8Array ? { content: { base64: "" } } : {};
  const parsed = rowSchema.safeParse({ ...row, ...content });
  if (parsed.success) return null;
  return sentenceOf(describeMisfits(parsed.error, row, { isPrivate: true }).slice(0, 1));
}

const FIELDS = [
  ...new Set(
    [
      ...rowSchema.options,
      ...contextItem.options,
      ...sources.options,
      summary,
      transcript,
      part,
      file,
      place,
      described,
      memoryFields.support.element,
      memoryFields.relations.element,
      memoryFields.sources.element,
      memoryFields.events.element,
    ]
      .flatMap((schema) => ("shape" in schema ? Object.keys(schema.shape) : []))
      .concat("base64"),
  ),
];
