// A stand-in for Plaid's Investments, from these sources:
// - Addresses, fields, lifetimes of tokens, webhooks: the OpenAPI description, version 2020-09-14_1.697.4.
// - Codes, messages, statuses of errors, limits a minute: plaid.com/docs/errors (item, institution, api, rate-limit-exceeded).
// - Signatures of webhooks: plaid.com/docs/api/webhooks/webhook-verification.
//
// What these leave open, and is guessed here:
// - Hosted Link's pages, and that it sends the person on with nothing added to completion_redirect_uri, after an exit too. That the
//   address need not be registered, as redirect_uri must. What an expired address shows (410). That institution_id of a link token skips the choice.
// - That update mode of Hosted Link adds no result (`link.givesTokenOfUpdate` is the other reading), and refuses `products`.
// - A public token is good once. A removed item is ITEM_NOT_FOUND, not INVALID_ACCESS_TOKEN; the others' tokens are the latter.
// - Of headers and body with credentials the body holds. The words of messages that the pages do not have.
// - /investments/refresh at a bank without it: PRODUCTS_NOT_SUPPORTED (the description says PRODUCT_NOT_SUPPORTED, which no page
//   of errors has). The error type of USER_PERMISSION_REVOKED: INVALID_INPUT in answers, as its page has it, ITEM_ERROR in webhooks.
// - Holdings that are not extracted yet wait or are refused as transactions are; the description speaks of those alone.
// - An amount of a transaction is without its fees. "The sequence of transaction ordering is stable and will not shift", yet new ones
//   come first: here they shift what follows, and those booked late are put in by their date.
// - A page of institutions is filtered by the products of the application after it was cut; `total` counts before.
// - 50 requests a minute for /institutions/get (25 in older pages); RATE_LIMIT where no code of its own is named; no headers.
// Not played: Link Delivery, sessions of many items, tax lots other than a test's own, /sandbox of products other than Investments.
import {
  type Institution,
  type InstitutionRequest,
  type Reply,
  type RequestFilter,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { type PlaidInstitution, PlaidLogin, type PlaidSecurity } from "./plaid-bank.js";
import { PlaidCatalogue } from "./plaid-catalogue.js";
import { answered, type PlaidErrorCode, PlaidRefusal, refusal } from "./plaid-errors.js";
import { answersOf, type PageFault } from "./plaid-investments.js";
import { type Extraction, PlaidItem } from "./plaid-items.js";
import { PlaidLimits } from "./plaid-limits.js";
import { PlaidLink } from "./plaid-link.js";
import { isShape, misfits } from "./plaid-shapes.js";
import { type Deliver, PlaidWebhooks } from "./plaid-webhooks.js";

/** An application with Plaid. */
export interface PlaidClient {
  readonly client_id: string;
  readonly secret: string;
}

export interface Plaid {
  readonly base_url: string;
  readonly client: PlaidClient;
  readonly environment: "sandbox" | "production";
  readonly institution: Institution;
  readonly catalogue: PlaidCatalogue;
  readonly link: PlaidLink;
  readonly webhooks: PlaidWebhooks;
  readonly items: readonly PlaidItem[];
  /** What clients did that Plaid refused as wrong in itself. */
  readonly violations: readonly string[];
  /** A person with online banking at an institution. */
  enrol(
    institution: PlaidInstitution,
    username: string,
    options?: { readonly password?: string; readonly code?: string | null },
  ): PlaidLogin;
  /** How the first extraction of items goes that are made from now on; at first it is done at once. */
  extraction(mode: Extraction): void;
  /** Brings what the time brings to every item: notices of an end, and the end. */
  tick(): void;
  /** Another secret is good beside those that are. */
  addSecret(secret: string): void;
  dropSecret(secret: string): void;
  /** How many requests of an item and of the application are allowed a minute at an address; the documented ones at first. */
  allow(path: string, ofItem: number, ofClient?: number): void;
  /** The next `times` requests at an address are refused. */
  refuse(path: string, code: PlaidErrorCode, times?: number): void;
  /** What happens after the next page of transactions is answered. */
  betweenPages(happens: () => void): void;
  /** What is wrong with the next page of transactions after the first. */
  nextPage(fault: PageFault): void;
  /** Changes the answers of an address until null. */
  spoil(path: string, change: ((body: JsonObject) => JsonObject) | null): void;
  close(): Promise<void>;
}

const noNews: Readonly<Record<string, JsonObject>> = {
  HOLDINGS: { new_holdings: 0, updated_holdings: 0 },
  INVESTMENTS_TRANSACTIONS: { new_investments_transactions: 0, cancelled_investments_transactions: 0 },
};

export interface PlaidOptions {
  readonly clock: () => Date;
  readonly client?: PlaidClient;
  readonly environment?: "sandbox" | "production";
  readonly deliver?: Deliver;
  /** How a fault waits; a test may shorten it. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

export async function startPlaid({
  clock,
  client = { client_id: "5f1c2ab34d5e6f0012ab34cd", secret: "9d5c1f7e2b3a4d6f8091a2b3c4d5e6" },
  environment = "production",
  deliver,
  sleep,
}: PlaidOptions): Promise<Plaid> {
  const webhooks = new PlaidWebhooks(clock, deliver);
  const catalogue = new PlaidCatalogue();
  const limits = new PlaidLimits(clock, environment);
  const securities = new Map<string, PlaidSecurity>();
  const secrets = new Set([client.secret]);
  const logins: PlaidLogin[] = [];
  const items: PlaidItem[] = [];
  const removed = new Set<string>();
  const violations: string[] = [];
  const spoilt = new Map<string, (body: JsonObject) => JsonObject>();
  let extraction: Extraction = "done";

  /** Whose token it is; `isHealthy` refuses the item's own error. */
  function itemOf(accessToken: string, isHealthy = false): PlaidItem {
    const [, wanted] = accessToken.split("-");
    if (removed.has(accessToken)) throw new PlaidRefusal("ITEM_NOT_FOUND");
    const found = items.find((item) => item.access_token === accessToken);
    if (!found && (wanted === "sandbox" || wanted === "production") && wanted !== environment) {
      const message = `provided access token is for the wrong Plaid environment. expected "${environment}", got "${wanted}"`;
      throw new PlaidRefusal("INVALID_ACCESS_TOKEN", { message });
    }
    if (!found) throw new PlaidRefusal("INVALID_ACCESS_TOKEN");
    found.tick();
    if (isHealthy && found.error) {
      const { error_code, error_type: _, error_message: __, display_message: ___, ...more } = found.error;
      throw new PlaidRefusal(error_code as PlaidErrorCode, more);
    }
    return found;
  }

  function add(item: PlaidItem): PlaidItem {
    items.push(item);
    return item;
  }
  const around = { clock, environment, webhooks, securities };

  const link = new PlaidLink({
    clock,
    environment,
    webhooks,
    url: () => institution.url,
    itemOf: (token) => itemOf(token),
    unauthorized: (products) => products.filter((each) => !catalogue.enabled.includes(each)),
    findInstitution: (id) => catalogue.find(id),
    search: (words, { wanted }) => catalogue.search(words, wanted.country_codes, wanted.products ?? []),
    login: (at, username) => logins.find((each) => each.institution === at && each.username === username),
    add(login, accounts, { wanted }) {
      const more = [wanted.required_if_supported_products, wanted.optional_products].flatMap((list) => list ?? []);
      const products = [
        ...(wanted.products ?? []),
        ...more.filter((each) => login.institution.products.includes(each)),
      ];
      const consented = wanted.additional_consented_products ?? [];
      const webhook = wanted.webhook ?? null;
      return add(new PlaidItem({ login, accounts, products, consented, webhook, extraction }, around));
    },
  });

  const investments = answersOf({ itemOf: (token) => itemOf(token, true) });

  function sandbox(path: string, body: JsonObject): JsonObject | null {
    if (!path.startsWith("/sandbox/")) return null;
    if (environment !== "sandbox") throw new PlaidRefusal("UNAUTHORIZED_ROUTE_ACCESS");
    if (path === "/sandbox/public_token/create") {
      const options = (body.options ?? {}) as { readonly override_username?: string; readonly webhook?: string };
      const at = catalogue.find(String(body.institution_id));
      if (!at) throw new PlaidRefusal("INVALID_INSTITUTION");
      const login = logins.find(
        (each) => each.institution === at && each.username === (options.override_username ?? "user_good"),
      );
      if (!login) throw new PlaidRefusal("INVALID_CREDENTIALS");
      const products = body.initial_products as readonly string[];
      const { accounts } = login;
      const webhook = options.webhook ?? null;
      const item = add(new PlaidItem({ login, accounts, products, consented: [], webhook, extraction }, around));
      return { public_token: link.publicToken(item) };
    }
    const item = itemOf(String(body.access_token));
    if (path === "/sandbox/item/reset_login") {
      item.requireLogin();
      return { reset_login: true };
    }
    fire(item, String(body.webhook_type ?? "ITEM"), String(body.webhook_code));
    return { webhook_fired: item.webhook !== null };
  }

  function fire(item: PlaidItem, type: string, code: string): void {
    const inWeek = new Date(clock().getTime() + 7 * 86_400_000);
    const happens: Readonly<Record<string, () => void>> = {
      LOGIN_REPAIRED: () => item.repair(),
      NEW_ACCOUNTS_AVAILABLE: () => item.newAccounts(),
      PENDING_DISCONNECT: () => item.disconnectAt(inWeek, "INSTITUTION_TOKEN_EXPIRATION"),
      USER_PERMISSION_REVOKED: () => item.revoke(),
      DEFAULT_UPDATE: () => {
        const fields = noNews[type];
        if (!fields || !item.products.includes("investments")) throw new PlaidRefusal("SANDBOX_PRODUCT_NOT_ENABLED");
        item.tell(type, code, { error: null, ...fields });
      },
    };
    const found = happens[code];
    if (!found) throw new PlaidRefusal("INVALID_FIELD", { message: `webhook_code ${code}` });
    found();
  }

  async function answerOf(path: string, body: JsonObject): Promise<JsonObject> {
    const token = String(body.access_token);
    switch (path) {
      case "/link/token/create":
        return link.create(body);
      case "/link/token/get":
        return link.get(String(body.link_token));
      case "/item/public_token/exchange":
        return link.exchange(String(body.public_token));
      case "/item/get":
        return itemOf(token).status;
      case "/item/remove":
        itemOf(token).remove();
        removed.add(token);
        return {};
      case "/item/webhook/update": {
        const item = itemOf(token);
        item.webhook = (body.webhook as string | null | undefined) ?? null;
        item.tell("ITEM", "WEBHOOK_UPDATE_ACKNOWLEDGED", { new_webhook_url: item.webhook, error: null });
        return { item: item.answer };
      }
      case "/item/access_token/invalidate":
        return { new_access_token: itemOf(token).invalidate() };
      case "/institutions/get":
        return catalogue.page(body);
      case "/institutions/get_by_id":
        return catalogue.one(body);
      case "/webhook_verification_key/get":
        return webhooks.keyAnswer(String(body.key_id));
      default:
        return sandbox(path, body) ?? investments.answer(path, body);
    }
  }

  /** Who asks, and whether the request has the fields that it must. */
  function checked({ path, headers, body: text }: InstitutionRequest): JsonObject {
    const body = parsed(text);
    const clientId = body.client_id ?? headers["plaid-client-id"];
    const secret = body.secret ?? headers["plaid-secret"];
    const absent = [...(clientId ? [] : ["client_id"]), ...(secret ? [] : ["secret"])];
    if (absent.length > 0) throw new PlaidRefusal("MISSING_FIELDS", { message: absent.join(", ") });
    if (clientId !== client.client_id || !secrets.has(String(secret))) throw new PlaidRefusal("INVALID_API_KEYS");
    const version = headers["plaid-version"];
    if (version !== undefined && version !== "2020-09-14") violations.push(`Plaid-Version ${String(version)}`);
    const faults = misfits(`> ${path}`, body);
    const names = (fault: string) => faults.flatMap((each) => (each.fault === fault ? [each.path] : [])).join(", ");
    for (const [fault, code] of [
      ["missing", "MISSING_FIELDS"],
      ["unknown", "UNKNOWN_FIELDS"],
      ["type", "INVALID_FIELD"],
    ] as const)
      if (names(fault)) throw new PlaidRefusal(code, { message: names(fault) });
    return body;
  }

  async function answer(request: InstitutionRequest): Promise<Reply> {
    const { path, method } = request;
    if (path.startsWith("/hl/")) return link.page(request);
    try {
      if (method !== "POST" || !isShape(`> ${path}`)) throw new PlaidRefusal("NOT_FOUND");
      const body = checked(request);
      const { access_token: token } = body;
      limits.count(path, typeof token === "string" ? token : null);
      const made = await answerOf(path, body);
      return answered(200, spoilt.get(path)?.(made) ?? made);
    } catch (error) {
      if (!(error instanceof PlaidRefusal)) throw error;
      const reply = refusal(error.code, error.more);
      if (/"error_type":"INVALID_REQUEST"/.test(reply.body ?? "")) violations.push(`${path}: ${reply.body}`);
      return reply;
    }
  }

  const institution = await startInstitution({ clock, answer, sleep });
  const at = (path: string): RequestFilter => {
    return (request) => request.path === path;
  };
  return {
    base_url: institution.url,
    client,
    environment,
    institution,
    catalogue,
    link,
    webhooks,
    items,
    violations,
    enrol(of, username, options = {}) {
      const login = new PlaidLogin(of, username, options, { clock, securities });
      logins.push(login);
      return login;
    },
    extraction(mode) {
      extraction = mode;
    },
    tick() {
      for (const item of items) item.tick();
    },
    addSecret: (secret) => void secrets.add(secret),
    dropSecret: (secret) => void secrets.delete(secret),
    allow: (path, ofItem, ofClient) => limits.allow(path, ofItem, ofClient),
    refuse(path, code, times = 1) {
      for (let left = times; left > 0; left -= 1) institution.fail(at(path), { kind: "instead", reply: refusal(code) });
    },
    betweenPages: (happens) => investments.betweenPages(happens),
    nextPage: (fault) => investments.nextPage(fault),
    spoil: (path, change) => void (change ? spoilt.set(path, change) : spoilt.delete(path)),
    async close() {
      await webhooks.settled();
      await institution.close();
    },
  };
}

function parsed(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as JsonObject;
  } catch {
    // Refused below.
  }
  throw new PlaidRefusal("INVALID_BODY");
}
