import {
  type AnswerRequest,
  type CredentialField,
  consentEnd,
  type LoginRequest,
  type LoginStep,
  type OAuthTokens,
  oauthTokens,
  type ResumeRequest,
} from "@org/provider-kit";
import { z } from "zod";
import { accessTo, customerOf } from "./access.js";
import type { Customer } from "./custody-answers.js";
import type { CustodyApi, CustodyCredentials } from "./custody-api.js";
import type { OpenBank } from "./open-bank.js";
import { type Bank, isAllowed } from "./settings.js";
import { differences } from "./versions.js";

const askedSchema = z.object({
  step: z.literal("asked"),
  tokens: oauthTokens.nullable(),
  consent_id: z.string().optional(),
});

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

/** The id of a consent is a secret: with our certificate or token it opens the customer's accounts. */
const consentId: CredentialField = {
  name: "consent_id",
  label: { en: "Consent ID", de: "Einwilligungs-ID", fr: "Identifiant du consentement", es: "ID del consentimiento" },
  hint: {
    en: "Issued when you allowed the bank to share your data",
    de: "Ausgestellt, als Sie der Bank erlaubt haben, Ihre Daten freizugeben",
    fr: "Délivré lorsque vous avez autorisé la banque à partager vos données",
    es: "Emitido cuando autorizó al banco a compartir sus datos",
  },
  kind: "secret",
  pattern: "\\s*[!-~]{1,200}\\s*",
  autocomplete: "off",
};

/** The first inputs of a bank's login: with our own credentials the id of a consent or the customer's number, otherwise none. */
export function bankLoginFields(bank: Bank | undefined): readonly CredentialField[] {
  if (bank === undefined || bank.auth.type === "authorization_code") return [];
  return [bank.consent_header === undefined ? customerNumber : consentId];
}

/** Logs a customer in by number or by consent, or redirects them to the bank. */
export async function login(
  open: OpenBank,
  request: Pick<LoginRequest, "fields" | "existing_access" | "callback_url" | "callback_state" | "signal">,
): Promise<LoginStep> {
  const { bank, oauth, clientGrant, api } = open;
  const repaired = customerOf(request.existing_access);
  if (oauth !== null) return oauth.redirect(request, repaired);
  const { fields, signal } = request;
  const grant = clientGrant(signal);
  const consent_id = bank.consent_header === undefined ? null : (fields.consent_id ?? "").trim();
  if (consent_id !== null)
    return /^[!-~]{1,200}$/.test(consent_id)
      ? pickCustomer(open, { grant, consent_id, repaired, signal, tokens: () => null })
      : { kind: "rejected" };
  const typed = (fields.customer_id ?? "").trim();
  const customer = typed === "" ? null : await findCustomer(api({ grant, consent_id }, { signal }), bank, typed);
  return customer === null
    ? { kind: "rejected" }
    : { kind: "authenticated", user_key: customer.id, user_key_is_final: true, access: accessTo(customer, null, null) };
}

/** The customer has returned from the bank, with or without a code. */
export async function resume(open: OpenBank, request: ResumeRequest): Promise<LoginStep> {
  const { oauth } = open;
  // The settings were changed while the customer was at the bank.
  if (oauth === null) return { kind: "rejected" };
  return oauth.resume(request, async (grant, repaired) =>
    pickCustomer(open, { grant, consent_id: null, repaired, signal: request.signal, tokens: grant.tokens }),
  );
}

interface Picking extends CustodyCredentials {
  /** The customer of a connection that is being repaired. */
  readonly repaired: unknown;
  readonly signal: AbortSignal;
  readonly tokens: () => OAuthTokens | null;
}

/** The customer whom the bank shows; of several the one under repair, otherwise the customer is asked. */
async function pickCustomer({ bank, api, clock }: OpenBank, picking: Picking): Promise<LoginStep> {
  const { consent_id, repaired, signal, tokens } = picking;
  const customers = await visibleCustomers(api(picking, { signal }), bank);
  const [first] = customers;
  if (first === undefined) return { kind: "failed", error_code: "UserInteractionNeeded" };
  const picked = customers.length === 1 ? first : customers.find(({ id }) => id === repaired);
  if (picked !== undefined) return authenticated(picked, tokens(), consent_id, clock());
  return {
    kind: "ask",
    fields: [customerField(customers)],
    message: {
      en: "The bank has let us see several customers. Which one is to be connected?",
      de: "Die Bank hat mehrere Kunden freigegeben. Welcher soll verbunden werden?",
      fr: "La banque donne accès à plusieurs clients. Lequel faut-il connecter ?",
      es: "El banco da acceso a varios clientes. ¿Cuál se va a conectar?",
    },
    state: { step: "asked", tokens: tokens(), ...(consent_id !== null && { consent_id }) },
  };
}

/** The customer has chosen one of several customers. */
export async function answer(
  { bank, oauth, clientGrant, api, clock }: OpenBank,
  { state, fields, signal }: Pick<AnswerRequest, "state" | "fields" | "signal">,
): Promise<LoginStep> {
  const { tokens, consent_id = null } = askedSchema.parse(state);
  const open = tokens && (oauth?.grantOf(tokens, signal) ?? null);
  // The settings were changed while the customer chose.
  if (tokens !== null && open === null) return { kind: "rejected" };
  const grant = open ?? clientGrant(signal);
  const typed = (fields.customer ?? "").trim();
  const customer = typed === "" ? null : await findCustomer(api({ grant, consent_id }, { signal }), bank, typed);
  return customer === null
    ? { kind: "rejected" }
    : authenticated(customer, open?.tokens() ?? null, consent_id, clock());
}

function authenticated(
  customer: Customer,
  tokens: OAuthTokens | null,
  consent_id: string | null,
  now: Date,
): LoginStep {
  const consent_expires_at = consentEnd(tokens, now);
  return {
    kind: "authenticated",
    user_key: customer.id,
    user_key_is_final: true,
    access: accessTo(customer, tokens, consent_id),
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
  for await (const customer of api.all("customers", differences[bank.version].paths.customers)) {
    if (isAllowed(bank, customer)) found.set(customer.id, customer);
  }
  return [...found.values()];
}

/** The customer with this number or id, if the bank and the settings allow it. */
async function findCustomer(api: CustodyApi, bank: Bank, typed: string): Promise<Customer | null> {
  for await (const customer of api.all("customers", differences[bank.version].paths.customers))
    if (customer.number === typed || customer.id === typed) return isAllowed(bank, customer) ? customer : null;
  return null;
}
