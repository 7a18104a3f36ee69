import { wordsOf } from "../../language/language.js";

/** Texts of the screen over all banks. */
export const holdingsWords = wordsOf({
  en: { lead: "What your clients have at all their banks, as last delivered. Currencies are never added up." },
  de: {
    lead: "Was Ihre Kunden bei allen Banken haben, wie zuletzt geliefert. Währungen werden nie zusammengezählt.",
  },
  fr: {
    lead: "Ce que vos clients ont dans toutes leurs banques, selon les dernières données. Les devises ne sont jamais additionnées.",
  },
  es: {
    lead: "Lo que sus clientes tienen en todos sus bancos, según los últimos datos. Las monedas nunca se suman.",
  },
});
