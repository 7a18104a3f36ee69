import { randomBytes } from "node:crypto";
import { minus, negative, over, plus, times } from "./decimals.js";

/** `currency` is that of its prices: for a pair of currencies the second one. Bonds have prices in percent. */
export interface SaxoInstrument {
  readonly uic: number;
  readonly assetType: "Stock" | "Etf" | "Bond" | "MutualFund" | "CfdOnStock" | "FxSpot";
  readonly symbol: string;
  readonly description: string;
  readonly currency: string;
  readonly decimals: number;
  /** Null: the client has no access to its prices. */
  price: string | null;
}

export interface SaxoAccount {
  readonly id: string;
  readonly key: string;
  readonly groupKey: string;
  readonly currency: string;
}

/** What is short has a negative amount. `commission` is in the instrument's currency and positive. */
export interface SaxoPosition {
  readonly id: string;
  readonly account: SaxoAccount;
  readonly instrument: SaxoInstrument;
  readonly amount: string;
  readonly openPrice: string;
  readonly commission: string;
  readonly at: Date;
}

export interface SaxoClosedPosition {
  readonly open: SaxoPosition;
  readonly id: string;
  readonly price: string;
  readonly commission: string;
  readonly at: Date;
}

/** A sale has a negative amount. `booked` is what its bookings come to, in the account's currency. */
export interface SaxoTrade {
  readonly id: string;
  readonly account: SaxoAccount;
  readonly instrument: SaxoInstrument;
  readonly amount: string;
  readonly price: string;
  readonly isOpening: boolean;
  readonly booked: string;
  readonly at: Date;
}

/** Id and name of a kind of amount. */
export type SaxoAmountType = readonly [id: string, name: string];

/** `amount` in `currency`; `inAccount` in the account's, to the cent. */
export interface SaxoBooking {
  readonly id: string;
  readonly account: SaxoAccount;
  readonly type: SaxoAmountType;
  readonly amount: string;
  readonly currency: string;
  readonly inAccount: string;
  readonly at: Date;
  readonly instrument: SaxoInstrument | null;
  readonly tradeId: string | null;
  readonly corporateAction: { readonly id: string; readonly name: string } | null;
}

/** Ids and names as in the documents' examples; those below "guessed" are in none of them. */
export const AMOUNT_TYPES = {
  shareAmount: ["2", "Share Amount"],
  commission: ["4", "Commission"],
  financing: ["10", "CFD Finance"],
  exchangeFee: ["30", "Exchange Fee"],
  interest: ["45", "Interest"],
  // guessed
  profit: ["3", "P/L"],
  deposit: ["14", "Cash Amount"],
  dividend: ["39", "Corporate Actions - Cash Dividends"],
  withholding: ["40", "Corporate Actions - Withholding Tax"],
  custodyFee: ["58", "Custody Fee"],
} as const satisfies Record<string, SaxoAmountType>;

interface When {
  /** Now, if left out. */
  readonly at?: Date;
}

/** One client with its accounts. What the client has in cash is the sum of its bookings. */
export class SaxoBook {
  readonly client = { id: "8812077", key: keyOf(), userKey: keyOf(), name: "Mr. Anthony Test", currency: "EUR" };
  readonly accounts: SaxoAccount[] = [];
  readonly instruments = new Map<number, SaxoInstrument>();
  readonly trades: SaxoTrade[] = [];
  readonly bookings: SaxoBooking[] = [];
  readonly closed: SaxoClosedPosition[] = [];
  positions: readonly SaxoPosition[] = [];
  readonly #rates = new Map<string, string>();
  #serial = 5_020_774_000;

  constructor(readonly clock: () => Date) {}

  open(currency: string): SaxoAccount {
    const groupKey = this.accounts[0]?.groupKey ?? keyOf();
    const account = { id: `${this.client.id}INET${this.accounts.length || ""}`, key: keyOf(), groupKey, currency };
    this.accounts.push(account);
    return account;
  }

  list(instrument: SaxoInstrument): SaxoInstrument {
    this.instruments.set(instrument.uic, instrument);
    return instrument;
  }

  /** One unit of the first currency costs this much of the second. */
  rate(from: string, to: string, rate: string): void {
    this.#rates.set(from + to, rate);
  }

