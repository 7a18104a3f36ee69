import {
  type BankProvider,
  type CredentialField,
  faultsOfAnswer,
  type LocalizedText,
  type LookStep,
} from "@org/provider-kit";
import { zodMessages } from "@org/validation-messages";
import { cleanName } from "../schemas/stated-text.js";

/** A provider does not keep to the interface. The message names places, never what is there. */
export class ProviderAnswerError extends TypeError {
  override readonly name = "ProviderAnswerError";
}

/**
 * Hands back what a provider answered, if it keeps to the interface, with the words for the customer cleaned. Those of a snapshot are
 * cleaned where it is published, since ids are made of what the bank wrote. What a provider adds stays.
 * @throws ProviderAnswerError
 */
export function checkProviderAnswer<T>(call: Exclude<keyof BankProvider, "name">, answer: T): T {
  const faults = faultsOfAnswer(call, answer, zodMessages);
  if (faults.length > 0)
    throw new ProviderAnswerError(`the provider's answer to ${call} cannot be used: ${faults.join("; ")}`);
  if (call === "credentialFields") return (answer as readonly CredentialField[]).map(cleanField) as T;
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

/** What a bank calls its fields is text of the bank. */
function cleanField({ label, hint, options, ...field }: CredentialField): CredentialField {
  return {
    ...field,
    ...(label !== undefined && { label: cleanWords(label) }),
    ...(hint !== undefined && { hint: cleanWords(hint) }),
    ...(options && { options: options.map((option) => ({ ...option, label: cleanWords(option.label) })) }),
  };
}

function cleanWords(words: LocalizedText): LocalizedText {
  if (typeof words === "string") return cleanName(words);
  return Object.fromEntries(Object.entries(words).map(([language, text]) => [language, cleanName(text)]));
}
