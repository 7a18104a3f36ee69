import {
  type AccessTerms,
  type BankProvider,
  type CredentialField,
  faultsOfAnswer,
  type LocalizedText,
  type LookStep,
  stepsOfAnswer,
} from "@org/provider-kit";
import { zodMessages } from "@org/validation-messages";
import { type EventLoopYielder, runInSteps } from "../event-loop-yielder.js";
import { cleanName } from "../schemas/stated-text.js";

/** A provider violated its interface. The message names fields, never their contents. */
export class ProviderAnswerError extends TypeError {
  override readonly name = "ProviderAnswerError";
}

/**
 * Returns a provider's answer if it conforms to the interface, with texts for the customer cleaned. A snapshot's texts are cleaned
 * when it is published, because ids are derived from what the bank wrote. Additional properties stay.
 * @throws ProviderAnswerError
 */
export function checkProviderAnswer<T>(call: Call, answer: T): T {
  return accepted(call, answer, faultsOfAnswer(call, answer, { words: zodMessages }));
}

/**
 * Like {@link checkProviderAnswer}, in steps: a bank may send hundreds of thousands of rows.
 * @param now the time, which no data may be far ahead of
 */
export async function checkAnswerInSteps<T>(call: Call, answer: T, now: Date, pace: EventLoopYielder): Promise<T> {
  return accepted(call, answer, await runInSteps(stepsOfAnswer(call, answer, { words: zodMessages, now }), pace));
}

type Call = Exclude<keyof BankProvider, "name">;

function accepted<T>(call: Call, answer: T, faults: readonly string[]): T {
  if (faults.length > 0)
    throw new ProviderAnswerError(`the provider's answer to ${call} cannot be used: ${faults.join("; ")}`);
  if (call === "credentialFields") return (answer as readonly CredentialField[]).map(cleanField) as T;
  if (call === "terms") return cleanTerms(answer as AccessTerms) as T;
  return call === "login" || call === "answer" || call === "resume" || call === "look"
    ? (cleanStep(answer as LookStep) as T)
    : answer;
}

function cleanStep(step: LookStep): LookStep {
  switch (step.kind) {
    case "challenge": {
      const message = cleanName(step.challenge.message);
      return message === step.challenge.message ? step : { ...step, challenge: { ...step.challenge, message } };
    }
    case "ask":
      return {
        ...step,
        fields: step.fields.map(cleanField),
        ...(step.message !== undefined && { message: cleanWords(step.message) }),
      };
    default:
      return step;
  }
}

/** Labels and hints of fields are text from the bank. */
function cleanField({ label, hint, options, ...field }: CredentialField): CredentialField {
  return {
    ...field,
    ...(label !== undefined && { label: cleanWords(label) }),
    ...(hint !== undefined && { hint: cleanWords(hint) }),
    ...(options && { options: options.map((option) => ({ ...option, label: cleanWords(option.label) })) }),
  };
}

function cleanTerms({ howTo, through, ...terms }: AccessTerms): AccessTerms {
  return {
    ...terms,
    ...(through !== undefined && { through: cleanName(through) }),
    ...(howTo !== undefined && { howTo: cleanWords(howTo) }),
  };
}

function cleanWords(words: LocalizedText): LocalizedText {
  if (typeof words === "string") return cleanName(words);
  return Object.fromEntries(Object.entries(words).map(([language, text]) => [language, cleanName(text)]));
}
