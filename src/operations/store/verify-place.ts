/**
 * Verifies the configured store, even if it cannot be opened. A repair starts with the database itself: if its
 * structure is damaged, a new one is built from the readable rows.
 */

import { checkCertificates } from "../../context/erase/check-certificates.ts";
import type { Engine } from "../../engine.ts";
import { isPalimpsestError, type PalimpsestError } from "../../errors.ts";
import type { SalvagedStore } from "../../store/open-store.ts";
import type { Use } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { timestamp } from "./backups.ts";
import type { VerifyInput, VerifyOutput, VerifyProblem } from "./verify.ts";
import { verifyStore } from "./verify-store.ts";

export async function verifyPlace(setup: Setup, input: VerifyInput, use: Use): Promise<VerifyOutput> {
  try {
    const salvaged = await salvageIfDamaged(setup, input);
    const output = await withEngine(setup, (engine) => verifyEngine(engine, input, use));
    if (salvaged !== null) return afterSalvage(output, salvaged, input);
    return !output.ok && (await isFileDamaged(setup, input)) ? beforeSalvage(output) : output;
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return cannotBeOpened(error, setup.loadUsable().config.databaseUrl === null && input.repair !== true);
  }
}

/** The same for an open store. */
export function verifyEngine(engine: Engine, input: VerifyInput, use: Use): Promise<VerifyOutput> {
  return input.erasure === true ? verifyErasures(engine, input) : verifyStore(engine, input, use);
}

async function salvageIfDamaged(setup: Setup, input: VerifyInput): Promise<SalvagedStore | null> {
  if (input.repair !== true || !(await isFileDamaged(setup, input))) return null;
  return setup.salvage(`damaged-${timestamp(Date.now())}`);
}

/** Whether the structure of an SQLite file is damaged, so that a repair builds a new one. */
async function isFileDamaged(setup: Setup, { erasure }: VerifyInput): Promise<boolean> {
  if (erasure === true || setup.loadUsable().config.databaseUrl !== null) return false;
  return withEngine(setup, async ({ store }) => {
    const problems = await store.checkEngine({ structureOnly: true });
    return problems.length > 0;
  }).catch((error: unknown) => {
    if (isPalimpsestError(error, "store-corrupt") || isPalimpsestError(error, "internal")) return true;
    throw error;
  });
}

/** Closed at once: its files may have to be moved. */
async function withEngine<Result>(setup: Setup, run: (engine: Engine) => Promise<Result>): Promise<Result> {
  const engine = await setup.open({ mustExist: true });
  try {
    return await run(engine);
  } finally {
    await engine.close();
  }
}

const REBUILD = {
  conversation: null,
  tenant: null,
  agent: null,
  memory: null,
  description: "create a new database from the readable part of the damaged one",
};

/** What the damage hides is unknown before the repair, so every problem may be a consequence of it. */
function beforeSalvage(output: VerifyOutput): VerifyOutput {
  return {
    ...output,
    problems: output.problems.map((problem) => ({ ...problem, repairable: true })),
    plan: output.plan && [REBUILD, ...output.plan],
  };
}

function afterSalvage(
  output: VerifyOutput,
  { damagedFile, problems, unchecked }: SalvagedStore,
  { conversation }: VerifyInput,
): VerifyOutput {
  const isWhole = output.ok && conversation === undefined;
  const lost = isWhole ? unchecked : problems;
  return {
    ...output,
    // Unreadable rows are lost, even if all others are intact, unless the check above would have reported them.
    ok: output.ok && lost.length === 0,
    plan: [REBUILD, ...(output.plan ?? [])],
    repaired: (output.repaired ?? 0) + 1,
    damagedFile,
    recovered: problems.filter((problem) => !lost.includes(problem)),
    lost: [...lost, ...output.lost],
  };
}

function cannotBeOpened(error: PalimpsestError, repairable: boolean): VerifyOutput {
  const nowhere = { conversation: null, tenant: null, agent: null, memory: null, seq: null };
  return {
    ok: false,
    conversations: 0,
    messages: 0,
    summaries: 0,
    memories: 0,
    certificates: null,
    problems: [{ check: "engine", ...nowhere, message: error.message, repairable }],
    plan: null,
    repaired: null,
    backup: null,
    damagedFile: null,
    recovered: [],
    lost: [],
  };
}

/** Checks for remains of erasures of every tenant and agent, and cleans the files on request. */
async function verifyErasures(engine: Engine, { repair }: VerifyInput): Promise<VerifyOutput> {
  const found = await check(engine);
  const isUncleaned = found.problems.some(({ repairable }) => repairable);
  if (repair !== true || !isUncleaned) return answer(found, repair === true ? 0 : null);
  await engine.store.compactFiles();
  return answer(await check(engine), 1);
}

interface Found {
  readonly certificates: number;
  readonly problems: VerifyProblem[];
}

async function check({ store }: Engine): Promise<Found> {
  let certificates = 0;
  const problems: VerifyProblem[] = [];
  for (const scope of await store.scopes()) {
    const checked = await checkCertificates(store.scoped(scope));
    certificates += checked.certificates;
    for (const { isUncleaned, ...problem } of checked.problems)
      problems.push({ check: "erasure", ...scope, memory: null, ...problem, repairable: isUncleaned });
  }
  const nowhere = { conversation: null, tenant: null, agent: null, memory: null, seq: null };
  for (const message of await store.checkEngine({ erasuresOnly: true }))
    problems.push({ check: "erasure", ...nowhere, message, repairable: false });
  return { certificates, problems };
}

function answer({ certificates, problems }: Found, repaired: number | null): VerifyOutput {
  const nothing = { conversations: 0, messages: 0, summaries: 0, memories: 0, plan: null, backup: null };
  const undamaged = { damagedFile: null, recovered: [], lost: [] };
  return { ok: problems.length === 0, ...nothing, ...undamaged, certificates, problems, repaired };
}
