import { faultWords } from "@org/fault-words";
import {
  accessRefusals,
  challengeKinds,
  holdingSubtypes,
  holdingTypes,
  loginFailures,
  portfolioTypes,
} from "@org/provider-kit";
import { z } from "zod";
import { calendarDate, currencyCode, decimalString } from "./decimal.js";
import { isStorableText } from "./identifier.js";
import { cleanText } from "./stated-text.js";

/** Shown to people and models: what of it is not to be seen goes, here or where it is published, so nothing is refused for it. */
const text = z.string();
const storable = z.string().refine(isStorableText, "must be text without NUL");
const key = storable.min(1, "must not be empty");
const json = z.unknown().refine((value) => value !== undefined, "is required");

const portfolio = z.object({
  key,
  name: text,
  balance: decimalString.nullable(),
  currency: currencyCode,
  ref_account: text.nullable(),
  type: z.enum(portfolioTypes),
  as_of: z.date().optional(),
});
const holding = z.object({
  key,
  portfolio_key: key,
  name: text,
  isin: text.nullable(),
  amount: decimalString.nullable(),
  balance: decimalString.nullable(),
  currency: currencyCode,
  valuation_date: calendarDate.nullable(),
  type: z.enum(holdingTypes),
  subtype: z.enum(holdingSubtypes).nullable(),
});
const transaction = z.object({
  key: key.nullable(),
  portfolio_key: key,
  holding_key: key.nullable(),
  operation_date: calendarDate,
  description: text,
  amount: decimalString.nullable(),
  balance: decimalString.nullable(),
  currency: currencyCode,
  unit_price: decimalString.nullable(),
});
const fetchResult = z.union([
  z.object({ refused: z.enum(accessRefusals) }),
  z.object({
    refused: z.undefined().optional(),
    snapshot: z.object({
      as_of: z.date(),
      portfolios: z.array(portfolio).nullable(),
      holdings: z.array(holding).nullable(),
      transactions: z.array(transaction).nullable(),
    }),
    consent_expires_at: z.date().nullable(),
  }),
]);
const loginSteps = [
  z.object({ kind: z.literal("authenticated"), user_key: key, access: json }),
  z.object({
    kind: z.literal("challenge"),
    challenge: z.object({
      kind: z.enum(challengeKinds),
      message: text,
      qr: storable.optional(),
    }),
    state: json,
  }),
  z.object({ kind: z.literal("rejected") }),
  z.object({
    kind: z.literal("failed"),
    error_code: z.enum(loginFailures),
  }),
] as const;
const loginStep = z.discriminatedUnion("kind", loginSteps);
const lookStep = z.discriminatedUnion("kind", [...loginSteps, z.object({ kind: z.literal("waiting") })]);

/** A provider does not keep to the interface. The message names places, never what is there. */
export class ProviderAnswerError extends TypeError {
  override readonly name = "ProviderAnswerError";
}

const FAULTS = 5;

/** Answers of providers, as they have to be. They are looked at, and only words for the customer are changed: what a provider adds stays. */
const providerAnswers = { login: loginStep, answer: loginStep, look: lookStep, fetch: fetchResult } as const;

/**
 * Hands back what a provider answered, if it keeps to the interface, with the words of a challenge cleaned. Those of a snapshot are
 * cleaned where it is published, since ids are made of what the bank wrote.
 * @throws ProviderAnswerError
 */
export function checkProviderAnswer<T>(call: keyof typeof providerAnswers, answer: T): T {
  const checked = providerAnswers[call].safeParse(answer, { error: faultWords });
  if (checked.success) return withCleanChallenge(answer);
  const issues = checked.error.issues.flatMap((issue) =>
    // Of the two shapes of a fetch the one with data is the one that says what is wrong.
    issue.code === "invalid_union" ? (issue.errors.at(-1) ?? [issue]) : [issue],
  );
  const faults = issues.slice(0, FAULTS).map(({ path, message }) => `${path.join(".") || "answer"}: ${message}`);
  throw new ProviderAnswerError(`the provider's answer to ${call} cannot be used: ${faults.join("; ")}`);
}

function withCleanChallenge<T>(answer: T): T {
  const { challenge } = answer as { challenge?: { message: string } };
  if (challenge === undefined) return answer;
  const message = cleanText(challenge.message);
  return message === challenge.message ? answer : { ...answer, challenge: { ...challenge, message } };
}
