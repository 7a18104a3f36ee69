import { type Customer, conformanceCases } from "@org/provider-kit/testing";
import { describe, it } from "vitest";
import { judgeLoginForm, sandboxAuthorizationOf, sandboxProvider } from "../src/index.js";

const typed = { username: "ada lovelace", password: "hunter2 of ada" };
const code = "123456";

/** Customers' actions at each variant of sandbox bank. */
const customers: Readonly<Record<string, Partial<Customer> & { wrong_answer?: string; stranger?: object }>> = {
  password: { stranger: { ...typed, password: "INVALID_CREDENTIALS" } },
  "password with SCA_SMS": {
    fields: { ...typed, password: "SCA_SMS" },
    challenge: () => code,
    wrong_answer: "654321",
  },
  "password with SCA_QR": { fields: { ...typed, password: "SCA_QR" }, challenge: () => "" },
  redirect: { fields: {} },
  choices: { challenge: () => code, wrong_answer: "654321" },
  decoupled: { challenge: () => null },
  report: {},
  fields: {
    fields: { customer_number: "12345678", pin: "hunter2 of ada", contract: "private", branch: "che" },
  },
  facts: {},
};

describe.each(Object.entries(customers))(
  "[C-10.22] the sandbox bank by %s",
  (way, { wrong_answer, stranger, ...customer }) => {
    let waited = 0;
    const clock = () => new Date(Date.UTC(2026, 2, 18, 10) + waited);
    const cases = conformanceCases(() => ({
      definition: sandboxProvider,
      settings: {},
      connector: { connector_id: "xyz:own-row", provider_ref: way.split(" ")[0] ?? null },
      clock,
      customer: {
        fields: typed,
        wait: () => {
          waited += 61_000;
        },
        async redirect(url) {
          const authorization = sandboxAuthorizationOf(Object.fromEntries(new URL(url).searchParams));
          if (!authorization) throw new Error("an address that its page does not know");
          waited += 1;
          const verdict = judgeLoginForm(
            authorization,
            { ...typed, decision: "agree" },
            { now: clock(), nonce: `nonce ${waited}` },
          );
          return verdict.kind === "back" ? verdict.params : {};
        },
        ...customer,
      },
      services: { sleep: async () => undefined },
      secrets: [typed.password],
      ...(wrong_answer !== undefined && { wrong_answer }),
      ...(stranger && { stranger: stranger as Record<string, string> }),
    }));

    for (const { name, run } of cases)
      it(name, async () => {
        await run();
      });
  },
);
