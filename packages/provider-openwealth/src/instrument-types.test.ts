import { expect, test } from "vitest";
import { toHolding } from "./holdings.js";
import { instrumentType } from "./instrument-types.js";

const nothing = { cfiCode: undefined, underlying: undefined, isOption: false, hasInterest: false };

function kindOf(stated: Partial<typeof nothing> | { readonly cfiCode: string; readonly underlying?: string }) {
  const { type, subtype } = toHolding({
    id: "p",
    endOfDayIndicator: true,
    positionDate: "2026-11-20",
    financialInstrument: { ...instrumentType({ ...nothing, ...stated }), name: "N", identificationList: [] },
    account: { id: "a", type: "safekeepingAccount", referenceCurrency: "CHF" },
    quantity: { type: "unit", value: "1" },
    valuation: { valueInPositionCurrency: { amount: "1", currency: "CHF" } },
  });
  return subtype === null ? type : `${type} ${subtype}`;
}

test.each([
  ["ES", "VI"],
  ["EDSRFR", "VI"],
  ["CI", "F"],
  ["CE", "ETF"],
  ["CH", "AEP"],
  ["CB", "AEP RA"],
  ["CP", "AEP PE"],
  ["DBFTFB", "FI"],
  ["DE", "FI"],
  ["DY", "FI"],
  ["RS", "VI"],
  ["RA", "VI"],
  ["RW", "DV W"],
  ["RF", "DV"],
  ["OC", "DV OP"],
  ["OPASPS", "DV OP"],
  ["OCAFCS", "DV FOP"],
  ["FF", "DV FT"],
  ["FC", "DV COM"],
  ["SR", "DV"],
  ["ST", "DV"],
  ["SF", "DV"],
  ["HC", "DV OP"],
  ["IF", "DV"],
  ["IT", "O"],
  ["JF", "DV FF"],
  ["JE", "DV"],
  ["KR", "DV"],
  ["LL", "BP"],
  ["LR", "O"],
  ["TC", "L"],
  ["TI", "O"],
  ["MM", "O"],
  ["ZZ", "O"],
])("[C-5.263] a CFI code of %s is %s", (cfiCode, kind) => {
  expect(kindOf({ cfiCode })).toBe(kind);
});

test("[C-5.263] an option on a future is one by what it is about; without a CFI code only options and what bears interest have a kind", () => {
  expect(kindOf({ cfiCode: "OC", underlying: "FFICSX" })).toBe("DV FOP");
  expect(kindOf({ isOption: true })).toBe("DV OP");
  expect(kindOf({ hasInterest: true })).toBe("FI");
  expect(kindOf({})).toBe("O");
});
