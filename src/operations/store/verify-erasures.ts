/** Checks what erasures have left, of every tenant and agent, and cleans the files where that is asked for. */
import { checkCertificates } from "../../context/erase/check-certificates.ts";
import type { Engine } from "../../engine.ts";
import type { VerifyInput, VerifyOutput, VerifyProblem } from "./verify.ts";

export async function verifyErasures(engine: Engine, { repair }: VerifyInput): Promise<VerifyOutput> {
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
  const undamaged = { damagedFile: null, lost: [] };
  return { ok: problems.length === 0, ...nothing, ...undamaged, certificates, problems, repaired };
}
