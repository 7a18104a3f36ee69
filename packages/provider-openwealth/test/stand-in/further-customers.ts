import { type BankCustomer, daysBefore } from "./larkspur-at-bank.js";
import { account, type BankPosition, cash, instrument, position } from "./positions.js";
import { transaction } from "./transactions.js";

/** A company with `count` accounts; every third is a cash account, and each holds one or two positions. */
export function companyWithAccounts(id: string, count: number): BankCustomer {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const accounts = numbers.map((number) =>
    number % 3 === 0
      ? account(`${id}-cash-${number}`, "cashAccount", "CHF", { number: `9-${number}`, balance: `${number}.05` })
      : account(`${id}-depot-${number}`, "safekeepingAccount", "CHF", { number: `9-${number}` }),
  );
  const positions = accounts.flatMap((held, number): readonly BankPosition[] => {
    if (number % 3 === 0) {
      return [
        position(`${id}-p-${number}`, held, cash("CHF"), {
          units: `${number}.05`,
          value: `${number}.05`,
          currency: "CHF",
        }),
      ];
    }
    const units = String(number);
    const value = `${number * 81}.00`;
    const shares = instrument("equity", "Nestlé SA", { isin: "CH0038863350" });
    const fund = instrument("fund", `Fund of account ${number}`, { otherProprietaryIdentification: `fund-${number}` });
    return [
      position(`${id}-p-${number}`, held, shares, { units, value, currency: "CHF", price: "81.00" }),
      position(`${id}-q-${number}`, held, fund, { units, value, currency: "CHF", price: "81.00" }),
    ];
  });
  return { id, number: "9", currency: "CHF", accounts, positions, transactions: [] };
}

/**
 * A customer with figures that a double cannot hold or would write differently, and with records that the specification allows and few banks use:
 * exponents, an empty account, positions without a price, one security in two positions.
 */
export function customerOfOddities(id: string, today: string): BankCustomer {
  const depot = account(`${id}-depot`, "safekeepingAccount", "USD");
  const money = account(`${id}-cash`, "cashAccount", "USD", { balance: "9007199254740993.01" });
  const empty = account(`${id}-empty`, "cashAccount", "JPY", { iban: "CH3908704016075473007" });
  const bond = instrument("bond", "Bond with many digits", { cusip: "037833CJ7" });
  const held = (number: number, units: string, value: string, price?: string) =>
    position(`${id}-${number}`, depot, number < 2 ? bond : instrument("equity", `Share ${number}`), {
      units,
      value,
      currency: "USD",
      ...(price ? { price } : {}),
    });
  // Exponents must be expanded: customers never see them.
  const large = held(4, "1.5E+3", "125e-2");
  const booked = (number: number, value: string) =>
    transaction(`${id}-t-${number}`, id, {
      type: "other",
      date: daysBefore(today, 3),
      text: 'Sundry <b>&amp;" </b>',
      cash: [{ type: "cash", account: money, position: `${id}-9`, currency: "USD", value }],
      postings: [[money, value, "USD"]],
      shows: { cash: { [`${id}-cash USD`]: value }, units: {} },
    });
  return {
    id,
    number: "7",
    currency: "USD",
    accounts: [depot, money, empty],
    positions: [
      held(0, "12345678901234567890.123456789", "0.30000000000000000004", "0.1"),
      held(1, "0.10", "1.10", "100.000"),
      held(2, "1000000", "99999999999999999.99"),
      held(3, "0.000000000001", "-0.01"),
      { ...large, truth: { ...large.truth, amount: "1500", balance: "1.25" } },
      position(`${id}-9`, money, cash("USD"), {
        units: "9007199254740993.01",
        value: "9007199254740993.01",
        currency: "USD",
      }),
    ],
    transactions: [booked(0, "0.10000000000000000555"), booked(1, "-9007199254740993.01"), booked(2, "100.00")],
  };
}

/** A customer that holds nothing yet. */
export function emptyCustomer(id: string): BankCustomer {
  return { id, number: "0", currency: "EUR", accounts: [], positions: [], transactions: [] };
}
