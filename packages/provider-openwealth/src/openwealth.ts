import { randomUUID } from "node:crypto";
import {
  AnswerFailure,
  type BankProvider,
  type BankRequest,
  type CheckCause,
  checkCauseOf,
  clientToken,
  defineProvider,
  type LoginStep,
  OAuthFailure,
  ReadInterrupted,
  refusalOfClient,
  type TokenCall,
} from "@org/provider-kit";
import { usableAccess } from "./access.js";
import { custodyApi } from "./custody-api.js";
import { FIRST_DAYS, fetchCustomer } from "./fetch.js";
import { answer, bankLoginFields, login, resume } from "./login.js";
import { clientOf, type OpenBank, openBank } from "./open-bank.js";
import { type Bank, openWealthSettings } from "./settings.js";
import { differences } from "./versions.js";

/** Banks with OpenWealth Custody Services. Each has one catalogue row, with the bank's id as `provider_ref`. */
export const openWealth = defineProvider({
  name: "openwealth",
  title: "OpenWealth Custody Services",
  settings: openWealthSettings,

  connectors: ({ banks }) =>
    banks.map(({ id, name, country, identifiers }) => ({
      ...{ id: `${country}:${id}`, name, country, provider_ref: id },
      ...(identifiers && { identifiers }),
    })),

  tenantOnly: ({ banks }) => {
    const open = banks.filter(({ auth }) => auth.type !== "authorization_code").map(({ id }) => id);
    if (open.length === 0) return null;
    return `with client_credentials or a certificate (${open.join(", ")}) whoever types a customer's number, or the id of a consent, gets that customer: such settings belong to the tenant that has the mandate`;
  },

  async check({ settings, http, signal }) {
    const call = { http, signal, clock: () => new Date(0) };
    const found: CheckFault[] = [];
    for (const bank of settings.banks) {
      const fault = await faultOf(bank, call).catch(failureOf);
      if (fault !== null) found.push({ ...fault, message: `${bank.id}: ${fault.message}` });
    }
    if (found.length === 0) return { ok: true };
    const [cause = null, ...more] = new Set(found.map((fault) => fault.cause));
    const message = found.map((fault) => fault.message).join("; ");
    return { ok: false, message, ...(cause !== null && more.length === 0 && { cause }) };
  },

  create({ settings, ...services }): Omit<BankProvider, "name"> {
    const banks = new Map(settings.banks.map((bank) => [bank.id, openBank(bank, services)]));
    const bankOf = ({ provider_ref, connector_id, signal }: BankRequest) => {
      signal.throwIfAborted();
      const bank = banks.get(provider_ref ?? "");
      if (bank === undefined)
        throw new AnswerFailure(`the settings have no bank for ${connector_id}: its provider_ref is no bank's id`);
      return bank;
    };

    return {
      credentialFields: ({ provider_ref }) => bankLoginFields(banks.get(provider_ref ?? "")?.bank),
      terms: () => ({ rights: "read", holdings: "daily", transactions: FIRST_DAYS }),
      login: async (request) => stepOf(bankOf(request), (bank) => login(bank, request)),
      resume: async (request) => stepOf(bankOf(request), (bank) => resume(bank, request)),
      answer: async (request) => stepOf(bankOf(request), (bank) => answer(bank, request)),
      fetch: async (request) => fetchCustomer(bankOf(request), request),
      async revoke(request) {
        const { bank, oauth } = bankOf(request);
        if (usableAccess(bank, request.access)?.tokens) await oauth?.revoke(request);
      },
    };
  },
});

/** What is wrong with a bank's settings. */
interface CheckFault {
  /** Null if it is none of the known causes. */
  readonly cause: CheckCause | null;
  readonly message: string;
}

/** A refused customer may try again; if the client is refused or throttled, the customer cannot change that. */
async function stepOf(at: OpenBank, work: (at: OpenBank) => Promise<LoginStep>): Promise<LoginStep> {
  const { bank } = at;
  try {
    return await work(at);
  } catch (failure) {
    if (!(failure instanceof ReadInterrupted)) throw failure;
    if ("throttled" in failure.end) return { kind: "throttled", retry_after: failure.end.throttled.retry_after };
    const isOfCustomer = bank.auth.type === "authorization_code" || bank.consent_header !== undefined;
    if ("refused" in failure.end && isOfCustomer) return { kind: "rejected" };
    throw new AnswerFailure(`a login at ${bank.id} came to nothing: ${failure.message}`);
  }
}

/**
 * What is wrong with a bank's settings; null = nothing. With the client's credentials: requests a token and one customer, without a consent where each
 * customer has one. If customers log in themselves: asks only whether the bank knows the client.
 */
async function faultOf(bank: Bank, call: TokenCall): Promise<CheckFault | null> {
  const client = clientOf(bank);
  if (client?.type === "authorization_code") {
    const code = await refusalOfClient(client, call);
    return code === null ? null : clientRefused(code);
  }
  const answer = client && (await clientToken(client, call));
  if (answer && "refused" in answer) return clientRefused(answer.refused);
  const token = async () => answer?.tokens.access_token ?? "";
  const grant = client && { token, tokenAfter: token };
  const api = custodyApi(bank, { grant, consent_id: null }, { ...call, correlationId: randomUUID });
  try {
    for await (const page of api.pages("customers", differences[bank.version].paths.customers, { limit: "1" }))
      return "status" in page && bank.consent_header === undefined
        ? { cause: "access_refused", message: `customers are refused with ${page.status}` }
        : null;
  } catch (failure) {
    // Without a consent the bank rightly shows nobody.
    const isRefused = failure instanceof ReadInterrupted && "refused" in failure.end;
    if (!isRefused || bank.consent_header === undefined) throw failure;
  }
  return null;
}

function clientRefused(code: string): CheckFault {
  return { cause: "client_refused", message: `the token endpoint refuses the client (${code})` };
}

function failureOf(failure: unknown): CheckFault {
  if (failure instanceof OAuthFailure && failure.concerns_client)
    return { cause: "client_refused", message: failure.message };
  if (!(failure instanceof ReadInterrupted))
    return { cause: checkCauseOf(failure), message: failure instanceof Error ? failure.message : "cannot be reached" };
  return "refused" in failure.end
    ? { cause: "access_refused", message: "the token is not accepted" }
    : { cause: "throttled", message: "asks for fewer requests" };
}
