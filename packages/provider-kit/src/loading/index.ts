/**
 * Loads what settings name: providers and formats as modules, by path or as packages (resolve-module.ts). For programs that run them, and
 * nothing that one is written against.
 */
export { loadDefaultExport, moduleFault } from "./load-module.js";
export { type LoadedProviders, loadProviders } from "./load-providers.js";
export { resolveModule } from "./resolve-module.js";
