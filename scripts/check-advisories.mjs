// Asks the npm registry which packages of pnpm-lock.yaml have known vulnerabilities, as `npm audit` does. One in what the published packages contain or
// need fails the check, unless docs/decisions/dependencies.md accepts it with a reason; one in a tool of the repository is only listed. Where the registry
// does not answer, this says so and passes: it then shows nothing.
//
//   node scripts/check-advisories.mjs [--registry=https://…]      the registry that npm is configured with by default
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandFor } from "./on-any-system.mjs";
import { publicPackages } from "./public-packages.mjs";
import { lockedPackages, runtimeDependencies } from "./runtime-dependencies.mjs";
import { assembledFrom } from "./sbom.mjs";
import { root } from "./step.mjs";

const PATIENCE_MS = 30_000;

/**
 * The registry's answer, or the reason why there is none. @param names `name@version` of each package
 * @returns `{ advisories }`, by name of a package, or `{ unanswered }`
 */
export async function askRegistry(registry, names) {
  const versions = {};
  for (const key of names) {
    const at = key.lastIndexOf("@");
    versions[key.slice(0, at)] = [...(versions[key.slice(0, at)] ?? []), key.slice(at + 1)];
  }
  const url = new URL("-/npm/v1/security/advisories/bulk", registry.replace(/\/?$/, "/"));
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(versions),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) return { unanswered: `${url.host} answers ${answer.status}` };
    return { advisories: await answer.json() };
  } catch (error) {
    return { unanswered: `${url.host}: ${error.cause?.message ?? error.message}` };
  }
}

/**
 * What an answer means. @param shipped names of the packages that published ones contain or need @param accepted ids of accepted advisories
 * @returns lines to print, with those in `faults` failing the check
 */
export function judge(advisories, shipped, accepted) {
  const found = Object.entries(advisories).flatMap(([name, list]) => list.map((advisory) => ({ name, ...advisory })));
  const idOf = ({ url }) => /GHSA(?:-[\w]{4}){3}/.exec(url)?.[0] ?? url;
  const line = (each) => `${each.severity}: ${each.name} ${each.vulnerable_versions}: ${each.title} (${each.url})`;
  const isAccepted = (each) => accepted.includes(idOf(each));
  const open = found.filter((each) => shipped.has(each.name) && !isAccepted(each));
  const leftOver = accepted.filter((id) => !found.some((each) => idOf(each) === id));
  return {
    faults: [
      ...open.map(line),
      ...leftOver.map((id) => `${id} is accepted in docs/decisions/dependencies.md, and nothing has it any more`),
    ],
    notes: [
      ...found.filter(isAccepted).map((each) => `accepted: ${line(each)}`),
      ...found
        .filter((each) => !shipped.has(each.name) && !isAccepted(each))
        .map((each) => `only in tools: ${line(each)}`),
    ],
  };
}

/** Ids in the table of accepted advisories. */
export function acceptedIn(page) {
  const [, section = ""] = /^## Accepted advisories\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(page) ?? [];
  return [...section.matchAll(/^\| \[(GHSA(?:-[\w]{4}){3})\]/gm)].map(([, id]) => id);
}

async function check() {
  const asked = process.argv.find((argument) => argument.startsWith("--registry="))?.slice("--registry=".length);
  const npm = () =>
    spawnSync(...commandFor("npm", ["config", "get", "registry"]), {
      encoding: "utf8",
      shell: process.platform === "win32",
    });
  const names = [...lockedPackages().keys()];
  const { advisories, unanswered } = await askRegistry(asked ?? npm().stdout.trim(), names);
  if (unanswered !== undefined) {
    console.log(`advisories not answered (${unanswered}): nothing is known of ${names.length} packages`);
    if (process.env.TEST_REPORT_DIR)
      writeFileSync(join(process.env.TEST_REPORT_DIR, "advisories.json"), JSON.stringify({ numPendingTests: 1 }));
    return;
  }
  const folders = [...publicPackages().map(({ folder }) => join(root, folder)), ...assembledFrom];
  const shipped = new Set([...runtimeDependencies(folders).values()].map(({ manifest }) => manifest.name));
  const accepted = acceptedIn(readFileSync(join(root, "docs/decisions/dependencies.md"), "utf8"));
  const { faults, notes } = judge(advisories, shipped, accepted);
  for (const note of notes) console.log(note);
  for (const fault of faults) console.error(fault);
  console.log(`${names.length} packages, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await check();
