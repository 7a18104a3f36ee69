import type { CredentialField } from "../credential-field.js";
import type { BankProvider, Challenge, LoginStep, LookStep } from "../port.js";
import type { Requests } from "./requests.js";

/** A customer played by a test. */
export interface Customer {
  /** What they type at login. */
  readonly fields: Readonly<Record<string, string>>;
  /** Their answer to a challenge; null = they approve elsewhere, and the test polls the provider (`look`). Left out: the empty answer. */
  challenge?(challenge: Challenge): string | null;
  /** Their input during a login. Left out: the first option of every choice. */
  ask?(fields: readonly CredentialField[]): Readonly<Record<string, string>>;
  /** Goes through the institution's own page; returns the query parameters they come back with. */
  redirect?(url: string): Promise<Readonly<Record<string, string>>>;
  /** Lets time pass when the login has to wait. */
  wait?(): void | Promise<void>;
}

/** A step of a login, with the query parameters of the customer's return. */
export interface StepTaken {
  readonly step: LoginStep;
  readonly params: Readonly<Record<string, string>>;
}

/** More steps than any bank asks for. */
const MAX_STEPS = 30;

/**
 * Takes a customer through a login.
 * @param providerFor the provider for the next call; another instance each time, if a test lets replicas share the work
 * @returns every step, including the last
 */
export async function logIn(
  providerFor: BankProvider | (() => BankProvider | Promise<BankProvider>),
  requests: Requests,
  customer: Customer,
): Promise<readonly StepTaken[]> {
  const next = async () => (typeof providerFor === "function" ? providerFor() : providerFor);
  const taken: StepTaken[] = [];
  let step: LoginStep = await (await next()).login(requests.login(customer.fields));
  while (taken.length < MAX_STEPS) {
    const params: Readonly<Record<string, string>> = step.kind === "redirect" ? await cameBack(step.url) : {};
    taken.push({ step, params });
    if (!("state" in step)) return taken;
    step = await after(await next(), step, params);
  }
  throw new Error(`a login has more than ${MAX_STEPS} steps`);

  async function cameBack(url: string) {
    if (!customer.redirect) throw new Error("the customer of this test cannot follow a redirect");
    const { state: _, ...params } = await customer.redirect(url);
    return params;
  }

  async function after(
    provider: BankProvider,
    asked: Extract<LoginStep, { state: unknown }>,
    params: Readonly<Record<string, string>>,
  ): Promise<LoginStep> {
    switch (asked.kind) {
      case "redirect":
        return needed(provider, "resume").resume(requests.resume(asked.state, params));
      case "ask":
        return needed(provider, "answer").answer(
          requests.fields(asked.state, customer.ask?.(asked.fields) ?? firstChoices(asked.fields)),
        );
      case "challenge": {
        const answer = customer.challenge ? customer.challenge(asked.challenge) : "";
        if (answer !== null) return needed(provider, "answer").answer(requests.answer(asked.state, answer));
        await customer.wait?.();
        const seen: LookStep = await needed(provider, "look").look(requests.look(asked.state));
        return seen.kind === "waiting" ? asked : seen;
      }
    }
  }
}

function firstChoices(fields: readonly CredentialField[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map(({ name, options = [] }) => [name, options[0]?.value ?? ""]));
}

function needed<Call extends "answer" | "resume" | "look">(
  provider: BankProvider,
  call: Call,
): Required<Pick<BankProvider, Call>> {
  if (provider[call] === undefined) throw new Error(`${provider.name} has no ${call}, and a step that needs it`);
  return provider as BankProvider & Required<Pick<BankProvider, Call>>;
}
