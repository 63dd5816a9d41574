/** The store itself: whether it opens, and whether its database keeps what it acknowledges. */
import type { Config } from "../../config/schema.ts";
import { Engine } from "../../engine.ts";
import { isPalimpsestError, messageOf } from "../../errors.ts";
import { openStore } from "../../store/open-store.ts";
import { READ_ONLY, type StoreInfo } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import { checkBackups } from "./check-backups.ts";
import { checkDamage } from "./check-damage.ts";
import { checkMemories } from "./check-memories.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const WANTED_SETTINGS: Readonly<Record<StoreInfo["engine"], Readonly<Record<string, string>>>> = {
  sqlite: { journal_mode: "wal", synchronous: "full" },
  postgres: { fsync: "on", synchronous_commit: "on", full_page_writes: "on" },
};

export async function checkStore(config: Config): Promise<Finding[]> {
  try {
    const store = await openStore(config, { mustExist: true });
    const engine = new Engine(store, config, { background: "off" });
    try {
      return await lookInside(engine);
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (isPalimpsestError(error, "not-found")) return [ok("store", "nothing is stored yet")];
    const advice = isPalimpsestError(error) ? (error.advice ?? null) : null;
    return [fail("store", messageOf(error), advice)];
  }
}

async function lookInside(engine: Engine): Promise<Finding[]> {
  const info = await engine.store.info();
  const name = info.engine === "sqlite" ? "SQLite" : "PostgreSQL";
  return [
    ok("store", `${info.location} opens (${name} ${info.engineVersion}, schema ${info.schemaVersion})`),
    checkDurability(info),
    await checkDamage(engine, info),
    checkLines(info.unreadableLines),
    await checkMemories(engine),
    await checkBackups(engine, info.conversations + info.memories),
  ];
}

function checkDurability({ engine, durability }: Pick<StoreInfo, "engine" | "durability">): Finding {
  if (durability.access === READ_ONLY.access) return ok("durability", "the store is read-only");
  const wanted = Object.entries(WANTED_SETTINGS[engine]);
  const shown = wanted.map(([name]) => `${name} ${durability[name] ?? "unknown"}`).join(", ");
  const wrong = wanted.filter(([name, value]) => durability[name] !== value);
  if (wrong.length === 0) return ok("durability", shown);
  const advice = `Set ${wrong.map(([name, value]) => `${name} = ${value}`).join(", ")}: with the current values, a power failure may lose acknowledged messages.`;
  return fail("durability", shown, advice);
}

function checkLines(unreadable: number): Finding {
  if (unreadable === 0) return ok("transcripts", "all lines are readable");
  const message = `${counted(unreadable, "line")} kept but not readable`;
  return warn("transcripts", message, "See them with: lcm transcript <conversation> unreadable=true");
}
