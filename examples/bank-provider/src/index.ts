import { type CredentialField, defineProvider, isOutage, type LoginStep, secret } from "@org/provider-kit";
import { z } from "zod";
import { createLighthouseApi, type LoginAnswer, refusals } from "./lighthouse-api.js";
import { snapshotOf } from "./snapshot.js";

// Data kept between two calls come back as JSON and are parsed like any other input.
const state = z.object({ login_id: z.string() });
const access = z.object({ refresh_token: z.string() });

const fields: readonly CredentialField[] = [
  {
    name: "customer_number",
    label: { en: "Customer number", de: "Kundennummer", fr: "Numéro de client", es: "Número de cliente" },
    hint: { en: "Eight digits, on your bank card.", de: "Acht Ziffern, auf Ihrer Bankkarte." },
    pattern: "[0-9]{8}",
    autocomplete: "username",
  },
  { name: "pin", label: "PIN", kind: "secret", autocomplete: "current-password" },
];

const lighthouse = defineProvider({
  name: "lighthouse",
  title: "Lighthouse Bank",
  settings: z.strictObject({ base_url: z.url(), api_key: secret() }),
  connectors: () => [{ id: "deu:lighthouse", name: "Lighthouse Bank", country: "deu" }],

  async check({ settings, http, signal }) {
    await createLighthouseApi(settings, http).ping(signal);
  },

  create({ settings, http, clock }) {
    const bank = createLighthouseApi(settings, http);
    return {
      credentialFields: () => fields,

      async login({ fields: { customer_number = "", pin = "" }, signal }) {
        return stepOf(await bank.login({ customer_number, pin }, signal));
      },

      async answer({ state: kept, answer, signal }) {
        return stepOf(await bank.answer({ ...state.parse(kept), code: answer }, signal));
      },

      async look({ state: kept, signal }) {
        const seen = await bank.status(state.parse(kept), signal);
        return seen.kind === "asked" ? { kind: "waiting" } : stepOf(seen);
      },

      async fetch({ access: kept, since, signal }) {
        let renewed: { access?: z.output<typeof access> } = {};
        try {
          const exchanged = await bank.exchange(access.parse(kept), signal);
          if (exchanged.kind === "throttled") return { throttled: { retry_after: exchanged.seconds } };
          if (exchanged.kind === "refused") return { refused: refusals[exchanged.code] };
          // The old token is now invalid: however the fetch ends, the new one must be kept.
          renewed = { access: { refresh_token: exchanged.refresh_token } };
          const read = await bank.read(exchanged.access_token, since, signal);
          if (read.kind === "throttled") return { throttled: { retry_after: read.seconds }, ...renewed };
          const { consent_until } = read.accounts;
          return { snapshot: snapshotOf(read, clock()), consent_expires_at: new Date(consent_until), ...renewed };
        } catch (error) {
          // A bank that was not reached may be asked again at once, which the server does after a throw.
          if (!renewed.access && (signal.aborted || isOutage(error))) throw error;
          const message = error instanceof Error ? error.message : "no data";
          return { failed: { message, outage: isOutage(error) }, ...renewed };
        }
      },

      async revoke({ access: kept, signal }) {
        await bank.logout(access.parse(kept), signal);
      },
    };
  },
});

function stepOf(answer: LoginAnswer): LoginStep {
  switch (answer.kind) {
    case "in": {
      const { customer, refresh_token } = answer;
      return { kind: "authenticated", user_key: customer, access: { refresh_token } };
    }
    case "asked": {
      const { login_id, sent_to } = answer;
      const challenge =
        sent_to === null
          ? ({ kind: "app", message: "Approve the login in the Lighthouse app." } as const)
          : ({ kind: "sms", message: `Enter the code that was sent to ${sent_to}.` } as const);
      return { kind: "challenge", challenge, state: { login_id } };
    }
    case "wrong":
      return { kind: "rejected" };
    case "locked":
      return { kind: "failed", error_code: "UserInteractionNeeded" };
  }
}

export default lighthouse;
