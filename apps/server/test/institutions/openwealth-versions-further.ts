import { daysBefore } from "../../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import type { HeldAccount, HeldBooking, HeldCustomer, HeldPosition, Product } from "./openwealth-versions-book.js";
import {
  identificationTypes,
  paymentFrequencies,
  transactionDates,
  type Version,
  values,
} from "./openwealth-versions-values.js";

const share: Product = { name: "Nestlé SA", scheme: "isin", identification: "CH0038863350", cfi: "ESVUFR" };

function depotOf(id: string, currency = "CHF"): HeldAccount {
  return { id: `${id}-depot`, type: "safekeepingAccount", currency };
}

function cashOf(id: string, currency = "CHF"): HeldAccount {
  return { id: `${id}-cash`, type: "cashAccount", currency };
}

function holding(
  id: string,
  account: HeldAccount,
  product: Product,
  figures: Partial<HeldPosition> = {},
): HeldPosition {
  return {
    id,
    account,
    product,
    name: product.name,
    units: "10",
    unit_type: "unitsNumber",
    currency: account.currency,
    price_type: "perUnit",
    price: "81.00",
    value: "810.00",
    ...figures,
  };
}

function balance(id: string, account: HeldAccount, units: string, more: Partial<HeldPosition> = {}): HeldPosition {
  const name = `Cash ${account.currency}`;
  return { id, account, name, units, unit_type: "nominal", currency: account.currency, price_type: "perUnit", ...more };
}

/** A company with `count` accounts; every third is a cash account. Lists page by account, whatever is in one. */
export function companyOf(id: string, count: number): HeldCustomer {
  const accounts = Array.from({ length: count }, (_, number) =>
    number % 3 === 0 ? cashOf(`${id}-${number}`) : depotOf(`${id}-${number}`),
  );
  const positions = accounts.flatMap((account, number) =>
    number % 3 === 0
      ? [balance(`${id}-p-${number}`, account, `${number}.05`)]
      : [
          holding(`${id}-p-${number}`, account, share),
          holding(`${id}-q-${number}`, account, { ...share, name: `Fund of account ${number}`, cfi: "CIOIES" }),
        ],
  );
  return { id, currency: "CHF", accounts, positions, bookings: [] };
}

/** A customer that holds nothing yet. */
export function nobodyOf(id: string): HeldCustomer {
  return { id, currency: "EUR", accounts: [], positions: [], bookings: [] };
}

/**
 * A customer with figures that a double cannot hold or would write differently, and with rows that the description
 * allows and few banks send: no sign, no price, no value, no date of the transaction, no movements, an empty account,
 * one security twice.
 */
export function odditiesOf(version: Version, id: string, today: string): HeldCustomer {
  const isNumber = version === "1.1";
  const depot = depotOf(id, "USD");
  const money = cashOf(id, "USD");
  const empty: HeldAccount = { id: `${id}-empty`, type: "cashAccount", currency: "JPY", iban: "CH3908704016075473007" };
  const long = "Ä".repeat(70);
  const bond: Product = { name: long, scheme: "cusip", identification: "037833CJ7", cfi: "DBFTFR" };
  // Twelve digits before the point and nine after it are the most that a string may have.
  const much = isNumber ? "12345678901234567890.123456789" : "123456789012.123456789";
  const little = isNumber ? "0.30000000000000000004" : "0.000000003";
  const cash = isNumber ? "9007199254740993.01" : "900719925474.099301";
  const booked = (number: number, amount: string, more: Partial<HeldBooking> = {}): HeldBooking => {
    const date = daysBefore(today, 3);
    return {
      id: `${id}-t-${number}`,
      dates: { transactionDate: date, bookingDate: date, valueDate: date },
      type: "others",
      subtype: version === "2.0" ? "other" : "Other",
      details: 'Sundry <b>&amp;" </b>',
      movements: [{ type: "others", account: money, currency: "USD", amount, unit_type: "nominal" }],
      postings: [[money, amount]],
      shows: { cash: [[money, amount]], units: {} },
      ...more,
    };
  };
  return {
    id,
    currency: "USD",
    accounts: [depot, money, empty],
    positions: [
      holding(`${id}-0`, depot, bond, { units: much, value: little, price: "0.1" }),
      holding(`${id}-1`, depot, bond, { units: "0.10", value: "1.10", price: "100.000" }),
      // Leading zeros are within the pattern of the strings; JSON has no such numbers.
      isNumber
        ? holding(`${id}-2`, depot, share, {
            units: "1.5E+3",
            value: "125e-2",
            shows: { amount: "1500", balance: "1.25" },
          })
        : holding(`${id}-2`, depot, share, {
            units: "001500",
            value: "01.25",
            shows: { amount: "1500", balance: "1.25" },
          }),
      withoutPrice(holding(`${id}-3`, depot, { ...share, name: "Not priced" }, { units: "0.000000001" })),
      withoutValue(holding(`${id}-4`, depot, { ...share, name: "Not valued" }, { price: "1.5" })),
      holding(`${id}-5`, depot, { ...share, name: "Worth nothing" }, { units: "1000000", value: "0", price: "0" }),
      balance(`${id}-9`, money, cash, version === "2.0" ? {} : { isUnsigned: true }),
    ],
    bookings: [
      booked(0, isNumber ? "0.10000000000000000555" : "0.100000001"),
      booked(1, `-${cash}`),
      booked(2, "100.00", { dates: { bookingDate: daysBefore(today, 3) } }),
      withoutMovements(booked(3, "0")),
    ],
  };
}

