/** The transcript formats, in the order in which they are asked whether a file is theirs. */
import type { MessageFormat } from "../../types.ts";
import { claudeCode, claudeCodeSubagent } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { codexLegacy } from "./codex-legacy.ts";
import { copilotCli } from "./copilot-cli.ts";
import { neutral } from "./neutral.ts";
import { pi } from "./pi.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/** Neutral is last: it takes any line with a role, which lines of other formats may have too. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[] = [
  claudeCodeSubagent,
  claudeCode,
  codex,
  copilotCli,
  pi,
  codexLegacy,
  neutral,
];

/** The format whose lines are kept under this name; undefined for messages that came through the API. */
export function transcriptFormat(name: MessageFormat): TranscriptFormat | undefined {
  return TRANSCRIPT_FORMATS.findLast((format) => format.name === name);
}
