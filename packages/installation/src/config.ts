import { labelKey, letterOverdueDays } from "@org/core";
import { KeyringError, parseKeyring } from "@org/keyring";
import { databaseUrlFault } from "@org/storage-postgres";
import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import { parseClamdUrl } from "./clamd.js";
import { parseBucketUrl } from "./document-bucket.js";
import {
  installationProvider,
  issuerAddress,
  roleRules,
  tenantProvider,
  tenantProviders,
  wordList,
} from "./identity-provider-settings.js";
import {
  httpsFolder,
  isLoopback,
  listenAddress,
  listenHost,
  networkBlocks,
  proxyUrl,
  trustProxy,
  webOrigins,
} from "./network-settings.js";
import { parseSender, parseSmtpUrl, smtpOf } from "./smtp-settings.js";
import { tracingOf, tracingVariables } from "./tracing-settings.js";

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

const moduleNames = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names) => names.every((name) => name !== ""), "must be names separated by commas, without an empty one");
const MEBIBYTE = 1024 * 1024;

/** `Status=days`, separated by commas. Statuses that are not named keep their default; with 0 a letter is never overdue. */
const overdueDays = z
  .string()
  .transform((text) => text.split(",").map((pair) => /^\s*(\w+)\s*=\s*(\d{1,4})\s*$/.exec(pair)))
  .refine(
    (pairs) => pairs.every((pair) => pair !== null && Object.hasOwn(letterOverdueDays, pair[1] as string)),
    `must be status=days, separated by commas; statuses are ${Object.keys(letterOverdueDays).join(", ")}`,
  )
  .transform((pairs): Readonly<Record<string, number>> => {
    const named = pairs.flatMap((pair) => (pair ? [[pair[1] as string, Number(pair[2])] as const] : []));
    const all = Object.entries({ ...letterOverdueDays, ...Object.fromEntries(named) });
    return Object.fromEntries(all.filter(([, days]) => days > 0));
  });
const THIS_MACHINE: readonly string[] = ["127.0.0.0/8", "::1/128"];

/** Validated here so that its faults are listed with those of other settings; the text is parsed again where the keys are used. */
const encryptionKeys = z.string().superRefine((text, context) => {
  try {
    parseKeyring(text);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    for (const message of error.issues) context.addIssue({ code: "custom", message });
  }
});

