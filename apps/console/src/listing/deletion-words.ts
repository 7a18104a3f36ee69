import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** Texts about what a deletion takes away. */
export const deletionWords = wordsOf({
  en: {
    counting: "Counting what goes with it …",
    notCounted: "What goes with it could not be counted.",
    connections: (count: number) => plural.en(count, "1 connection is deleted", "{n} connections are deleted"),
    rows: (portfolios: string, holdings: string, transactions: string) =>
      `Data deleted: portfolios ${portfolios}, holdings ${holdings}, transactions ${transactions}`,
    letters: (count: number) => plural.en(count, "1 letter ends for good", "{n} letters end for good"),
    sessions: (count: number) =>
      plural.en(
        count,
        "1 open session ends, and its link stops working",
        "{n} open sessions end, and their links stop working",
      ),
    isMore: "There is more than was counted: these numbers are the least.",
  },
  de: {
    counting: "Es wird gezählt, was dazugehört …",
    notCounted: "Was dazugehört, ließ sich nicht zählen.",
    connections: (count: number) => plural.de(count, "1 Verbindung wird gelöscht", "{n} Verbindungen werden gelöscht"),
    rows: (portfolios: string, holdings: string, transactions: string) =>
      `Gelöschte Daten: Portfolios ${portfolios}, Positionen ${holdings}, Umsätze ${transactions}`,
    letters: (count: number) => plural.de(count, "1 Vollmacht endet endgültig", "{n} Vollmachten enden endgültig"),
    sessions: (count: number) =>
      plural.de(
        count,
        "1 offene Sitzung endet, und ihr Link führt nirgends mehr hin",
        "{n} offene Sitzungen enden, und ihre Links führen nirgends mehr hin",
      ),
    isMore: "Es gibt mehr, als gezählt wurde: Das sind die Mindestzahlen.",
  },
  fr: {
    counting: "Calcul de ce qui en dépend…",
    notCounted: "Ce qui en dépend n’a pas pu être compté.",
    connections: (count: number) => plural.fr(count, "{n} connexion est supprimée", "{n} connexions sont supprimées"),
    rows: (portfolios: string, holdings: string, transactions: string) =>
      `Données supprimées : portefeuilles ${portfolios}, positions ${holdings}, opérations ${transactions}`,
    letters: (count: number) =>
      plural.fr(count, "{n} lettre prend fin définitivement", "{n} lettres prennent fin définitivement"),
    sessions: (count: number) =>
      plural.fr(
        count,
        "{n} session ouverte prend fin, et son lien ne fonctionne plus",
        "{n} sessions ouvertes prennent fin, et leurs liens ne fonctionnent plus",
      ),
    isMore: "Il y en a plus que ce qui a été compté : ces nombres sont des minimums.",
  },
  es: {
    counting: "Contando lo que depende de ello…",
    notCounted: "No se ha podido contar lo que depende de ello.",
    connections: (count: number) => plural.es(count, "Se elimina 1 conexión", "Se eliminan {n} conexiones"),
    rows: (portfolios: string, holdings: string, transactions: string) =>
      `Datos eliminados: carteras ${portfolios}, posiciones ${holdings}, movimientos ${transactions}`,
    letters: (count: number) =>
      plural.es(count, "1 carta termina definitivamente", "{n} cartas terminan definitivamente"),
    sessions: (count: number) =>
      plural.es(
        count,
        "1 sesión abierta termina y su enlace deja de funcionar",
        "{n} sesiones abiertas terminan y sus enlaces dejan de funcionar",
      ),
    isMore: "Hay más de lo que se ha contado: estas cifras son las mínimas.",
  },
});
