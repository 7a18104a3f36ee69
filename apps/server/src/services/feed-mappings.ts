import type { Connectors, Runtime, Storage } from "@org/core";
import { createFeedMappings, type FeedMappings, type MappingLanguage } from "@org/data-feeds";
import type { SourceOperations } from "@org/feed-sources";

/** Mappings as operators manage them: files that wait for a mapping are retried when it is stored. */
export function feedMappings({
  storage,
  runtime,
  connectors,
  held,
  mappingLanguage: language,
}: {
  storage: Storage;
  runtime: Runtime;
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
