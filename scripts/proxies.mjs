// The proxies whose settings deploy/ ships, for the tests that use them: haproxy and nginx as Debian has them.
//
//   node scripts/proxies.mjs   prints where they are; installs them when they are missing
import { pathToFileURL } from "node:url";
import { findCommand, installFromDebian } from "./debian.mjs";

/** Debian starts what it installs; here it is told not to. */
const REFUSE_START = "/usr/sbin/policy-rc.d";

/** Paths of both; they are root's own folders, which are not on everybody's PATH. */
export function findProxies() {
  process.env.PATH = `${process.env.PATH ?? ""}:/usr/sbin`;
  const [haproxy, nginx] = [findCommand("haproxy"), findCommand("nginx")];
  return haproxy && nginx ? { haproxy, nginx } : null;
}

/** The same, installed before where they are missing. Ends the process where that cannot be. */
export function installProxies() {
  const found = findProxies();
  if (found) return found;
  installFromDebian(["haproxy", "nginx"], {
    before: `[ -e ${REFUSE_START} ] || { printf '#!/bin/sh\\nexit 101\\n' > ${REFUSE_START}; chmod +x ${REFUSE_START}; touch ${REFUSE_START}.tests; }`,
    after: `if [ -e ${REFUSE_START}.tests ]; then rm -f ${REFUSE_START} ${REFUSE_START}.tests; fi`,
  });
  return findProxies();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(JSON.stringify(installProxies()));
