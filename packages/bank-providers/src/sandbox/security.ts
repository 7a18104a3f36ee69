import { isinOf } from "@org/provider-kit";
import { type SandboxCountryCode, sandboxCountries } from "./countries.js";
import { type KindName, type SecurityKind, securityKinds } from "./kinds.js";
import { type SeededRandom, seededRandom } from "./random.js";

/** A security of the sandbox. The same number of the same kind is the same security for every customer. */
export interface Security {
  /** Its ISIN, or the sandbox's own number if it has none. */
  readonly key: string;
  readonly isin: string | null;
  readonly name: string;
  readonly kind: SecurityKind;
  /** Price in the kind's steps for each month from January 2020, in a currency of about the euro's value. */
  readonly prices: readonly number[];
}

/** The `number`-th security of a kind, with prices for `months` months. More months never change the earlier ones. */
export function securityOf(kindName: KindName, number: number, months: number): Security {
  const kind = securityKinds[kindName];
  const random = seededRandom(`security/${kindName}/${number}`);
  const country = random.pick(issuerCountries);
  const { isinPrefix, company } = sandboxCountries[country];
  const isin = kind.hasIsin ? isinOf(isinPrefix, nationalNumber(random)) : null;
  const name = nameOf(kindName, random, company);
  return { key: isin ?? `${kindName}-${number}`, isin, name, kind, prices: priceWalk(kind, random, months) };
}

const issuerCountries = Object.keys(sandboxCountries) as [SandboxCountryCode, ...SandboxCountryCode[]];

function nationalNumber(random: SeededRandom): string {
  return Array.from({ length: 9 }, () => random.below(10)).join("");
}

function priceWalk(kind: SecurityKind, random: SeededRandom, months: number): number[] {
  const [low, high] = kind.priceRange;
  let price = low + random.below(high - low + 1);
  const prices: number[] = [];
  for (let month = 0; month < months; month += 1) {
    const thousandths = random.below(2 * kind.swing + 1) - kind.swing + Math.floor(kind.swing / 12);
    price = Math.max(1, Math.floor((price * (1000 + thousandths)) / 1000));
    if (kind.swing < 10) price = Math.min(Math.max(price, low), high);
    prices.push(price);
  }
  return prices;
}

const firstHalves = words(
  "Al Ar Bel Bor Cal Cor Dal Del El Fen Gal Hal Hel Ir Kal Kor Lan Lor Mar Mer Nor Ol Or Pel Quin Ran Sal Sel Tal Tor Ul Val Ven Vor Wil Xan Yel Zan Zel",
);
const secondHalves = words(
  "avane avora ebrio edine elion endra entis erion estra idian idore ilane imara inovo irante isela ondel onira oriva orvo uvane uvelle yndra ystra",
);
const sectors = words(
  "Energy Foods Health Logistics Materials Media Mobility Networks Optics Pharma Power Rail Robotics Semiconductors Shipping Software Telecom Textiles Timber Water",
);
const regions = words("Asia Emerging Euro Europe Global Iberia Nordic Pacific World");
const themes = words("Balanced Climate Dividend Equity Growth Income Infrastructure Quality Technology Value");
const metals = words("Gold Silver Platinum Palladium");
const goods = words("Cocoa Coffee Copper Cotton Crude Nickel Soybean Sugar Wheat Zinc");

function nameOf(kind: KindName, random: SeededRandom, company: string): string {
  const house = random.pick(firstHalves) + random.pick(secondHalves);
  const sector = random.pick(sectors);
  const focus = `${random.pick(regions)} ${random.pick(themes)}`;
  const hundredths = 100 + random.below(800);
  switch (kind) {
    case "equity":
      return `${house} ${sector} ${company}`;
    case "fund":
      return `${house} ${focus} Fund ${random.pick(["A", "B", "C", "I", "R"])}`;
    case "etf":
      return `${house} ${focus} UCITS ETF`;
    case "bond":
      return `${house} ${sector} ${company} ${percent(hundredths)} ${2030 + random.below(20)}`;
    case "pension":
      return `${house} Pension Plan ${2030 + 5 * random.below(8)}`;
    case "crypto":
      return `${house} Coin`;
    case "cash":
      return random.pick(["Cash account", "Money market balance", "Settlement account"]);
    case "cfd":
      return `CFD ${house} ${sector}`;
    case "fundOption":
      return `Option on ${house} ${focus} Fund`;
    case "option":
      return `${random.pick(["Call", "Put"])} ${house} ${sector} ${hundredths}`;
    case "future":
      return `${house} ${focus} Index future`;
    case "warrant":
      return `${house} ${random.pick(["call", "put"])} warrant ${hundredths}`;
    case "commodity":
      return `${random.pick(goods)} contract`;
    case "forward":
      return `Forward ${random.pick(["EUR/USD", "EUR/GBP", "EUR/CHF", "USD/JPY", "GBP/USD"])}`;
    case "deposit":
      return `Certificate of deposit ${house} ${percent(hundredths)}`;
    case "privateEquity":
      return `${house} Private Equity Partners ${random.pick(["I", "II", "III", "IV", "V"])}`;
    case "realAsset":
      return `${house} ${random.pick(["Forest", "Harbour", "Housing", "Solar", "Wind"])} Fund`;
    case "other":
      return `${random.pick(metals)} account, grams`;
  }
}

function percent(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}%`;
}

function words(text: string): readonly [string, ...string[]] {
  return text.split(" ") as [string, ...string[]];
}
