/** Changes one setting in the configuration file. An invalid value is rejected, and nothing is written. */
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PalimpsestError } from "../errors.ts";
import { fileProblem } from "../text/file-problem.ts";
import { readWholeNumber } from "../text/read-whole-number.ts";
import { withoutByteOrderMark } from "../text/utf8.ts";
import { parseText } from "./load.ts";
import { misfits, refuseSettings, unknownSetting } from "./refuse-settings.ts";
import { CONFIG_KEYS, type ConfigKey, uncheckedModelsSchema } from "./schema.ts";

/** `text` undefined: the key is removed, so its default applies. */
export function changeSetting(file: string, name: string, text: string | undefined): ConfigKey {
  const key = CONFIG_KEYS.find((one) => one === name);
  if (key === undefined) throw refuseSettings([unknownSetting(name, CONFIG_KEYS)]);
  const { [key]: _, ...others } = readSettings(file);
  const changed = text === undefined ? others : { ...others, [key]: settingOf(key, text) };
  const parsed = uncheckedModelsSchema.safeParse(changed);
  if (!parsed.success)
    throw refuseSettings(
      misfits(parsed.error, { fromFile: others, fromEnvironment: {}, fromOptions: changed, file }),
    );
  write(file, `${JSON.stringify(changed, null, 2)}\n`);
  return key;
}

/** Numbers may be written as 32k. */
function settingOf(key: ConfigKey, text: string): unknown {
  const value = parseText(key, text);
  const amount = typeof value === "string" ? readWholeNumber(value) : undefined;
  const takesIt = amount !== undefined && uncheckedModelsSchema.shape[key].safeParse(amount).success;
  return takesIt ? amount : value;
}

function readSettings(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(withoutByteOrderMark(readFileSync(file, "utf8")));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unusable(file, fileProblem(error));
  }
  throw unusable(file, "it is not a JSON object");
}

/** Written to a temporary file first, so the write is atomic. Private, since it may contain keys. */
function write(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const target = existsSync(file) ? realpathSync(file) : file;
    const beside = `${target}.${process.pid}.tmp`;
    writeFileSync(beside, text, { mode: 0o600 });
    renameSync(beside, target);
  } catch (error) {
    throw unusable(file, fileProblem(error));
  }
}

function unusable(file: string, problem: string): PalimpsestError {
  return new PalimpsestError("config-invalid", `cannot change ${file}: ${problem}`, {
    advice: "Correct the file, or set another one in LCM_CONFIG.",
  });
}
