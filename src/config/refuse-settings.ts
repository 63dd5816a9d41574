/** Reports unknown or invalid settings: each by name and location, and all of them at once. */
import type { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { atPlace, describeMisfit } from "../text/describe-misfit.ts";
import { nearName } from "../text/hints/nearest.ts";
import { CONFIG_KEYS, DROPPED_KEYS, environmentName, SECRET_KEYS } from "./schema.ts";

export interface SettingProblem {
  readonly message: string;
  readonly advice?: string;
}

interface GivenSettings {
  readonly fromFile: object;
  readonly fromEnvironment: object;
  readonly fromOptions: object;
  readonly file: string | null;
}

/** A single problem is the message itself; several are listed with their advice. */
export function refuseSettings(problems: readonly SettingProblem[]): PalimpsestError {
  const [only] = problems;
  if (only !== undefined && problems.length === 1)
    return new PalimpsestError(
      "config-invalid",
      only.message,
      only.advice === undefined ? {} : { advice: only.advice },
    );
  const lines = problems.map(({ message, advice }) =>
    advice === undefined || advice === SEE_REFERENCE ? message : `${message}. ${advice}`,
  );
  return new PalimpsestError(
    "config-invalid",
    `${problems.length} invalid settings:\n  ${lines.join("\n  ")}`,
    { advice: SEE_REFERENCE },
  );
}

const SEE_REFERENCE = "docs/reference/configuration.md lists the values of each setting.";

/** The schema's errors. An invalid value is not also checked against other settings. */
export function misfits(error: z.ZodError, given: GivenSettings): SettingProblem[] {
  const values = { ...given.fromFile, ...given.fromEnvironment, ...given.fromOptions };
  const told = new Set<string>();
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownSetting(key, CONFIG_KEYS));
    const key = String(issue.path[0] ?? "");
    const isSecret = SECRET_KEYS.some((secret) => secret === key);
    const { place, problem } = describeMisfit(issue, values, { isSecret });
    if (told.has(place)) return [];
    told.add(place);
    return [{ message: atPlace(placeOf(key, place, given), problem), advice: SEE_REFERENCE }];
  });
}

/** The location of the setting. */
function placeOf(
  key: string,
  place: string,
  { fromFile, fromEnvironment, fromOptions, file }: GivenSettings,
): string {
  if (key in fromOptions) return place;
  if (key in fromEnvironment) return environmentName(key);
  return key in fromFile ? `${place} in ${file}` : place;
}

export function unknownSetting(name: string, known: readonly string[]): SettingProblem {
  const reason = DROPPED_KEYS[name] ?? DROPPED_KEYS[fromEnvironmentName(name)];
  if (reason !== undefined) return { message: `${name} is not used: ${reason}` };
  const near = nearName(name, known);
  return {
    message: `unknown setting ${name}`,
    advice: near === undefined ? "List the settings with: lcm config show" : `Did you mean ${near}?`,
  };
}

function fromEnvironmentName(name: string): string {
  return name
    .slice("LCM_".length)
    .toLowerCase()
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
