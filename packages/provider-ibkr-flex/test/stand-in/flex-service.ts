import {
  type Fault,
  type Institution,
  type InstitutionOptions,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../provider-kit/test/stand-in/institution.js";
import { errorAnswer, type FlexErrorCode, referenceAnswer, versionTwoAnswer } from "./flex-answers.js";
import { type FlexQuery, renderQuery } from "./flex-statement.js";
import { firstDay, secondDay } from "./larkspur-accounts.js";

/** A token as its customer created it in the portal. */
export interface FlexToken {
  readonly value: string;
  expires_at: Date;
  /** "Valid for IP address"; null = any. */
  address: string | null;
  is_active: boolean;
  readonly queries: ReadonlyMap<string, FlexQuery>;
}

export type FlexEndpoint = "SendRequest" | "GetStatement";

/** Something that the documentation forbids clients to do. */
export interface FlexViolation {
  readonly at: Date;
  readonly rule: "one a second" | "ten a minute" | "no User-Agent" | "no v=3" | "dates in the request" | "not a GET";
  /** The last four characters of the token. */
  readonly token: string;
}

export interface FlexServiceOptions {
  readonly clock: () => Date;
  readonly tokens: readonly FlexToken[];
  /** How long a statement takes to be produced. */
  readonly generation_ms?: number;
  readonly tls?: InstitutionOptions["tls"];
  readonly sleep?: InstitutionOptions["sleep"];
  readonly keepRequests?: InstitutionOptions["keepRequests"];
  /** The content of `<Url>`. The default is the old address in the documentation, which is not that of the stand-in. */
  readonly statement_url?: string;
  /**
   * Requests with a token that come less than a second apart, by at most this much, are tolerated: the network may have moved them together. How the
   * service measures is undocumented.
   */
  readonly jitter_ms?: number;
}

/** A stand-in for the Flex Web Service, version 3. */
export interface FlexService {
  /** As in the setting: the URL before `/SendRequest`. */
  readonly base_url: string;
  readonly institution: Institution;
  readonly violations: readonly FlexViolation[];
  /** The number of calls of each endpoint, including refused ones. */
  readonly calls: Readonly<Record<FlexEndpoint, number>>;
  /** The number of statements started and delivered, by query id. */
  readonly begun: ReadonlyMap<string, number>;
  readonly delivered: ReadonlyMap<string, number>;
  /** The most requests with one token in any minute. */
  busiestMinute(): number;
  /** From now on answers with an error, at one endpoint or both, until called again. */
  answerWith(
    code: FlexErrorCode | null,
    where?: { readonly endpoint?: FlexEndpoint; readonly query_id?: string; readonly times?: number },
  ): void;
  /** How long statements started from now on take. */
  takeToGenerate(milliseconds: number): void;
  forgetReferences(): void;
  /** The next requests get this fault. */
  fail(endpoint: FlexEndpoint, fault: Fault, times?: number): void;
  /** Close of business: statements started from now on are those of the second day. */
  publishNextDay(): void;
  close(): Promise<void>;
}

interface Report {
  readonly token: string;
  readonly query: FlexQuery;
  readonly day: string;
  readonly ready_at: number;
}

interface Override {
  readonly code: FlexErrorCode;
  readonly endpoint: FlexEndpoint | undefined;
  readonly query_id: string | undefined;
  left: number;
}

const path = "/AccountManagement/FlexWebService";
const oldAddress = "https://gdcdyn.interactivebrokers.com/Universal/servlet/FlexStatementService.GetStatement";
const minute = 60_000;

/** Starts the stand-in on a free port. */
export async function startFlexService(options: FlexServiceOptions): Promise<FlexService> {
  const tokens = new Map(options.tokens.map((token) => [token.value, token]));
  const reports = new Map<string, Report>();
  const calls = { SendRequest: 0, GetStatement: 0 };
  const begun = new Map<string, number>();
  const delivered = new Map<string, number>();
  const violations: FlexViolation[] = [];
  const arrivals = new Map<string, number[]>();
  const jitter = options.jitter_ms ?? 50;
  let overrides: Override[] = [];
  let generation = options.generation_ms ?? 4_000;
  let day = firstDay;
  let lastReference = 1_234_500_000;
  let busiest = 0;

  const institution = await startInstitution({ ...options, answer });

  function answer(request: InstitutionRequest): Reply {
    const endpoint = endpointOf(request);
    if (!endpoint)
      return { status: 404, headers: { "content-type": "text/html" }, body: "<html><body>Not Found</body></html>" };
    calls[endpoint] += 1;
    const value = request.query.get("t") ?? "";
    const violate = (rule: FlexViolation["rule"]) => violations.push({ at: request.at, rule, token: value.slice(-4) });
    if (request.method !== "GET") violate("not a GET");
    if (!request.headers["user-agent"]) {
      violate("no User-Agent");
      return { status: 403, headers: { "content-type": "text/html" }, body: "<html><body>Access Denied</body></html>" };
    }
    if (request.query.get("v") !== "3") violate("no v=3");
    const throttled = isThrottled(value, request.at.getTime(), violate);
    if (throttled) return refused(1018, request);
    if (request.query.has("fd") || request.query.has("td")) {
      violate("dates in the request");
      return refused(1003, request);
    }
    return endpoint === "SendRequest" ? begin(request) : hand(request);
  }

  function begin(request: InstitutionRequest): Reply {
    const { token, fault } = tokenOf(request);
    if (!token) return refused(fault, request);
    const query = token.queries.get(request.query.get("q") ?? "");
    if (!query) return refused(request.query.get("q") ? 1014 : 1020, request);
    const override = overridden("SendRequest", query);
    if (override) return refused(override, request);
    lastReference += 1;
    const reference = String(lastReference);
    reports.set(reference, { token: token.value, query, day, ready_at: request.at.getTime() + generation });
    begun.set(query.query_id, (begun.get(query.query_id) ?? 0) + 1);
    const url = options.statement_url ?? oldAddress;
    const isVersionThree = request.query.get("v") === "3";
    const body = (isVersionThree ? referenceAnswer : versionTwoAnswer)(reference, url, request.at);
    return { headers: { "content-type": "text/xml;charset=UTF-8" }, body };
  }

  function hand(request: InstitutionRequest): Reply {
    const { token, fault } = tokenOf(request);
    if (!token) return refused(fault, request);
    const report = reports.get(request.query.get("q") ?? "");
    if (!report || report.token !== token.value) return refused(1017, request);
    const override = overridden("GetStatement", report.query);
    if (override) return refused(override, request);
    if (request.at.getTime() < report.ready_at) return refused(1019, request);
    const { query_id, output } = report.query;
    delivered.set(query_id, (delivered.get(query_id) ?? 0) + 1);
    const type = output === "csv" ? "text/csv;charset=UTF-8" : "text/xml;charset=UTF-8";
    return { headers: { "content-type": type }, body: renderQuery(report.query, report.day, request.at) };
  }

  function tokenOf(
    request: InstitutionRequest,
  ): { token: FlexToken; fault?: never } | { token: null; fault: FlexErrorCode } {
    const value = request.query.get("t");
    if (!value || !request.query.get("q")) return { token: null, fault: 1020 };
    const token = tokens.get(value);
    if (!token) return { token: null, fault: 1015 };
    if (!token.is_active) return { token: null, fault: 1011 };
    if (token.expires_at.getTime() <= request.at.getTime()) return { token: null, fault: 1012 };
    if (token.address !== null && token.address !== request.remote_address) return { token: null, fault: 1013 };
    return { token };
  }

  /** Counts every request, including refused ones: a client that keeps asking stays throttled. */
  function isThrottled(token: string, at: number, violate: (rule: FlexViolation["rule"]) => void): boolean {
    const recent = (arrivals.get(token) ?? []).filter((earlier) => at - earlier < minute - jitter);
    const last = recent.at(-1);
    recent.push(at);
    arrivals.set(token, recent);
    busiest = Math.max(busiest, recent.length);
    const isTooSoon = last !== undefined && at - last < 1_000 - jitter;
    const isTooMany = recent.length > 10;
    if (isTooSoon) violate("one a second");
    if (isTooMany) violate("ten a minute");
    return isTooSoon || isTooMany;
  }

  function overridden(endpoint: FlexEndpoint, query: FlexQuery): FlexErrorCode | null {
    const found = overrides.find(
      (one) => (one.endpoint ?? endpoint) === endpoint && (one.query_id ?? query.query_id) === query.query_id,
    );
    if (!found) return null;
    found.left -= 1;
    overrides = overrides.filter(({ left }) => left > 0);
    return found.code;
  }

  return {
    base_url: institution.url + path,
    institution,
    violations,
    calls,
    begun,
    delivered,
    busiestMinute: () => busiest,
    answerWith(code, where = {}) {
      if (code === null) overrides = [];
      else
        overrides.push({
          code,
          endpoint: where.endpoint,
          query_id: where.query_id,
          left: where.times ?? Number.POSITIVE_INFINITY,
        });
    },
    takeToGenerate(milliseconds) {
      generation = milliseconds;
    },
    forgetReferences: () => reports.clear(),
    fail: (endpoint, fault, times) => institution.fail((request) => endpointOf(request) === endpoint, fault, times),
    publishNextDay() {
      day = secondDay;
    },
    close: () => institution.close(),
  };
}

function refused(code: FlexErrorCode, request: InstitutionRequest): Reply {
  return { headers: { "content-type": "text/xml;charset=UTF-8" }, body: errorAnswer(code, request.at) };
}

function endpointOf({ path: asked }: InstitutionRequest): FlexEndpoint | null {
  if (asked === `${path}/SendRequest`) return "SendRequest";
  return asked === `${path}/GetStatement` ? "GetStatement" : null;
}
