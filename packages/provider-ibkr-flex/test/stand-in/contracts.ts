import { table } from "../../../provider-kit/test/stand-in/table.js";
import type { HoldingTruth } from "./truth.js";

/** A contract as Interactive Brokers describes it in every row that names it. */
export interface Contract {
  readonly symbol: string;
  readonly description: string;
  readonly conid: string;
  readonly category: "STK" | "OPT" | "FUT" | "BOND" | "FUND" | "CRYPTO" | "IOPT" | "CFD" | "CASH";
  readonly sub_category?: string;
  readonly type: HoldingTruth["type"];
  readonly subtype?: NonNullable<HoldingTruth["subtype"]>;
  readonly currency: string;
  readonly isin?: string;
  readonly cusip?: string;
  readonly figi?: string;
  readonly multiplier?: string;
  readonly strike?: string;
  readonly expiry?: string;
  readonly put_call?: string;
}

const contracts = new Map(
  table<Contract & { readonly name: string }>(`
    name     | symbol             | description                              | conid     | category | sub_category | type | subtype | currency | isin         | cusip     | figi         | multiplier | strike | expiry     | put_call
    apple    | AAPL               | APPLE INC                                | 265598    | STK      | COMMON       | VI   |         | USD      | US0378331005 | 037833100 | BBG000B9XRY4 |            |        |            |
    vanguard | VT                 | VANGUARD TOT WORLD STK ETF               | 52197301  | STK      | ETF          | ETF  |         | USD      | US9220427424 | 922042742 |              |            |        |            |
    call     | AAPL 261218C00280000 | AAPL 18DEC26 280 C                     | 712345601 | OPT      | C            | DV   | OP      | USD      |              |           |              | 100        | 280    | 2026-12-18 | C
    put      | AAPL 261030P00240000 | AAPL 30OCT26 240 P                     | 712345602 | OPT      | P            | DV   | OP      | USD      |              |           |              | 100        | 240    | 2026-10-30 | P
    future   | ESZ6               | ES 18DEC26                               | 495512557 | FUT      |              | DV   | FT      | USD      |              |           |              | 50         |        | 2026-12-18 |
    treasury | T 4 1/2 11/15/33   | T 4 1/2 11/15/33                         | 662413019 | BOND     | Govt         | FI   |         | USD      | US91282CJJ18 | 91282CJJ1 |              |            |        |            |
    bill     | B 0 11/05/26       | B 0 11/05/26                             | 712345604 | BOND     | Govt         | FI   |         | USD      | US912797GB79 | 912797GB7 |              |            |        |            |
    fund     | FVSMULR            | FLOSSBACH VON STORCH - MULTIPLE OPP II R | 141005071 | FUND     |              | F    |         | EUR      | LU0323578657 |           |              |            |        |            |
    bitcoin  | BTC.USD-PAXOS      | BTC.USD CRYPTOCURRENCY                   | 479624278 | CRYPTO   |              | C    |         | USD      |              |           |              |            |        |            |
    warrant  | VX1ABC             | VON CALL 19MAR27 "DAX" 25000             | 712345603 | IOPT     |              | DV   | W       | EUR      | DE000VX1ABC7 |           |              |            |        |            |
    cfd      | IBUS500            | US 500 Index CFD                         | 111987422 | CFD      |              | CFD  |         | USD      |              |           |              |            |        |            |
    societe  | GLE                | SOCIÉTÉ GÉNÉRALE S.A. & CIE <A>          | 29612193  | STK      | COMMON       | VI   |         | EUR      | FR0000130809 |           |              |            |        |            |
    nvidia   | NVDA               | NVIDIA CORP                              | 4815747   | STK      | COMMON       | VI   |         | USD      | US67066G1040 | 67066G104 |              |            |        |            |
    vernova  | GEV                | GE VERNOVA INC                           | 692483107 | STK      | COMMON       | VI   |         | USD      | US36828A1016 | 36828A101 |              |            |        |            |
    tesla    | TSLA               | TESLA INC                                | 76792991  | STK      | COMMON       | VI   |         | USD      | US88160R1014 | 88160R101 |              |            |        |            |
    euro     | EUR.USD            | EUR.USD                                  | 12087792  | CASH     |              | L    |         | EUR      |              |           |              |            |        |            |
    nestle   | NESN               | NESTLE SA-REG                            | 43669257  | STK      | COMMON       | VI   |         | CHF      | CH0038863350 |           |              |            |        |            |
    swiss    | SWISS 0 1/2 06/27/32 | SWISS 0 1/2 06/27/32                   | 318221009 | BOND     | Govt         | FI   |         | CHF      | CH0344958688 |           |              |            |        |            |
  `).map(({ name, ...contract }) => [name, contract]),
);

/** Finds a contract by the name in the first column. */
export function contractOf(name: string): Contract {
  const found = contracts.get(name);
  if (!found) throw new Error(`There is no contract ${name}`);
  return found;
}
