import { ASSEMBLE_FORMATS, type AssembleFormat } from "../src/message/wire-formats.ts";

export function formatOption(name: string): AssembleFormat {
  const format = ASSEMBLE_FORMATS.find((known) => known === name);
  if (format === undefined)
    throw new Error(`unknown format ${name}; choose one of ${ASSEMBLE_FORMATS.join(", ")}`);
  return format;
}
