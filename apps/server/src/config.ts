import { z } from "zod";

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const environmentSchema = z.object({
  HOST: z.string().default("127.0.0.1"),
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
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL")
    .optional(),
  DATA_DIR: z.string().default("./.data"),
  ENCRYPTION_KEYS: z.string().optional(),
  SANDBOX: flag.optional(),
  TRUST_PROXY: z.string().optional(),
  LETTER_MAX_BYTES: wholeNumber(1_024, 100 * 1024 * 1024).default(10_485_760),
  SEED_DEMO: flag.default(false),
  METRICS: flag.default(false),
  ALLOWED_ORIGINS: list
    .pipe(z.array(z.url("must be a comma-separated list of origins").transform((url) => new URL(url).origin)))
    .default([]),
  ACCESS_TOKEN_ALG: z.enum(["ES256", "RS256", "Ed25519"]).default("ES256"),
  REFRESH_REPLAY_SECONDS: wholeNumber(0, 300).default(0),
  CLIENT_DOCUMENTS: flag.default(true),
  DROP_DIR: z.string().optional(),
  FEED_SILENT_DAYS: wholeNumber(0, 3_650).default(7),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  JOBS: flag.default(true),
  WIDGET_TTL_SECONDS: wholeNumber(60, 86_400).default(1800),
});

/** Everything the process takes from its environment (contract §1). `publicUrl` is undefined only while `port` is 0. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly encryptionKeys: string | undefined;
  readonly sandbox: boolean;
  readonly trustProxy: string | number | boolean | undefined;
  readonly letterMaxBytes: number;
  readonly seedDemo: boolean;
  readonly metrics: boolean;
  readonly allowedOrigins: readonly string[];
  readonly accessTokenAlg: "ES256" | "RS256" | "Ed25519";
  readonly refreshReplaySeconds: number;
  /** Whether clients may be named by the address of their metadata, which the server then fetches. */
  readonly clientDocuments: boolean;
  /** Folder watched for custodian files, or undefined. */
  readonly dropDir: string | undefined;
  /** After how many days without a file a Connected letter is Blocked; 0 = never. */
  readonly feedSilentDays: number;
  readonly logLevel: string;
  readonly jobs: boolean;
  readonly widgetTtlSeconds: number;
}

/** What is wrong with the environment: one line per variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the environment is not usable:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads the environment; an empty variable counts as unset.
 * @throws ConfigError listing every problem
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environmentSchema.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  const embedded = given.DATABASE_URL === undefined;
  if (!embedded && given.ENCRYPTION_KEYS === undefined)
    problems.push("ENCRYPTION_KEYS: is required with DATABASE_URL, as id:base64 of 32 bytes");
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const values = parsed.data;
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? (values.PORT === 0 ? undefined : `http://localhost:${values.PORT}`),
    databaseUrl: values.DATABASE_URL,
    dataDir: values.DATA_DIR,
    encryptionKeys: values.ENCRYPTION_KEYS,
    sandbox: values.SANDBOX ?? embedded,
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    letterMaxBytes: values.LETTER_MAX_BYTES,
    seedDemo: embedded || values.SEED_DEMO,
    metrics: values.METRICS,
    allowedOrigins: values.ALLOWED_ORIGINS,
    accessTokenAlg: values.ACCESS_TOKEN_ALG,
    refreshReplaySeconds: values.REFRESH_REPLAY_SECONDS,
    clientDocuments: values.CLIENT_DOCUMENTS,
    dropDir: values.DROP_DIR,
    feedSilentDays: values.FEED_SILENT_DAYS,
    logLevel: values.LOG_LEVEL,
    jobs: values.JOBS,
    widgetTtlSeconds: values.WIDGET_TTL_SECONDS,
  };
}

/** Whether a URL's host is this machine (RFC 8252 §7.3 and `localhost`). */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** As express takes it: a number of proxies, true/false, or addresses. */
function trustProxyOf(text: string | undefined): string | number | boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "true" || text === "false") return text === "true";
  return /^\d+$/.test(text) ? Number(text) : text;
}
