import type { TransactionKind } from "@org/provider-kit";
import { type FieldName, fieldNames } from "./mapping.js";
import { wordKey } from "./name-key.js";

/** What a column holds: a field of a row, the account, a word for the kind of transaction, or whether it was carried out. */
export type ColumnRole = FieldName | "account" | "kind_word" | "status";

/** All roles of columns. */
export const columnRoles: readonly ColumnRole[] = [...fieldNames, "account", "kind_word", "status"];

/** Column names in English, German, French, Italian, Spanish, Dutch and Swedish, as {@link wordKey}s. The first role that has the word wins. */
export const headerWords: readonly (readonly [role: ColumnRole, words: readonly string[]])[] = split([
  ["isin", "isin, isin code, instrument isin, isin-code, code isin, codice isin, código isin"],
  [
    "settlement_date",
    "value date, settlement date, valuta, valutadatum, valutadato, date de valeur, data valuta, fecha valor, likviddag, settlementdate, settle date, wertstellung, wertstellung (valuta), valutatag, date valeur",
  ],
  [
    "date",
    "date, trade date, tradedate, transaction date, booking date, datum, buchungstag, buchungsdatum, handelstag, date opération, date d'opération, data, data operazione, fecha, fecha operación, boekdatum, transactiedatum, affärsdag, bokföringsdag, time, timestamp, position date, valuation date, stichtag, bewertungsdatum, bewertungstag, per, run date, activity date, transactiondate, execution date, buchtag, buchung, geschäftstag, schlusstag, handelsdatum, transaktionsdatum, ausführungsdatum, ausführung datum, date de transaction, date d'exécution, data esecuzione, fecha de operación, date de valorisation, date d'évaluation, data valutazione, data di valutazione, fecha de valoración, waarderingsdatum, värderingsdag",
  ],
  [
    "kind_word",
    "type, transaction, transaction type, action, art, buchungsart, vorgang, transaktionstyp, transaktion, type d'opération, opération, tipo, tipo operazione, operación, tipo de operación, soort, type mutatie, transactietype, typ, typ av transaktion, category, event, transaktionen, trans code, umsatzart, geschäftsart, transaktionsart, auftragsart, richtung, activity type, trade type, transactiontype, side, type de transaction, causale, buy/sell, asset class, asset category, anlageklasse",
  ],
  [
    "account",
    "account, account number, portfolio, depot, depotnummer, konto, kontonummer, portfolionummer, compte, numéro de compte, conto, cuenta, portefeuille, rekening, depå, client id, account #, account no., account id, depot-nr., depotnr., depot nr., numéro de compte, numero conto, rekeningnummer",
  ],
  [
    "currency",
    "currency, ccy, währung, whg, devise, monnaie, valuta mutatie, divisa, moneda, munt, transaktionsvaluta, instrument currency, currencyprimary",
  ],
  [
    "units",
    "quantity, units, units held, quantity held, shares, number of shares, no. of shares, nominal, stück, anzahl, menge, nominale, bestand, quantité, nombre, quantità, cantidad, títulos, aantal, volume, antal, qty, qty (quantity), stück / nom., stück/nominale, stück / nominale, stück/nom., nominal/stück, stückzahl, anteile, parts, participaciones",
  ],
  [
    "price",
    "price, unit price, last price, stückpreis, prix unitaire, share price, kurs, preis, cours, prix, prezzo, precio, koers, prijs, tradeprice, price / share, price per share, execution price, average price, avg price, ausführungskurs, ausführung kurs, abrechnungskurs, handelskurs, stückkurs, cours d'exécution",
  ],
  [
    "value",
    "value, market value, total value, current value, marktwert, kurswert, bewertung, valeur, valorisation, controvalore, valore, valor de mercado, marktwaarde, waarde, marknadsvärde, värde, mkt val, position value, aktueller wert, gesamtwert",
  ],
  [
    "cash",
    "amount, net amount, total, betrag, nettobetrag, montant, montant net, importo, importo euro, importe, importe neto, bedrag, belopp, cash flow, proceeds, total amount, net proceeds, net cash amount, umsatz, endbetrag, ausmachender betrag, gesamtbetrag, abrechnungsbetrag, zahlungsbetrag, montant total, importe total",
  ],
  [
    "fees",
    "fees, fee, commission, commission fees, costs, fees & comm, gebühren, gebühr, spesen, frais, commissione, commissioni, comisión, kosten, courtage, ibcommission, commissions and fees, provision, orderprovision, entgelt, entgelte, transaktionskosten, frais de courtage",
  ],
  [
    "taxes",
    "tax, taxes, withholding tax, steuer, steuern, impôt, imposta, impuesto, retención, belasting, skatt, kapitalertragsteuer, abgeltungsteuer, quellensteuer, verrechnungssteuer, impôts, ritenuta",
  ],
  [
    "accrued_interest",
    "accrued interest, marchzins, aufgelaufene zinsen, stückzinsen, intérêts courus, rateo, cupón corrido, opgelopen rente, upplupen ränta",
  ],
  [
    "cost",
    "cost, cost basis, einstandswert, prix de revient, costo, coste, aankoopwaarde, anskaffningsvärde, cost basis total, book value, book cost, kaufwert, anschaffungswert",
  ],
  [
    "name",
    "name, instrument, security, investment name, product, asset name, bezeichnung, wertpapier, titel, libellé, valeur mobilière, titolo, descrizione, naam, värdepapper, värdepapper/beskrivning, security name, security description, instrument name, stock, fund, fonds, wertpapiername, wertpapierbezeichnung, titelbezeichnung, nom, dénomination, denominazione",
  ],
  [
    "description",
    "description, text, buchungstext, beschreibung, comment, notes, omschrijving, descripción, concepto, beskrivning",
  ],
  ["ticker", "symbol, ticker, instrument symbol, asset"],
  ["status", "status, state, order status, auftragsstatus, statut, stato, estado, orderstatus"],
  ["wkn", "wkn"],
  ["valor", "valor, valoren, valorennummer, valor no., valor nr., valoren-nr., valoren nr., numéro de valeur"],
  ["cusip", "cusip"],
  ["sedol", "sedol"],
  [
    "key",
    "id, transaction id, reference, referenz, référence, riferimento, referencia, referentie, order id, tradeid, trade id, order-id, ta-nr., referenznummer, auftragsnummer",
  ],
]);

