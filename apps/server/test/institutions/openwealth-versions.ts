// A stand-in for a bank with OpenWealth Custody Services 1.1, 1.2 or 2.0, of its own or behind SIX bLink, from:
// - the descriptions 1.1.0, 1.2.0, 2.0.3 and 2.0.4 (packages/provider-openwealth/test/description);
// - bLink's public pages (docs.blink.six-group.com): api-reference/open-wealth/custody-services, "from SIX" and "from
//   SIX with CaaS" 1.0.10.4 (paths, headers, Permission-ID), api-reference/authentication/custom-headers and
//   consent-management, api-reference/base-module/consent (one permission of a user at a time), api-reference/error-codes.
// It was not compared with a bank.
//
// Where these contradict themselves:
// - Positions must have `instrumentIdentification`, which is nowhere described. Sent, or not, by `habits.isStrict`.
// - 1.1 takes `cursor` and `limit`, and has no header for the next cursor: its lists are whole, a `limit` cuts them, and
//   nothing says so. `habits.last_cursor` makes such a bank send the header.
// - `foreignExchangeRates` of 1.1 is a list of lists, since the schema of one rate is a list.
// - Movements are "from a banks perspective", and credit "positive": here credit is what the customer gets.
//
// What they leave open, and is guessed here:
// - 429, which no description has: with `Retry-After`, of type SERVICE_UNAVAILABLE. How bLink refuses a permission
//   (`consents.refusals`), and what `Authorization` beside it is for: checked if it is sent.
// - Subtypes of 1.x: those of 2.0 with a capital, since "Buy" is the only one that is shown.
// - An unfinished day, a day without a run, an empty list: `habits`. `dateType` of a statement is the one asked for.
// - Whether figures may have leading zeros (the pattern allows them) and more than nine decimals (1.1 has numbers).
// - bLink's fields of answers, which its pages show only in part: those of 1.2, unless `version` is another. Its
//   problems have the types of 2.0 under the paths of 1.x, as its page of error codes says.
// Not played: creation of a permission (its body is not in what could be read); of the consent flow without CaaS, that
// token requests have `username` and no secret.
import {
  type Fault,
  type Institution,
  type InstitutionOptions,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import {
  type AuthorizationOptions,
  AuthorizationServer,
} from "../../../../packages/provider-openwealth/test/stand-in/authorization.js";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import {
  type CallLimit,
  type CallViolation,
  Gate,
} from "../../../../packages/provider-openwealth/test/stand-in/gate.js";
import type { ListName, PageTrick } from "../../../../packages/provider-openwealth/test/stand-in/pages.js";
import { problem } from "../../../../packages/provider-openwealth/test/stand-in/problem.js";
import type { HeldCustomer } from "./openwealth-versions-book.js";
import { Consents } from "./openwealth-versions-consents.js";
import { type VersionHabits, VersionServices } from "./openwealth-versions-services.js";
import { type TruthOfVersion, truthOf } from "./openwealth-versions-truth.js";
import type { Version } from "./openwealth-versions-values.js";

export interface VersionBankOptions extends Partial<AuthorizationOptions> {
  readonly version: Version;
  readonly clock: () => Date;
  /** Made for the same version. */
  readonly customers: readonly HeldCustomer[];
  readonly habits?: Partial<VersionHabits>;
  /**
   * bLink stands before the bank, which has this id there: it wants its headers with every call and, unless `tokens` is
   * set, a permission (`consents`) rather than a token.
   */
  readonly blink?: { readonly target_id: string; readonly tokens?: boolean };
  /** Headers that every call of the services must have, with these values; null: any. */
  readonly required_headers?: Readonly<Record<string, string | null>>;
  /** With `ca`, mutual TLS. */
  readonly tls?: InstitutionOptions["tls"];
  readonly sleep?: InstitutionOptions["sleep"];
}

export interface VersionBank {
  /** The values for the provider's settings. */
  readonly base_url: string;
  readonly token_url: string;
  readonly authorize_url: string;
  readonly revoke_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly institution: Institution;
  readonly authorization: AuthorizationServer;
  /** Permissions at bLink, which count only with `blink`. */
  readonly consents: Consents;
  readonly habits: VersionHabits;
  /** Calls that lacked something, and `path: parameter` for those that the description does not have. */
  readonly violations: { readonly calls: readonly CallViolation[]; readonly parameters: readonly string[] };
  /** The number of pages answered per list. */
  readonly pages: Readonly<Record<ListName, number>>;
  throttled(): number;
  throttle(limit: CallLimit | null): void;
  expireAccessAfter(calls: number): void;
  fail(list: Exclude<ListName, "accounts"> | "token", fault: Fault, times?: number): void;
  /** The next calls of the services are answered with this status and problem. */
  refuse(status: number, type: string, times?: number, headers?: Readonly<Record<string, string>>): void;
  between(trick: PageTrick): void;
  spoil(list: ListName, change: ((row: JsonObject) => JsonObject) | null): void;
  truthOf(customer: string): TruthOfVersion;
  close(): Promise<void>;
}

/** Starts it on a free port. One user, `larkspur`, sees all customers, unless users are given. */
export async function startVersionBank(options: VersionBankOptions): Promise<VersionBank> {
  const { version, blink } = options;
  const everybody = options.customers.map(({ id }) => id);
  const settings: AuthorizationOptions = {
    client_id: "wealth connect",
    client_secret: "s3cret:with+signs&=%",
    redirect_uris: [],
    users: [{ name: "larkspur", customers: everybody }],
    client_customers: everybody,
    grants: ["client_credentials", "authorization_code"],
    access_seconds: 300,
    code_seconds: 60,
    keeps_former: false,
    ...options,
  };
  const base = version === "2.0" ? "/custody/v2" : "/custody/v1";
  const writeProblem = version === "2.0" || blink !== undefined ? problem : problemOfFirst;
  const authorization = new AuthorizationServer(settings);
  const consents = new Consents(writeProblem);
  const { customers, habits = {} } = options;
  const services = new VersionServices(version, customers, habits, writeProblem, blink !== undefined);
  const gate = new Gate({
    authorization,
    problem: writeProblem,
    required_headers: {
      ...(blink && {
        "X-CorAPI-Target-ID": blink.target_id,
        "X-PSU-IP-Address": null,
        "X-PSU-User-Agent": null,
        "User-Agent": null,
      }),
      ...options.required_headers,
    },
    ...(blink && !blink.tokens && { consent: (request: InstitutionRequest) => consents.admit(request) }),
  });
  const institution = await startInstitution({ ...options, answer });

  function answer(request: InstitutionRequest): Reply {
    if (!request.path.startsWith(`${base}/`)) return authorization.answer(request) ?? { status: 404 };
    const path = request.path.slice(base.length);
    let source = "PLATFORM";
    const reply = gate.answer(path, request, (admission) => {
      source = "PROVIDER";
      return services.answer(path, request, admission);
    });
    return blink ? { ...reply, headers: { ...reply.headers, "X-CorAPI-Source": source } } : reply;
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
    consents,
    habits: services.habits,
    violations: { calls: gate.violations, parameters: services.violations },
    get pages() {
      return services.pages;
    },
    throttled: () => gate.throttled,
    throttle: (limit) => gate.throttle(limit),
    expireAccessAfter(calls) {
      gate.callsUntilExpiry = calls;
    },
    fail(list, fault, times) {
      const isOf = ({ path }: InstitutionRequest) =>
        list === "token" ? path === "/oauth/token" : services.listOf(path.slice(base.length)) === list;
      institution.fail(isOf, fault, times);
    },
    refuse(status, type, times, headers) {
      const reply = writeProblem(status, type, "As the test wants it.", headers);
      institution.fail(({ path }) => path.startsWith(base), { kind: "instead", reply }, times);
    },
    between: (trick) => services.between(trick),
    spoil: (list, change) => services.spoil(list, change),
    truthOf(id) {
      const customer = services.customers.get(id);
      if (!customer) throw new Error(`The bank has no customer ${id}`);
      return truthOf(version, customer);
    },
    close: () => institution.close(),
  };
}

/** Types of problems are words of their own in 1.x: `invalidPayload` for `/problems/INVALID_PAYLOAD`. */
function problemOfFirst(
  status: number,
  type: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const reply = problem(status, type, detail, headers);
  const word = type.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return { ...reply, body: JSON.stringify({ ...JSON.parse(reply.body ?? "{}"), type: word }) };
}
