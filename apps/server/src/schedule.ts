/** How often each job is due, in milliseconds. Jobs run on replicas with `JOBS=true`. */
const jobs = {
  cleanUp: 60_000,
  refreshes: 5_000,
  /** Customers' consents that run out. */
  consentNotices: 600_000,
  /** What circuit breakers this server has open, and those whose servers are gone. */
  circuits: 600_000,
  mails: 2_000,
  feedSilence: 600_000,
  /** Statements whose pages have not all come. */
  waitingPages: 600_000,
  /** Statements whose pages have all come, to a server that died then. */
  wholeStatements: 60_000,
  dropFolder: 5_000,
  /** Files of connections and letters that are gone. */
  goneFeeds: 60_000,
  /** Sources of custodians' files that are due. */
  feedSources: 5_000,
  /** Held files are tried again, and those that were held for too long are let go. */
  heldFiles: 60_000,
  /** Sessions whose server was killed while it talked to a bank. */
  cutOffLogins: 10_000,
  /** Banks are asked about challenges that customers approve elsewhere, with the page closed. */
  unfollowedChallenges: 5_000,
  /** Webhook endpoints that something is due for; looked for at once, too, when events were numbered. */
  webhooks: 1_000,
  /** Lines of the audit trail get their place in its hash chain. */
  auditChain: 1_000,
  /** The log is told where that chain ends. */
  auditHead: 600_000,
  /** Events get their numbers: at once what this process has committed, then what others have. */
  events: 1_000,
} as const;

/** What every replica does besides, in milliseconds. */
const other = {
  /** Events that wait for the audit trail. */
  auditTrail: 500,
  /** For how long refusals are counted before the audit trail and the log have their line. */
  refusalCounts: 60_000,
  /** What time the database has. */
  clock: 60_000,
  /** Whether limits of tenants have changed, on whichever server: they hold within 5 seconds. */
  limits: 2_000,
  /** Whether there are events that calls wait for, which another server has numbered. */
  eventNews: 1_000,
  /** For how long a server has a session while it asks the bank. */
  loginLease: 45_000,
  /** For how long a server has a source that it looks into; renewed while it does. */
  sourceLease: 60_000,
  /** Between the two looks into a source that have to find a file unchanged: else it is one that is being written. */
  sourceSettle: 1_500,
  /** For how long a server has a webhook endpoint that it sends to; renewed while it does. */
  webhookLease: 30_000,
  /** Whether settings of providers have changed, on whichever server: they are in force within 5 seconds. */
  providers: 2_000,
  /** Outcomes of logins and refreshes are added up over all servers. */
  outcomes: 15_000,
  /** Whether another server has rotated one of the server's own keys. */
  serverKeys: 15_000,
  /** Whether somebody has migrated the database that a server waits for. */
  migrations: 3_000,
} as const;

/**
 * How often each job is due, and for how long leases and looks of other work last, in milliseconds: what tests shorten. Deadlines and
 * pauses within one piece of work are constants beside it.
 */
export const schedule = { ...jobs, ...other } as const;

/** A job's line in the schedule. */
export type JobName = keyof typeof jobs;

/** A schedule; tests have shorter ones. */
export type Schedule = Readonly<Record<keyof typeof schedule, number>>;
