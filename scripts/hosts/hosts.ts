// The hosts that `npm run test:hosts` runs, at exact versions and with the hashes of their packages. Dependencies of a package
// are pinned by its own shrinkwrap, or listed here.
import os from "node:os";
import path from "node:path";

/** Outside of the tree, and shared by all checkouts. */
export const HOSTS_FOLDER =
  process.env.PALIMPSEST_HOSTS ?? path.join(os.homedir(), ".cache/palimpsest/hosts");

const PI = "@earendil-works/pi-coding-agent";

export interface HostPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

export interface Host {
  readonly name: string;
  /** Nothing else is installed. */
  readonly isBundled?: boolean;
  readonly packages: readonly HostPackage[];
  /** Under the host's folder. */
  readonly program: string;
}

export const HOSTS: readonly Host[] = [
  {
    name: "pi-0.87.1",
    packages: [
      {
        name: PI,
        version: "0.87.1",
        integrity:
          "sha512-m8ArJUtVcQMSe1lLE/Ei7vX/JV7O39sWmWBsXV2NOU70F0qCp8GubA24pT3LnwTmM6LL2xV80/h6sQg85n69ew==",
      },
    ],
    program: `node_modules/${PI}/dist/cli.js`,
  },
  {
    // Some of its dependencies are not published; its code is bundled in the package itself.
    name: "pi-1.5.0",
    isBundled: true,
    packages: [
      {
        name: PI,
        version: "1.5.0",
        integrity:
          "sha512-xNDZ5kqowO6Z03FS2gwAkPEGk1ssxVcYKQ6qZId84mFEvwACvvyc2l0vAMOS+c5zvxLRMLBE9r4y44IGYkMJaQ==",
      },
      {
        name: "jiti",
        version: "2.7.0",
        integrity:
          "sha512-AC/7JofJvZGrrneWNaEnJeOLUx+JlGt7tNa0wZiRPT4MY1wmfKjt2+6O2p2uz2+skll8OZZmJMNqeke7kKbNgQ==",
      },
    ],
    program: "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js",
  },
  {
    // The package of one platform holds the whole program; the package without a platform only starts it.
    name: "claude-code-2.1.325",
    isBundled: true,
    packages: [
      {
        name: "@anthropic-ai/claude-code-linux-x64",
        version: "2.1.325",
        integrity:
          "sha512-BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlTAz+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==",
      },
    ],
    program: "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
  },
  {
    name: "codex-0.166.0",
    isBundled: true,
    packages: [
      {
        name: "@openai/codex",
        version: "0.166.0-linux-x64",
        integrity:
          "sha512-CxDm3+D1cpbGJeHrdzINoG+3wn9BVncP4qpZaaNYkxe8iPtRJOYyCJnnPoVjWRIBvI9vPKbRoifsMSA5xDaUpw==",
      },
    ],
    program: "node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex",
  },
  {
    name: "opencode-1.18.33",
    isBundled: true,
    packages: [
      {
        name: "opencode-linux-x64",
        version: "1.18.33",
        integrity:
          "sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==",
      },
    ],
    program: "node_modules/opencode-linux-x64/bin/opencode",
  },
  {
    name: "copilot-1.0.102",
    isBundled: true,
    packages: [
      {
        name: "@github/copilot-linux-x64",
        version: "1.0.102",
        integrity:
          "sha512-eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b1zfLirQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==",
      },
    ],
    program: "node_modules/@github/copilot-linux-x64/copilot",
  },
  {
    name: "openclaw-2026.9.6",
    packages: [
      {
        name: "openclaw",
        version: "2026.9.6",
        integrity:
          "sha512-Ie0kyQSCVfFqixsgVg39vevUDq01Ch5u3+7Yu5Y3qARczmdAe+lzp8bVnO9925rHiW/+CFp70zfORCyPmCH31g==",
      },
    ],
    program: "node_modules/openclaw/openclaw.mjs",
  },
];

export function hostFolder({ name }: Host): string {
  return path.join(HOSTS_FOLDER, name);
}

export function hostsNamed(names: readonly string[]): readonly Host[] {
  const wanted = HOSTS.filter(({ name }) => names.length === 0 || names.some((one) => name.startsWith(one)));
  if (wanted.length > 0) return wanted;
  throw new Error(`there is no host ${names.join(", ")}. Known: ${HOSTS.map(({ name }) => name).join(", ")}`);
}
