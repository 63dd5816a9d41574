/** The schema of a token in results: everything but its hash. */
import { z } from "zod";
import { RIGHTS, type TokenRecord } from "./token-file.ts";

export const tokenSchema = z.strictObject({
  id: z.string().describe("tok_ and 16 hex digits."),
  name: z.string().describe("What it is for."),
  tenant: z.string().describe("Tenant that it is bound to."),
  agent: z.string().describe("Agent that it is bound to."),
  rights: z
    .array(z.enum(RIGHTS))
    .readonly()
    .describe("What it allows. admin: everything, and operations on the whole store."),
  createdAt: z.string().describe("When it was created, ISO 8601 in UTC."),
  expiresAt: z.string().nullable().describe("When it expires; null if it never does."),
});

export function toToken({ hash: _, ...token }: TokenRecord): z.infer<typeof tokenSchema> {
  return token;
}
