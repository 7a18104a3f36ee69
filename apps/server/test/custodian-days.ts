// What a custodian sends in the evening for several accounts: positions (MT535), cash (MT940) and movements (MT536), one message per account,
// with all messages of one kind in one file. Figures are written out in the calls, so that what the tools show is worked out by hand.

/** A day of one account at the custodian: a depot and the cash account beside it. */
export interface CustodianDay {
  readonly depot: string;
  readonly cash: string;
  /** `YYYYMMDD` */
  readonly day: string;
  /** [ISIN, units, value] with decimal commas. */
  readonly positions: readonly (readonly [isin: string, units: string, value: string])[];
  /** Of the depot, in CHF with a decimal comma. */
  readonly total: string;
  readonly opening: string;
  readonly closing: string;
  /** [mark, amount, the custodian's reference, text] of the cash account. */
  readonly bookings?: readonly (readonly [mark: "C" | "D", amount: string, reference: string, text: string])[];
  /** [ISIN, RECE or DELI, units, amount, reference] */
  readonly movements?: readonly (readonly [
    isin: string,
    direction: "RECE" | "DELI",
    units: string,
    amount: string,
    reference: string,
  ])[];
}

const CUSTODIAN = "CUSTCHZZXXXX";

/** The three files of a day, by name. */
export function custodianFiles(accounts: readonly CustodianDay[]): Readonly<Record<string, Buffer>> {
  const day = accounts[0]?.day ?? "";
  const file = (messages: readonly string[]) => Buffer.from(messages.join("$").replaceAll("\n", "\r\n"), "latin1");
  return {
    [`MT535_${day}.fin`]: file(accounts.map(positions)),
    [`MT536_${day}.fin`]: file(accounts.map(movements)),
    [`MT940_${day}.fin`]: file(accounts.map(cash)),
  };
}

function message(type: number, day: string, fields: readonly string[]): string {
  const sent = day.slice(2);
  const header = `{1:F01WEALTHCCXXXX0000000000}{2:O${type}1800${sent}${CUSTODIAN}0000000000${sent}1800N}`;
  return `${header}{4:\n${fields.join("\n")}\n-}`;
}

function general(day: string, account: string, date: string): readonly string[] {
  return [
    ":16R:GENL",
    ":28E:1/ONLY",
    `:20C::SEME//${day}${account.slice(-4)}`,
    ":23G:NEWM",
    date,
    ":22F::SFRE//DAIL",
    ":22F::CODE//COMP",
    ":22F::STBA//SETT",
    `:97A::SAFE//${account}`,
    ":17B::ACTI//Y",
    ":16S:GENL",
  ];
}

function positions({ day, depot, positions, total }: CustodianDay): string {
  const held = positions.flatMap(([isin, units, value]) => [
    ":16R:FIN",
    `:35B:ISIN ${isin}`,
    `SHARE ${isin.slice(-4)}`,
    `:93B::AGGR//UNIT/${units}`,
    `:19A::HOLD//CHF${value}`,
    ":16S:FIN",
  ]);
  const sum = [":16R:ADDINFO", `:19A::HOLS//CHF${total}`, ":16S:ADDINFO"];
  return message(535, day, [...general(day, depot, `:98A::STAT//${day}`), ...held, ...sum]);
}

function movements({ day, depot, movements = [] }: CustodianDay): string {
  const booked = movements.flatMap(([isin, direction, units, amount, reference]) => [
    ":16R:FIN",
    `:35B:ISIN ${isin}`,
    `SHARE ${isin.slice(-4)}`,
    ":16R:TRAN",
    ":16R:LINK",
    `:20C::RELA//${reference}`,
    ":16S:LINK",
    ":16R:TRANSDET",
    `:36B::PSTA//UNIT/${units}`,
    `:19A::PSTA//CHF${amount}`,
    ":22F::TRAN//SETT",
    `:22H::REDE//${direction}`,
    ":22H::PAYM//APMT",
    `:98A::ESET//${day}`,
    ":16S:TRANSDET",
    ":16S:TRAN",
    ":16S:FIN",
  ]);
  const quiet = movements.length === 0;
  const fields = [...general(day, depot, `:69A::STAT//${day}/${day}`), ...booked];
  return message(536, day, quiet ? fields.map((field) => field.replace("ACTI//Y", "ACTI//N")) : fields);
}

function cash({ day, cash, opening, closing, bookings = [] }: CustodianDay): string {
  const short = day.slice(2);
  const lines = bookings.flatMap(([mark, amount, reference, text]) => [
    `:61:${short}${short.slice(2)}${mark}${amount}NTRFNONREF//${reference}`,
    `:86:${text}`,
  ]);
  return message(940, day, [
    `:20:${day}`,
    `:25:${cash}`,
    `:28C:${Number(day.slice(4))}/1`,
    `:60F:C${short}CHF${opening}`,
    ...lines,
    `:62F:C${short}CHF${closing}`,
  ]);
}
