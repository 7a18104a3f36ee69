import type { LackingField } from "@org/bank-providers";
import type { AccessTerms, CredentialField, LocalizedText } from "@org/provider-kit";
import type { QueryFault } from "./statement.js";

const tokenField: CredentialField = {
  name: "token",
  kind: "secret",
  autocomplete: "off",
  pattern: "\\s*\\S{6,200}\\s*",
  label: {
    en: "Flex Web Service token",
    de: "Token des Flex-Webservice",
    fr: "Jeton du service web Flex",
    es: "Token del servicio web Flex",
  },
  hint: {
    en: "A long number.",
    de: "Eine lange Zahl.",
    fr: "Un long nombre.",
    es: "Un número largo.",
  },
};

const queryField: CredentialField = {
  name: "query_id",
  kind: "text",
  autocomplete: "off",
  pattern: "\\s*[0-9]{1,20}\\s*",
  label: {
    en: "Flex query ID",
    de: "ID der Flex-Query",
    fr: "Identifiant de la requête Flex",
    es: "ID de la consulta Flex",
  },
  hint: {
    en: "The number beside your Activity Flex Query: press the i in front of its name.",
    de: "Die Nummer Ihrer Activity Flex Query: Das i vor ihrem Namen zeigt sie.",
    fr: "Le numéro de votre Activity Flex Query : le i devant son nom l’affiche.",
    es: "El número de su Activity Flex Query: la i delante de su nombre lo muestra.",
  },
};

/** A token only reads statements. How far its transactions go back is for the query to say. */
export const terms: AccessTerms = {
  rights: "read",
  howTo: {
    en: "In Client Portal: Performance & Reports, Flex Queries, Flex Web Service Configuration.",
    de: "Im Client Portal: Performance & Berichte, Flex-Queries, Flex-Webservice-Konfiguration.",
    fr: "Dans le Client Portal : Performance et rapports, Requêtes Flex, Configuration du service web Flex.",
    es: "En Client Portal: Rentabilidad e informes, Consultas Flex, Configuración del servicio web Flex.",
  },
  holdings: "daily",
};

/** What a customer enters at login. */
export const loginFields: readonly CredentialField[] = [tokenField, queryField];

/** What a customer is asked for after correcting the query: another query, or nothing. */
export const queryFields: readonly CredentialField[] = [
  {
    ...queryField,
    required: false,
    hint: {
      en: "Leave this empty if you have changed the query that you named before.",
      de: "Lassen Sie das Feld leer, wenn Sie die zuvor genannte Query geändert haben.",
      fr: "Laissez ce champ vide si vous avez modifié la requête indiquée auparavant.",
      es: "Déjelo en blanco si ha modificado la consulta que indicó antes.",
    },
  },
];

type PlainFault = Exclude<QueryFault["fault"], "fields">;

/** What is wrong with a query, and how to correct it. Sections and settings have the names of the institution's pages. */
const queryFaults: Readonly<Record<PlainFault, LocalizedText>> = {
  sections: {
    en: "The Flex query has no section “Open Positions”. Edit it in Client Portal: tick Open Positions, Cash Report, Net Asset Value (NAV) in Base, Trades and Cash Transactions. Save it, then continue here.",
    de: "Die Flex-Query hat keinen Abschnitt „Open Positions“. Bearbeiten Sie sie im Client Portal: Wählen Sie Open Positions, Cash Report, Net Asset Value (NAV) in Base, Trades und Cash Transactions. Speichern Sie sie und fahren Sie dann hier fort.",
    fr: "La requête Flex n’a pas de section « Open Positions ». Modifiez-la dans le Client Portal : cochez Open Positions, Cash Report, Net Asset Value (NAV) in Base, Trades et Cash Transactions. Enregistrez-la, puis continuez ici.",
    es: "La consulta Flex no tiene la sección «Open Positions». Edítela en Client Portal: marque Open Positions, Cash Report, Net Asset Value (NAV) in Base, Trades y Cash Transactions. Guárdela y continúe aquí.",
  },
  confirmations: {
    en: "This is a Trade Confirmation Flex Query, which does not say what is held. Create an Activity Flex Query in Client Portal, and type its ID here.",
    de: "Das ist eine Trade Confirmation Flex Query; sie sagt nicht, was gehalten wird. Legen Sie im Client Portal eine Activity Flex Query an und geben Sie hier deren ID ein.",
    fr: "Il s’agit d’une Trade Confirmation Flex Query, qui ne dit pas ce qui est détenu. Créez une Activity Flex Query dans le Client Portal et saisissez ici son identifiant.",
    es: "Es una Trade Confirmation Flex Query, que no indica lo que se posee. Cree una Activity Flex Query en Client Portal y escriba aquí su ID.",
  },
  dates: {
    en: "The Flex query writes dates that can be read in two ways. Edit it in Client Portal: set Date Format to yyyyMMdd. Save it, then continue here.",
    de: "Die Flex-Query schreibt Daten, die sich auf zwei Arten lesen lassen. Bearbeiten Sie sie im Client Portal: Stellen Sie Date Format auf yyyyMMdd. Speichern Sie sie und fahren Sie dann hier fort.",
    fr: "La requête Flex écrit des dates qui se lisent de deux façons. Modifiez-la dans le Client Portal : réglez Date Format sur yyyyMMdd. Enregistrez-la, puis continuez ici.",
    es: "La consulta Flex escribe fechas que pueden leerse de dos maneras. Edítela en Client Portal: ponga Date Format en yyyyMMdd. Guárdela y continúe aquí.",
  },
  accounts: {
    en: "The Flex query covers no account. Edit it in Client Portal and select your accounts. Save it, then continue here.",
    de: "Die Flex-Query umfasst kein Konto. Bearbeiten Sie sie im Client Portal und wählen Sie Ihre Konten aus. Speichern Sie sie und fahren Sie dann hier fort.",
    fr: "La requête Flex ne couvre aucun compte. Modifiez-la dans le Client Portal et sélectionnez vos comptes. Enregistrez-la, puis continuez ici.",
    es: "La consulta Flex no incluye ninguna cuenta. Edítela en Client Portal y seleccione sus cuentas. Guárdela y continúe aquí.",
  },
  format: {
    en: "The Flex query delivers a table of text. Edit it in Client Portal: set Format to XML. Save it, then continue here.",
    de: "Die Flex-Query liefert eine Texttabelle. Bearbeiten Sie sie im Client Portal: Stellen Sie Format auf XML. Speichern Sie sie und fahren Sie dann hier fort.",
    fr: "La requête Flex livre un tableau de texte. Modifiez-la dans le Client Portal : réglez Format sur XML. Enregistrez-la, puis continuez ici.",
    es: "La consulta Flex entrega una tabla de texto. Edítela en Client Portal: ponga Format en XML. Guárdela y continúe aquí.",
  },
};

