import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ConfigError, environmentSchema, examineEnvironment, readConfig } from "./config.js";

const KEYS = `k1:${Buffer.alloc(32, 1).toString("base64")}`;
const OIDC_ROLES = JSON.stringify([{ claims: { groups: "operators" }, role: "operator" }]);
const postgres = { DATABASE_URL: "postgres://localhost/wealth", ENCRYPTION_KEYS: KEYS };

/** Names of the variables for which an environment is refused, in the order of the list. */
function refused(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => problem.slice(0, problem.indexOf(":")));
  }
}

describe("settings that are not set", () => {
  it("[C-1.1] [C-1.11] [C-1.13] [C-1.14] [C-1.16] [C-1.18] [C-1.20] [C-1.22] [C-1.23] [C-1.41] [C-1.24] [C-1.25] [C-1.26] [C-1.27] have the defaults of the contract", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      publicUrl: "http://localhost:3000",
      databaseUrl: undefined,
      dataDir: "./.data",
      sandbox: true,
      letterMaxBytes: 10_485_760,
      seedDemo: true,
      metrics: false,
      allowedOrigins: [],
      accessTokenAlg: "ES256",
      refreshReplaySeconds: 0,
      registration: "open",
      clamd: undefined,
      documents: undefined,
      dropDir: undefined,
      logLevel: "info",
      jobs: true,
      widgetTtlSeconds: 1800,
      answerMaxCharacters: 75_000,
    });
  });

  it("[C-1.13] [C-1.16] [C-1.20] on PostgreSQL there are no sandbox banks and no demo tenant unless asked for", () => {
    expect(readConfig(postgres)).toMatchObject({ databaseUrl: postgres.DATABASE_URL, sandbox: false, seedDemo: false });
    const asked = { ...postgres, SANDBOX: "true", SEED_DEMO: "true" };
    expect(readConfig(asked)).toMatchObject({ sandbox: true, seedDemo: true });
    expect(readConfig({ SANDBOX: "false" }).sandbox).toBe(false);
  });

  it("[C-11.63] events are delivered to this machine by default with the embedded database only, and to the networks that are named", () => {
    expect(readConfig({}).webhookPrivateNetworks).toEqual(["127.0.0.0/8", "::1/128"]);
    expect(readConfig(postgres).webhookPrivateNetworks).toEqual([]);
    const named = { ...postgres, WEBHOOK_PRIVATE_NETWORKS: "10.0.0.0/8, fd00::/8" };
    expect(readConfig(named).webhookPrivateNetworks).toEqual(["10.0.0.0/8", "fd00::/8"]);
    for (const wrong of ["10.0.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0/8", "localhost", "10.0.0.0/8,"])
      expect(refused({ WEBHOOK_PRIVATE_NETWORKS: wrong })).toEqual(["WEBHOOK_PRIVATE_NETWORKS"]);
    const mail = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@b.example", OPERATOR_MAIL: "ops@b.example" };
    expect(readConfig(mail).operatorMail).toBe("ops@b.example");
    expect(refused({ OPERATOR_MAIL: "ops@b.example" })).toEqual(["OPERATOR_MAIL"]);
    expect(refused({ LETTER_OVERDUE_DAYS: "constructor=3" })).toEqual(["LETTER_OVERDUE_DAYS"]);
  });
});

