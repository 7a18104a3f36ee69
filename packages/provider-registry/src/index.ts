/**
 * Bank providers under their settings. Core asks a `ProviderDirectory` for the provider of a connector. This package implements it from the
 * settings of the installation and of tenants.
 *
 *   createProviderRegistry    creates providers from their modules and settings, and recreates them when settings change
 *   makeProvider              creates one provider with settings
 *   createProviderOperations  lets operators read and change the settings, which are stored sealed
 *   createSharedPace          limits the rate of calls at a bank, over all replicas
 */

export { checkCauses } from "@org/provider-kit";
export { makeProvider, NotMade, parseSettings, type ServicesFor } from "./make-provider.js";
export { createProviderOperations, type ProviderOperations, type ProviderView } from "./provider-operations.js";
export { createProviderRegistry, type ProviderRegistry, type ProviderStanding } from "./provider-registry.js";
export { schemaText } from "./settings-schema.js";
export { createSharedPace } from "./shared-pace.js";