/** The same in short, for the log. */
const queryFaultsForLog: Readonly<Record<PlainFault, string>> = {
  sections: "the Flex query has no section Open Positions any more",
  confirmations: "the Flex query is one of trade confirmations",
  dates: "the Flex query writes dates that can be read in two ways",
  accounts: "the Flex query covers no account any more",
  format: "the Flex query does not deliver XML any more",
};

/** What the institution's pages call sections and fields, by their names in a statement; others are called as there. */
const titles: Readonly<Record<string, string>> = {
  OpenPositions: "Open Positions",
  CashReport: "Cash Report",
  CashTransactions: "Cash Transactions",
  CorporateActions: "Corporate Actions",
  TransactionTaxes: "Transaction Fees",
  SalesTaxes: "Sales Tax",
  OptionEAE: "Option Exercises, Assignments and Expirations",
  currency: "Currency",
  position: "Quantity",
  quantity: "Quantity",
  amount: "Amount",
  conid: "Conid",
  endingCash: "Ending Cash",
  tradeDate: "Trade Date",
  dateTime: "Date/Time",
  taxAmount: "Tax Amount",
  salesTax: "Sales Tax",
};

const titleOf = (name: string) => (Object.hasOwn(titles, name) ? (titles[name] ?? name) : name);

/** Fields by section: `Currency, Amount (Cash Transactions); Currency (Trades)`. */
function fieldsBySection(lacking: readonly LackingField[]): string {
  const sections = new Map<string, string[]>();
  for (const { section, field } of lacking) sections.set(section, [...(sections.get(section) ?? []), titleOf(field)]);
  return [...sections].map(([section, fields]) => `${fields.join(", ")} (${titleOf(section)})`).join("; ");
}

/** What a customer is told about their query. */
export function faultForCustomer(query: QueryFault): LocalizedText {
  if (query.fault !== "fields") return queryFaults[query.fault];
  const fields = fieldsBySection(query.lacking);
  return {
    en: `The Flex query lacks fields of its sections: ${fields}. Edit it in Client Portal: open each of these sections and tick the fields, or Select All. Save it, then continue here.`,
    de: `Der Flex-Query fehlen Felder ihrer Abschnitte: ${fields}. Bearbeiten Sie sie im Client Portal: Öffnen Sie jeden dieser Abschnitte und wählen Sie die Felder oder Select All. Speichern Sie sie und fahren Sie dann hier fort.`,
    fr: `Il manque à la requête Flex des champs de ses sections : ${fields}. Modifiez-la dans le Client Portal : ouvrez chacune de ces sections et cochez les champs, ou Select All. Enregistrez-la, puis continuez ici.`,
    es: `A la consulta Flex le faltan campos de sus secciones: ${fields}. Edítela en Client Portal: abra cada una de estas secciones y marque los campos, o Select All. Guárdela y continúe aquí.`,
  };
}

/** What the log is told about a query. */
export function faultForLog(query: QueryFault): string {
  if (query.fault !== "fields") return queryFaultsForLog[query.fault];
  return `the Flex query lacks fields: ${query.lacking.map(({ section, field }) => `${section} ${field}`).join(", ")}`;
}
