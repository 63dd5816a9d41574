// Installs hosts for `npm run test:hosts`, the only step of the tests that uses the network:
//   npm run hosts:install [name ...]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type HostPackage, hostFolder, hostsNamed } from "./hosts.ts";

for (const host of hostsNamed(process.argv.slice(2))) {
  const folder = hostFolder(host);
  if (existsSync(path.join(folder, host.program))) {
    console.log(`${host.name} is installed in ${folder}`);
    continue;
  }
  console.log(`installing ${host.name} …`);
  // Uses another name until it is complete.
  const building = `${folder}.part`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const tarballs = host.packages.map((one) => fetchPackage(one, building));
  if (host.isBundled === true)
    for (const [i, one] of host.packages.entries()) unpack(one, tarballs[i] ?? "", building);
  else install(tarballs, building);
  rmSync(folder, { recursive: true, force: true });
  renameSync(building, folder);
  console.log(`installed ${host.name} in ${folder}`);
}

function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", [...args, "--silent"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

function fetchPackage({ name, version, integrity }: HostPackage, folder: string): string {
  const printed = npm(["pack", `${name}@${version}`], folder)
    .trim()
    .split("\n");
  const file = path.join(folder, printed.at(-1) ?? "");
  const found = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (found !== integrity) throw new Error(`${name}@${version} has the hash ${found}, not ${integrity}`);
  return file;
}

function unpack({ name }: HostPackage, tarball: string, folder: string): void {
  const to = path.join(folder, "node_modules", name);
  mkdirSync(to, { recursive: true });
  execFileSync("tar", ["xzf", tarball, "--strip-components=1", "-C", to]);
}

function install(tarballs: readonly string[], folder: string): void {
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true }));
  npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs], folder);
}