  rateOf(from: string, to: string): string {
    const found = from === to ? "1" : this.#rates.get(from + to);
    if (!found) throw new Error(`there is no rate from ${from} to ${to}`);
    return found;
  }

  /** Opens a position; a negative amount is sold short. */
  trade(
    account: SaxoAccount,
    instrument: SaxoInstrument,
    amount: string,
    price: string,
    { commission = "0", at = this.clock() }: When & { readonly commission?: string } = {},
  ): SaxoPosition {
    const id = this.#next();
    const paid = isMargin(instrument) ? null : worthOf(instrument, amount, price);
    const booked = this.#settle(account, instrument, id, [["shareAmount", paid && negative(paid)]], commission, at);
    this.trades.push({ id, account, instrument, amount, price, isOpening: true, booked, at });
    const position = { id, account, instrument, amount, openPrice: price, commission, at };
    this.positions = [...this.positions, position];
    return position;
  }

  /** Closes the whole of a position. */
  close(
    position: SaxoPosition,
    price: string,
    { commission = "0", at = this.clock() }: When & { readonly commission?: string } = {},
  ): void {
    const { account, instrument, openPrice } = position;
    const id = this.#next();
    const amount = negative(position.amount);
    const gain = worthOf(instrument, position.amount, minus(price, openPrice));
    const received = negative(worthOf(instrument, amount, price));
    const main = isMargin(instrument) ? (["profit", gain] as const) : (["shareAmount", received] as const);
    const booked = this.#settle(account, instrument, id, [main], commission, at);
    this.trades.push({ id, account, instrument, amount, price, isOpening: false, booked, at });
    this.closed.push({ open: position, id, price, commission, at });
    this.positions = this.positions.filter((each) => each !== position);
  }

  /** One movement of cash, with the sign that it has, in the account's currency unless `currency` says another. */
  book(
    account: SaxoAccount,
    type: SaxoAmountType,
    amount: string,
    more: When & {
      readonly currency?: string;
      readonly instrument?: SaxoInstrument;
      readonly tradeId?: string;
      readonly corporateAction?: { readonly id: string; readonly name: string };
    } = {},
  ): SaxoBooking {
    const currency = more.currency ?? account.currency;
    const booking = {
      id: this.#next(),
      account,
      type,
      amount,
      currency,
      inAccount: over(times(amount, this.rateOf(currency, account.currency)), "1", 2),
      at: more.at ?? this.clock(),
      instrument: more.instrument ?? null,
      tradeId: more.tradeId ?? null,
      corporateAction: more.corporateAction ?? null,
    };
    this.bookings.push(booking);
    return booking;
  }

  /** What has been booked: everything up to the last day that is over. */
  cashOf(account: SaxoAccount): string {
    return this.#sum(account, (at) => this.isOver(at));
  }

  /** What happened today and will be booked at the end of the day. */
  notBookedOf(account: SaxoAccount): string {
    return this.#sum(account, (at) => !this.isOver(at));
  }

  isOver(at: Date): boolean {
    return dayOf(at) < dayOf(this.clock());
  }

  #sum(account: SaxoAccount, wanted: (at: Date) => boolean): string {
    const found = this.bookings.filter((each) => each.account === account && wanted(each.at));
    return plus("0", ...found.map(({ inAccount }) => inAccount));
  }

  #settle(
    account: SaxoAccount,
    instrument: SaxoInstrument,
    tradeId: string,
    main: readonly (readonly [type: keyof typeof AMOUNT_TYPES, amount: string | null])[],
    commission: string,
    at: Date,
  ): string {
    const charged = commission === "0" ? null : negative(commission);
    const booked = [...main, ["commission", charged] as const].flatMap(([type, amount]) => {
      const more = { currency: instrument.currency, instrument, tradeId, at };
      return amount === null ? [] : [this.book(account, AMOUNT_TYPES[type], amount, more).inAccount];
    });
    return plus("0", ...booked);
  }

  #next(): string {
    this.#serial += 1;
    return String(this.#serial);
  }
}

/** Products on margin have an exposure and a profit, but are not paid and have no market value. */
export function isMargin({ assetType }: SaxoInstrument): boolean {
  return assetType === "CfdOnStock" || assetType === "FxSpot";
}

/** In the instrument's currency; what is short has a negative value. */
export function worthOf({ assetType }: SaxoInstrument, amount: string, price: string): string {
  return times(amount, price, assetType === "Bond" ? "0.01" : "1");
}

