/**
 * Wealth Connect's domain. Nothing here knows HTTP, SQL or the environment; adapters (REST, MCP, widget) call services and map
 * {@link CoreError} to their own envelope.
 *
 * Each folder is one feature, with its services, the ports that they need and their schemas:
 *   connecting/   logins of customers at banks, and deleting connections: createCustomerSessions, createSessions, createCredentials
 *   refreshing/   fetching connections again: createRefreshes → RefreshQueue.claim → BankProvider.fetch → SnapshotStore.publish
 *   operating/    tenants, the work queue, clean-up: createTenants, createWorkQueue, deleteExpired
 *   letters/      authorization letters and their mails: createLetters, createLetterOperations, createMailDelivery → MailTransport.send
 *   connections/  the condition of connections and their next refresh: emitConnectionChanges, RefreshQueue, createRevocations
 *   catalogue/    connectors, and how often logins and refreshes succeed: createConnectors → CatalogueStore, createInstitutionFigures
 *   feeds/        stores for custodians' files; the services are in `@org/data-feeds`
 *   data/         publishing and reading data: publicationSteps → SnapshotStore.publish, createInvestmentData → DataReader
 *   providers/    calls of bank providers: createProviderGuard
 *   tenants/      limits, names and logos of tenants: createTenantLimits
 *   audit/        the audit trail and its hash chain: createAuditReading
 *
 * A folder imports only from those below it; all may use `schemas/`, `ports/` and the files here. Lint enforces this. Each folder sees its
 * own part of {@link Storage}, which has all of them.
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
  type Steps,
  transactionKinds,
} from "@org/provider-kit";
export { type ChainFault, type ChainHead, createChainCheck } from "./audit/audit-chain.js";
export { chainHeadSchema, chainItemSchema, chainPageSchema, chainSearchSchema } from "./audit/audit-chain-page.js";
export type { AuditChain, ChainedEntry } from "./audit/audit-chain-store.js";
export { auditLineSchema, auditSearchSchema } from "./audit/audit-line.js";
export { type AuditReading, createAuditReading } from "./audit/audit-reading.js";
export { AUDIT_ACTIONS, type AuditedAction, type AuditVerb } from "./audit-actions.js";
export { auditEntry } from "./audit-entry.js";
export type { CatalogueStore, ImportedRows } from "./catalogue/catalogue-store.js";
export { type ConnectorSuggestion, type Connectors, connectorView, createConnectors } from "./catalogue/connectors.js";
export {
  createInstitutionFigures,
  type InstitutionFigureService,
  type InstitutionFigures,
  outcomeOfRefresh,
} from "./catalogue/institution-figures.js";
export type * from "./catalogue/outcome-store.js";
export type { BankSearch, BanksFound, BankWay } from "./connecting/bank-offers.js";
export type { Callback, CallbackOutcome } from "./connecting/callbacks.js";
export {
  type ConnectionAdmin,
  type Credentials,
  createConnectionAdmin,
  createCredentials,
} from "./connecting/connections.js";
export { type CustomerSessions, createCustomerSessions } from "./connecting/customer-sessions.js";
export type { CustomerView, Requester } from "./connecting/customer-view.js";
export { createSavedAccesses } from "./connecting/saved-accesses.js";
export {
  nextSessionStatus,
  releaseCutOffLogins,
  type SessionEvent,
  sessionTransitions,
} from "./connecting/session-moves.js";
export type { CustomerRequest } from "./connecting/session-steps.js";
export {
  type ListedSession,
  type SessionRecord,
  type SessionStore,
  sessionBytes,
} from "./connecting/session-store.js";
export { createSessions, type Sessions } from "./connecting/sessions.js";
export { createTenantClients, type TenantClients } from "./connecting/tenant-clients.js";
export { attentionSchema, consentNoticeEnd, namedAccountSchema } from "./connections/attention.js";
export type { ClientRecord, CountedClient, TenantClientStore } from "./connections/client-store.js";
export type * from "./connections/connection-admin-queries.js";
export {
  type ConsentNotices,
  connectionConditionOf,
  createConsentNotices,
  type EventConnection,
  emitConnectionChanges,
  publishData,
  saveConnection,
  statusAfter,
} from "./connections/connection-changes.js";
export * from "./connections/connection-search.js";
export type {
  ConnectionFinder,
  ConnectionRecord,
  ConnectionStore,
  ListedConnection,
} from "./connections/connection-store.js";
export {
  CONSENT_RENEWAL_MS,
  type ConsentNotified,
  consentNoticeDue,
  FIRST_POSTPONEMENT_MS,
  LOST_LEASES,
  MAX_POSTPONEMENT_MS,
  type PendingFetch,
  type PlannedConnection,
  type Postponement,
  type RefreshLease,
  type RefreshPlan,
  type RefreshQueue,
  type RefreshRecord,
  type RefreshShares,
  type RefreshStore,
} from "./connections/refresh-store.js";
export { createRevocations, type Revocations } from "./connections/revocations.js";
export { contentVersion, ifVersion, type VersionPrecondition, versionConflict } from "./content-version.js";
export * from "./data/code-meanings.js";
export * from "./data/data-arguments.js";
export {
  type DataPage,
  type DataQuery,
  type DataReader,
  MAX_LISTED_SOURCES,
  type SourceState,
} from "./data/data-reader.js";
export * from "./data/exchange-rates.js";
export { createGroups } from "./data/groups.js";
export {
  createInvestmentData,
  type DataAnswer,
  type DataRequest,
  type InvestmentData,
} from "./data/investment-data.js";
export { createKeyCounter } from "./data/key-counter.js";
export type { MovementStatement, MovementStore } from "./data/movement-store.js";
export {
  distinguishingFacts,
  holdingRow,
  type MovementFacts,
  NEVER_STATED,
  statedAccounts,
  transactionRow,
  transactionRows,
  transactionText,
  withoutReusedIds,
} from "./data/publication.js";
export type { ExchangeRate, RateDay, RateFetch, RateStore } from "./data/rate-store.js";
export { createReadAudit, type ReadAudit } from "./data/read-audit.js";
export { type RowIds, rowIds, stableId } from "./data/row-ids.js";
export {
  type AsOf,
  asOfSchema,
  type CurrencyTotal,
  currencyTotalSchema,
  type DataGroup,
  dataGroups,
  dataSorts,
  extraFields,
  holdingFacts,
  holdingFactsSchema,
  holdingFields,
  holdingSchema,
  ofClient,
  ofVersions,
  portfolioFields,
  portfolioSchema,
  sourceCountsSchema,
  sourceSchema,
  type TransactionFacts,
  transactionFacts,
  transactionFactsSchema,
  transactionFields,
  transactionSchema,
} from "./data/rows.js";
export { SLICE, slicesOf } from "./data/slices.js";
export * from "./data/snapshot-store.js";
export { correctionSlices } from "./data/transaction-corrections.js";
export { type ValuedHoldings, valuationOf, valuedHoldings } from "./data/valuations.js";
export { createWealth, type Wealth, type WealthPage, type WealthScope, type WealthSources } from "./data/wealth.js";
export type { ConnectionSize, SizeQuery, WealthQuery, WealthReader } from "./data/wealth-reader.js";
export {
  accountVersions,
  createWhy,
  type FigureReader,
  holdingVersions,
  type StoredFigure,
  type ValuationVersion,
  type Why,
  type WhyQuery,
} from "./data/why.js";
export * from "./decimal.js";
export {
  type ConflictReason,
  CoreError,
  type CoreErrorCode,
  conflict,
  conflictReasons,
  errorType,
  type Fault,
  invalid,
  invalidAll,
  invalidValue,
  type Limit,
  type LimitReached,
  limitReached,
  queueRefusal,
  reachedLimitError,
  toCoreError,
  withoutDoubt,
} from "./errors.js";
export { createEventLoopYielder, type EventLoopYielder, runInSteps, yieldToEventLoop } from "./event-loop-yielder.js";
export { checkInput, faultsOf, parseOrRefuse } from "./faults.js";
export { type AccountLink, type FeedAccount, type FeedAccountStore, linkOrigins } from "./feeds/feed-account-store.js";
export type { FeedDifferenceStore, FeedGap, PositionDifference, StatementPair } from "./feeds/feed-difference-store.js";
export type { FeedMappingStore, MappingOwner, StoredFeedMapping } from "./feeds/feed-mapping-store.js";
export type {
  FeedPageStore,
  KeptPage,
  PageHere,
  WaitingStatement,
  WaitingStatements,
  WholeStatement,
} from "./feeds/feed-page-store.js";
export { type FileCause, fileCauses } from "./file-steps.js";
export {
  countDatabaseDocuments,
  type DatabaseDocuments,
  type DocumentsMoved,
  moveDocuments,
  removeOrphanedObjects,
} from "./letters/document-safe.js";
export {
  type AdminLetter,
  type LetterAdminQueries,
  type LetterAdminQuery,
  type LetterForFiles,
  LOOKED_THROUGH,
  type LookedUpLetter,
  letterOrders,
  type StatusCount,
} from "./letters/letter-admin-queries.js";
export { letterDetailsSchema, signedCopySchema } from "./letters/letter-details.js";
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
} from "./letters/letter-documents.js";
export { letterFacts, letterOverdueDays, statusesWithFiles } from "./letters/letter-facts.js";
export { mailEvent, remarkCodes } from "./letters/letter-mail.js";
export { connectLetter, letterNotFound, locateLetter, moveLetter } from "./letters/letter-moves.js";
export { createLetterOperations, type LetterOperations } from "./letters/letter-operations.js";
export {
  discontinueSchema,
  idempotencyKey,
  letterSearchSchema,
  letterSubmissionSchema,
} from "./letters/letter-requests.js";
export { createLetterAdmin, type LetterAdmin, searchWords } from "./letters/letter-search.js";
export {
  type LetterDocument,
  type LetterDocumentStore,
  type LetterFinder,
  type LetterMoveStore,
  type LetterQuery,
  type LetterRecord,
  type LetterStore,
  MAX_HISTORY,
  type SignatureEvidence,
  signatureEvidences,
} from "./letters/letter-store.js";
export type { UndoReport } from "./letters/letter-undo.js";
export { letterParties, letterToDo, letterToDoCodes } from "./letters/letter-view.js";
export { createLetters, type Letters, takesLetters } from "./letters/letters.js";
export type { MailLease, MailQueue, MailRecord, MailStore, OwnedMail } from "./letters/mail-store.js";
export type { MailMessage, MailOutcome, MailTransport } from "./letters/mail-transport.js";
export { createMailDelivery, createMails, type MailReport, type Mails } from "./letters/mails.js";
export { bulkMoves, MAX_BULK_LETTERS, movesOfMany, operatorMoves } from "./letters/operator-moves.js";
export type { AskedName, Named, NamedKind, NameReader } from "./operating/name-reader.js";
export {
  createTenantProfiles,
  createTenants,
  profileVersion,
  type TenantProfiles,
  type Tenants,
  type TenantView,
} from "./operating/tenants.js";
export { deleteExpired, keepMonths } from "./operating/upkeep.js";
export type { WorkKey, WorkMark, WorkMarkStore } from "./operating/work-mark-store.js";
export { createWorkQueue, type WorkPage, type WorkQueue, type WorkSource } from "./operating/work-queue.js";
export type { StoredMark, StoredWork, WorkFilter, WorkPlace, WorkQuery, WorkReader } from "./operating/work-reader.js";
export { createPager, createPageTokens } from "./pager.js";
export { createPendingWork, type PendingWork } from "./pending-work.js";
export { type Actor, systemActor, type TenantActor } from "./ports/actor.js";
export type { AuditEntry, AuditLog, AuditQuery, AuditTrail, OwnedAuditEntry } from "./ports/audit-log.js";
export type { EventLog } from "./ports/event-log.js";
export type {
  ClaimTimes,
  HeldKey,
  KeyedRequest,
  KeyedRequests,
  KeyedRun,
  RequestClaim,
} from "./ports/keyed-requests.js";
export type { DocumentBucket, Runtime, Sleep } from "./ports/runtime.js";
export type { OrphanedObject, ReapCutoffs, Upkeep } from "./ports/upkeep.js";
export type { Vault, VaultContext } from "./ports/vault.js";
export type { ProviderCircuit, ProviderCircuits } from "./providers/provider-circuits.js";
export type { ProviderDirectory, ServedConnector } from "./providers/provider-directory.js";
export { createProviderGuard, GuardError, type OpenBreaker, type ProviderGuard } from "./providers/provider-guard.js";
export type { CallTurns, ProviderSettingsStore, StoredProviderSettings } from "./providers/provider-settings-store.js";
export { createNotifications } from "./refreshing/notifications.js";
export { createRefreshes, type Refreshes, type RefreshReport } from "./refreshing/refreshes.js";
export { retryWhileUnavailable, sleep, withRenewedLease } from "./retry.js";
export { clientNameSchema, clientOrders, clientRefSchema, clientSchema } from "./schemas/client.js";
export {
  type CatalogueConnector,
  type ConnectorView,
  connectorId,
  connectorSchema,
  DATAFEED_TYPE,
} from "./schemas/connector.js";
export { catalogueRowSchema, connectorListSchema, matchedAs, previewSchema } from "./schemas/connector-requests.js";
export {
  type CredentialStatus,
  consentRenewalSchema,
  credentialStatusSchema,
  pendingStatus,
  reloginSchema,
} from "./schemas/credential-status.js";
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
export { idField, isStorableText, opaqueId, parseUuid, type Uuid, uuidField } from "./schemas/identifier.js";
export { type Labels, labelKey, labelsSchema } from "./schemas/labels.js";
export {
  type ContactInfo,
  contactInfoSchema,
  type DocumentKind,
  documentKinds,
  letterSchema,
  letterStatusSchema,
  MAX_NOTE_CHARACTERS,
  pdfField,
} from "./schemas/letter.js";
export { mailKinds, mailSchema, mailSearchSchema, mailStates } from "./schemas/mail.js";
export { moment, parseMoment } from "./schemas/moment.js";
export { defaulted, optional } from "./schemas/optional.js";
export { type ListOrder, orderField, type Page, pageNumber, pageSizeSchema } from "./schemas/paging.js";
export {
  type RefreshOutcome,
  refreshAnswerSchema,
  refreshRequestSchema,
  refreshStateSchema,
} from "./schemas/refresh.js";
export {
  createSessionSchema,
  languageTag,
  listedSessionSchema,
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
export { cleanName, cleanText, findUnclean, MAX_NAME_CHARACTERS } from "./schemas/stated-text.js";
export {
  tenantWorkKinds,
  tenantWorkSearchSchema,
  type WorkDetails,
  type WorkKind,
  type WorkLine,
  workKinds,
  workMarkingSchemas,
  workPageSchema,
  workSearchSchema,
} from "./schemas/work.js";
export { searchKey } from "./search-key.js";
export { softwareVersion } from "./software-version.js";
export type { Storage, TenantStores } from "./storage.js";
export type { Directory, LocatedFeed } from "./tenants/directory.js";
export type { LimitOverride, LimitStore, TenantUse } from "./tenants/limit-store.js";
export { type LimitName, type Limits, limitNames, limitSchema, limitValuesSchema } from "./tenants/limits.js";
export type { TenantAccess } from "./tenants/tenant-access.js";
export {
  createTenantLimits,
  type LimitsOf,
  type LimitsView,
  type LimitView,
  type TenantLimits,
  tenantLimitRefusal as limitRefusal,
} from "./tenants/tenant-limits.js";
export { type Logo, profileFields, tenantProfileChangeSchema, tenantProfileSchema } from "./tenants/tenant-profile.js";
export type { LogoStore, OwnProfile, TenantProfileStore } from "./tenants/tenant-profile-store.js";
export type { TenantStore } from "./tenants/tenant-store.js";
