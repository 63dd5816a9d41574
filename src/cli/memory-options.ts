/** Which memories: the options that the commands of `lcm memory` share. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { MEMORY_CATEGORIES, type MemoryCategory } from "../memory-types.ts";
import { repeated } from "./look-in-options.ts";
import { names, pointInTime } from "./option-values.ts";

export interface MemoryFilter {
  readonly scope?: readonly string[];
  readonly category?: readonly MemoryCategory[];
  readonly tag?: readonly string[];
  readonly since?: string;
  readonly before?: string;
}

export function addMemoryFilter(command: Command): Command {
  return command
    .option("--scope <scopes>", "only these: global, agent:<id>, project:<id>, … (repeat or by comma)", names)
    .option(
      "--category <categories>",
      `only these: ${MEMORY_CATEGORIES.join(", ")} (repeat or by comma)`,
      categories,
    )
    .option("--tag <tags>", "only those that have all of these (repeat or by comma)", names)
    .option(
      "--since <time>",
      "stored from this time on: 2026-11-16, local, or how long ago: 12h, 3d, 2w",
      pointInTime,
    )
    .option("--before <time>", "stored before this time", pointInTime);
}

export function filterOf({ scope, category, tag, since, before }: MemoryFilter) {
  return { scopes: scope, categories: category, tags: tag, since, before };
}

/** The options as they would be typed again. */
export function repeatFilter({ scope, category, tag, since, before }: MemoryFilter): string {
  return repeated([
    ["--scope", scope?.join(",")],
    ["--category", category?.join(",")],
    ["--tag", tag?.join(",")],
    ["--since", since],
    ["--before", before],
  ]);
}

export function categoryOption(description: string): Option {
  return new Option("--category <category>", description).choices(MEMORY_CATEGORIES);
}

/** A number from 0 to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

function categories(text: string, before: readonly MemoryCategory[] = []): readonly MemoryCategory[] {
  const given = names(text).map((name) => {
    const category = MEMORY_CATEGORIES.find((known) => known === name);
    if (category === undefined)
      throw new InvalidArgumentError(`A category is one of ${MEMORY_CATEGORIES.join(", ")}.`);
    return category;
  });
  return [...new Set([...before, ...given])];
}
