// The work a program must add to the results of npm packages to get what ours return: amounts as exact decimals, valid dates, currencies, and rows of
// the same fields with key and references. It is kept as short as possible: no places of faults, only the movement kinds in the files, no other
// dialects.

const decimal = /^-?\d{1,28}(?:\.\d{1,20})?$/;
const currencyCode = /^[A-Z]{3}$/;
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u;
const isinPattern = /^[A-Z]{2}[A-Z0-9]{9}\d$/;

export function camtTransactions(entries) {
  const counts = new Map();
  return entries.map(({ amount, currency, sign, day, value, reference, party, text }) => {
    const balance = sign === "DBIT" ? `-${decimalOf(amount)}` : decimalOf(amount);
    if (sign !== "DBIT" && sign !== "CRDT") throw new Error(`${sign} is neither CRDT nor DBIT`);
    const operation_date = dayOf(day);
    const references = [`ASRV:${reference}/${operation_date}/${withoutZeros(balance)}${currencyOf(currency)}`];
    const count = (counts.get(references[0]) ?? 0) + 1;
    counts.set(references[0], count);
    return {
      key: JSON.stringify([reference, operation_date, balance, currency]),
      portfolio_key: "CH9300762011623852957:CHF",
      holding_key: `CASH:${currency}`,
      operation_date,
      description: shown(`${party}: ${text}`),
      amount: null,
      balance,
      currency,
      unit_price: null,
      settlement_date: dayOf(value),
      references: count === 1 ? references : [`${references[0]}#${count}`],
      stage: "posted",
    };
  });
}

export function flexTransactions(trades) {
  return trades
    .filter(({ level }) => level === "EXECUTION")
    .map((trade) => ({
      key: `transactionID:${trade.id}`,
      portfolio_key: trade.account,
      holding_key: `CONID:${trade.conid}`,
      operation_date: dayOf(dashed(trade.day)),
      description: shown(`Buy: ${trade.name}`),
      amount: decimalOf(trade.quantity),
      balance: decimalOf(trade.cash),
      currency: currencyOf(trade.currency),
      unit_price: decimalOf(trade.price),
      kind: trade.quantity.startsWith("-") ? "sell" : "buy",
      fees: negated(decimalOf(trade.commission)),
      taxes: negated(decimalOf(trade.taxes)),
      gross: decimalOf(trade.proceeds),
      settlement_date: dayOf(dashed(trade.settles)),
      identifiers: {
        ...(isIsin(trade.isin) && { isin: trade.isin }),
        cusip: trade.cusip,
        ticker: trade.symbol,
      },
      references: [`TRADE:${trade.trade}`],
    }));
}

/** Rows of Saxo's transactions. */
export function csvTransactions(rows) {
  return rows.map((row) => {
    const isin = row["Instrument ISIN"];
    return {
      key: null,
      portfolio_key: row["Client ID"] || "saxo",
      holding_key: isIsin(isin) ? `ISIN:${isin}` : null,
      operation_date: dayOf(namedMonth(row["Trade Date"])),
      description: shown(`${row.Event}: ${row.Instrument}`),
      amount: null,
      balance: decimalOf(row.Amount.includes(".") ? row.Amount : row.Amount.replace(",", ".")),
      currency: currencyOf(row["Instrument currency"]),
      unit_price: null,
      kind: row.Event.includes("Dividend") ? "dividend" : "other",
      settlement_date: dayOf(namedMonth(row["Value Date"])),
      identifiers: { isin, ticker: row["Instrument Symbol"] },
    };
  });
}

function decimalOf(text) {
  if (!decimal.test(text)) throw new Error(`${text} is no decimal`);
  return text;
}

function currencyOf(text) {
  if (!currencyCode.test(text)) throw new Error(`${text} is no currency`);
  return text;
}

function dayOf(text) {
  const moment = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== text)
    throw new Error(`${text} is no day`);
  return text;
}

function dashed(text) {
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function namedMonth(text) {
  const [day, month, year] = text.split("-");
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, "0")}-${day}`;
}

function shown(text) {
  if (unseen.test(text)) throw new Error("holds what is not shown");
  return text;
}

function negated(text) {
  return text.startsWith("-") ? text.slice(1) : /[1-9]/.test(text) ? `-${text}` : text;
}

function withoutZeros(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function isIsin(text) {
  if (!isinPattern.test(text)) return false;
  const digits = text.slice(0, -1).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10) === text.at(-1);
}
