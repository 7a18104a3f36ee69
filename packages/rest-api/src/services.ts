import type {
  AuditReading,
  ConnectionDesk,
  Connectors,
  Credentials,
  InstitutionFigureService,
  InvestmentData,
  LetterDesk,
  LetterOperations,
  Letters,
  Mails,
  Refreshes,
  Sessions,
  TenantLimits,
  TenantProfiles,
  Tenants,
  WorkQueue,
} from "@org/core";
import type { DataFeeds, FeedAccounts, FeedDifferences, FeedMappings, FeedWaiting } from "@org/data-feeds";
import type { ProviderOperations } from "@org/provider-registry";
import type { Applications } from "./applications.js";
import type { Events } from "./events.js";
import type { Examination } from "./examination.js";
import type { FeedKeys } from "./feed-keys.js";
import type { FeedSources } from "./feed-sources.js";
import type { Grants } from "./grants.js";
import type { Keys } from "./keys.js";
import type { People } from "./people.js";
import type { RegistrationTokens } from "./registration-tokens.js";
import type { TrustedIssuers } from "./trusted-issuers.js";
import type { WebhookDesk, Webhooks } from "./webhooks.js";

/** What the endpoints call: core's services, and what the authorization server and the keyring keep. */
export interface RestServices {
  readonly connectors: Connectors;
  readonly providers: ProviderOperations;
  readonly sessions: Sessions;
  readonly letters: Letters;
  readonly letterOperations: LetterOperations;
  readonly letterDesk: LetterDesk;
  readonly mails: Mails;
  readonly dataFeeds: DataFeeds;
  readonly feedMappings: FeedMappings;
  readonly feedAccounts: FeedAccounts;
  readonly feedDifferences: FeedDifferences;
  readonly feedWaiting: FeedWaiting;
  readonly feedSources: FeedSources;
  readonly feedKeys: FeedKeys;
  readonly tenants: Tenants;
  readonly tenantProfiles: TenantProfiles;
  readonly tenantLimits: TenantLimits;
  readonly connectionDesk: ConnectionDesk;
  readonly credentials: Credentials;
  readonly data: InvestmentData;
  readonly refreshes: Refreshes;
  readonly applications: Applications;
  readonly auditTrail: AuditReading;
  readonly events: Events;
  readonly grants: Grants;
  readonly keys: Keys;
  readonly examination: Examination;
  readonly registrationTokens: RegistrationTokens;
  readonly people: People;
  readonly trustedIssuers: TrustedIssuers;
  readonly webhooks: Webhooks;
  readonly webhookDesk: WebhookDesk;
  readonly workQueue: WorkQueue;
  readonly institutionFigures: Pick<InstitutionFigureService, "list">;
}