describe("[C-1.10] an environment", () => {
  /** A bad value for each variable that can have one; the first test fails for a new variable without one. */
  const bad = {
    HOST: "http://0.0.0.0",
    PORT: "65536",
    PUBLIC_URL: "not a URL",
    DATABASE_URL: "mysql://x",
    ENCRYPTION_KEYS: "k1:c2hvcnQ=",
    TRUST_PROXY: "everything",
    DATABASE_CONNECTIONS: "7",
    DATABASE_PREPARED_STATEMENTS: "no",
    STATEMENTS_PER_TENANT: "0",
    STATEMENTS_WAITING_PER_TENANT: "10001",
    PROVIDERS: "ibkr-flex,,openwealth",
    FEED_FORMATS: "a,",
    FEED_INTERIM: "sometimes",
    RATES: "fed",
    RATES_URL: "http://rates.example/",
    HTTPS_PROXY: "socks5://proxy.internal",
    LETTER_OVERDUE_DAYS: "Connected=3",
    SANDBOX: "maybe",
    LETTER_MAX_BYTES: "1e6",
    MAIL_DELAY_SECONDS: "601",
    SMTP_URL: "http://mail.example",
    MAIL_FROM: "nobody",
    CLAMD_URL: "clamd",
    DOCUMENTS_URL: "https://bucket.s3.example",
    SEED_DEMO: "1",
    METRICS: "yes",
    OPERATOR_LISTEN: "everywhere",
    METRICS_LISTEN: "127.0.0.1",
    ALLOWED_ORIGINS: "https://a.example, nowhere",
    ACCESS_TOKEN_ALG: "none",
    REFRESH_REPLAY_SECONDS: "-1",
    CLIENT_DOCUMENTS: "on",
    CLIENT_LABEL: "a b",
    REGISTRATION: "closed",
    FEED_SILENT_DAYS: "a week",
    STALE_AFTER_DAYS: "0",
    HISTORY_DAYS: "0",
    FEED_SOURCES_PRIVATE: "no",
    FEED_SOURCE_CONCURRENCY: "65",
    FEED_HELD_DAYS: "0",
    FEED_HELD_BYTES: "1GiB",
    WEBHOOK_PRIVATE_NETWORKS: "10.0.0.1",
    WEBHOOK_CONCURRENCY: "0",
    OPERATOR_MAIL: "ops",
    FIRST_OPERATOR_EMAIL: "somebody",
    AUDIT_REFUSAL_DAYS: "-1",
    TRUSTED_ISSUERS_PRIVATE: "0",
    OIDC_ISSUER: "http://idp.example",
    OIDC_NAME: "x".repeat(101),
    OIDC_ROLES: "operator",
    OIDC_ONLY: "yes",
    OIDC_TENANTS: "{}",
    OIDC_PRIVATE: "1",
    LOG_LEVEL: "loud",
    JOBS: "no",
    WIDGET_TTL_SECONDS: "59",
    ANSWER_MAX_CHARACTERS: "9999",
    DRAIN_SECONDS: "601",
    SHED_DELAY_MS: "20 ms",
    CONNECTIONS: "15",
    CONNECTIONS_PER_ADDRESS: "0",
    BODY_BYTES_IN_FLIGHT: "256M",
    OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "grpc://collector",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_TIMEOUT: "10s",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "10s",
    OTEL_TRACES_EXPORTER: "console",
    OTEL_SDK_DISABLED: "yes",
    OTEL_TRACES_SAMPLER: "jaeger_remote",
    OTEL_TRACES_SAMPLER_ARG: "5%",
    OTEL_BSP_MAX_QUEUE_SIZE: "0",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "8193",
    OTEL_BSP_SCHEDULE_DELAY: "-1",
    OTEL_BSP_EXPORT_TIMEOUT: "soon",
    TRACEPARENT_HOSTS: "https://gateway.internal",
  };

  /** Required by some of them; the first two accept any text. */
  const companions = { OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" };

  it("has a bad value here of every variable that does not take any text", () => {
    const texts = ["-1", "no", ",", "a b", "{}", "http://a", "\u{1f600}", "x".repeat(10_000)];
    const takesAny = Object.entries(environmentSchema.shape)
      .filter(([, schema]) => texts.every((text) => schema.safeParse(text).success))
      .map(([name]) => name);
    expect([...Object.keys(bad), ...takesAny].sort()).toEqual(Object.keys(environmentSchema.shape).sort());
  });

  it("[C-7.60] is refused with every problem, each in a line and in our words", () => {
    const found = refused({ ...bad, ...companions });
    expect([...new Set(found)].sort()).toEqual(Object.keys(bad).sort());
    expect(() => readConfig({ ...bad, ...companions })).not.toThrow(/Invalid|Too (small|big)|expected|received/);
    expect(() => readConfig(bad)).toThrow(/^the environment is not usable:\n( {2}[A-Z_]+: \S.*(\n|$))+$/);
  });

  it.each(Object.entries(bad))("%s=%s is refused by itself", (name, value) => {
    const others = { ...companions, ENCRYPTION_KEYS: KEYS, MAIL_FROM: "a@b.example", OIDC_ROLES };
    expect(new Set(refused({ ...others, [name]: value }))).toEqual(new Set([name]));
  });

  it("[C-1.43] that is wrong in part still says the rest, for whoever has more to check before refusing", () => {
    const { config, problems, faulty } = examineEnvironment({
      ...bad,
      ...companions,
      DROP_DIR: "/drop",
      DATA_DIR: "/data",
    });
    expect(config).toMatchObject({ dropDir: "/drop", dataDir: "/data", port: 3000, host: "127.0.0.1" });
    expect([problems.length >= faulty.size, [...faulty].sort()]).toEqual([true, Object.keys(bad).sort()]);
    expect(examineEnvironment({})).toMatchObject({ problems: [], config: readConfig({}) });
  });

  it.each([
    [
      "ALLOWED_ORIGINS",
      "tauri://localhost",
      "tauri://localhost is not an http or https origin such as https://app.example.com",
    ],
    ["ALLOWED_ORIGINS", "null", "null is not an http or https origin such as https://app.example.com"],
    ["ENCRYPTION_KEYS", `k1:${"A".repeat(42)}=`, "key k1 is not 32 bytes in Base64"],
    ["ENCRYPTION_KEYS", "verysecret", "entry 1 is not of the form id:base64"],
    [
      "DATABASE_URL",
      "postgres://wealth:se/cret@host:port/db",
      "is no URL: characters of the password that mean something in one are percent-encoded",
    ],
    [
      "DATABASE_URL",
      "postgres://wealth:secret@one,two/db?target_session_attrs=standby",
      "has target_session_attrs=standby, and must have read-write or primary: a server writes",
    ],
  ])("[C-1.43] %s=%s is refused in words that repeat no secret", (name, value, words) => {
    const { problems } = examineEnvironment({ ENCRYPTION_KEYS: KEYS, [name]: value });
    expect(problems).toEqual([`${name}: ${words}`]);
  });

  it("docs/reference/configuration.md says after how many days a letter is overdue in each status", () => {
    const page = readFileSync(new URL("../../../docs/reference/configuration.md", import.meta.url), "utf8");
    const days = Object.entries(readConfig({}).letterOverdueDays).map((pair) => pair.join("="));
    expect(page).toContain(`| \`LETTER_OVERDUE_DAYS\` | \`${days.join(", ")}\` |`);
  });

  it("docs/reference/configuration.md has every variable, except OpenTelemetry's", () => {
    const page = readFileSync(new URL("../../../docs/reference/configuration.md", import.meta.url), "utf8");
    const named = new Set([...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = ""]) => names.match(/\w+/g)));
    const own = Object.keys(environmentSchema.shape).filter((name) => !name.startsWith("OTEL_"));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });

  it("that is empty is as if it were not set", () => {
    const names = [...Object.keys(bad), "HOST", "DATA_DIR", "ENCRYPTION_KEYS", "TRUST_PROXY", "DROP_DIR"];
    for (const empty of ["", "  "])
      expect(readConfig(Object.fromEntries(names.map((name) => [name, empty])))).toEqual(readConfig({}));
  });

  it("is read in one place of each process: nothing but its entry looks at process.env", () => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const sources = ["apps/server/src", "apps/cli/src", "packages/installation/src"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => `${folder}/${file.replaceAll("\\", "/")}`),
    );
    const readers = sources.filter((file) =>
      /process\s*(\.|\[")env\b|from "node:process"/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(readers).toEqual(["apps/server/src/run-server.ts", "apps/cli/src/shell.ts"]);
  });
});