function withoutPrice({ price: _, value: __, ...held }: HeldPosition): HeldPosition {
  return held;
}

function withoutValue({ value: _, ...held }: HeldPosition): HeldPosition {
  return held;
}

function withoutMovements({ movements: _, postings: __, ...booking }: HeldBooking): HeldBooking {
  return { ...booking, shows: { cash: [], units: {} } };
}

/** A customer whose positions and bookings have every value of the description's enumerations. */
export function everyKindOf(version: Version, id: string, today: string): HeldCustomer {
  const words = values[version];
  const depot = depotOf(id);
  const money = cashOf(id);
  const product = (name: string, more: Partial<Product>): Product => ({
    ...share,
    name,
    identification: name,
    ...more,
  });
  const products = [
    ...identificationTypes.map((scheme) => product(`By ${scheme}`, { scheme, identification: `id-${scheme}` })),
    product("Every date", { dates: Object.fromEntries(words.instrumentDate.map((type) => [type, "2027-06-27"])) }),
    product("Every price", {
      prices: words.instrumentPrice.map((type) => ({ type, amount: "12.5", currency: "CHF" })),
    }),
    ...words.optionStyle.flatMap((style) =>
      (["call", "put"] as const).map((type) => product(`${style} ${type}`, { option: { type, style }, cfi: "OC" })),
    ),
    ...words.dayCountBasis.map((basis, number) =>
      product(basis, {
        cfi: "DBFTFR",
        interest: {
          rate: "0.0125",
          currency: "CHF",
          day_count: basis,
          frequency: paymentFrequencies[number % paymentFrequencies.length] ?? "other",
        },
      }),
    ),
    // The shortest that is allowed, and each category of ISO 10962.
    ...(version === "2.0" ? [..."ECDROFSHIJKLTM"].map((cfi) => product(`Category ${cfi}`, { cfi: `${cfi}M` })) : []),
  ];
  const booked = (name: string, number: number, more: Partial<HeldBooking>): HeldBooking => {
    const date = daysBefore(today, 1 + (number % 5));
    return {
      id: `${id}-${name}`,
      dates: { transactionDate: date, bookingDate: date, valueDate: date },
      type: "others",
      subtype: version === "2.0" ? "other" : "Other",
      movements: [{ type: "cash", account: money, currency: "CHF", amount: "1.25", unit_type: "nominal" }],
      postings: [[money, "1.25"]],
      shows: { cash: [[money, "1.25"]], units: {} },
      ...more,
    };
  };
  const moved = words.movementType.map((type) => ({
    type,
    account: type === "security" ? depot : money,
    currency: "CHF",
    amount: "1",
    unit_type: type === "security" ? ("unitsNumber" as const) : ("nominal" as const),
    ...(type === "security" ? { product: share, position: `${id}-0` } : {}),
  }));
  return {
    id,
    currency: "CHF",
    accounts: [depot, money],
    positions: [
      ...products.map((one, number) => holding(`${id}-${number}`, depot, one)),
      balance(`${id}-cash`, money, "100"),
    ],
    bookings: [
      ...words.transactionType.map((type, number) => booked(`type-${number}`, number, { type })),
      ...words.transactionSubtype.map((subtype, number) => booked(`sub-${number}`, number, { subtype })),
      ...words.fxType.map((type, number) =>
        booked(`rate-${number}`, number, { type: "fx", rate: { from: "CHF", rate: "1.0963", to: "EUR", type } }),
      ),
      booked("moved", 4, {
        movements: moved,
        postings: [[money, `${moved.length - 1}`]],
        shows: { cash: [[money, `${moved.length - 1}`]], units: { [`${id}-0`]: "1" } },
      }),
      booked("dated", 5, {
        dates: Object.fromEntries(transactionDates.map((type) => [type, daysBefore(today, 6)])),
      }),
    ],
  };
}
