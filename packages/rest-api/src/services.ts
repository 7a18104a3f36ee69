import type { Connectors, Credentials, DataFeeds, LetterOperations, Letters, Sessions, Tenants } from "@org/core";
import type { Applications } from "./applications.js";

/** What the endpoints call: core's services, and the applications that the authorization server keeps. */
export interface RestServices {
  readonly connectors: Connectors;
  readonly sessions: Sessions;
  readonly letters: Letters;
  readonly letterOperations: LetterOperations;
  readonly dataFeeds: DataFeeds;
  readonly tenants: Tenants;
  readonly credentials: Credentials;
  readonly applications: Applications;
}
