import { type Connectors, createFeedMappings, type FeedMappings, type MappingLanguage } from "@org/core";
import type { SourceOperations } from "@org/feed-sources";
import type { Platform } from "../feature.js";

/** Mappings as operators see to them: files that wait for one are tried again when it is kept. */
export function feedMappings({
  database: { storage },
  runtime,
  connectors,
  held,
  mappingLanguage: language,
}: Pick<Platform, "database" | "runtime"> & {
  connectors: Pick<Connectors, "find">;
  held: Pick<SourceOperations, "retryLacking">;
  mappingLanguage: MappingLanguage;
}): FeedMappings {
  return createFeedMappings({
    storage,
    runtime,
    connectors,
    language,
    onChanged: () => held.retryLacking(["format", "mapping"]),
  });
}
