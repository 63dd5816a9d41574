/** Instructions for the host's own summariser. Fenced, because hosts show it in their transcripts. */
import { fence } from "../message/own-text.ts";

const ASKED = [
  "Keep every identifier of the form conv_…, msg_…, sum_…, file_… and mem_… exactly as written, next to what it refers to: its full text can be opened later.",
  "Keep names, numbers, paths, commands, decisions and open tasks exactly as written.",
  "Omit text that earlier hooks of Palimpsest added: it is added again after the compaction.",
];

export const STEERING = fence("what this summary must keep", ASKED.join(" "));
