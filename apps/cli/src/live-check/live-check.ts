import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { HttpExchange } from "@org/provider-kit/http";
import { makeRecording, type RecordedPhase, replacerOf, type SeenSession } from "@org/provider-kit/recording";
import { CliError, failed, wrongUsage } from "../cli-error.js";
import { fileErrorReason, readJsonFile } from "../input.js";
import type { Shell } from "../shell.js";
import { openCustomer, withoutText } from "./customer.js";
import {
  compareKeys,
  compareSums,
  differingFields,
  faultsIn,
  type KeyComparison,
  rowCounts,
  rowLists,
  type SumComparison,
  unknownFields,
} from "./findings.js";
import { logInLive, type ReadToEnd, readToEnd } from "./live-session.js";
import { loadProvider, type OpenProvider, openProvider } from "./open-provider.js";

export interface LiveCheckOptions {
  readonly settings?: string;
  readonly credentials?: string;
  readonly connector?: string;
  readonly callbackPort: number;
  readonly timeout: number;
  readonly record?: string;
  readonly words?: string;
}

/** What a check found. It has counts, names of fields and words of the institution, and no value of a customer. */
export interface LiveReport {
  readonly provider: string;
  readonly connector_id: string | null;
  ok: boolean;
  /** Why it is not ok. */
  readonly faults: string[];
  check: string | null;
  login: readonly string[] | null;
  first: Part | null;
  second: Part | null;
  keys: Readonly<Record<string, KeyComparison | null>> | null;
  unknown: Readonly<Record<string, number>>;
  sums: readonly SumComparison[];
  /** Requests by call and status. */
  requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Requests without a whole answer, by what went wrong. */
  unanswered: Readonly<Record<string, number>>;
  limits: {
    readonly refused: number;
    readonly throttled: number;
    readonly waited_seconds: number;
    readonly paced_seconds: number;
  };
  /** Lines of the provider's log, by how often they came. */
  log: Readonly<Record<string, number>>;
  recording: { readonly file: string; readonly formulas_missing: number; readonly contrary_signs: number } | null;
  /** A row for docs/reference/providers/README.md. */
  line: string | null;
}

type Part = Omit<ReadToEnd, "rows"> & { readonly rows: ReturnType<typeof rowCounts> };

/** A check that failed, with what it found until then. */
export class LiveCheckFailure extends CliError {
  readonly report: LiveReport;

  constructor(message: string, report: LiveReport, cause: unknown) {
    super("FAILED", message, cause);
    this.report = report;
  }
}

const phases: Readonly<Record<RecordedPhase, string>> = {
  check: "settings",
  login: "login",
  first: "first fetch",
  refresh: "second fetch",
  revoke: "end",
};
const namedByWords =
  "name the members of the institution's answers whose values the provider reads there with --words, and all of their values stay";
/** How long what was begun at the institution may take to be ended. */
const REVOKE_MS = 30_000;
const CHECK_MS = 60_000;

/**
 * Proves a provider against its institution: login, reading to the end, and a second time. Nothing of it stays, except for a recording.
 * @throws LiveCheckFailure, CliError
 */
