/** Equipment for tests of providers. */
export { type Requests, requestsFor } from "./requests.js";
