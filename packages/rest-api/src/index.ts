/**
 * The REST API as an express router over injected services. `routers/` hold the endpoints as data, `families.ts` groups them by
 * envelope, `mount-family.ts` is the path of a request, `envelopes/` hold one error table per family, `body/` reads what
 * clients send, `openapi/` writes the API document from the same data. Nothing here knows storage, tokens or the environment.
 */
export type { ApplicationRequest, Applications, ApplicationView } from "./applications.js";
export type { Authenticate, Principal } from "./authentication.js";
export { createRestApi, type RestApiOptions } from "./create-rest-api.js";
export type { Keys } from "./keys.js";
export type { Log } from "./mount-family.js";
export { createOpenApiDocument, type DocumentSettings, type OpenApiDocument } from "./openapi/document.js";
export type { Quarantine } from "./quarantine.js";
export { type Scope, scopeMeanings, scopes } from "./scopes.js";
export type { RestServices } from "./services.js";
