/**
 * The memories that are recalled automatically in a project folder: those of that project, those without a project,
 * and those about the person. Facts of another project stay out, because the same question may have another answer there.
 */
import path from "node:path";
import type { Memory, MemoryCategory } from "../../memory-types.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { RecalledMemory } from "./recall.ts";

const ABOUT_THE_PERSON: ReadonlySet<MemoryCategory> = new Set(["profile", "preferences"]);

export async function ofProject(
  memories: readonly RecalledMemory[],
  project: string,
  projectOf: MemoryDependencies["projectOf"],
): Promise<readonly RecalledMemory[]> {
  const fitting = await Promise.all(memories.map(({ memory }) => fits(memory, project, projectOf)));
  return memories.filter((_, place) => fitting[place] === true);
}

async function fits(
  { category, sources }: Memory,
  project: string,
  projectOf: MemoryDependencies["projectOf"],
): Promise<boolean> {
  if (ABOUT_THE_PERSON.has(category) || sources.length === 0) return true;
  const conversations = [...new Set(sources.map(({ conversation }) => conversation))];
  const projects = await Promise.all(conversations.map(projectOf));
  return projects.some((folder) => folder === null || isWithin(folder, project) || isWithin(project, folder));
}

function isWithin(folder: string, other: string): boolean {
  const way = path.relative(other, folder);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
