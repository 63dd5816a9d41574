/** Reads a `provider/model` name, such as `anthropic/claude-haiku-4-5` or `openrouter/vendor/model`. */
import { type ModelNameParts, problemWithModelName, splitModelName } from "../config/model-name.ts";
import { PalimpsestError } from "../errors.ts";

export interface ProviderModel extends ModelNameParts {
  /** The full name, as configured. */
  readonly name: string;
}

export function parseProviderModel(name: string): ProviderModel {
  const parts = splitModelName(name);
  if (parts !== null) return { ...parts, name };
  throw new PalimpsestError("config-invalid", problemWithModelName(name) ?? `invalid model name "${name}"`, {
    advice: "Write it as provider/model; docs/guide/models.md lists the providers.",
  });
}
