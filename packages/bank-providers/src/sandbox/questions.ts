import type { Challenge, CredentialField, LocalizedText, LoginStep, PortfolioData } from "@org/provider-kit";
import { loginOutcome, type Scenario } from "./scenarios.js";

/** A question as a step of the login, without its state. */
export type Asked = Omit<Extract<LoginStep, { kind: "ask" }>, "state">;

/** The method that the customer chose to confirm the login. */
export type Method =
  | { readonly kind: "challenge"; readonly scenario: Scenario; readonly challenge: Challenge }
  | { readonly kind: "question" }
  | { readonly kind: "unsupported" };

/** Shares all accounts, including future ones. */
export const ALL_ACCOUNTS = "all";

/** Asks for the method to confirm the login. */
export const askForMethod: Asked = {
  kind: "ask",
  message: {
    en: "You can confirm this login in several ways.",
    de: "Sie können diese Anmeldung auf mehrere Arten bestätigen.",
    fr: "Vous pouvez confirmer cette connexion de plusieurs façons.",
    es: "Puede confirmar este acceso de varias maneras.",
  },
  fields: [
    {
      name: "method",
      kind: "choice",
      label: { en: "How to confirm", de: "Art der Bestätigung", fr: "Mode de confirmation", es: "Forma de confirmar" },
      options: [
        { value: "sms", label: { en: "Text message", de: "SMS-Code", fr: "Message texte", es: "Mensaje de texto" } },
        { value: "app", label: { en: "Banking app", de: "Banking-App", fr: "Application bancaire", es: "Aplicación" } },
        { value: "qr", label: { en: "QR code", de: "QR-Code zum Scannen", fr: "Code QR", es: "Código QR" } },
        {
          value: "question",
          label: {
            en: "Security question",
            de: "Sicherheitsfrage",
            fr: "Question de sécurité",
            es: "Pregunta de seguridad",
          },
        },
        {
          value: "unsupported",
          label: {
            en: "A reader that is not supported here",
            de: "Ein Lesegerät, das hier nicht unterstützt wird",
            fr: "Un lecteur qui n’est pas pris en charge ici",
            es: "Un lector que aquí no se admite",
          },
        },
      ],
    },
  ],
};

/** The method that an answer to {@link askForMethod} names; null for anything that was not offered. */
export function chosenMethod({ method }: Readonly<Record<string, string>>): Method | null {
  if (method === "question" || method === "unsupported") return { kind: method };
  const scenario = ({ sms: "SCA_SMS", app: "SCA_APP", qr: "SCA_QR" } as const)[method ?? ""];
  const outcome = scenario === undefined ? null : loginOutcome(scenario);
  return scenario && outcome?.kind === "challenge" ? { ...outcome, scenario } : null;
}

/** The security question. */
export const askQuestion: Asked = {
  kind: "ask",
  fields: [
    {
      name: "first_pet",
      label: {
        en: "What was your first pet called?",
        de: "Wie hieß Ihr erstes Haustier?",
        fr: "Comment s’appelait votre premier animal ?",
        es: "¿Cómo se llamaba su primera mascota?",
      },
      hint: {
        en: "At this invented bank it was Rex.",
        de: "Bei dieser erfundenen Bank hieß es Rex.",
        fr: "Dans cette banque inventée, c’était Rex.",
        es: "En este banco inventado, era Rex.",
      },
    },
  ],
};

/** Whether the answer to {@link askQuestion} is right. */
export function isAnswer({ first_pet = "" }: Readonly<Record<string, string>>): boolean {
  return first_pet.trim().toLowerCase() === "rex";
}

/** Asks which accounts to share: one of them, or all. */
export function askForAccounts(portfolios: readonly PortfolioData[]): Asked {
  const all: LocalizedText = { en: "All accounts", de: "Alle Konten", fr: "Tous les comptes", es: "Todas las cuentas" };
  const accounts: CredentialField = {
    name: "accounts",
    kind: "choice",
    label: {
      en: "Accounts to share",
      de: "Konten, die Sie freigeben",
      fr: "Comptes à partager",
      es: "Cuentas que comparte",
    },
    options: [
      { value: ALL_ACCOUNTS, label: all },
      ...portfolios.map(({ key, name, ref_account }) => ({ value: key, label: `${name} ${ref_account ?? ""}`.trim() })),
    ],
  };
  return { kind: "ask", fields: [accounts] };
}
