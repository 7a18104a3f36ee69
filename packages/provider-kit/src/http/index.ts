/** The way out to institutions, as servers and tests make it. */
export { type ClosableHttpClient, createHttpClient, type HttpCall } from "./create-http-client.js";
