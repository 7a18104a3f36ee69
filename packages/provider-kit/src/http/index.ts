/** The HTTP client for institutions, for servers and tests. */
export { type ClosableHttpClient, createHttpClient, type HttpCall, type HttpExchange } from "./create-http-client.js";
