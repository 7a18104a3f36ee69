/** How often each job is due, in milliseconds. Jobs run on replicas with `JOBS=true`. */
const jobs = {
  cleanUp: 60_000,
  refreshes: 5_000,
  /** Notices of customers' consents that expire soon. */
  consentNotices: 600_000,
  /** Fetches exchange rates if they are due. */
  exchangeRates: 300_000,
  /** Reports this server's open circuit breakers, and forgets those of servers that are gone. */
  circuits: 600_000,
  mails: 2_000,
  feedSilence: 600_000,
  /** Incomplete statements. */
  waitingPages: 600_000,
  /** Complete statements whose server died before putting them together. */
  wholeStatements: 60_000,
  dropFolder: 5_000,
  /** Files of deleted connections and letters. */
  goneFeeds: 60_000,
  /** Sources of custodians' files that are due. */
  feedSources: 5_000,
  /** Retries held files, and drops those held for too long. */
  heldFiles: 60_000,
  /** Sessions whose server was killed while it talked to a bank. */
  cutOffLogins: 10_000,
  /** Revokes what logins that have ended without a connection have made at institutions. */
  savedAccesses: 15_000,
  /** Polls banks about challenges that customers approve elsewhere with the page closed. */
  unfollowedChallenges: 5_000,
  /** Webhook endpoints with due deliveries; also polled as soon as events are numbered. */
  webhooks: 1_000,
  /** Adds lines of the audit trail to its hash chain. */
  auditChain: 1_000,
  /** Logs the head of that chain. */
  auditHead: 600_000,
  /** Numbers events: immediately those that this process committed, then those of others. */
  events: 1_000,
} as const;

/** What every replica does in addition, in milliseconds. */
const other = {
  /** Writes buffered events to the audit trail. */
  auditTrail: 500,
  /** How long refusals are counted before the audit trail and the log get their line. */
  refusalCounts: 60_000,
  /** Measures the database's time. */
  clock: 60_000,
  /** Checks whether any server changed tenants' limits: they apply within 5 seconds. */
  limits: 2_000,
  /** Checks for events that another server numbered and calls here wait for. */
  eventNews: 1_000,
  /** How long a server holds a session while it queries the bank. */
  loginLease: 45_000,
  /** How long a server holds a source that it polls; renewed meanwhile. */
  sourceLease: 60_000,
  /** Time between two polls of a source that must find a file unchanged; otherwise the file is still being written. */
  sourceSettle: 1_500,
  /** How long a server holds a webhook endpoint that it sends to; renewed meanwhile. */
  webhookLease: 30_000,
  /** Checks whether any server changed providers' settings: they apply within 5 seconds. */
  providers: 2_000,
  /** The wait after a fetch of exchange rates that failed; it doubles with each further one. */
  exchangeRateRetry: 900_000,
  /** Adds outcomes of logins and refreshes to the totals of all servers. */
  outcomes: 15_000,
  /** Checks whether another server has rotated one of the server's own keys. */
  serverKeys: 15_000,
  /** Checks whether the database that the server waits for has been migrated. */
  migrations: 3_000,
} as const;

/**
 * How often each job is due, and how long leases and polling intervals of other work last, in milliseconds. Tests shorten these. Deadlines and
 * pauses within one piece of work are constants beside it.
 */
export const schedule = { ...jobs, ...other } as const;

/** A job's entry in the schedule. */
export type JobName = keyof typeof jobs;

/** A schedule; tests use shorter ones. */
export type Schedule = Readonly<Record<keyof typeof schedule, number>>;
