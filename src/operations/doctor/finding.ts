/** The result of one check of the installation. */
import { z } from "zod";

export const findingSchema = z.strictObject({
  check: z.string().describe("What was checked."),
  status: z
    .enum(["ok", "note", "warn", "fail"])
    .describe("ok, note (good to know), warn (should be reviewed) or fail (does not work)."),
  message: z.string().describe("What was found."),
  advice: z.string().nullable().describe("What to do; null if nothing has to be done."),
});
export type Finding = z.infer<typeof findingSchema>;

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message, advice: null };
}

export function note(check: string, message: string): Finding {
  return { check, status: "note", message, advice: null };
}

export function warn(check: string, message: string, advice: string | null): Finding {
  return { check, status: "warn", message, advice };
}

export function fail(check: string, message: string, advice: string | null): Finding {
  return { check, status: "fail", message, advice };
}
