import type { MappingLanguage } from "@org/core";
import {
  draftMapping,
  type FeedMapping,
  FeedMappingError,
  parseFeedMapping,
  shippedMappings,
  testMapping,
} from "@org/feed-mapping";

/** `@org/feed-mapping` as core asks for it. */
export const mappingLanguage: MappingLanguage = {
  faultsOf(stated) {
    try {
      parseFeedMapping(stated);
      return [];
    } catch (error) {
      if (error instanceof FeedMappingError) return error.faults;
      throw error;
    }
  },
  test: (file, mapping, options) => testMapping(file, mapping as FeedMapping, options),
  draft: draftMapping,
  shipped: shippedMappings(),
};