export async function liveCheck(shell: Shell, name: string, options: LiveCheckOptions): Promise<LiveReport> {
  if (options.settings === "-" && options.credentials === "-")
    throw wrongUsage("--settings and --credentials cannot both be read from standard input");
  const folder = options.record === undefined ? null : await freeFolder(shell, options.record);
  const definition = await loadProvider(shell, name);
  const settings =
    options.settings === undefined
      ? {}
      : await readJsonFile(shell, options.settings).catch(withoutText(options.settings));
  const interruption = new AbortController();
  const [ctrlC, late] = [shell.interrupted(), AbortSignal.timeout(options.timeout * 1_000)];
  const signal = AbortSignal.any([ctrlC, late, interruption.signal]);
  const started_at = new Date(Math.floor(shell.clock().getTime() / 1_000) * 1_000);

  let phase: RecordedPhase = "check";
  let paced = 0;
  const exchanges: (HttpExchange & { readonly phase: RecordedPhase })[] = [];
  const unanswered = new Map<string, number>();
  const logged: string[] = [];
  const log = (message: string, facts: object = {}) =>
    void logged.push([message, ...Object.entries(facts).map(([key, value]) => `${key}=${value}`)].join(" "));
  const opened = await openProvider(shell, definition, {
    settings,
    connector: options.connector,
    signal,
    onExchange(exchange) {
      exchanges.push({ ...exchange, phase });
      tell(shell, `${exchanges.length} requests`);
    },
    onFailedRequest: (outcome) => void unanswered.set(outcome, (unanswered.get(outcome) ?? 0) + 1),
    onPaced: (milliseconds) => {
      paced += milliseconds;
    },
    log: { info: log, warn: log },
  });
  const customer = await openCustomer(shell, {
    credentials: options.credentials,
    port: options.callbackPort,
    signal,
    onInterrupt: () => interruption.abort(),
  });
  const report: LiveReport = {
    provider: definition.name,
    connector_id: opened.connector.connector_id,
    ok: false,
    faults: [],
    ...{ check: null, login: null, first: null, second: null, keys: null, unknown: {}, sums: [], requests: {} },
    ...{ unanswered: {}, log: {}, recording: null, line: null },
    limits: { refused: 0, throttled: 0, waited_seconds: 0, paced_seconds: 0 },
  };
  const session = (): SeenSession => ({
    definition,
    settings,
    connector: opened.connector,
    customer: customer.said,
    choices: customer.choices,
    started_at,
    // What was asked for again is not part of a recording.
    exchanges: exchanges.filter(({ answer: { status }, ...sent }, index) => {
      const isRepeated = exchanges.slice(index + 1).some((one) => one.phase === sent.phase && isSame(one, sent));
      return status < 500 && status !== 429 && !(status === 401 && isRepeated);
    }),
  });
  const words = (options.words ?? "").split(",").filter((word) => word !== "");
  let access: unknown;

  try {
    await check();
    phase = "login";
    tell(shell, "login");
    const login = await logInLive(opened, customer, { shell, signal, keep });
    keep(login.access);
    report.login = login.steps;
    phase = "first";
    const first = await read("first fetch", { access, refresh: false, since: null });
    report.first = partOf(first);
    phase = "refresh";
    const second = await read("second fetch", { access, refresh: true, since: first.rows.as_of });
    report.second = partOf(second);
    report.keys = Object.fromEntries(rowLists.map((list) => [list, compareKeys(first.rows, second.rows, list)]));
    report.unknown = unknownFields(first.rows);
    report.sums = compareSums(first.rows);
    for (const [list, keys] of Object.entries(report.keys))
      if (keys && keys.renamed > 0) report.faults.push(`${list}: ${keys.renamed} keys are others in the second fetch`);
    await revoke();
    if (folder !== null) report.recording = await record(folder, first.rows);
  } catch (error) {
    if (error instanceof CliError && error.code === "WRONG_USAGE") throw error;
    const message =
      ctrlC.aborted || interruption.signal.aborted
        ? "interrupted: nothing was kept"
        : late.aborted
          ? `not done after ${options.timeout} s (--timeout)`
          : masked(error);
    report.faults.push(message);
  } finally {
    await end();
  }
  complete();
  if (report.faults.length > 0) throw new LiveCheckFailure(report.faults.join("; "), report, null);
  return report;

  async function check(): Promise<void> {
    if (!definition.check) return;
    tell(shell, "settings");
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
    const result = await definition.check({
      settings: opened.settings,
      http: opened.http,
      clock: shell.clock,
      signal: limited,
    });
    report.check = result?.ok === false ? "refused" : "ok";
    if (result?.ok === false) throw failed(`settings: ${result.message ?? result.cause ?? "they do not work"}`);
  }

  async function read(call: string, asked: Parameters<typeof readToEnd>[1]): Promise<ReadToEnd> {
    tell(shell, call);
    const wait = async (seconds: number) => {
      tell(shell, `${call}: the institution wants ${seconds} s`);
      for (let left = seconds * 1_000; left > 0; left -= 500) {
        signal.throwIfAborted();
        await shell.sleep(Math.min(left, 500));
      }
    };
    return readToEnd(opened, asked, { signal, wait, keep, call });
  }

  function keep(latest: unknown): void {
    access = latest;
  }

  /** Ends the access at the institution, where the provider can. */
  async function revoke(): Promise<void> {
    if (access === undefined) return;
    const ended = access;
    access = undefined;
    phase = "revoke";
    await opened.provider
      .revoke?.({ ...opened.connector, access: ended, signal: AbortSignal.timeout(REVOKE_MS) })
      .catch(() => shell.note("warning: the institution did not take back the access: end it there"));
  }

  async function end(): Promise<void> {
    customer.close();
    await revoke();
    await opened.close();
    tell(shell, "");
  }

  async function record(target: string, real: ReadToEnd["rows"]): Promise<LiveReport["recording"]> {
    tell(shell, "recording");
    const replacer = replacerOf(session(), randomBytes(32), words);
    const about = `${definition.title}, recorded with live-check; every value is another one`;
    const made = await makeRecording(session(), replacer, about).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw failed(`no recording: ${why}; ${namedByWords}`, error);
    });
    const others = differingFields(made.snapshot, real);
    // It would say that another reading is right.
    if (others.length > 0)
      throw failed(`no recording: with other values ${others.join(", ")} would be read otherwise; ${namedByWords}`);
    const file = join(target, `${definition.name}.recording.json`);
    await mkdir(target, { recursive: true });
    await writeFile(`${file}.part`, made.text, { mode: 0o600, flag: "wx" });
    await rename(`${file}.part`, file).catch(async (error: unknown) => {
      await rm(`${file}.part`, { force: true });
      throw error;
    });
    return { file, formulas_missing: made.unexplained, contrary_signs: made.contrary };
  }

  function masked(error: unknown): string {
    const replacer = replacerOf(session(), randomBytes(32), words);
    const where = error instanceof CliError ? "" : `${phases[phase]}: `;
    return (
      where +
      faultsIn(error)
        .map((fault) => replacer.masked(fault))
        .join("; ")
    );
  }

  function complete(): void {
    const replacer = replacerOf(session(), randomBytes(32), words);
    const requests: Record<string, Record<string, number>> = {};
    for (const exchange of exchanges) {
      const call = replacer.call(exchange);
      const statuses = requests[call] ?? {};
      requests[call] = statuses;
      statuses[exchange.answer.status] = (statuses[exchange.answer.status] ?? 0) + 1;
    }
    report.requests = requests;
    report.unanswered = Object.fromEntries(unanswered);
    const lines: Record<string, number> = {};
    for (const line of logged.map((text) => replacer.masked(text))) lines[line] = (lines[line] ?? 0) + 1;
    report.log = lines;
    const parts = [report.first, report.second];
    report.limits = {
      refused: exchanges.filter(({ answer: { status } }) => status === 429).length,
      throttled: parts.reduce((sum, part) => sum + (part?.throttled ?? 0), 0),
      waited_seconds: parts.reduce((sum, part) => sum + (part?.waited_seconds ?? 0), 0),
      paced_seconds: Math.round(paced / 1_000),
    };
    report.ok = report.faults.length === 0;
    const hosts = [...new Set(exchanges.map(({ url }) => url.host))];
    if (report.ok) report.line = lineFor(report, opened, hosts, started_at);
  }
}

