import { isIsin, isinOf } from "@org/provider-kit";
import { expect, it } from "vitest";
import { isinOfCusip } from "./isin.js";

it.each([
  ["US", "037833100", "US0378331005"],
  ["GB", "000263494", "GB0002634946"],
  ["BM", "G7945E105", "BMG7945E1057"],
])("the check digit of %s %s makes %s", (country, number, isin) => {
  expect(isinOf(country, number)).toBe(isin);
  expect(isIsin(isin)).toBe(true);
  expect(isIsin(`${isin.slice(0, 11)}${(Number(isin[11]) + 1) % 10}`)).toBe(false);
});

it.each(["", "US037833100", "us0378331005", "US03783310050", "0S0378331005", "US037833100X"])(
  "%j is no ISIN",
  (text) => {
    expect(isIsin(text)).toBe(false);
  },
);

it.each([
  ["037833100", "US", "US0378331005"],
  ["82509l107", "CA", "CA82509L1076"],
  ["912810RW0", "US", "US912810RW09"],
] as const)("CUSIP %s is an ISIN of %s", (cusip, country, isin) => {
  expect(isinOfCusip(cusip, country)).toBe(isin);
});

it.each([
  ["a wrong check digit", "037833101"],
  ["a CINS number, whose letter is no country", "G7945E105"],
  ["a number for private use", "123990AA0"],
  ["eight characters", "03783310"],
  ["other characters", "03783 100"],
])("%s gives no ISIN", (_, cusip) => {
  const checked = cusip === "123990AA0" ? withAnyCheckDigit("123990AA") : [cusip];
  expect(checked.map((number) => isinOfCusip(number, "US"))).toEqual(checked.map(() => null));
});

/** The number with each of the ten check digits, one of which is right: it must be refused for the number itself, not for its check digit. */
function withAnyCheckDigit(eight: string): string[] {
  return Array.from({ length: 10 }, (_, digit) => eight + digit);
}