describe("[C-1.12] PUBLIC_URL", () => {
  it.each([
    "https://wealth.example.com",
    "https://wealth.example.com:8443",
    "http://localhost:3000",
    "http://127.0.0.1:8080",
    "http://127.1.2.3",
    "http://[::1]:3000",
  ])("may be %s", (url) => {
    expect(readConfig({ PUBLIC_URL: url, TRUST_PROXY: "1" }).publicUrl).toBe(url);
  });

  it.each([
    ["https://wealth.example.com/", /must not end with a slash/],
    ["http://localhost:3000/", /must not end with a slash/],
    ["http://wealth.example.com", /must be https unless the host is loopback/],
    ["http://10.0.0.1", /must be https unless the host is loopback/],
    ["http://localhost.example.com", /must be https unless the host is loopback/],
    ["http://127.0.0.1.example.com", /must be https unless the host is loopback/],
    ["https://wealth.example.com/path", /must be scheme and host only/],
    ["https://user@wealth.example.com", /must be scheme and host only/],
    ["https://wealth.example.com?a", /must be scheme and host only/],
  ])("may not be %s", (url, problem) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(problem);
  });
});

describe("[C-1.43] HOST", () => {
  it.each(["127.0.0.1", "0.0.0.0", "::", "::1", "localhost", "wealth-1.internal.example"])("may be %s", (HOST) => {
    expect(readConfig({ HOST }).host).toBe(HOST);
  });

  it.each(["[::1]", "0.0.0.0:3000", "http://localhost", "999.1.1.1", "two words", "-a.example"])(
    "may not be %s",
    (HOST) => {
      expect(refused({ HOST })).toEqual(["HOST"]);
    },
  );
});

