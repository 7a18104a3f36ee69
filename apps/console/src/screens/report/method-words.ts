import { wordsOf } from "../../language/language.js";
import { plural } from "../../language/plural.js";

/** Why a return is not stated, and how figures are reckoned. Days and amounts come as the language writes them. */
export const methodWords = wordsOf({
  en: {
    refused: "The returns are not stated, because they would be a guess:",
    refusedValue: "Not stated, because it would be a guess:",
    despite: "The returns are stated although this is missing:",
    oneCurrency: "The portfolios are in several currencies. Returns need one: choose a currency for the report.",
    method: (facts: { days: string; rules: number | null; estimated: number | null }) => [
      `Values are those that the banks state, at the close of a day. The last one is carried for at most ${facts.days}; after that it is missing, and a sum that lacks something says so.`,
      `The time-weighted return links the returns between all days with a value, so that payments in and out do not change it.${facts.estimated ? plural.en(facts.estimated, " In 1 case payments came between two values and were weighted by days (Modified Dietz).", " In {n} cases payments came between two values and were weighted by days (Modified Dietz).") : ""} The money-weighted return is the rate at which values and payments balance, for the whole period (the formula of XIRR).`,
      "Returns are after all costs and taxes. “Before fees” adds back the fees that were charged separately, “before fees and taxes” also taxes; costs within purchases and sales stay. Payments between accounts of this report are no payments in or out.",
      "Gains of holdings are not realised: value less cost, both at the exchange rate of the day, without cash. Income is by the day of the transaction.",
      `${facts.rules === null ? "" : `Version ${facts.rules} of the rules. `}This report does not claim compliance with the GIPS standards.`,
    ],
  },
  de: {
    refused: "Die Renditen sind nicht ausgewiesen, weil sie geraten wären:",
    refusedValue: "Nicht ausgewiesen, weil es geraten wäre:",
    despite: "Die Renditen sind ausgewiesen, obwohl dies fehlt:",
    oneCurrency:
      "Die Portfolios haben mehrere Währungen. Renditen brauchen eine: Wählen Sie eine Währung für den Bericht.",
    method: (facts: { days: string; rules: number | null; estimated: number | null }) => [
      `Die Werte sind die, die die Banken nennen, am Ende eines Tages. Der letzte gilt höchstens ${facts.days} weiter; danach fehlt er, und eine Summe, der etwas fehlt, sagt es.`,
      `Die zeitgewichtete Rendite verkettet die Renditen zwischen allen Tagen mit einem Wert, sodass Ein- und Auszahlungen sie nicht ändern.${facts.estimated ? plural.de(facts.estimated, " In 1 Fall lagen Zahlungen zwischen zwei Werten und wurden nach Tagen gewichtet (Modified Dietz).", " In {n} Fällen lagen Zahlungen zwischen zwei Werten und wurden nach Tagen gewichtet (Modified Dietz).") : ""} Die geldgewichtete Rendite ist der Satz, bei dem Werte und Zahlungen aufgehen, für den ganzen Zeitraum (Formel von XINTZINSFUSS).`,
      "Die Renditen sind nach allen Kosten und Steuern. „Vor Gebühren“ rechnet gesondert belastete Gebühren zurück, „vor Gebühren und Steuern“ auch Steuern; Kosten in Käufen und Verkäufen bleiben. Zahlungen zwischen Konten dieses Berichts sind keine Zu- oder Abflüsse.",
      "Gewinne von Beständen sind nicht realisiert: Wert weniger Einstand, beide zum Wechselkurs des Tages, ohne Liquidität. Erträge zählen am Tag des Umsatzes.",
      `${facts.rules === null ? "" : `Version ${facts.rules} der Regeln. `}Dieser Bericht erhebt nicht den Anspruch, den GIPS-Standards zu entsprechen.`,
    ],
  },
  fr: {
    refused: "Les rendements ne sont pas indiqués, car ils seraient devinés :",
    refusedValue: "Non indiqué, car ce serait deviné :",
    despite: "Les rendements sont indiqués bien que ceci manque :",
    oneCurrency:
      "Les portefeuilles sont en plusieurs devises. Les rendements en demandent une : choisissez une devise pour le rapport.",
    method: (facts: { days: string; rules: number | null; estimated: number | null }) => [
      `Les valeurs sont celles que les banques indiquent, à la fin d’un jour. La dernière est reprise pendant ${facts.days} au plus ; ensuite elle manque, et une somme à laquelle il manque quelque chose le dit.`,
      `Le rendement pondéré par le temps enchaîne les rendements entre tous les jours évalués ; les apports et retraits ne le changent donc pas.${estimatedIn(facts.estimated)} Le rendement pondéré par les capitaux est le taux qui équilibre valeurs et paiements, pour toute la période (formule de TRI.PAIEMENTS).`,
      "Les rendements sont nets de tous frais et impôts. « Avant frais » rajoute les frais prélevés séparément, « avant frais et impôts » aussi les impôts ; les frais compris dans les achats et les ventes restent. Les paiements entre comptes de ce rapport ne sont ni des apports ni des retraits.",
      "Les gains des positions ne sont pas réalisés : valeur moins coût d’achat, tous deux au taux de change du jour, sans liquidités. Les revenus comptent au jour du mouvement.",
      `${facts.rules === null ? "" : `Version ${facts.rules} des règles. `}Ce rapport ne prétend pas à la conformité aux normes GIPS.`,
    ],
  },
  es: {
    refused: "No se indican las rentabilidades, porque serían una conjetura:",
    refusedValue: "No se indica, porque sería una conjetura:",
    despite: "Las rentabilidades se indican aunque falta esto:",
    oneCurrency:
      "Las carteras están en varias monedas. Las rentabilidades necesitan una: elija una moneda para el informe.",
    method: (facts: { days: string; rules: number | null; estimated: number | null }) => [
      `Los valores son los que indican los bancos, al cierre de un día. El último se mantiene como máximo ${facts.days}; después falta, y una suma a la que le falta algo lo dice.`,
      `La rentabilidad ponderada por el tiempo encadena las rentabilidades entre todos los días con valor, de modo que las aportaciones y retiradas no la cambian.${facts.estimated ? plural.es(facts.estimated, " En 1 caso hubo pagos entre dos valores, que se ponderaron por días (Dietz modificado).", " En {n} casos hubo pagos entre dos valores, que se ponderaron por días (Dietz modificado).") : ""} La rentabilidad ponderada por el dinero es la tasa que equilibra valores y pagos, para todo el periodo (fórmula de TIR.NO.PER).`,
      "Las rentabilidades son después de todos los costes e impuestos. «Antes de comisiones» suma las comisiones cobradas por separado, «antes de comisiones e impuestos» también los impuestos; los costes dentro de compras y ventas se quedan. Los pagos entre cuentas de este informe no son aportaciones ni retiradas.",
      "Las ganancias de las posiciones no están realizadas: valor menos coste, ambos al tipo de cambio del día, sin liquidez. Los rendimientos cuentan el día del movimiento.",
      `${facts.rules === null ? "" : `Versión ${facts.rules} de las reglas. `}Este informe no pretende cumplir las normas GIPS.`,
    ],
  },
});

/** What the French method says about parts that were estimated. */
function estimatedIn(estimated: number | null): string {
  return estimated
    ? plural.fr(
        estimated,
        " Dans {n} cas, des paiements sont intervenus entre deux valeurs et ont été pondérés par jours (Dietz modifié).",
        " Dans {n} cas, des paiements sont intervenus entre deux valeurs et ont été pondérés par jours (Dietz modifié).",
      )
    : "";
}