/** All variables. */
export const environmentSchema = z.object({
  HOST: listenHost.default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: z
    .url("must be a URL")
    .refine((url) => !url.endsWith("/"), "must not end with a slash")
    .refine(
      (url) => URL.canParse(url) && `${new URL(url).protocol}//${new URL(url).host}` === url,
      "must be scheme and host only, such as https://wealth.example.com",
    )
    .refine((url) => url.startsWith("https://") || isLoopback(url), "must be https unless the host is loopback")
    .optional(),
  DATABASE_URL: z
    .string()
    .superRefine((text, context) => {
      const fault = databaseUrlFault(text);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    })
    .optional(),
  DATABASE_CONNECTIONS: wholeNumber(8, 500).default(16),
  DATABASE_PREPARED_STATEMENTS: flag.default(true),
  STATEMENTS_PER_TENANT: wholeNumber(1, 500).optional(),
  STATEMENTS_WAITING_PER_TENANT: wholeNumber(1, 10_000).default(200),
  DATA_DIR: z.string().default("./.data"),
  ENCRYPTION_KEYS: encryptionKeys.optional(),
  SANDBOX: flag.optional(),
  PROVIDERS: moduleNames.default([]),
  FEED_FORMATS: moduleNames.default([]),
  FEED_INTERIM: flag.default(false),
  RATES: z.enum(["ecb", "off"]).default("off"),
  RATES_URL: httpsFolder.default("https://www.ecb.europa.eu/stats/eurofxref/"),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().default(""),
  TRUST_PROXY: trustProxy.optional(),
  LETTER_MAX_BYTES: wholeNumber(1_024, 100 * 1024 * 1024).default(10_485_760),
  LETTER_TEMPLATES: z.string().optional(),
  LETTER_OVERDUE_DAYS: overdueDays.default({ ...letterOverdueDays }),
  SMTP_URL: z
    .string()
    .refine((text) => parseSmtpUrl(text) !== null, "must be smtp://[user:password@]host[:port][?tls=off] or smtps://…")
    .optional(),
  MAIL_FROM: z
    .string()
    .refine((text) => parseSender(text) !== null, "must be an e-mail address, or a name with one: Name <a@example.com>")
    .optional(),
  MAIL_DELAY_SECONDS: wholeNumber(0, 600).default(30),
  CLAMD_URL: z
    .string()
    .transform((text) => parseClamdUrl(text.trim()))
    .refine((address) => address !== null, "must be tcp://host:port or unix:/path")
    .optional(),
  DOCUMENTS_URL: z
    .string()
    .transform((text) => parseBucketUrl(text.trim()))
    .refine((address) => address !== null, "must be s3://bucket[/prefix][?region=…&endpoint=https://…]")
    .optional(),
  SEED_DEMO: flag.default(false),
  METRICS: flag.default(false),
  OPERATOR_LISTEN: listenAddress.optional(),
  METRICS_LISTEN: listenAddress.optional(),
  ALLOWED_ORIGINS: webOrigins.default([]),
  ACCESS_TOKEN_ALG: z.enum(["ES256", "RS256", "Ed25519"]).default("ES256"),
  REFRESH_REPLAY_SECONDS: wholeNumber(0, 300).default(0),
  CLIENT_DOCUMENTS: flag.default(true),
  DROP_DIR: z.string().optional(),
  FEED_SILENT_DAYS: wholeNumber(0, 3_650).default(7),
  STALE_AFTER_DAYS: wholeNumber(1, 3_650).default(5),
  HISTORY_DAYS: wholeNumber(1, 36_500).default(3_660),
  FEED_SOURCES_PRIVATE: flag.default(true),
  FEED_SOURCE_CONCURRENCY: wholeNumber(1, 64).default(4),
  FEED_HELD_DAYS: wholeNumber(1, 365).default(30),
  FEED_HELD_BYTES: wholeNumber(MEBIBYTE, 64 * 1024 * MEBIBYTE).default(1024 * MEBIBYTE),
  WEBHOOK_PRIVATE_NETWORKS: networkBlocks.optional(),
  WEBHOOK_CONCURRENCY: wholeNumber(1, 256).default(16),
  OPERATOR_MAIL: z.email("must be an e-mail address").optional(),
  FIRST_OPERATOR_EMAIL: z.email("must be an e-mail address").optional(),
  AUDIT_REFUSAL_DAYS: wholeNumber(0, 36_500).default(90),
  TRUSTED_ISSUERS_PRIVATE: flag.default(false),
  OIDC_ISSUER: issuerAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(100).optional(),
  OIDC_ROLES: roleRules.optional(),
  OIDC_SCOPES: wordList.default(["openid", "profile", "email"]),
  OIDC_ACR: wordList.default([]),
  OIDC_AMR: wordList.default([]),
  OIDC_ONLY: flag.default(false),
  OIDC_TENANTS: tenantProviders.default([]),
  OIDC_PRIVATE: flag.default(false),
  REGISTRATION: z.enum(["open", "token", "off"]).default("open"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  JOBS: flag.default(true),
  CLIENT_LABEL: labelKey.default("client"),
  WIDGET_TTL_SECONDS: wholeNumber(60, 86_400).default(1800),
  ANSWER_MAX_CHARACTERS: wholeNumber(10_000, 1_000_000).default(75_000),
  DRAIN_SECONDS: wholeNumber(0, 600).default(5),
  SHED_DELAY_MS: wholeNumber(0, 10_000).default(20),
  CONNECTIONS: wholeNumber(16, 1_000_000).default(8_192),
  CONNECTIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).default(1_024),
  BODY_BYTES_IN_FLIGHT: wholeNumber(MEBIBYTE, 64 * 1024 * MEBIBYTE).default(256 * MEBIBYTE),
  ...tracingVariables,
});

/** All settings from the environment (contract §1): what {@link settingsOf} derives from the variables. */
export type Config = Readonly<ReturnType<typeof settingsOf>>;