/** The day in UTC, such as 2026-11-20. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Such as `7m4I|vtYLUnEGg77o9uQhw==`: it has to be escaped in addresses. */
function keyOf(): string {
  return `7m4I|${randomBytes(12).toString("base64url").slice(0, 15)}==`;
}

/**
 * A client with an account in euros and one in dollars, a stock, an ETF, a bond, a fund, a short position and a pair
 * of currencies, after a deposit, a dividend with tax, a fee and a sale, the last of them yesterday.
 */
export function furnish(book: SaxoBook) {
  const before = (days: number) => new Date(book.clock().getTime() - days * 86_400_000);
  book.rate("USD", "EUR", "0.8643");
  book.rate("EUR", "USD", "1.157");
  const [eur, usd] = [book.open("EUR"), book.open("USD")];
  const share = { assetType: "Stock", decimals: 2 } as const;
  const listed = {
    apple: { ...share, uic: 211, symbol: "AAPL:xnas", description: "Apple Inc.", currency: "USD", price: "271.49" },
    asml: { ...share, uic: 1635, symbol: "ASML:xams", description: "ASML Holding NV", currency: "EUR", price: "862.3" },
    world: {
      uic: 36590,
      assetType: "Etf",
      symbol: "IWDA:xams",
      description: "iShares Core MSCI World UCITS ETF",
      currency: "EUR",
      decimals: 3,
      price: "112.345",
    },
    bond: {
      uic: 22041127,
      assetType: "Bond",
      symbol: "DE0001102614",
      description: "Germany 1.8% 15 Aug 2053, EUR",
      currency: "EUR",
      decimals: 3,
      price: "77.085",
    },
    fund: {
      uic: 3844220,
      assetType: "MutualFund",
      symbol: "LU0552385295",
      description: "Morgan Stanley Global Opportunity Fund A",
      currency: "USD",
      decimals: 2,
      price: "170.07",
    },
    tesla: {
      uic: 47556,
      assetType: "CfdOnStock",
      symbol: "TSLA:xnas",
      description: "Tesla Inc.",
      currency: "USD",
      decimals: 2,
      price: "391.09",
    },
    euro: {
      uic: 21,
      assetType: "FxSpot",
      symbol: "EURUSD",
      description: "Euro/US Dollar",
      currency: "USD",
      decimals: 4,
      price: "1.15705",
    },
  } as const satisfies Record<string, SaxoInstrument>;
  const at = (name: keyof typeof listed) => book.list({ ...listed[name] });
  const apple = at("apple");
  const asml = at("asml");
  const deposit = book.book(eur, AMOUNT_TYPES.deposit, "50000.1", { at: before(60) });
  book.book(usd, AMOUNT_TYPES.deposit, "20000.03", { at: before(60) });
  const positions = {
    // Two positions of one instrument, the second one paid from an account in another currency.
    apple: book.trade(usd, apple, "17", "248.1337", { commission: "1", at: before(50) }),
    appleInEuros: book.trade(eur, apple, "3", "252.29", { commission: "1.03999996185303", at: before(49) }),
    world: book.trade(eur, at("world"), "41", "108.907", { commission: "3.07", at: before(48) }),
    bond: book.trade(eur, at("bond"), "15000", "76.4321", { commission: "12.5", at: before(47) }),
    fund: book.trade(usd, at("fund"), "12.3457", "161.9", { at: before(46) }),
    tesla: book.trade(usd, at("tesla"), "-8", "402.6", { commission: "6.1", at: before(45) }),
    euro: book.trade(eur, at("euro"), "10000", "1.15012", { at: before(44) }),
  };
  const sold = book.trade(eur, asml, "2", "801.6", { commission: "2", at: before(43) });
  const event = { id: "9652429", name: "Cash dividend" };
  const paid = { currency: "USD", instrument: apple, corporateAction: event, at: before(10) };
  const dividend = book.book(usd, AMOUNT_TYPES.dividend, "4.42", paid);
  const withholding = book.book(usd, AMOUNT_TYPES.withholding, "-0.66", paid);
  const fee = book.book(eur, AMOUNT_TYPES.custodyFee, "-5.13", { at: before(5) });
  book.close(sold, "859.95", { commission: "2", at: before(1) });
  return { eur, usd, positions, deposit, dividend, withholding, fee };
}
