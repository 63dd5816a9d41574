/**
 * The reference that replaces a large file in a message:
 *
 *     [LCM File: file_abc123def456 | paper.pdf | application/pdf | 42,150 bytes]
 *
 *     Exploration Summary:
 *     …
 */
import { counted } from "./counted.ts";
import { shownFileName, shownMime, shownTool } from "./credentials/names-in-references.ts";
import { oneLine } from "./escape-controls.ts";

interface FileReference {
  readonly id: string;
  readonly name: string | null;
  readonly mime: string | null;
  readonly bytes: number;
  readonly summary: string;
}

/** The first line of a reference, found somewhere in a text. */
interface FoundReference extends Omit<FileReference, "summary"> {
  readonly start: number;
  readonly end: number;
}

const UNNAMED = "(unnamed)";
const UNTYPED = "(unknown type)";
const SUMMARY = "Exploration Summary:";
/** A name may contain anything but a line end, so the fields after it are matched from the end of the line. */
const HEADER =
  /^\[LCM File: (file_[0-9a-z]{6,64}) \| (.{1,1000}) \| (\(unknown type\)|[^\s|]{1,200}) \| (\d{1,3}(?:,\d{3}){0,5}) bytes?\]$/gm;

export function formatFileReference({ id, name, mime, bytes, summary }: FileReference): string {
  const type = mime === null || mime === "" ? UNTYPED : oneLine(mime).replaceAll(/[\s|]/g, "");
  const shown = name === null ? "" : oneLine(name).slice(0, 1000);
  const header = `[LCM File: ${id} | ${shown === "" ? UNNAMED : shown} | ${type} | ${counted(bytes, "byte")}]`;
  return `${header}\n\n${SUMMARY}\n${summary}`;
}

/** A line that is the same in every reference to a file. */
export function isReferenceHeading(line: string): boolean {
  return line === SUMMARY;
}

/** Finds all references to externalised files in a text. */
export function findFileReferences(text: string): FoundReference[] {
  return [...text.matchAll(HEADER)].map(
    ({ 0: line, 1: id = "", 2: name = "", 3: mime = "", 4: bytes = "", index }) => ({
      id,
      name: name === UNNAMED ? null : name,
      mime: mime === UNTYPED ? null : mime,
      bytes: Number(bytes.replaceAll(",", "")),
      start: index,
      end: index + line.length,
    }),
  );
}

interface ToolOutputReference {
  readonly id: string;
  readonly tool: string | null;
  readonly bytes: number;
  /** The tool call of the result. */
  readonly description: string;
}

/** The reference that replaces an old tool result: its id, its call, and how to read it. */
function formatToolOutputReference({ id, tool, bytes, description }: ToolOutputReference): string {
  return `[LCM Tool Output: ${id} | tool=${tool ?? "unknown"} | ${counted(bytes, "byte")}]
${description}
${drillDownHint(id)}`;
}

export function drillDownHint(id: string): string {
  return `Call lcm_describe(id="${id}", expandFile=true) to read it.`;
}

/** The part of a payload that its reference needs. */
interface ReferredFile {
  readonly id: string;
  readonly kind: "file" | "tool-output";
  readonly name: string | null;
  readonly mime: string | null;
  readonly tool: string | null;
  readonly bytes: number;
  readonly description: string;
  /** The description by a model. */
  readonly described?: { readonly text: string } | null;
}

/** The reference for a payload. */
export function referenceOf(file: ReferredFile): string {
  if (file.kind === "tool-output") return formatToolOutputReference({ ...file, tool: shownTool(file.tool) });
  const shown = { name: shownFileName(file.name), mime: shownMime(file.mime) };
  return formatFileReference({ ...file, ...shown, summary: summaryOf(file) });
}

/** Kind, size and lines are always the measured ones, not those of a model. */
function summaryOf({ description, described }: ReferredFile): string {
  const [title = ""] = description.split("\n", 1);
  return described == null ? description : `${title}\n${described.text}`;
}
