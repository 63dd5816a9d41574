/**
 * Fields of a row that another program wrote. Fields that cannot be used are listed by name, without content, so that
 * the rest of the row is imported and the loss is visible.
 */
import { z } from "zod";
import { normaliseTimestamp } from "../../text/timestamps.ts";

export interface ForeignFields {
  /** The value of a field; null if it is missing, null or unusable. */
  take<Value>(name: string, schema: z.ZodType<Value>): Value | null;
  /** Names of unusable fields, such as `importance`. */
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

// Schemas are created once, since creating one takes longer than using it.

export const foreignRow = z.record(z.string(), z.unknown());

export const anyText = z.string();

/** Text that is not blank. */
export const foreignText = z.string().refine((text) => text.trim() !== "");

/** Names and ids, which some programs write as numbers. */
export const foreignName = z
  .union([z.string(), z.number()])
  .transform((name) => String(name).trim())
  .refine((name) => name !== "");

/** Seconds or milliseconds since the epoch, as a number or in digits, or ISO text. 0 and negative numbers mean no time. */
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
