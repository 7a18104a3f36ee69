import { createHash } from "node:crypto";

/** The catalogue row that all connections belong to. */
export const CONNECTOR = "esp:bank-000";
/** Movements lie between the first day of the year before and yesterday. */
export const THIS_YEAR = new Date().getUTCFullYear();
const DAY_MS = 86_400_000;
const OLD_DATA = "2009-03-31";

/**
 * The banks of both tenants. `accounts` lists name, currency, type and account number; `sizes` is the number of holdings of each account in the
 * small and in the large tenant; `known` are holdings of the first account with a name and an ISIN that questions use.
 */
const sharedBanks = [
  {
    name: "Alpina Privatbank",
    accounts: [
      ["Managed mandate", "CHF", "M", "CH93 0076 2011 6238 5295 7"],
      ["Euro depot", "EUR", "S", "CH93 0076 2011 6238 5296 0"],
    ],
    sizes: [9, 220],
    known: ["Nestlé SA", "Roche Holding AG", "Novartis AG"],
  },
  {
    name: "Banco Norte",
    accounts: [
      ["Fund account", "EUR", "F", "ES91 2100 0418 4502 0005 1332"],
      ["Pension plan", "EUR", "PP", "A-12"],
    ],
    sizes: [12, 250],
    known: ["ASML Holding NV", "Siemens AG"],
  },
  {
    name: "Banco Norte",
    accounts: [["Securities account", "USD", "S", "ES91 2100 0418 4502 0009 9001"]],
    sizes: [14, 300],
    known: ["Apple Inc.", "Nestlé SA"],
  },
  { name: "Caja Sur", state: "blocked", accounts: [["Savings depot", "EUR", "S", null]], sizes: [10, 200] },
  { name: "Ems Kasse", state: "refused", accounts: null, sizes: [0, 0] },
  { name: "Faro Bank", state: "pending", accounts: null, sizes: [0, 0] },
  {
    name: "Global Broker",
    state: "second factor",
    accounts: [
      ["Trading account", "USD", "S", "GB-7781-0042"],
      ["Derivatives account", "USD", "DV", "GB-7781-0043"],
    ],
    sizes: [22, 600],
    known: ["Nestlé SA", "Apple Inc."],
    hasContracts: true,
  },
];

const largeTenantsBanks = [
  { name: "Hafen Invest", consentDays: 9, accounts: [["Depot", "EUR", "S", "DE02 1203 0000 0000 2020 51"]], size: 220 },
  {
    name: "Jota Bank",
    state: "portfolio failed",
    accounts: [["Custody account", "EUR", "S", "PT50 0002 0123 1234 5678 9015 4"]],
    size: 150,
  },
  { name: "Vetus Depotbank", asOf: OLD_DATA, accounts: [["Old depot", "EUR", "S", "DE-OLD-2009"]], size: 150 },
  ...Array.from({ length: 6 }, (_, index) => ({
    name: "Sandbox Bank",
    accounts: [
      ["Depot", "EUR", "S", `SB-00${index}-4${index}17`],
      ["Cash", "EUR", "L", `SB-00${index}-9${index}02`],
    ],
    size: 60,
  })),
  ...["Kestrel Trust", "Lumen Bank", "Mistral Banque", "Nordlys Bank", "Orion Wealth", "Pico Bank", "Riva Banca"].map(
    (name, index) => ({
      name,
      accounts: [
        ["Custody account", ["EUR", "USD", "CHF", "GBP"][index % 4], "S", `${name.slice(0, 2)}${5_000 + index}`],
      ],
      size: 160,
    }),
  ),
  {
    name: "Zephyr Bank",
    state: "refused with data",
    accounts: [["Custody account", "EUR", "UM", "ZE 4471 2290"]],
    size: 160,
  },
];

const isins = {
  "Nestlé SA": "CH0038863350",
  "Roche Holding AG": "CH0012032048",
  "Novartis AG": "CH0012005267",
  "ASML Holding NV": "NL0010273215",
  "Siemens AG": "DE0007236101",
  "Apple Inc.": "US0378331005",
};

/** Kinds of securities: type, subtype, name. */
const kinds = [
  ["F", null, "Fund"],
  ["VI", null, "Share"],
  ["FI", null, "Bond"],
  ["ETF", null, "Tracker"],
  ["DV", "W", "Warrant"],
  ["AEP", "PE", "Private equity stake"],
  ["L", null, "Deposit"],
];
/** Contracts of which a bank states the notional. */
const contracts = [
  ["DV", "FT", "Future"],
  ["DV", "OP", "Option"],
];
const countries = ["esp", "che", "deu"];

