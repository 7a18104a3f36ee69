/**
 * The REST API over injected services. `endpoints/` defines the endpoints as data, and `families.ts` groups them by prefix and by who may
 * call them. From the families, `routes.ts` builds the table of all paths, which `create-rest-api.ts` serves, and `openapi/` builds the API
 * document. `serve-endpoint.ts` handles a request, `envelopes/` has the two error formats with a table each (operators use that of
 * letters), `body/` reads and checks request bodies, and `reference/` renders the API document for human readers. Nothing here knows
 * storage, tokens or the environment.
 *
 * An `Authenticator` decides who is calling. `bearer-authenticator.ts` is the one for programs; a host that serves the same endpoints to
 * other callers passes its own to `serveEndpoint`.
 */

export type { ApplicationOperations, ApplicationRequest, ApplicationView } from "./applications.js";
export { createDiskSpool } from "./body/disk-spool.js";
export type { DocumentSpool, SpooledDocument } from "./body/document-spool.js";
export { type Input, jsonInput, type RestLimits } from "./body/inputs.js";
export { createRestApi, type RestApi, type RestApiOptions } from "./create-rest-api.js";
export { type Endpoint, pathsOf } from "./endpoint.js";
export type { Envelope } from "./envelopes/envelope.js";
export { lettersEnvelope } from "./envelopes/letters-envelope.js";
export type { Events } from "./events.js";
export type { Examination } from "./examination.js";
export { type Failure, RestError, type RestErrorCode } from "./failure.js";
export {
  type Caller,
  clientsFamily,
  connectFamily,
  dataFamily,
  eventsFamily,
  type Family,
  lettersFamily,
  operatorFamily,
  type RestPaths,
} from "./families.js";
export type { FeedKeyOperations } from "./feed-keys.js";
export type { FeedSources } from "./feed-sources.js";
export type { GrantOperations } from "./grants.js";
export { createAnswerOnce, type Idempotency } from "./keyed-requests.js";
export type { Keys } from "./keys.js";
export { createOpenApiDocument, type DocumentSettings, type OpenApiDocument } from "./openapi/document.js";
export type { People } from "./people.js";
export { referencePage } from "./reference/reference-page.js";
export type { RegistrationTokenOperations } from "./registration-tokens.js";
export { type RestRoute, restRoutes } from "./routes.js";
export { type Scope, scopeMeanings, scopes } from "./scopes.js";
export {
  type Answering,
  type Authenticator,
  answerOutcome,
  type Host,
  type Log,
  requireInput,
  requirePost,
  serveEndpoint,
} from "./serve-endpoint.js";
export type { RestServices } from "./services.js";
export type { TrustedIssuerOperations } from "./trusted-issuers.js";
export type { Webhooks } from "./webhooks.js";
