import {
  AnswerFailure,
  type BankProvider,
  type BankRequest,
  defineProvider,
  type LoginStep,
  ReadInterrupted,
} from "@org/provider-kit";
import { usableAccess } from "./access.js";
import { checkBanks } from "./check.js";
import { FIRST_DAYS, fetchCustomer } from "./fetch.js";
import { answer, bankLoginFields, login, resume } from "./login.js";
import { type OpenBank, openBank } from "./open-bank.js";
import { openWealthSettings } from "./settings.js";

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

  check: ({ settings, http, signal }) => checkBanks(settings.banks, { http, signal, clock: () => new Date(0) }),

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