/** What is wrong with the environment: one line per variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the environment is not usable:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** The result of reading an environment. */
export interface ParsedEnvironment {
  /** The valid settings; invalid variables count as unset. */
  readonly config: Config;
  /** One line for each fault, beginning with its variable. */
  readonly problems: readonly string[];
  /** The variables that the problems are about. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Reads the environment; an empty variable counts as unset.
 * @throws ConfigError listing every problem
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { config, problems } = examineEnvironment(environment);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** {@link readConfig} for callers that check more before they refuse: folders, addresses, the database. */
export function examineEnvironment(environment: Readonly<Record<string, string | undefined>>): ParsedEnvironment {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environmentSchema.safeParse(given, { error: zodMessages });
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  const unsound = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  if (given.DATABASE_URL !== undefined && given.ENCRYPTION_KEYS === undefined)
    problems.push(
      "ENCRYPTION_KEYS: is required with DATABASE_URL, as id:base64 of 32 bytes; `wealth-connect keys generate` makes a first one",
    );
  if (given.PUBLIC_URL?.startsWith("https://") && given.TRUST_PROXY === undefined)
    problems.push(
      "TRUST_PROXY: is required with an https PUBLIC_URL, as the number of proxies in front of the server or their addresses; false = no proxy",
    );
  if (given.METRICS_LISTEN !== undefined && given.METRICS?.trim() !== "true")
    problems.push("METRICS_LISTEN: needs METRICS=true, without which there are no metrics");
  if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined)
    problems.push("MAIL_FROM: is required with SMTP_URL, as the address that mail comes from");
  if (given.OPERATOR_MAIL !== undefined && given.SMTP_URL === undefined)
    problems.push("OPERATOR_MAIL: needs SMTP_URL, without which nothing is mailed");
  if (given.OIDC_ISSUER !== undefined)
    for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES"])
      if (given[name] === undefined) problems.push(`${name}: is required with OIDC_ISSUER`);
  if (given.OIDC_ONLY?.trim() === "true" && given.OIDC_ISSUER === undefined && given.OIDC_TENANTS === undefined)
    problems.push("OIDC_ONLY: needs OIDC_ISSUER or OIDC_TENANTS, without which nobody could sign in");
  const sound = Object.fromEntries(Object.entries(given).filter(([name]) => !unsound.has(name)));
  return {
    config: settingsOf(parsed.success ? parsed.data : environmentSchema.parse(sound)),
    problems,
    faulty: new Set(problems.map((problem) => problem.slice(0, problem.indexOf(":")))),
  };
}

