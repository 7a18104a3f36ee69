/**
 * The console's backend, under `/console/api`: what belongs to a browser's session, and every REST endpoint for whoever has signed in.
 * It decides nothing that `@org/people` or the REST API decide.
 *
 *   create-console-api.ts  the way of a request
 *   visits.ts              whether a page of the console has sent it, and who is signed in; cookies.ts are what the browser keeps
 *   own-endpoint.ts        what an endpoint is that REST does not have; they are in endpoints/
 *   operations.ts          what each operation of REST asks of a person
 *   event-streams.ts       what happens, for pages that follow it
 *   refusals.ts            the words of errors
 *   routes.ts              all paths
 */
export { createConsoleCookies } from "./cookies.js";
export { type ConsoleApi, type ConsoleApiOptions, createConsoleApi } from "./create-console-api.js";
export type { SignInOutcome } from "./own-endpoint.js";
export { callbackOf } from "./provider-pages.js";
export { consoleApiRoutes, type OwnPaths } from "./routes.js";
