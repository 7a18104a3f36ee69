import type { CredentialField } from "@org/provider-kit";
import type { SandboxVariant } from "./catalogue.js";
import { sandboxCountries } from "./countries.js";

/** The fields of a sandbox bank's login form: user name and password, none, or a field of every kind. */
export function loginFormOf(way: SandboxVariant): readonly CredentialField[] {
  if (way === "redirect") return [];
  return way === "fields" ? manyFields : [{ name: "username" }, { name: "password" }];
}

/** The user name, and the password that picks the scenario. */
export function credentialsOf(
  way: SandboxVariant,
  fields: Readonly<Record<string, string>>,
): { readonly username: string; readonly password: string } {
  const [username, password] = way === "fields" ? ["customer_number", "pin"] : ["username", "password"];
  return { username: (fields[username] ?? "").trim().toLowerCase(), password: fields[password] ?? "" };
}

const manyFields: readonly CredentialField[] = [
  {
    name: "customer_number",
    kind: "number",
    pattern: "[0-9]{8}",
    autocomplete: "username",
    label: { en: "Customer number", de: "Kundennummer", fr: "Numéro de client", es: "Número de cliente" },
    hint: {
      en: "Eight digits, on the front of your card.",
      de: "Acht Ziffern, vorne auf Ihrer Karte.",
      fr: "Huit chiffres, au recto de votre carte.",
      es: "Ocho cifras, en el anverso de su tarjeta.",
    },
  },
  {
    name: "pin",
    kind: "secret",
    autocomplete: "current-password",
    label: { en: "PIN for online banking", de: "Online-PIN", fr: "Code secret en ligne", es: "PIN de banca en línea" },
    hint: {
      en: "Any PIN gets in; the words of the other sandbox banks do what they say.",
      de: "Jede PIN wird angenommen; die Wörter der anderen Sandbox-Banken bewirken dasselbe wie dort.",
      fr: "Tout code est accepté ; les mots des autres banques d’essai ont le même effet qu’ailleurs.",
      es: "Vale cualquier PIN; las palabras de los otros bancos de prueba hacen lo mismo que allí.",
    },
  },
  {
    name: "contract",
    kind: "choice",
    label: { en: "Kind of contract", de: "Vertragsart", fr: "Type de contrat", es: "Tipo de contrato" },
    options: [
      { value: "private", label: { en: "Private", de: "Privat", fr: "Particulier", es: "Particular" } },
      { value: "joint", label: { en: "Joint", de: "Gemeinschaftlich", fr: "Joint", es: "Conjunto" } },
      { value: "company", label: { en: "Company", de: "Firma", fr: "Entreprise", es: "Empresa" } },
    ],
  },
  {
    name: "branch",
    kind: "choice",
    label: {
      en: "Country of your branch",
      de: "Land Ihrer Filiale",
      fr: "Pays de votre agence",
      es: "País de su oficina",
    },
    options: Object.keys(sandboxCountries).map((code) => ({ value: code, label: code.toUpperCase() })),
  },
  {
    name: "reference",
    required: false,
    pattern: "[A-Z]{2}-[0-9]{4}",
    label: {
      en: "Adviser's reference",
      de: "Beraterzeichen",
      fr: "Référence du conseiller",
      es: "Referencia del asesor",
    },
    hint: {
      en: "If you have one: two capital letters, a hyphen, four digits.",
      de: "Falls vorhanden: zwei Großbuchstaben, ein Bindestrich, vier Ziffern.",
      fr: "Si vous en avez une : deux majuscules, un tiret, quatre chiffres.",
      es: "Si la tiene: dos mayúsculas, un guion, cuatro cifras.",
    },
  },
];