describe("[C-1.40] TRUST_PROXY, with an https PUBLIC_URL", () => {
  const PUBLIC_URL = "https://wealth.example.com";
  it("has to be decided, and is one line of the faults when it is not", () => {
    expect(refused({ PUBLIC_URL })).toEqual(["TRUST_PROXY"]);
    expect(refused({ PUBLIC_URL, TRUST_PROXY: "", PORT: "x" })).toEqual(["PORT", "TRUST_PROXY"]);
    expect(() => readConfig({ PUBLIC_URL })).toThrow(/number of proxies .* or their addresses; false = no proxy/);
  });

  it.each([
    ["false", false],
    ["true", true],
    ["2", 2],
    ["10.0.0.0/8, 192.0.2.1", "10.0.0.0/8, 192.0.2.1"],
    ["loopback, 2001:db8::/32, 10.0.0.0/255.255.0.0", "loopback, 2001:db8::/32, 10.0.0.0/255.255.0.0"],
  ])("may be %s", (TRUST_PROXY, setting) => {
    expect(readConfig({ PUBLIC_URL, TRUST_PROXY }).trustProxy).toBe(setting);
  });

  it.each([
    "-1",
    "1.5",
    "yes",
    "10.0.0.0/33",
    "10.0.0.0/0",
    "10.0.0.0/255.0.255.0",
    "300.1.1.1",
    "proxy.example",
    "10.0.0.1,",
  ])("[C-1.43] may not be %s", (TRUST_PROXY) => {
    expect(refused({ PUBLIC_URL, TRUST_PROXY })).toEqual(["TRUST_PROXY"]);
  });

  it("may be left out on loopback", () => {
    expect(readConfig({ PUBLIC_URL: "http://localhost:3000" }).trustProxy).toBeUndefined();
  });
});

const smtp = (SMTP_URL: string, MAIL_FROM = "letters@connect.example") => readConfig({ SMTP_URL, MAIL_FROM }).smtp;

describe("[C-1.19] outgoing mail", () => {
  it("is off unless it is configured", () => {
    expect(readConfig({}).smtp).toBeNull();
    expect(readConfig({ MAIL_FROM: "a@b.example" }).smtp).toBeNull();
  });

  it.each([
    ["smtp://mail.example", { host: "mail.example", port: 587, tls: "starttls", user: null, password: null }],
    ["smtp://mail.example:25?tls=off", { host: "mail.example", port: 25, tls: "off" }],
    ["smtp://localhost:1025", { host: "localhost", port: 1025, tls: "off" }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025, tls: "off" }],
    ["smtps://us:p%40ss%2Fword@mail.example", { port: 465, tls: "implicit", user: "us", password: "p@ss/word" }],
  ])("%s", (url, expected) => {
    expect(smtp(url)).toMatchObject(expected);
  });

  it.each([
    ["a@b.example", { name: "", address: "a@b.example" }],
    ["Wealth Connect <a@b.example>", { name: "Wealth Connect", address: "a@b.example" }],
    ['"Letters, Inc." <a@b.example>', { name: "Letters, Inc.", address: "a@b.example" }],
  ])("comes from %s", (sender, from) => {
    expect(smtp("smtp://mail.example", sender)?.from).toEqual(from);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ SMTP_URL: "smtp://mail.example" }, /MAIL_FROM: is required/],
    [{ SMTP_URL: "http://mail.example", MAIL_FROM: "a@b.example" }, /SMTP_URL: must be smtp/],
    [{ SMTP_URL: "smtp://mail.example/path", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtp://mail.example?tls=maybe", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtps://mail.example?tls=off", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtp://us:%E0%A4%A@mail.example", MAIL_FROM: "a@b.example" }, /SMTP_URL/],
    [{ SMTP_URL: "smtp://mail.example", MAIL_FROM: "nobody" }, /MAIL_FROM: must be/],
    [{ SMTP_URL: "smtp://mail.example", MAIL_FROM: "A\u0000 <a@b.example>" }, /MAIL_FROM: must be/],
  ])("%j is refused", (environment, problem) => {
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(problem);
  });
});
