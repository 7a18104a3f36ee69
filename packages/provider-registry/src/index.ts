/**
 * Bank providers under their settings. Core asks a `ProviderDirectory` for the provider of a connector; this is the one that reads
 * settings of the installation and of tenants.
 *
 *   createProviderRegistry    makes providers of their modules and settings, and makes them anew when settings change
 *   createProviderOperations  operators read and change the settings, which are kept sealed
 *   createSharedPace          calls at a bank, paced over all replicas
 */

export type { ServicesFor } from "./make-provider.js";
export { createProviderOperations, type ProviderOperations, type ProviderView } from "./provider-operations.js";
export { createProviderRegistry, type ProviderRegistry, type ProviderStanding } from "./provider-registry.js";
export { createSharedPace } from "./shared-pace.js";
