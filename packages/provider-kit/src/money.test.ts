import { expect, it } from "vitest";
import { money } from "./money.js";

it.each([
  ["GBX", "1234.5", "GBP", "12.345"],
  ["GBp", "-1234.50", "GBP", "-12.3450"],
  ["gbx", "7", "GBP", "0.07"],
  ["ZAc", "12345678901234567890.1", "ZAR", "123456789012345678.901"],
  ["ZAC", "100", "ZAR", "1.00"],
  ["ILA", "0", "ILS", "0.00"],
  ["USX", "450.25", "USD", "4.5025"],
  ["KWF", "1500", "KWD", "1.500"],
  ["GBP", "1234.5", "GBP", "1234.5"],
  ["gbp", "1234.5", "GBP", "1234.5"],
  ["usd", "1", "USD", "1"],
  ["BTC", "0.1", "BTC", "0.1"],
  ["USd", "1", "USd", "1"],
])("[C-5.140] %s %s is %s %s", (code, stated, currency, amount) => {
  expect(money(code, stated)).toEqual({ currency, amount });
  expect(money(code, null)).toEqual({ currency, amount: null });
});
