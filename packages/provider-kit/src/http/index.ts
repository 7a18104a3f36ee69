/** The HTTP client for institutions, for servers and tests. */
export { type ClosableHttpClient, createHttpClient, type HttpCall } from "./create-http-client.js";