/** The same request, perhaps with a token that has been renewed. */
function isSame(one: Omit<HttpExchange, "answer">, other: Omit<HttpExchange, "answer">): boolean {
  return one.method === other.method && one.url.href === other.url.href && one.body === other.body;
}

function partOf({ rows, ...counts }: ReadToEnd): Part {
  return { ...counts, rows: rowCounts(rows) };
}

/** It names the hosts that answered: settings may lead to others than the live service. */
function lineFor(
  { provider, first, requests }: LiveReport,
  { connector }: OpenProvider,
  hosts: readonly string[],
  at: Date,
): string {
  const sent = Object.values(requests)
    .flatMap((statuses) => Object.values(statuses))
    .reduce((sum, count) => sum + count, 0);
  const rows = rowLists.map((list) => `${first?.rows[list] ?? "no"} ${list}`).join(", ");
  const day = at.toISOString().slice(0, "YYYY-MM-DD".length);
  return `| \`${provider}\`: run on ${day} | ${hosts.map((host) => `\`${host}\``).join(", ")} (\`${connector.connector_id}\`) with \`live-check\`: login, ${sent} requests, ${rows}, a second fetch with the same keys | somebody with an account there | what this account does not have |`;
}

/** A folder for the recording, which is made only when there is one. @throws CliError */
async function freeFolder(shell: Shell, folder: string): Promise<string> {
  const path = resolve(shell.cwd, folder);
  const found = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw failed(`--record ${folder}: ${fileErrorReason(error)}`, error);
  });
  if (found.length > 0) throw failed(`--record ${folder}: the folder is not empty`);
  return path;
}

/** One line on a terminal, written over each time. Elsewhere nothing: the result says all. */
function tell({ progress }: Shell, text: string): void {
  if (progress.isTTY) progress.write(`\r\u001b[K${text}`);
}
