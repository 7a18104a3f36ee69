/**
 * The HTTP edge of every server in this repository. How to use it:
 *
 * 1. A server makes one edge and begins every request with it, before anything else:
 *    `const edge = createEdge({log, trustProxy, routes}); createServer((request, response) => { edge.begin(request, response); … })`.
 *    From then on every answer has `X-Trace-Id`, and closing it writes the one access log record.
 * 2. A handler calls `exchangeOf(request, response)`. It gets the exchange that the server began, or a new one when it runs
 *    standalone: `exchange.traceId` for logs and bodies, `exchange.address` for audit and limits (`addressPrefix` for counting).
 * 3. Authentication: an `Authenticate` turns the access token of a request into a `Principal`. Put it on the exchange
 *    (`exchange.principal = principal`), and answer refusals with `challengeStatus` and `challengeHeader`.
 * 4. Cross-origin calls: `createOriginPolicy(publicUrl, allowedOrigins).headersFor("guarded", request.headers)`, `isPreflight`,
 *    `preflightHeaders`; `isServedHost` where `Host` is checked.
 * 5. Reading a body: `requireFormat`, then `readBytes` or `chunksOf`, soonest where the server begins requests with `afterHeaders`. A
 *    `BodyError` has a code, for which each family of routes has its own wording. What was not read is discarded with the answer. For JSON:
 *    `parseJson`, then `jsonFaults` (or `isTooDeep` alone).
 * 6. Answering: `answerJson`, `answerText`, `answerEmpty`.
 * 7. Adding to the log record: `exchange.note({tool, outcome})`. Giving back what the request holds: `exchange.atClose(release)`.
 * 8. Anything that outsiders can cause without limit (refusals) is counted by network, kind and minute, not recorded individually:
 *    `createOccurrenceCounter`.
 * 9. Hosts chosen by an outside party: `resolveHost` queries the name servers, `isPublicAddress` says whether to connect to the result,
 *    and `addressRule` with `checkedLookup` holds a connection to it. `isProxied` is the rule of `NO_PROXY`.
 * 10. Given an OpenTelemetry `tracer`, an edge makes a span for each request. The handler runs in `exchange.within`, so that spans
 *    made meanwhile are its children. Its trace id is that of `X-Trace-Id`, unless `exchange.continueTrace` has replaced that since.
 * 11. Stopping: `endConnections` closes the listening socket, answers what is in flight, and closes the connections.
 * 12. Routes are exported as `RouteFacts`. The server makes one `createRouteTable` of all of them, for log, metrics and documents.
 *    An edge that has it looks up each request's route once (`exchange.route`); handlers look it up in their own table with `routeOf`.
 *
 * Nothing here reads the wall clock, the environment or a store, and nothing depends on a service.
 */

export { type AccessLog, type AccessRecord, type UnknownRequest, unknownIn } from "./access-record.js";
export { type AddressRule, addressRule, checkedLookup, LookupError, loopbackOf } from "./address-rule.js";
export { answerEmpty, answerJson, answerText, nothingHere, retryAfter, roomForAnswer } from "./answer.js";
export {
  afterHeaders,
  BodyError,
  type BodyErrorCode,
  type BodyFormat,
  type BodyLimits,
  chunksOf,
  holdBody,
  readBytes,
  releaseSpooled,
  requireFormat,
  spoolBody,
} from "./body.js";
export {
  addressNetworks,
  addressPrefix,
  clientAddress,
  ipAddressOf,
  networkOf,
  type TrustProxy,
} from "./client-address.js";
export { logDefect } from "./defect.js";
export { endConnections } from "./end-connections.js";
export {
  createEdge,
  type Edge,
  type EdgeOptions,
  type Exchange,
  exchangeOf,
  requestPath,
  routeOf,
} from "./exchange.js";
export { isPublicAddress, resolveHost } from "./host-addresses.js";
export {
  isTooDeep,
  type JsonError,
  type JsonFault,
  jsonFaults,
  MAX_JSON_DEPTH,
  MAX_JSON_NAMES,
  MAX_VALUES,
  type ParsedJson,
  parseJson,
} from "./json.js";
export { limitSentence } from "./limit-sentence.js";
export { isLoopbackHost } from "./loopback.js";
export { andThen, type MaybePromise, makeOnce } from "./maybe-promise.js";
export { isProxied } from "./no-proxy.js";
export { type Count, createOccurrenceCounter, type Occurrence, type OccurrenceCounter } from "./occurrence-counter.js";
export {
  anyOriginHeaders,
  createOriginPolicy,
  isPreflight,
  type OriginPolicy,
  type OriginRule,
  type PreflightFacts,
  preflightHeaders,
} from "./origin-policy.js";
export {
  type Authenticate,
  type AuthenticatedRequest,
  type Authentication,
  type BearerChallenge,
  type BearerRefusal,
  challengeHeader,
  challengeStatus,
  isDpop,
  PROOF_ALGORITHMS,
  type Principal,
  refusalWords,
} from "./principal.js";
export { createRouteTable, type RouteFacts, type RouteTable } from "./routes.js";
export { newTraceId, remoteSpan, traceIdIn } from "./trace-id.js";
