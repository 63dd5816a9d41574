/** All operations, loaded: `operations.grep`, `operations["files list"]`. */

import { modelTools } from "./model-tools.ts";
import { type AnyOperation, loadOperations } from "./registry.ts";

export const operations = await loadOperations();

/** In the order of the help page. */
export const OPERATIONS: readonly AnyOperation[] = Object.values<AnyOperation>(operations);

/** Operations that models may call, in the order of typical use. */
export const MODEL_TOOLS = modelTools(OPERATIONS);

export type { ModelTool } from "./model-tools.ts";
export type { Operation, Steps, Use } from "./operation.ts";
export { runOperation } from "./run-operation.ts";
export { type Setup, setUp } from "./setup.ts";
