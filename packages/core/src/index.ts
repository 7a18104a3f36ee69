/**
 * Wealth Connect's domain. Nothing here knows HTTP, SQL or the environment; adapters (REST, MCP, widget) call services and map
 * {@link CoreError} to their own envelope.
 *
 * The ways through it, each from the outside in:
 *   a tool's data      createInvestmentData → Storage.reader; what it reads was published by one of the next three
 *   a bank login       createCustomerSessions → BankProvider.login, answer, resume, look → publication → SnapshotStore.publish
 *   a refresh          createRefreshes → RefreshQueue.claim → BankProvider.fetch → publication → SnapshotStore.publish
 *   a custodian's file createDataFeeds → a FeedFormat of the kit → the letter's move → publication → SnapshotStore.publish
 *   a letter           createLetters (its tenant) or createLetterOperations (an operator) → a move of the lifecycle table → MailStore
 *   its mail           createMailDelivery → MailQueue.claim → MailTransport.send
 *   the choice of bank createConnectors → CatalogueStore; filters are those of `@org/connector-filter`
 *
 * Layers: `schemas/` (shapes on the wire) ← `ports/` (what services need) ← `provider-guard/` ← `services/` ← `data-feeds/` (custodians' files)
 * and `provider-registry/` (providers under their settings), which know nothing of each other; lint keeps them.
 */
