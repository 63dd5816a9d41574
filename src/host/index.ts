/** For building a plugin: what a host must say, and what it gets back. */
export { HostBridge, type HostBridgeOptions } from "./bridge.ts";
export { type EngineLease, type SharedEngineOptions, shareEngine } from "./shared-engine.ts";
export type {
  AssembleForHost,
  CompactedForHost,
  CompactForHost,
  HostContext,
  HostSession,
  HostSummary,
} from "./types.ts";
