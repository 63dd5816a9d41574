/** For hosts that are built with the AI SDK. */
export { type Lossless, type LosslessOptions, lossless } from "./lossless.ts";
export { type PalimpsestToolsOptions, palimpsestTools } from "./palimpsest-tools.ts";
