import type { Connectors } from "@org/core";
import { checkContent, checkSettings, checkVirusScan, type Finding, ok, warn } from "@org/installation";
import type { Examination } from "@org/rest-api";
import type { Platform } from "../feature.js";

/** How many connectors are named. */
const NAMED = 10;

/** What `wealth-connect doctor` asks this server: everything that depends on its own settings, its database login and its providers. */
export function examination({
  config,
  publicUrl,
  database,
  connectors,
}: Pick<Platform, "config" | "publicUrl" | "database"> & { connectors: Pick<Connectors, "search"> }): Examination {
  return {
    async examine() {
      await database.ping();
      // Not the platform's clock, which is the database's.
      const by = { clock: () => new Date(), machine: "the server's machine" };
      return [
        ...checkSettings({ ...config, publicUrl }),
        await checkVirusScan(config),
        ok("database", `${database.kind}, answers`),
        ...(await checkContent(config, database, by)),
        await checkConnectors(connectors),
      ];
    },
  };
}

async function checkConnectors(connectors: Pick<Connectors, "search">): Promise<Finding> {
  const check = "connectors";
  const { total, items } = await connectors.search({ name: null, unserved: true, page: 1, page_size: NAMED }, null);
  if (total === 0) return ok(check, "this server has the providers of all that are to be available");
  const named = items.map(({ id, provider }) => `${id} (${provider})`).join(", ");
  return warn(
    check,
    `${total} are not available, since this server has no such provider: ${named}${total > NAMED ? ", …" : ""}`,
    "wealth-connect connectors list --unserved; import them again with a provider of this server, or with available: false",
  );
}