/** Derives the settings from the variables. Without `DATABASE_URL` the database is embedded, and demo and sandbox are on. */
function settingsOf(values: z.output<typeof environmentSchema>) {
  const embedded = values.DATABASE_URL === undefined;
  const provider = installationProvider(values);
  return {
    host: values.HOST,
    port: values.PORT,
    /** Undefined only while `port` is 0. */
    publicUrl: values.PUBLIC_URL ?? (values.PORT === 0 ? undefined : `http://localhost:${values.PORT}`),
    databaseUrl: values.DATABASE_URL,
    /** Maximum number of connections for work; two more monitor the database. */
    databaseConnections: values.DATABASE_CONNECTIONS,
    /** False behind a pooler in transaction mode that does not support them. */
    databasePreparedStatements: values.DATABASE_PREPARED_STATEMENTS,
    /** Undefined = a quarter of the connections. */
    statementsPerTenant: values.STATEMENTS_PER_TENANT,
    statementsWaitingPerTenant: values.STATEMENTS_WAITING_PER_TENANT,
    dataDir: values.DATA_DIR,
    encryptionKeys: values.ENCRYPTION_KEYS,
    sandbox: values.SANDBOX ?? embedded,
    /** Provider modules: short names of bundled ones, module names, paths. */
    providers: values.PROVIDERS,
    /** Modules for custodian file formats: module names, paths. */
    feedFormats: values.FEED_FORMATS,
    /** Whether reports of an unfinished day are accepted, for any connector. */
    feedInterim: values.FEED_INTERIM,
    /** The service whose exchange rates are fetched daily; null = none is. */
    rates: values.RATES === "off" ? null : values.RATES,
    /** The folder of its files. */
    ratesUrl: values.RATES_URL,
    /** The proxy for calls to institutions (null = none), and the hosts that are called without it. */
    httpsProxy: values.HTTPS_PROXY ?? null,
    noProxy: values.NO_PROXY,
    trustProxy: values.TRUST_PROXY,
    letterMaxBytes: values.LETTER_MAX_BYTES,
    /** Folder with texts for generated letters; undefined = the built-in ones. */
    letterTemplates: values.LETTER_TEMPLATES,
    /** After how many days in its status a letter is overdue; in an unlisted status never. */
    letterOverdueDays: values.LETTER_OVERDUE_DAYS,
    /** Null = no mail is sent. */
    smtp: smtpOf(values.SMTP_URL, values.MAIL_FROM),
    mailDelayMs: values.MAIL_DELAY_SECONDS * 1_000,
    /** The virus scanner for letters' documents; undefined = documents are not scanned. */
    clamd: values.CLAMD_URL ?? undefined,
    /** The bucket for letters' documents; undefined = they are stored in the database. */
    documents: values.DOCUMENTS_URL ?? undefined,
    seedDemo: embedded || values.SEED_DEMO,
    metrics: values.METRICS,
    /** Separate addresses for the operator API and the metrics; undefined = the public one. */
    operatorListen: values.OPERATOR_LISTEN,
    metricsListen: values.METRICS_LISTEN,
    allowedOrigins: values.ALLOWED_ORIGINS,
    accessTokenAlg: values.ACCESS_TOKEN_ALG,
    refreshReplaySeconds: values.REFRESH_REPLAY_SECONDS,
    /** Whether client ids may be URLs of metadata documents, which the server then fetches. */
    clientDocuments: values.CLIENT_DOCUMENTS,
    /** Whether keys of trusted identity providers may be in private networks. */
    trustedIssuersPrivate: values.TRUSTED_ISSUERS_PRIVATE,
    /** The trusted identity providers: the installation's first, then those of tenants. */
    identityProviders: [...(provider ? [provider] : []), ...values.OIDC_TENANTS.map(tenantProvider)],
    /** Whose people must sign in with their provider: everybody's, or those of these tenants. */
    identityProviderOnly: values.OIDC_ONLY
      ? ("everybody" as const)
      : values.OIDC_TENANTS.filter(({ only }) => only).map(({ tenant_id }) => tenant_id),
    /** Whether identity providers may be in private networks. */
    identityProvidersPrivate: values.OIDC_PRIVATE,
    /** Who may register an OAuth client: anyone, bearers of an initial access token, or nobody. */
    registration: values.REGISTRATION,
    /** Folder watched for custodian files; undefined = none. */
    dropDir: values.DROP_DIR,
    /** After how many days without a file a Connected letter is Blocked; 0 = never. */
    feedSilentDays: values.FEED_SILENT_DAYS,
    /** After how many days data of refreshed connections are overdue, and data of files at the earliest. */
    staleAfterDays: values.STALE_AFTER_DAYS,
    /** For how many days it is kept what accounts were worth. */
    historyDays: values.HISTORY_DAYS,
    /** Whether sources of files may be in private networks. */
    feedSourcesPrivate: values.FEED_SOURCES_PRIVATE,
    /** How many sources this server polls at once. */
    feedSourcesAtOnce: values.FEED_SOURCE_CONCURRENCY,
    /** How long, and up to how many bytes in total, held files of sources are kept. */
    feedHeldDays: values.FEED_HELD_DAYS,
    feedHeldBytes: values.FEED_HELD_BYTES,
    /** CIDR blocks outside the public internet that events may be delivered to. */
    webhookPrivateNetworks: values.WEBHOOK_PRIVATE_NETWORKS ?? (embedded ? THIS_MACHINE : []),
    webhookEndpointsAtOnce: values.WEBHOOK_CONCURRENCY,
    /** Where operators are notified by mail that an endpoint was disabled; null = they are not. */
    operatorMail: values.OPERATOR_MAIL ?? null,
    /** The address of the first operator; null = operators enter it when they join. */
    firstOperatorEmail: values.FIRST_OPERATOR_EMAIL ?? null,
    /** After how many days refusals of unauthenticated callers leave the audit trail; 0 = never. */
    auditRefusalDays: values.AUDIT_REFUSAL_DAYS,
    logLevel: values.LOG_LEVEL,
    jobs: values.JOBS,
    clientLabel: values.CLIENT_LABEL,
    widgetTtlSeconds: values.WIDGET_TTL_SECONDS,
    answerMaxCharacters: values.ANSWER_MAX_CHARACTERS,
    /** How long a stopping server still serves requests, while `/readyz` reports that it stops. */
    drainSeconds: values.DRAIN_SECONDS,
    /** Sustained delay of the event loop, in ms, above which requests are refused; 0 = no limit. */
    shedDelayMs: values.SHED_DELAY_MS,
    /** Maximum number of concurrent connections. */
    connections: values.CONNECTIONS,
    /** Maximum per address, without a proxy in front; a proxy's connections belong to all clients. */
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
    /** Maximum memory for bodies while they arrive and are processed. */
    bodyBytesInFlight: values.BODY_BYTES_IN_FLIGHT,
    tracing: tracingOf(values),
  };
}

/** Whether people of a tenant, or of the installation, must sign in with their identity provider. */
export function hasProviderOnly(
  { identityProviderOnly: only }: Pick<Config, "identityProviderOnly">,
  tenantId: string,
): boolean {
  return only === "everybody" || only.some((id) => id === tenantId);
}
