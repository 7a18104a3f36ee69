import {
  type Fault,
  type Institution,
  type InstitutionOptions,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../provider-kit/test/stand-in/institution.js";
import { type AuthorizationOptions, AuthorizationServer, type BankUser } from "./authorization.js";
import { type BankHabits, CustodyServices } from "./custody-services.js";
import { type CallLimit, type CallViolation, Gate } from "./gate.js";
import type { BankCustomer } from "./larkspur-at-bank.js";
import type { ListName, PageTrick } from "./pages.js";
import { problem } from "./problem.js";
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
  throttle(limit: CallLimit | null): void;
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
  const gate = new Gate({ authorization, required_headers: options.required_headers ?? {}, problem });

  const institution = await startInstitution({ ...options, answer });

  function answer(request: InstitutionRequest): Reply {
    if (request.path.startsWith(`${base}/`)) {
      const path = request.path.slice(base.length);
      return gate.answer(path, request, (admission) => services.answer(path, request, admission));
    }
    return (
      authorization.answer(request) ?? {
        status: 404,
        headers: { "content-type": "text/html" },
        body: "<h1>Not found</h1>",
      }
    );
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
    violations: gate.violations,
    throttled: () => gate.throttled,
    throttle: (limit) => gate.throttle(limit),
    expireAccessAfter(calls) {
      gate.callsUntilExpiry = calls;
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
