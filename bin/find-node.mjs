import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MINIMUM = { checkout: [24, 0], published: [22, 16] };

/** The Node to run on: this one when it is new enough, else the one bundled with a checkout. */
export function findNode() {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const inCheckout = existsSync(path.join(root, "src"));
  const minimum = inCheckout ? MINIMUM.checkout : MINIMUM.published;
  if (isAtLeast(process.versions.node, minimum)) return process.execPath;
  const platform = process.platform === "win32" ? "win" : process.platform;
  const bundled = path.join(root, "node_modules", `node-${platform}-${process.arch}`, "bin", "node");
  if (existsSync(bundled)) return bundled;
  console.error(
    `palimpsest needs Node ${minimum.join(".")} or newer; this is ${process.version}.\n` +
      "Install a newer Node (https://nodejs.org), for example with: nvm install 24",
  );
  process.exit(1);
}

function isAtLeast(version, [major, minor]) {
  const [haveMajor, haveMinor] = version.split(".").map(Number);
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}
