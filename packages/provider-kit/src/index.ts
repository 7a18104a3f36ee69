/**
 * The interfaces for writing a provider or a format of custodian files. Contains nothing of the server.
 *
 *   definition.ts        a provider before it has settings: `defineProvider`
 *   port.ts              the calls of a provider, with their requests and results
 *   snapshot.ts          the result of a fetch: portfolios, holdings, transactions
 *   feed-format.ts       a format of custodian files: `defineFeedFormat`
 *   credential-field.ts  the inputs that a customer is asked for
 *   answers.ts           checks the answers of providers and formats
 *   decimal.ts, isin.ts  exact decimals, and ISIN check digits
 *   money.ts             converts minor units such as GBX
 *   memoize.ts           caches the results for texts that repeat
 *   secret.ts            settings that are never shown
 *   http-client.ts, pace.ts  requests to institutions, and their rate limits
 *   loading/             loads the modules that settings name (`@org/provider-kit/loading`)
 *   oauth/               logins by redirect, and tokens that are renewed (`oauthCode`)
 *   outage.ts            which errors mean that an institution is down
 *   own-key/             a provider for keys that customers make themselves (`defineOwnKeyProvider`), and its parts
 *   recognise-copies.ts  `instanceof` over copies of the kit
 *   steps.ts             long work, cut into steps
 */
export { faultsOfAnswer, faultsOfContent, stepsOfAnswer } from "./answers.js";
export {
  type CredentialField,
  fieldName,
  isSecretField,
  type Language,
  type LocalizedText,
  languages,
  localizedText,
} from "./credential-field.js";
export {
  addDecimals,
  compareDecimals,
  decimalOf,
  divideDecimals,
  multiplyDecimals,
  negateDecimal,
  normaliseDecimal,
  roundedProduct,
  significantDecimal,
  sumDecimals,
} from "./decimal.js";
export {
  type CheckCause,
  type CheckResult,
  checkCauses,
  defineProvider,
  type ProviderConnector,
  type ProviderDefinition,
  type ProviderLog,
  type ProviderServices,
  providerName,
} from "./definition.js";
export {
  defineFeedFormat,
  type FeedContent,
  type FeedFaults,
  type FeedFormat,
  type FeedLack,
  type FeedReadOptions,
  FeedRefusal,
  type FeedWarning,
  feedLacks,
  type LeftOut,
  MAX_FEED_BYTES,
  type ReadFeed,
  type StatementPage,
  type TransactionCorrection,
  type TransactionKeys,
} from "./feed-format.js";
export { domainOf, hostsIn, isPrivateTransport, parseUrl } from "./hosts.js";
export { parseNumbers } from "./http/exact-numbers.js";
export {
  type BodyReading,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  type HttpFailureCode,
  type HttpRequest,
  type TlsIdentity,
} from "./http-client.js";
export { isIsin, isinOf } from "./isin.js";
export { memoize } from "./memoize.js";
export { isMinorUnit, money } from "./money.js";
export {
  type CustomerGrant,
  clientGrant,
  consentEnd,
  type OAuthGrant,
} from "./oauth/grants.js";
export { type OAuthCode, type OpenGrant, oauthCode } from "./oauth/oauth-code.js";
export {
  clientToken,
  exchangeCode,
  type InstitutionClient,
  OAuthFailure,
  type OAuthTokens,
  oauthTokens,
  refusalOfClient,
  type TokenCall,
} from "./oauth/token-endpoint.js";
export { AnswerFailure, checkCauseOf, isOutage } from "./outage.js";
export { dayBefore, dayInZone } from "./own-key/days.js";
export { type HmacRules, hmacAuth } from "./own-key/hmac-auth.js";
export {
  type AnswerMeaning,
  type CallRules,
  createInstitutionCalls,
  endIfThrottled,
  type InstitutionCalls,
  type KeyLimit,
} from "./own-key/institution-calls.js";
export { basicAuth, headerAuth, type KeyAuth, type OutgoingRequest, type OwnKey } from "./own-key/key-auth.js";
export { kindBySign, signByDirection } from "./own-key/kind-by-sign.js";
export { oncePerRead } from "./own-key/once-per-read.js";
export {
  type AuthorizationServer,
  defineOwnKeyProvider,
  type KeyEnvironment,
  type KeyReading,
  type OwnKeyProvider,
  type ReferenceData,
} from "./own-key/own-key-provider.js";
export {
  type HistoryPage,
  type HistoryPart,
  type HistoryPosition,
  historyPosition,
  readPages,
} from "./own-key/paged-history.js";
export { pagesOfLists, type ReadPage } from "./own-key/pages-of-lists.js";
export { pagesToEnd } from "./own-key/pages-to-end.js";
export { type InterruptionReason, ReadInterrupted } from "./own-key/read-interrupted.js";
export {
  cashFrom,
  holdingFrom,
  type StatedHolding,
  type StatedTransaction,
  transactionFrom,
} from "./own-key/rows.js";
export { createPace, MAX_WAIT_MS, nextTurn, type Pace, type PaceLimit, withTurn } from "./pace.js";
export {
  type AccessRefusal,
  type AccessTerms,
  type AnswerRequest,
  accessRefusals,
  type BankProvider,
  type BankRequest,
  type Challenge,
  type ConnectorOfProvider,
  challengeKinds,
  type FetchedData,
  type FetchRequest,
  type FetchResult,
  type LoginFailure,
  type LoginRequest,
  type LoginStep,
  type LookRequest,
  type LookStep,
  loginFailures,
  type Notified,
  type NotifyRequest,
  type ResumeRequest,
  type RevokeRequest,
  type Throttled,
} from "./port.js";
export { isSecret, maskSettings, secret, secretsIn } from "./secret.js";
export {
  type CorrectedTransaction,
  type EarlierDay,
  type FetchedSnapshot,
  type HoldingData,
  type HoldingSubtype,
  type HoldingType,
  holdingSubtypes,
  holdingTypes,
  type NamedTransaction,
  type Placed,
  type PortfolioData,
  type PortfolioType,
  portfolioTypes,
  type SecurityIdentifiers,
  type SnapshotData,
  type TransactionData,
  type TransactionKind,
  type TransactionStage,
  transactionKinds,
  transactionStages,
  typeOfSubtype,
  type Writable,
  withoutPlaces,
} from "./snapshot.js";
export type { Steps } from "./steps.js";
export {
  baseUrl,
  calendarDate,
  currencyCode,
  decimalString,
  isCalendarDate,
  isDecimalString,
  statedCurrency,
  utcDay,
} from "./values.js";