/** All data of a tenant as plain rows. Money is in cents. @param size "small" or "large" */
export function createSeed(size) {
  const isLarge = size === "large";
  const banks = [
    ...sharedBanks.map((bank) => ({ ...bank, size: bank.sizes[isLarge ? 1 : 0] })),
    ...(isLarge ? largeTenantsBanks : []),
  ];
  const connections = banks.map((bank, index) => ({ ...bank, id: idOf(size, "bank", index), asOf: asOfBank(bank) }));
  const portfolios = [];
  const holdings = [];
  const transactions = [];
  for (const connection of connections) {
    for (const [number, [name, currency, type, refAccount]] of (connection.accounts ?? []).entries()) {
      const portfolio = {
        id: idOf(size, "account", portfolios.length),
        connection,
        name,
        currency,
        type,
        refAccount,
        cents: 0,
      };
      portfolios.push(portfolio);
      for (let made = 0; made < connection.size; made += 1) {
        const known = number === 0 ? connection.known?.[made] : undefined;
        const holding = holdingOf(portfolio, holdings.length, known);
        holdings.push(holding);
        if (holding.cents !== null && !holding.isNotional) portfolio.cents += holding.cents;
        transactions.push(...movementsOf(holding, transactions.length));
      }
      transactions.push(...movementsOfAccount(portfolio, transactions.length));
    }
  }
  return {
    // The connections at one bank that a person has to tell apart.
    alike: isLarge ? "Sandbox Bank" : "Banco Norte",
    connections,
    portfolios,
    holdings,
    transactions,
  };
}

const waiting = new Set(["blocked", "refused with data", "second factor"]);

/** The same at each run, so that answers have the same tokens. */
function idOf(...parts) {
  const hex = createHash("sha256").update(parts.join(" ")).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Data are of today, but for banks that need a login, whose data have stayed as they were. */
function asOfBank({ asOf, state }) {
  if (asOf) return new Date(`${asOf}T18:00:00Z`);
  return new Date(Date.now() - (waiting.has(state) ? 20 * DAY_MS : 3_600_000));
}

/** All values differ, so that one is the largest. */
function holdingOf(portfolio, index, known) {
  const { connection, currency } = portfolio;
  const isContract = connection.hasContracts && index % 11 === 3 && known === undefined;
  const [type, subtype, what] = isContract ? contracts[index % 2] : kinds[(index * 5 + (index >> 3)) % kinds.length];
  const isUnknown = connection.hasContracts && index % 13 === 5 && known === undefined;
  return {
    id: idOf(portfolio.id, "holding", index),
    portfolio,
    connection,
    name: known ?? `${what} ${String(index).padStart(4, "0")}`,
    isin: known ? isins[known] : `XS${String(index).padStart(10, "0")}`,
    units: (index % 90) + 1,
    cents: isUnknown && !isContract ? null : ((index * 7_919) % 100_003) * 100 + 1_000 + (index % 100),
    isNotional: isContract,
    currency,
    type: known ? "VI" : type,
    subtype: known ? null : subtype,
    valued: dayBefore(connection.asOf, 1 + (index % 3)),
  };
}

/** A purchase, and what a security of its kind pays; the tax on it is a movement of its own. */
function movementsOf(holding, before) {
  const made = [];
  const add = (kind, what, cents) => {
    const description = `${what}: ${holding.name}`;
    made.push(movement({ portfolio: holding.portfolio, holding, kind, description, cents }, before + made.length));
  };
  const cents = 5_000 + ((before * 613) % 90_000);
  add("buy", "Purchase", -cents * 10);
  if (["VI", "ETF", "F"].includes(holding.type)) {
    add("dividend", "Dividend", cents);
    add("tax", "Withholding tax", -Math.round(cents / 5));
  }
  if (holding.type === "FI") add("coupon", "Coupon", cents);
  if (holding.type === "L") add("interest", "Interest", Math.round(cents / 10));
  if (before % 6 === 0) add("sell", "Sale", cents * 3);
  return made;
}

function movementsOfAccount(portfolio, before) {
  const plan = [
    ["fee", "Custody fee", -4_900],
    ["fee", "Custody fee", -5_100],
    ["deposit", "Deposit", 1_000_000],
    ["withdrawal", "Withdrawal", -250_000],
  ];
  return plan.map(([kind, description, cents], index) =>
    movement({ portfolio, holding: null, kind, description, cents: cents - before * 7 - index }, before + index),
  );
}

function movement({ portfolio, holding, ...rest }, index) {
  const first = Date.UTC(THIS_YEAR - 1, 0, 1);
  const days = Math.floor((Date.now() - first) / DAY_MS);
  const date = new Date(first + ((index * 37) % days) * DAY_MS).toISOString().slice(0, 10);
  return {
    id: idOf(portfolio.id, "movement", index),
    portfolio,
    holding,
    connection: portfolio.connection,
    date,
    currency: portfolio.currency,
    ...rest,
  };
}

function dayBefore(date, days) {
  return new Date(date.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}

/** Banks that can be connected; none is in Spain by its name. */
export function createCatalogue() {
  return Array.from({ length: 130 }, (_, index) => {
    const number = String(index).padStart(3, "0");
    const country = countries[index % 3];
    return {
      id: `${country}:bank-${number}`,
      name: nameInCatalogue(index, number),
      type: index % 10 === 9 ? "datafeed" : "e-banking",
      countries: [country],
      available: index % 13 !== 12,
      provider: "sandbox",
      metadata: {},
    };
  });
}

function nameInCatalogue(index, number) {
  if (index === 3) return "Banco Santander";
  if (index === 4) return "Zürcher Kantonalbank";
  return index % 26 === 0 ? `Caja Rural ${number}` : `Bank ${number}`;
}

export function decimal(cents) {
  if (cents === null) return null;
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
