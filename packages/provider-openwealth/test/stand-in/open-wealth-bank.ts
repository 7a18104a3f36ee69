import {
  type Fault,
  type Institution,
  type InstitutionOptions,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../provider-kit/test/stand-in/institution.js";
import { type AuthorizationOptions, AuthorizationServer, type BankUser } from "./authorization.js";
import { type BankHabits, CustodyServices, type ListName, type PageTrick, problem } from "./custody-services.js";
import type { BankCustomer } from "./larkspur-at-bank.js";
import type { OpenWealthTruth } from "./truth.js";

export interface BankOptions extends Partial<AuthorizationOptions> {
  readonly clock: () => Date;
  readonly customers: readonly BankCustomer[];
  readonly habits?: Partial<BankHabits>;
  /** Headers that every call of the services must have, with these values (as for bLink, for example). */
  readonly required_headers?: Readonly<Record<string, string>>;
  readonly tls?: InstitutionOptions["tls"];
  readonly sleep?: InstitutionOptions["sleep"];
}

/** What a call to the services lacked. */
export interface CallViolation {
  readonly path: string;
  readonly rule:
    | "no correlation id"
    | "a correlation id was sent twice"
    | "a required header is missing"
    | "no User-Agent";
}

/** A stand-in for a bank with OpenWealth Custody Services 3.2. */
export interface OpenWealthBank {
  /** The values for the provider's settings. */
  readonly base_url: string;
  readonly token_url: string;
  readonly authorize_url: string;
  readonly revoke_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly institution: Institution;
  readonly authorization: AuthorizationServer;
  readonly services: CustodyServices;
  readonly violations: readonly CallViolation[];
  /** The number of calls refused because there were too many. */
  throttled(): number;
  /** Answers this many calls per period and the rest with 429; null: all. */
  throttle(limit: { readonly calls: number; readonly per_ms: number; readonly as_date?: boolean } | null): void;
  /** Expires all access tokens after this many further calls of the services. */
  expireAccessAfter(calls: number): void;
  fail(list: ListName | "token", fault: Fault, times?: number): void;
  /** The next calls of the services are answered with this status and problem. */
  refuse(status: number, type: string, times?: number, headers?: Readonly<Record<string, string>>): void;
  between(trick: PageTrick): void;
  truthOf(customer: string): OpenWealthTruth;
  close(): Promise<void>;
}

const base = "/custody/v3";

/** Starts it on a free port. One user, `larkspur`, sees all customers, unless users are given. */
export async function startOpenWealthBank(options: BankOptions): Promise<OpenWealthBank> {
  const everybody = options.customers.map(({ id }) => id);
  const users: readonly BankUser[] = options.users ?? [{ name: "larkspur", customers: everybody }];
  const settings: AuthorizationOptions = {
    client_id: "wealth connect",
    client_secret: "s3cret:with+signs&=%",
    redirect_uris: [],
    client_customers: everybody,
    grants: ["client_credentials", "authorization_code"],
    access_seconds: 300,
    code_seconds: 60,
    keeps_former: false,
    ...options,
    users,
  };
  const authorization = new AuthorizationServer(settings);
  const services = new CustodyServices(options.customers, options.habits ?? {});
  const violations: CallViolation[] = [];
  const correlations = new Set<string>();
  let limit: Parameters<OpenWealthBank["throttle"]>[0] = null;
  let recent: number[] = [];
  let refusedCalls = 0;
  let callsUntilExpiry: number | null = null;

  const institution = await startInstitution({ ...options, answer });

  function answer(request: InstitutionRequest): Reply {
    const path = request.path;
    if (path.startsWith(`${base}/`)) return serve(path.slice(base.length), request);
    return (
      authorization.answer(request) ?? {
        status: 404,
        headers: { "content-type": "text/html" },
        body: "<h1>Not found</h1>",
      }
    );
  }

  function serve(path: string, request: InstitutionRequest): Reply {
    const correlation = request.headers["x-correlation-id"];
    const echoed = { "x-correlation-id": String(correlation ?? "") };
    const violate = (rule: CallViolation["rule"]) => violations.push({ path, rule });
    if (typeof correlation !== "string" || correlation === "" || correlation.length > 64) {
      violate("no correlation id");
      return problem(400, "INVALID_PAYLOAD", "X-Correlation-ID is missing or too long.");
    }
    if (correlations.has(correlation)) violate("a correlation id was sent twice");
    correlations.add(correlation);
    if (!request.headers["user-agent"]) violate("no User-Agent");
    for (const [name, value] of Object.entries(options.required_headers ?? {})) {
      if (request.headers[name.toLowerCase()] === value) continue;
      violate("a required header is missing");
      return problem(400, "INVALID_PAYLOAD", `${name} is missing.`, echoed);
    }
    const wait = secondsToWait(request.at.getTime());
    if (wait > 0) {
      refusedCalls += 1;
      const until = new Date(request.at.getTime() + wait * 1_000).toUTCString();
      return problem(429, "SERVICE_UNAVAILABLE", "Too many requests.", {
        ...echoed,
        "retry-after": limit?.as_date ? until : String(wait),
      });
    }
    if (callsUntilExpiry !== null && callsUntilExpiry-- === 0) {
      callsUntilExpiry = null;
      authorization.expireAccess();
    }
    const admission = authorization.admit(request.headers.authorization, request.at);
    if (admission === "expired") return problem(401, "EXPIRED_TOKEN", "The token is no longer valid.", echoed);
    if (typeof admission === "string")
      return problem(401, "INVALID_TOKEN", "Something is wrong with this token.", echoed);
    const reply = services.answer(path, request, admission);
    return { ...reply, headers: { ...reply.headers, ...echoed } };
  }

  function secondsToWait(at: number): number {
    if (!limit) return 0;
    const { calls, per_ms: stretch } = limit;
    recent = recent.filter((earlier) => at - earlier < stretch);
    const [oldest = at] = recent;
    if (recent.length >= calls) return Math.max(1, Math.ceil((oldest + stretch - at) / 1_000));
    recent.push(at);
    return 0;
  }

  return {
    base_url: institution.url + base,
    token_url: `${institution.url}/oauth/token`,
    authorize_url: `${institution.url}/oauth/authorize`,
    revoke_url: `${institution.url}/oauth/revoke`,
    client_id: settings.client_id,
    client_secret: settings.client_secret,
    institution,
    authorization,
    services,
    violations,
    throttled: () => refusedCalls,
    throttle(next) {
      limit = next;
      recent = [];
    },
    expireAccessAfter(calls) {
      callsUntilExpiry = calls;
    },
    fail(list, fault, times) {
      const end = list === "token" ? "/oauth/token" : `/${list}`;
      institution.fail(({ path }) => path.endsWith(end), fault, times);
    },
    refuse(status, type, times, headers) {
      const reply = problem(status, type, "As the test wants it.", headers);
      institution.fail(({ path }) => path.startsWith(base), { kind: "instead", reply }, times);
    },
    between: (trick) => services.between(trick),
    truthOf(id) {
      const customer = services.customers.get(id);
      if (!customer) throw new Error(`The bank has no customer ${id}`);
      return {
        portfolios: customer.accounts.map(({ truth }) => truth),
        holdings: customer.positions.map(({ truth }) => truth),
        transactions: customer.transactions.map(({ truth }) => truth),
      };
    },
    close: () => institution.close(),
  };
}
