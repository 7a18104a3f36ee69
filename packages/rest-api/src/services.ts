import type {
  AuditReading,
  ConnectionAdmin,
  Connectors,
  Credentials,
  ExchangeRates,
  InstitutionFigureService,
  InvestmentData,
  LetterAdmin,
  LetterOperations,
  Letters,
  Mails,
  Refreshes,
  Sessions,
  TenantClients,
  TenantLimits,
  TenantProfiles,
  Tenants,
  Wealth,
  Why,
  WorkQueue,
} from "@org/core";
import type { DataFeeds, FeedAccounts, FeedDifferences, FeedMappings, FeedWaiting } from "@org/data-feeds";
import type { ProviderOperations } from "@org/provider-registry";
import type { ApplicationOperations } from "./applications.js";
import type { Events } from "./events.js";
import type { Examination } from "./examination.js";
import type { FeedKeyOperations } from "./feed-keys.js";
import type { FeedSources } from "./feed-sources.js";
import type { GrantOperations } from "./grants.js";
import type { Keys } from "./keys.js";
import type { People } from "./people.js";
import type { RegistrationTokenOperations } from "./registration-tokens.js";
import type { TrustedIssuerOperations } from "./trusted-issuers.js";
import type { WebhookAdmin, Webhooks } from "./webhooks.js";

/** The services that the endpoints call: core's, and those over the data of the authorization server and the keyring. */
export interface RestServices {
  readonly connectors: Connectors;
  readonly providers: ProviderOperations;
  readonly exchangeRates: ExchangeRates;
  readonly sessions: Sessions;
  readonly letters: Letters;
  readonly letterOperations: LetterOperations;
  readonly letterAdmin: LetterAdmin;
  readonly mails: Mails;
  readonly dataFeeds: DataFeeds;
  readonly feedMappings: FeedMappings;
  readonly feedAccounts: FeedAccounts;
  readonly feedDifferences: FeedDifferences;
  readonly feedWaiting: FeedWaiting;
  readonly feedSources: FeedSources;
  readonly feedKeys: FeedKeyOperations;
  readonly tenants: Tenants;
  readonly tenantProfiles: TenantProfiles;
  readonly tenantLimits: TenantLimits;
  readonly connectionAdmin: ConnectionAdmin;
  readonly credentials: Credentials;
  readonly tenantClients: TenantClients;
  readonly data: InvestmentData;
  readonly wealth: Wealth;
  readonly why: Why;
  readonly refreshes: Refreshes;
  readonly applications: ApplicationOperations;
  readonly auditTrail: AuditReading;
  readonly events: Events;
  readonly grants: GrantOperations;
  readonly keys: Keys;
  readonly examination: Examination;
  readonly registrationTokens: RegistrationTokenOperations;
  readonly people: People;
  readonly trustedIssuers: TrustedIssuerOperations;
  readonly webhooks: Webhooks;
  readonly webhookAdmin: WebhookAdmin;
  readonly workQueue: WorkQueue;
  readonly institutionFigures: Pick<InstitutionFigureService, "list">;
}
