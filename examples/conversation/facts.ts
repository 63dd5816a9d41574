/**
 * What a reader of the conversation should still be able to find at its end. `text` occurs word for word in the
 * message named, and in none before it. A fact that was taken back later is named in `supersedes` of the one that
 * replaced it. Tests read these as canaries: which are visible in a compact view, and which can be drilled back to.
 */
export type FactKind =
  | "identifier"
  | "number"
  | "path"
  | "constraint"
  | "correction"
  | "decision"
  | "date"
  | "error";

export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  /** Exact string, as it stands in the message. */
  readonly text: string;
  /** The first message that contains it. */
  readonly messageId: string;
  /** Ids of facts that this one makes obsolete. */
  readonly supersedes?: readonly string[];
}

/** The last message asks for two facts of the first turn, which nobody has repeated since. It has no answer yet. */
export const FINAL_QUESTION = {
  messageId: "m0314",
  answeredBy: ["spare-head-serial", "spare-head-voltage"],
} as const;

export const FACTS: readonly Fact[] = [
  fact("spare-head-serial", "identifier", "VX-40417-KITTIWAKE", "m0002"),
  fact("spare-head-voltage", "number", "1087.5 V", "m0002"),
  fact("head-in-service", "identifier", "VX-38852-DUNLIN", "m0002"),
  fact("archive-is-read-only", "constraint", "Never write to /mnt/archive.", "m0002"),
  fact("database-path", "path", "/srv/lantern/lantern.db", "m0002"),
  fact("period", "number", "2.391417 days", "m0004"),
  fact("first-t0", "number", "JD 2461009.40226", "m0006"),
  fact("both-or-neither", "decision", "apply to T0 and to the data together or to neither", "m0018"),
  fact(
    "quiet-hours",
    "constraint",
    "never restart or stop lantern-ingest.service between 18:00 and 06:00 UTC",
    "m0036",
  ),
  fact("wrong-coefficient", "number", "0.0137 mag per degree", "m0038"),
  fact("receiver-serial", "identifier", "GR8-2207-0431", "m0042"),
  fact("wrong-baud-rate", "number", "57600 baud", "m0042"),
  fact("log-port", "number", "47115", "m0042"),
  fact("log-server-down", "error", "port 47115 (tcp) failed: Connection refused", "m0048"),
  fact("brownout-limit", "number", "11.40 V", "m0054"),
  fact("dome-power-tuesdays", "constraint", "その間はドームの電源を絶対に切らないでください", "m0054"),
  fact("key-by-time", "decision", "Decision: primary key (night, utc).", "m0078"),
  fact("locked-database", "error", "sqlite3.OperationalError: database is locked", "m0082"),
  fact("inspection-date", "date", "the lightning-protection inspection is on 2026-04-21", "m0098"),
  fact("baud-rate", "correction", "57600 ではなく 38400 です", "m0100", ["wrong-baud-rate"]),
  fact("heater-off", "decision", "Decision: dew heater off tonight and until further notice", "m0122"),
  fact("guilty-plug", "identifier", "warmroom-3", "m0127"),
  fact("small-capacitor", "decision", "Decision: hold-up capacitor 4700 µF at the box input", "m0143"),
  fact("heater-on", "correction", "switch the dew heater back on", "m0143", ["heater-off"]),
  fact("key-by-boot", "decision", "Decision: primary key (night, boot, seq)", "m0153", ["key-by-time"]),
  fact("raw-stamp-stays", "decision", "Decision: utc_raw is never overwritten", "m0157"),
  fact("no-guessing", "decision", "Decision: unknown rows are left out of the fit, no guessing.", "m0173"),
  fact("export-parquet", "decision", "Decision: exports are Parquet", "m0175"),
  fact("capacitor", "correction", "コンデンサは 4700 µF ではなく 10000 µF", "m0183", ["small-capacitor"]),
  fact("order-number", "identifier", "SO-66120-B", "m0189"),
  fact(
    "write-to-archive",
    "error",
    "[Errno 30] Read-only file system: '/mnt/archive/2025-12-06/mast.csv.tmp'",
    "m0194",
  ),
  fact("index-folder", "path", "/srv/lantern/index", "m0206"),
  fact("coefficient", "correction", "the coefficient is 0.0173, not 0.0137", "m0218", ["wrong-coefficient"]),
  fact("t0", "correction", "JD 2461009.40231 instead of 2461009.40226", "m0225", ["first-t0"]),
  fact("deployed-commit", "identifier", "9f3c1e7", "m0234"),
  fact("firmware-checksum", "identifier", "c41f77e0", "m0240"),
  fact("export-csv", "decision", "Decision reversed: exports are CSV, gzipped, not Parquet.", "m0247", [
    "export-parquet",
  ]),
  fact("live-minimum", "date", "2026-03-15T02:59:30Z", "m0257"),
  fact("dome-fix", "error", "reseat J7 until it clicks", "m0281"),
  fact("next-eclipse", "date", "2026-03-19T21:46:47Z", "m0309"),
];

function fact(
  id: string,
  kind: FactKind,
  text: string,
  messageId: string,
  supersedes?: readonly string[],
): Fact {
  return { id, kind, text, messageId, ...(supersedes ? { supersedes } : {}) };
}
