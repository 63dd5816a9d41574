/** For hosts that are built with the AI SDK. */
export { type PalimpsestToolsOptions, palimpsestTools } from "./palimpsest-tools.ts";
