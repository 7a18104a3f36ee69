import {
  type Connectors,
  createFeedMappings,
  type FeedMappings,
  type MappingLanguage,
  type MappingOwner,
} from "@org/core";
import { connectorOfFeed, type WaitingFiles } from "@org/feed-sources";
import type { Platform } from "../feature.js";

/** Mappings as operators see to them: files that wait for one are tried again when it is kept. */
export function feedMappings({
  database: { storage },
  runtime,
  connectors,
  waiting,
  mappingLanguage: language,
}: Pick<Platform, "database" | "runtime"> & {
  connectors: Pick<Connectors, "find">;
  waiting: WaitingFiles;
  mappingLanguage: MappingLanguage;
}): FeedMappings {
  const connectorOf = connectorOfFeed(storage);
  return createFeedMappings({
    storage,
    runtime,
    connectors,
    language,
    async onChanged(operator, owner: MappingOwner) {
      const connector =
        "connector_id" in owner ? owner.connector_id : await connectorOf(owner.connection_id, owner.tenant_id);
      return waiting.retry(
        operator,
        ["format", "mapping"],
        async (folder) => (await connectorOf(folder)) === connector,
      );
    },
  });
}
