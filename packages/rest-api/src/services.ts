import type {
  AuditReading,
  Connectors,
  Credentials,
  DataFeeds,
  LetterDocumentFacts,
  LetterOperations,
  Letters,
  Refreshes,
  Sessions,
  Tenants,
} from "@org/core";
import type { Applications } from "./applications.js";
import type { Keys } from "./keys.js";

/** What the endpoints call: core's services, and what the authorization server and the keyring keep. */
export interface RestServices {
  readonly connectors: Connectors;
  readonly sessions: Sessions;
  readonly letters: Letters;
  readonly letterOperations: LetterOperations;
  readonly letterDocuments: LetterDocumentFacts;
  readonly dataFeeds: DataFeeds;
  readonly tenants: Tenants;
  readonly credentials: Credentials;
  readonly refreshes: Refreshes;
  readonly applications: Applications;
  readonly auditTrail: AuditReading;
  readonly keys: Keys;
}
