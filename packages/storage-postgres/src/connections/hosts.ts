import pg from "pg";
import { faultOf } from "../storage-error.js";
import { SILENT_MS } from "./database-monitor.js";

/** Accepted values of `target_session_attrs`: a server needs a writable host. */
const TARGETS = ["read-write", "primary"];

/** The hosts of one database, of which one is writable at a time. */
export interface Hosts {
  /** The host that was writable at the last check; null when that is no longer known. */
  chosen(): string | null;
  /** Finds the writable host. Concurrent calls share one check. @throws Error when there is none, naming all hosts */
  find(): Promise<string>;
  /** Reports that a host could not be connected to, or is no longer writable. */
  lost(url: string): void;
}

/**
 * Checks a `DATABASE_URL`: returns what is wrong with it, or null. Several hosts are allowed, in libpq's form:
 * `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`.
 */
export function databaseUrlFault(text: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must be a postgres:// URL";
  const { urls, target } = hostsIn(text);
  if (!urls.every((url) => URL.canParse(url)))
    return "is no URL: characters of the password that mean something in one are percent-encoded";
  if (urls.some((url) => new URL(url).pathname.includes("@")))
    return "has an @ behind its host: in the password / is written %2F, @ %40 and : %3A";
  if (urls.length > 1 && urls.some((url) => new URL(url).hostname === "")) return "has a host without a name";
  if (target !== null && !TARGETS.includes(target))
    return `has target_session_attrs=${target}, and must have read-write or primary: a server writes`;
  return null;
}

/**
 * One URL for each host. `mustWrite` is set where several hosts are named or the URL demands it: then a host is checked before it is used.
 */
export function hostsOf(databaseUrl: string): { readonly urls: readonly string[]; readonly mustWrite: boolean } {
  const { urls, target } = hostsIn(databaseUrl);
  return { urls, mustWrite: urls.length > 1 || target !== null };
}

function hostsIn(databaseUrl: string): { urls: string[]; target: string | null } {
  const [, scheme = "", login = "", hosts = "", path = "", query = ""] =
    /^([^:]+:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(.*)$/s.exec(databaseUrl) ?? [];
  const parameters = new URLSearchParams(query.replace(/^\?/, ""));
  const target = parameters.get("target_session_attrs");
  if (target === null && !hosts.includes(",")) return { urls: [databaseUrl], target };
  // `pg` does not know this parameter. The rest of the URL stays as written.
  const rest = query.replace(/([?&])target_session_attrs=[^&]*&?/, "$1").replace(/[?&]$/, "");
  return { urls: hosts.split(",").map((host) => scheme + login + host + path + rest), target };
}

/**
 * Queries all hosts in parallel and chooses the first writable one.
 * @param onChosen called with every host that is chosen
 */
export function createHosts(urls: readonly string[], onChosen: (url: string) => void): Hosts {
  let chosen: string | null = null;
  let finding: Promise<string> | null = null;
  return {
    chosen: () => chosen,
    lost(url) {
      if (chosen === url) chosen = null;
    },
    find() {
      finding ??= Promise.any(urls.map(takesChanges))
        .then(
          (url) => {
            chosen = url;
            onChosen(url);
            return url;
          },
          ({ errors }: AggregateError) => {
            throw noneOf(urls, errors);
          },
        )
        .finally(() => {
          finding = null;
        });
      return finding;
    },
  };
}

async function takesChanges(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: SILENT_MS,
    query_timeout: SILENT_MS,
    application_name: "wealth-connect: search",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await requireWritable(client);
    return url;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** @throws Error with the code of a refused write, on a standby and on a read-only server */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only !== "off")
    throw Object.assign(new Error("it takes no changes: it is a standby, or was set to be read-only"), {
      code: "25006",
    });
}

/** An error from a reachable host, such as a wrong password, takes precedence over unreachable hosts. */
function noneOf(urls: readonly string[], errors: readonly Error[]): Error {
  const refused = errors.find((error) => !["lost", "read_only"].includes(faultOf(error) ?? ""));
  if (refused) return refused;
  const words = errors.map((error, index) => `${new URL(urls[index] ?? "").host}: ${wordsOf(error)}`);
  // SQLSTATE 08001: no connection could be made.
  return Object.assign(new Error(`no host takes changes (${words.join("; ")})`), { code: "08001" });
}

function wordsOf(error: Error & { code?: string }): string {
  return error.message || error.code || "no answer";
}
