import {
  type AnswerRequest,
  type CredentialField,
  type CustomerGrant,
  consentEnd,
  type LoginRequest,
  type LoginStep,
  oauthTokens,
  type ResumeRequest,
} from "@org/provider-kit";
import { z } from "zod";
import { accessTo, customerOf } from "./access.js";
import type { Customer } from "./custody-answers.js";
import type { CustodyApi } from "./custody-api.js";
import type { OpenBank } from "./open-bank.js";
import { type Bank, isAllowed } from "./settings.js";

const askedSchema = z.object({ step: z.literal("asked"), tokens: oauthTokens });

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
  { bank, oauth, clientGrant, api }: OpenBank,
  request: Pick<LoginRequest, "fields" | "existing_access" | "callback_url" | "callback_state" | "signal">,
): Promise<LoginStep> {
  if (bank.auth.type === "authorization_code") return oauth.redirect(request, customerOf(request.existing_access));
  const typed = (request.fields.customer_id ?? "").trim();
  if (typed === "") return { kind: "rejected" };
  const { signal } = request;
  const customer = await findCustomer(api(clientGrant(signal), { signal }), bank, typed);
  return customer === null
    ? { kind: "rejected" }
    : { kind: "authenticated", user_key: customer.id, user_key_is_final: true, access: accessTo(customer, null) };
}

/** The customer has returned from the bank, with or without a code. */
export async function resume({ bank, oauth, api, clock }: OpenBank, request: ResumeRequest): Promise<LoginStep> {
  return oauth.resume(request, async (grant, repaired) => {
    const customers = await visibleCustomers(api(grant, request), bank);
    const [first] = customers;
    if (first === undefined) return { kind: "failed", error_code: "UserInteractionNeeded" };
    const picked = customers.length === 1 ? first : customers.find(({ id }) => id === repaired);
    if (picked !== undefined) return authenticated(picked, grant, clock());
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
  });
}

/** The customer has chosen one of several customers. */
export async function answer(
  { bank, oauth, api, clock }: OpenBank,
  { state, fields, signal }: Pick<AnswerRequest, "state" | "fields" | "signal">,
): Promise<LoginStep> {
  const grant = oauth.grantOf(askedSchema.parse(state).tokens, signal);
  const typed = (fields.customer ?? "").trim();
  const customer = typed === "" ? null : await findCustomer(api(grant, { signal }), bank, typed);
  return customer === null ? { kind: "rejected" } : authenticated(customer, grant, clock());
}

function authenticated(customer: Customer, grant: CustomerGrant, now: Date): LoginStep {
  const tokens = grant.tokens();
  const consent_expires_at = consentEnd(tokens, now);
  return {
    kind: "authenticated",
    user_key: customer.id,
    user_key_is_final: true,
    access: accessTo(customer, tokens),
    ...(consent_expires_at && { consent_expires_at }),
  };
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
