/**
 * Fields of a row that another program wrote. What is there and cannot be used is named, without its content, so that
 * the row is kept for what it does hold and nobody believes that all of it was taken.
 */
import { z } from "zod";
import { normaliseTimestamp } from "../../text/timestamps.ts";

export interface ForeignFields {
  /** The value of a field, or null: it is not there, is null, or cannot be used. */
  take<Value>(name: string, schema: z.ZodType<Value>): Value | null;
  /** What could not be used, such as `importance`. */
  readonly refused: readonly string[];
}

export function foreignFields(row: Readonly<Record<string, unknown>>): ForeignFields {
  const refused: string[] = [];
  return {
    refused,
    take(name, schema) {
      const value = row[name];
      if (value === undefined || value === null) return null;
      const { success, data } = schema.safeParse(value);
      if (success) return data;
      refused.push(name);
      return null;
    },
  };
}

// Schemas are made once: to make one takes longer than to use it.

export const foreignRow = z.record(z.string(), z.unknown());

export const anyText = z.string();

/** Text that says something. */
export const foreignText = z.string().refine((text) => text.trim() !== "");

/** Names and ids, which some programs write as numbers. */
export const foreignName = z
  .union([z.string(), z.number()])
  .transform((name) => String(name).trim())
  .refine((name) => name !== "");

/** Seconds or milliseconds since the epoch, as a number or in digits, or ISO text. 0 and less stand for none. */
export const foreignTime = z.union([z.string(), z.number(), z.bigint()]).transform((value, context) => {
  const time = normaliseTimestamp(
    typeof value === "string" && /[^\d.]/.test(value.trim()) ? value : Number(value),
  );
  if (time !== undefined && time > "1970-01-01T00:00:00.000Z") return time;
  context.addIssue("must be a time");
  return z.NEVER;
});

/** 0 to 1. */
export const foreignShare = z.coerce.number().min(0).max(1);

export const foreignCount = z.coerce.number().min(0).transform(Math.floor).pipe(z.int());
