import type { CredentialField, LoginStep } from "@org/provider-kit";
import { z } from "zod";
import { accessTo, consentEnd, customerOf } from "./access.js";
import type { Customer } from "./custody-answers.js";
import type { CustodyApi, ReadOptions } from "./custody-api.js";
import { type BankGrant, type CustomerGrant, customerGrant } from "./grants.js";
import { type Bank, isAllowed } from "./settings.js";
import { authorizeUrl, exchangeCode, type TokenCall, type Tokens, tokensSchema } from "./token-endpoint.js";

/** What the calls of a login need besides the bank. */
export interface LoginCall extends TokenCall {
  readonly random: (bytes: number) => Uint8Array;
  readonly open: (bank: Bank, grant: BankGrant, manner: ReadOptions) => CustodyApi;
  readonly clientGrant: (bank: Bank, signal: AbortSignal) => BankGrant;
}

const awaySchema = z.object({ step: z.literal("away"), verifier: z.string(), repaired: z.string().nullable() });
const askedSchema = z.object({ step: z.literal("asked"), tokens: tokensSchema });

const customerNumber: CredentialField = {
  name: "customer_id",
  label: { en: "Customer number", de: "Kundennummer", fr: "Numéro de client", es: "Número de cliente" },
  hint: {
    en: "As it stands on the bank's statements",
    de: "Wie sie auf den Auszügen der Bank steht",
    fr: "Tel qu'il figure sur les relevés de la banque",
    es: "Tal como figura en los extractos del banco",
  },
  pattern: "\\s*\\S.{0,127}",
  autocomplete: "off",
};

/** The first inputs of a bank's login: the customer's number with the client's credentials, otherwise none. */
export function bankLoginFields(bank: Bank | undefined): readonly CredentialField[] {
  return bank?.auth.type === "client_credentials" ? [customerNumber] : [];
}

/** Logs a customer in by number, or redirects them to the bank. */
export async function login(
  bank: Bank,
  request: { fields: Readonly<Record<string, string>>; existing_access: unknown } & LoginCallback,
  call: LoginCall,
): Promise<LoginStep> {
  const { auth } = bank;
  if (auth.type === "authorization_code") {
    const verifier = Buffer.from(call.random(32)).toString("base64url");
    return {
      kind: "redirect",
      url: authorizeUrl(auth.authorize_url, auth, { ...request, verifier }),
      state: { step: "away", verifier, repaired: customerOf(request.existing_access) },
    };
  }
  const typed = (request.fields.customer_id ?? "").trim();
  if (typed === "") return { kind: "rejected" };
  const api = call.open(bank, call.clientGrant(bank, call.signal), { signal: call.signal });
  const customer = await findCustomer(api, bank, typed);
  return customer === null
    ? { kind: "rejected" }
    : { kind: "authenticated", user_key: customer.id, access: accessTo(customer, null) };
}

/** Where the customer returns to. */
interface LoginCallback {
  readonly callback_url: string;
  readonly callback_state: string;
}

/** The customer has returned from the bank, with or without a code. */
export async function resume(
  bank: Bank,
  { state, params, callback_url }: { state: unknown; params: Readonly<Record<string, string>>; callback_url: string },
  call: LoginCall,
): Promise<LoginStep> {
  const { verifier, repaired } = awaySchema.parse(state);
  const { code, error } = params;
  // A code of another bank must not be sent to this one (RFC 9207, RFC 9700 §4.4).
  const issuer = bank.auth.type === "authorization_code" ? bank.auth.issuer : undefined;
  if (issuer !== undefined && params.iss !== issuer) return { kind: "rejected" };
  if (error !== undefined) return afterError(error);
  if (code === undefined || code === "") return { kind: "rejected" };
  const answer = await exchangeCode(bank, { code, verifier, callback_url }, call);
  if ("refused" in answer) return { kind: "rejected" };

  const grant = customerGrant(bank, answer.tokens, call);
  const customers = await visibleCustomers(call.open(bank, grant, { signal: call.signal }), bank);
  const [first] = customers;
  if (first === undefined) return { kind: "failed", error_code: "UserInteractionNeeded" };
  const picked = customers.length === 1 ? first : customers.find(({ id }) => id === repaired);
  if (picked !== undefined) return authenticated(picked, grant, call.clock());
  return {
    kind: "ask",
    fields: [customerField(customers)],
    message: {
      en: "The bank has let us see several customers. Which one is to be connected?",
      de: "Die Bank hat mehrere Kunden freigegeben. Welcher soll verbunden werden?",
      fr: "La banque donne accès à plusieurs clients. Lequel faut-il connecter ?",
      es: "El banco da acceso a varios clientes. ¿Cuál se va a conectar?",
    },
    state: { step: "asked", tokens: grant.tokens() },
  };
}

/** The customer has chosen one of several customers. */
export async function answer(
  bank: Bank,
  { state, fields }: { state: unknown; fields: Readonly<Record<string, string>> },
  call: LoginCall,
): Promise<LoginStep> {
  const grant = customerGrant(bank, askedSchema.parse(state).tokens, call);
  const typed = (fields.customer ?? "").trim();
  const customer =
    typed === "" ? null : await findCustomer(call.open(bank, grant, { signal: call.signal }), bank, typed);
  if (customer !== null) return authenticated(customer, grant, call.clock());
  return { kind: "rejected" };
}

function authenticated(customer: Customer, grant: CustomerGrant, now: Date): LoginStep {
  const tokens: Tokens = grant.tokens();
  const consent_expires_at = consentEnd(tokens, now);
  return {
    kind: "authenticated",
    user_key: customer.id,
    access: accessTo(customer, tokens),
    ...(consent_expires_at && { consent_expires_at }),
  };
}

/**
 * Errors of RFC 6749 §4.1.2.1: those that the customer can change, and those that only the bank or the operator can. They arrive through the
 * customer, who can write anything, so they never count against the bank.
 */
function afterError(error: string): LoginStep {
  const isNotTheirs = [
    ...["server_error", "temporarily_unavailable"],
    ...["invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope"],
  ].includes(error);
  return isNotTheirs ? { kind: "failed", error_code: "InternalError" } : { kind: "rejected" };
}

/** Longer lists are not offered as a choice; the number is typed instead. */
const MAX_CHOICES = 200;

function customerField(customers: readonly Customer[]): CredentialField {
  const label = { en: "Customer", de: "Kunde", fr: "Client", es: "Cliente" };
  if (customers.length > MAX_CHOICES) return { ...customerNumber, name: "customer" };
  return {
    name: "customer",
    label,
    kind: "choice",
    options: customers.map(({ id, number = id, referenceCurrency }) => ({
      value: id,
      label: referenceCurrency === undefined ? number : `${number} (${referenceCurrency})`,
    })),
  };
}

/** All customers of the grant: the one under repair may come last. */
async function visibleCustomers(api: CustodyApi, bank: Bank): Promise<Customer[]> {
  const found = new Map<string, Customer>();
  for await (const customer of api.all("customers", "/customers")) {
    if (isAllowed(bank, customer)) found.set(customer.id, customer);
  }
  return [...found.values()];
}

/** The customer with this number or id, if the bank and the settings allow it. */
async function findCustomer(api: CustodyApi, bank: Bank, typed: string): Promise<Customer | null> {
  for await (const customer of api.all("customers", "/customers"))
    if (customer.number === typed || customer.id === typed) return isAllowed(bank, customer) ? customer : null;
  return null;
}
