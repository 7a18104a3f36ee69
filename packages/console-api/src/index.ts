/**
 * The console's backend, under `/console/api`: endpoints for the browser's session, and every REST endpoint for signed-in people.
 * It makes no decision that `@org/people` or the REST API makes.
 *
 *   create-console-api.ts  handles a request from start to end
 *   browser-sessions.ts    checks that a page of the console sent it, and who is signed in; cookies.ts has the browser's cookies
 *   own-endpoint.ts        defines endpoints that REST does not have; they are in endpoints/
 *   operations.ts          the power that each REST operation requires of a person
 *   finding.ts             searches everything that a person may see
 *   event-streams.ts       streams events to pages
 *   refusals.ts            formats errors
 *   routes.ts              all paths
 */
export { createConsoleCookies } from "./cookies.js";
export { type ConsoleApi, type ConsoleApiOptions, createConsoleApi } from "./create-console-api.js";
export type { SignInOutcome } from "./own-endpoint.js";
export { callbackOf } from "./provider-pages.js";
export { consoleApiRoutes, type OwnPaths } from "./routes.js";