export {
  calendarDate,
  decimalString,
  type HoldingSubtype,
  type HoldingType,
  holdingSubtypes,
  holdingTypes,
  isCalendarDate,
  isDecimalString,
  MAX_FEED_BYTES,
  type PortfolioType,
  portfolioTypes,
} from "@org/provider-kit";
export { type ChainFault, type ChainHead, createChainCheck } from "./audit-chain.js";
export { auditEntry } from "./audit-entry.js";
export { createAppliedMappings, type MappedFeed } from "./data-feeds/applied-mappings.js";
export { createDataFeeds, type DataFeeds, type FeedReport, type SentFile } from "./data-feeds/data-feeds.js";
export { createFeedAccounts, type FeedAccounts } from "./data-feeds/feed-accounts.js";
export { isFarAhead } from "./data-feeds/feed-dates.js";
export type { FeedOrigin } from "./data-feeds/feed-delivery.js";
export { createFeedDifferences, type FeedDifferences } from "./data-feeds/feed-differences.js";
export {
  createFeedMappings,
  type FeedMappings,
  type FeedMappingView,
  MAX_MAPPING_FAULTS,
  type MappingFault,
  type MappingLanguage,
  type MappingTarget,
  type TriedAgain,
} from "./data-feeds/feed-mappings.js";
export { createFeedWaiting, type FeedWaiting, type WaitingReport } from "./data-feeds/feed-pages.js";
export { lackOf, layersOf, type ReadPart, type RefusedPart, readPart, refusedPart } from "./data-feeds/feed-parts.js";
export { createFeedSilence } from "./data-feeds/feed-silence.js";
export { excerptOf, type FileExcerpt, placeIn } from "./data-feeds/file-excerpt.js";
export { createGiveUp, type GiveUp } from "./data-feeds/giving-up.js";
export { createGroups } from "./data-feeds/groups.js";
export { addDecimals, compareDecimals, decimalOf, multiplyDecimals, normaliseDecimal, sumDecimals } from "./decimal.js";
export {
  CoreError,
  type CoreErrorCode,
  errorType,
  type Fault,
  invalid,
  invalidAll,
  invalidValue,
  type Limit,
  type LimitReached,
  limitReached,
  refusalOf,
} from "./errors.js";
export { checkInput, faultsOf, parseOrRefuse } from "./faults.js";
export { createLoopPace, type LoopPace, othersTurn } from "./loop-pace.js";
export { createPager, createPageTokens } from "./pager.js";
export { type Actor, systemActor, type TenantActor } from "./ports/actor.js";
export type { AuditChain, ChainedEntry } from "./ports/audit-chain.js";
export type { AuditEntry, AuditLog, AuditQuery, AuditTrail, OwnedAuditEntry } from "./ports/audit-log.js";
export type { CatalogueStore } from "./ports/catalogue-store.js";
export type { ConnectionDeskQuery, ConnectionDeskReader, DeskConnection } from "./ports/connection-desk.js";
export type { ConnectionRecord, ConnectionStore } from "./ports/connection-store.js";
export {
  type DataPage,
  type DataQuery,
  type DataReader,
  MAX_LISTED_SOURCES,
  type SourceState,
} from "./ports/data-reader.js";
export type { Directory, LocatedFeed } from "./ports/directory.js";
export type { EventLog } from "./ports/event-log.js";
export { type AccountLink, type FeedAccount, type FeedAccountStore, linkOrigins } from "./ports/feed-account-store.js";
export type { FeedDifferenceStore, FeedGap, PositionDifference } from "./ports/feed-difference-store.js";
export type { FeedMappingStore, MappingOwner, StoredFeedMapping } from "./ports/feed-mapping-store.js";
export type {
  FeedPageStore,
  KeptPage,
  PageHere,
  WaitingStatement,
  WaitingStatements,
  WholeStatement,
} from "./ports/feed-page-store.js";
export {
  type DeskLetter,
  type DeskQuery,
  type LetterDeskReader,
  type LetterForFiles,
  letterOrders,
  type StatusCount,
} from "./ports/letter-desk.js";
export {
  type DocumentPlace,
  type LetterDocument,
  type LetterDocumentStore,
  type LetterFinder,
  type LetterMoveStore,
  type LetterQuery,
  type LetterRecord,
  type LetterStore,
  type SignatureEvidence,
  signatureEvidences,
} from "./ports/letter-store.js";
export type { LimitOverride, LimitStore, TenantUse } from "./ports/limit-store.js";
export type { MailLease, MailQueue, MailRecord, MailStore, OwnedMail } from "./ports/mail-store.js";
export type { MailMessage, MailOutcome, MailTransport } from "./ports/mail-transport.js";
export type { MovementStatement, MovementStore } from "./ports/movement-store.js";
export type {
  CountedOutcomes,
  InstitutionOutcomes,
  OutcomeKind,
  OutcomeStore,
  Outcomes,
} from "./ports/outcome-store.js";
export type { ProviderCircuit, ProviderCircuits } from "./ports/provider-circuits.js";
export type { ProviderDirectory } from "./ports/provider-directory.js";
export type { CallTurns, ProviderSettingsStore, StoredProviderSettings } from "./ports/provider-settings-store.js";
export {
  CONSENT_RENEWAL_MS,
  type ConsentTold,
  consentNoticeDue,
  FIRST_PUT_OFF_MS,
  LONGEST_PUT_OFF_MS,
  LOST_LEASES,
  type PendingFetch,
  type PutOff,
  type RefreshLease,
  type RefreshPlan,
  type RefreshQueue,
  type RefreshRecord,
  type RefreshShares,
  type RefreshStore,
} from "./ports/refresh-store.js";
export type { DocumentBucket, Runtime } from "./ports/runtime.js";
export type { ListedSession, SessionChallenge, SessionRecord, SessionStore } from "./ports/session-store.js";
export type {
  HoldingRow,
  PortfolioRow,
  Product,
  Publication,
  SnapshotStore,
  TransactionRow,
  TransactionSlice,
} from "./ports/snapshot-store.js";
export type { Storage, TenantStores } from "./ports/storage.js";
export type { TenantAccess } from "./ports/tenant-access.js";
export type { LogoStore, OwnProfile, TenantProfileStore } from "./ports/tenant-profile-store.js";
export type { TenantStore } from "./ports/tenant-store.js";
export type { LooseObject, ReapCutoffs, Upkeep } from "./ports/upkeep.js";
export type { Vault } from "./ports/vault.js";
export type { StoredWork, WorkPlace, WorkQuery, WorkReader } from "./ports/work-reader.js";
export { createProviderGuard, GuardError, type OpenBreaker } from "./provider-guard/provider-guard.js";
export type { ServicesFor } from "./provider-registry/make-provider.js";
export {
  createProviderOperations,
  type ProviderOperations,
  type ProviderView,
} from "./provider-registry/provider-operations.js";
export {
  createProviderRegistry,
  type ProviderRegistry,
  type ProviderStanding,
} from "./provider-registry/provider-registry.js";
export { createSharedPace } from "./provider-registry/shared-pace.js";
export { auditLineSchema, auditSearchSchema } from "./schemas/audit.js";
export { chainHeadSchema, chainItemSchema, chainPageSchema, chainSearchSchema } from "./schemas/audit-chain.js";
export {
  connectionConditionsSchema,
  connectionSearchSchema,
  foundConnectionSchema,
} from "./schemas/connection-search.js";
export {
  type Connector,
  type ConnectorView,
  connectorId,
  connectorSchema,
  DATAFEED_TYPE,
} from "./schemas/connector.js";
export { catalogueRowSchema, connectorListSchema, previewSchema } from "./schemas/connector-requests.js";
export {
  type CredentialStatus,
  consentRenewalSchema,
  credentialStatusSchema,
  pendingStatus,
  reloginSchema,
} from "./schemas/credential-status.js";
export {
  type CurrencyTotal,
  currencyTotalSchema,
  holdingFacts,
  holdingFactsSchema,
  holdingFields,
  holdingSchema,
  portfolioFields,
  portfolioSchema,
  sourceCountsSchema,
  sourceSchema,
  transactionFacts,
  transactionFactsSchema,
  transactionFields,
  transactionSchema,
} from "./schemas/data.js";
export {
  codesArgument,
  connectionsArgument,
  currenciesArgument,
  fieldsArgument,
  flagArgument,
  idArgument,
  minBalanceArgument,
  pageArgument,
  pageSizeArgument,
  searchArgument,
} from "./schemas/data-arguments.js";
export {
  type ConnectionCondition,
  EVENT_TYPES,
  type EventData,
  type EventType,
  type EventView,
  eventDataSchemas,
  eventSchema,
  eventSchemaOf,
  INSTALLATION_LOG,
  logOf,
  type NewEvent,
  OPERATOR_EVENT_TYPES,
  providerEvent,
} from "./schemas/event.js";
export { idField, isStorableText, opaqueId, type Uuid, uuidField, uuidOf } from "./schemas/identifier.js";
export { type Labels, labelsSchema } from "./schemas/labels.js";
export {
  type ContactInfo,
  contactInfoSchema,
  type DocumentKind,
  documentKinds,
  letterSchema,
  MAX_NOTE_CHARACTERS,
} from "./schemas/letter.js";
export { letterDetailsSchema, signedCopySchema } from "./schemas/letter-details.js";
export { letterFacts, letterOverdueDays, statusesWithFiles } from "./schemas/letter-facts.js";
export {
  discontinueSchema,
  idempotencyKey,
  letterSearchSchema,
  letterSubmissionSchema,
} from "./schemas/letter-requests.js";
export { type LimitName, type Limits, limitNames, limitSchema, limitValuesSchema } from "./schemas/limits.js";
export { mailSchema, mailSearchSchema, mailStates } from "./schemas/mail.js";
export { moment, parseMoment } from "./schemas/moment.js";
export { defaulted, optional } from "./schemas/optional.js";
export { type Page, pageNumber, pageSize } from "./schemas/paging.js";
export {
  type RefreshOutcome,
  refreshAnswerSchema,
  refreshRequestSchema,
  refreshStateSchema,
} from "./schemas/refresh.js";
export {
  createSessionSchema,
  languageTag,
  type SessionErrorCode,
  type SessionLanguage,
  type SessionRemark,
  type SessionStatus,
  type SessionView,
  sessionConfigurationSchema,
  sessionErrorCodes,
  sessionLanguages,
  sessionListSchema,
  sessionSchema,
  sessionStatuses,
} from "./schemas/session.js";
export { cleanText, findUnclean, MAX_NAME_CHARACTERS } from "./schemas/stated-text.js";
export { type Logo, profileFields, tenantProfileChangeSchema, tenantProfileSchema } from "./schemas/tenant-profile.js";
export {
  tenantWorkKinds,
  tenantWorkSearchSchema,
  type WorkDetails,
  type WorkKind,
  type WorkLine,
  workKinds,
  workPageSchema,
  workSearchSchema,
} from "./schemas/work.js";
export { searchKey } from "./search-key.js";
export { asSeen, type IsAsSeen, overtaken, versionOf } from "./seen-versions.js";
export { type AuditReading, createAuditReading } from "./services/audit-reading.js";
export type { Callback, CallbackOutcome } from "./services/callbacks.js";
export { type ConsentNotices, createConsentNotices } from "./services/connection-changes.js";
export {
  type ConnectionDesk,
  type Credentials,
  createConnectionDesk,
  createCredentials,
} from "./services/connections.js";
export { type Connectors, createConnectors, viewOf } from "./services/connectors.js";
export { type CustomerSessions, createCustomerSessions } from "./services/customer-sessions.js";
export type { BankSearch, BanksFound, CustomerView, Requester } from "./services/customer-view.js";
export {
  countDocumentsHere,
  type DocumentsHere,
  type DocumentsMoved,
  moveDocuments,
  removeLooseObjects,
} from "./services/document-safe.js";
export {
  createInstitutionFigures,
  type InstitutionFigureService,
  type InstitutionFigures,
  outcomeOfRefresh,
} from "./services/institution-figures.js";
export {
  createInvestmentData,
  createReadAudit,
  type DataAnswer,
  type InvestmentData,
  type ReadAudit,
} from "./services/investment-data.js";
export {
  type DocumentChecks,
  type DocumentScanner,
  decodeDocument,
  type LetterTemplate,
  type LetterText,
  openDetails,
  type PdfInspector,
  type ReceivedDocument,
  type ReceivedDocuments,
} from "./services/letter-documents.js";
export { mailEvent } from "./services/letter-mail.js";
export { createLetterOperations, type LetterOperations } from "./services/letter-operations.js";
export { createLetterDesk, type LetterDesk } from "./services/letter-search.js";
export { letterParties, letterToDo } from "./services/letter-view.js";
export { createLetters, type Letters } from "./services/letters.js";
export { createMailDelivery, createMails, type MailReport, type Mails } from "./services/mails.js";
export { createNotifications } from "./services/notifications.js";
export { bulkMoves, MAX_BULK_LETTERS, operatorMoves } from "./services/operator-moves.js";
export { createRefreshes, type Refreshes, type RefreshReport } from "./services/refreshes.js";
export { createRevocations, type Revocations } from "./services/revocations.js";
export {
  nextSessionStatus,
  releaseCutOffLogins,
  type SessionEvent,
  sessionTransitions,
} from "./services/session-moves.js";
export type { CustomerRequest } from "./services/session-steps.js";
export { createSessions, type Sessions } from "./services/sessions.js";
export {
  createTenantLimits,
  type LimitsOf,
  type LimitsView,
  type LimitView,
  refusal as limitRefusal,
  type TenantLimits,
} from "./services/tenant-limits.js";
export {
  createTenantProfiles,
  createTenants,
  profileVersion,
  type TenantProfiles,
  type Tenants,
  type TenantView,
} from "./services/tenants.js";
export { cleanUp } from "./services/upkeep.js";
export { createWorkQueue, type WorkPage, type WorkQueue, type WorkSource } from "./services/work-queue.js";
export { createTurns, type TurnLimits, type Turns } from "./turns.js";
export { createWorkUnderWay, type WorkUnderWay } from "./work-under-way.js";
