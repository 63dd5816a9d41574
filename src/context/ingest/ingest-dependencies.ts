/** The dependencies of storing messages. */
import type { Config } from "../../config/schema.ts";
import type { Log } from "../../log.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { Explorer } from "../files/explore/explorer.ts";
import type { PrepareOptions } from "./prepare-turn.ts";

export type IngestSettings = Pick<
  Config,
  | "enabled"
  | "ignoreSessionPatterns"
  | "statelessSessionPatterns"
  | "skipStatelessSessions"
  | "pruneHeartbeatOk"
  | "largeFileTokenThreshold"
  | "toolOutputStubBytes"
>;

export interface IngestDependencies extends PrepareOptions {
  readonly store: ScopedStore;
  readonly settings: IngestSettings;
  readonly log: Log;
  /** Describes externalised files. */
  readonly explorer: Explorer;
}