/** Words that a name of a column of currencies begins or ends with: `Währung Nettobetrag`, `Currency (Total)`, `Kontowährung`. */
export const currencyWords = keysOf("currency, ccy, währung, whg, devise, monnaie, divisa, moneda, munt, valuta");

/** Words of a status column for what was carried out, and for what was not. */
export const statusWords = {
  done: keysOf(
    "executed, filled, completed, complete, done, settled, booked, posted, processed, confirmed, ausgeführt, gebucht, abgeschlossen, abgerechnet, exécuté, exécutée, comptabilisé, eseguito, eseguita, contabilizzato, ejecutado, ejecutada, uitgevoerd, geboekt, utförd, avslutad",
  ),
  undone: keysOf(
    "cancelled, canceled, rejected, expired, failed, pending, open, declined, storniert, abgelehnt, gestrichen, abgebrochen, offen, vorgemerkt, verfallen, annulé, annulée, rejeté, en attente, annullato, annullata, rifiutato, cancelado, cancelada, rechazado, pendiente, geannuleerd, afgewezen, makulerad, avbruten",
  ),
} as const;

/** Texts of a row of totals below a table. */
export const totalWords = keysOf(
  "total, totals, grand total, account total, positions total, transactions total, summe, gesamt, gesamtsumme, total général, somme, totale, totaal, suma, summa, totalt",
);

/** Beginnings of words that stand for kinds of transactions. */
export const kindWords: readonly (readonly [kind: TransactionKind, beginnings: readonly string[]])[] = split([
  [
    "tax",
    "tax, foreign tax, withholding, steuer, quellensteuer, impôt, ritenuta, rit., imposta, impuesto, retención, belasting, dividendbelasting, skatt, källskatt, utländsk källskatt",
  ],
  [
    "dividend",
    "dividend, cash dividend, distribution, ausschüttung, ertrag, erträgnis, ertragsgutschrift, dividende, provento, dividendo, utdelning, contant dividend",
  ],
  ["coupon", "coupon, kupon, cedola, cupón"],
  ["interest", "interest, zins, intérêt, interessi, intereses, rente, ränta, credit interest"],
  [
    "fee",
    "fee, custody fee, management fee, advisory fee, entgelt, frais de garde, droits de garde, gebühr, depotgebühr, spesen, frais, commissione, commissioni, comisión, kosten, avgift, courtage",
  ],
  [
    "buy",
    "buy, purchase, savings plan, sparplan, kauf, zeichnung, achat, bought, you bought, erwerb, acquisto, compra, koop, aankoop, köp, market buy, limit buy",
  ],
  ["sell", "sell, sale, verkauf, vente, sold, you sold, vendita, venta, verkoop, sälj, market sell, limit sell"],
  [
    "deposit",
    "deposit, einzahlung, gutschrift, dépôt, versement, versamento, deposito, ingreso, storting, insättning, conferimento",
  ],
  ["withdrawal", "withdrawal, auszahlung, belastung, retrait, prelievo, retirada, reintegro, opname, uttag"],
  ["split", "split, stock split, reverse split, aktiensplit"],
  ["fx", "forex, fx, currency exchange, devisen, change, cambio"],
  ["redemption", "redemption, rückzahlung, tilgung, remboursement, rimborso, amortización, aflossing, inlösen"],
  ["transfer_in", "transfer in, einlieferung"],
  ["transfer_out", "transfer out, auslieferung"],
]);

function split<Name extends string>(lists: readonly (readonly [name: Name, words: string])[]) {
  return lists.map(([name, words]) => [name, keysOf(words)] as const);
}

function keysOf(words: string): readonly string[] {
  return words.split(", ").map(wordKey);
}
