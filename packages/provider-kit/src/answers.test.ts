import { describe, expect, it } from "vitest";
import { faultsOfAnswer, faultsOfContent, stepsOfAnswer } from "./answers.js";

const empty = { as_of: new Date(0), portfolios: null, holdings: null, transactions: null };

it("[C-5.135] no more faults of a snapshot are gathered than are told, however many rows have one", () => {
  let looked = 0;
  const bad = () => ({
    get key() {
      looked += 1;
      return "";
    },
  });
  const holdings = Array.from({ length: 1_000 }, bad);
  const faults = faultsOfAnswer("fetch", { snapshot: { ...empty, holdings }, consent_expires_at: null });
  expect(faults).toHaveLength(5);
  expect(faults[0]).toBe("snapshot.holdings.0.key: must not be empty");
  expect(looked).toBe(1);
  expect(faultsOfContent({ ...empty, holdings, warnings: [] })).toHaveLength(5);
});

it("[C-5.135] a fault names its row, whether null would do, and a long list within a row once", () => {
  const portfolio = { key: "1", name: "Depot", balance: "1,5", currency: "EUR", ref_account: null, type: "S" };
  const transaction = {
    key: null,
    portfolio_key: "1",
    holding_key: null,
    operation_date: "2026-02-30",
    description: "",
    amount: null,
    balance: null,
    currency: "EUR",
    unit_price: null,
    references: Array(1_000).fill("none"),
  };
  const snapshot = { as_of: new Date(0), portfolios: [portfolio], holdings: {}, transactions: [transaction] };
  expect(faultsOfAnswer("fetch", { snapshot, consent_expires_at: undefined })).toEqual([
    expect.stringMatching(/^snapshot\.holdings: .*, or null$/),
    expect.stringMatching(/^consent_expires_at: .*, or null$/),
    'snapshot.portfolios.0.balance: must be a decimal number such as "1523.47", or null',
    "snapshot.transactions.0.operation_date: must be a date that exists, as YYYY-MM-DD",
    "snapshot.transactions.0.references: must each be a scheme in capitals, a colon and a value",
  ]);
  expect(faultsOfAnswer("fetch", { snapshot: { ...empty, holdings: [] }, consent_expires_at: null })).toEqual([]);
});

it("[C-9.432] transactions of one answer with one key say the same", () => {
  const row = {
    key: "1",
    portfolio_key: "1",
    holding_key: null,
    operation_date: "2026-02-03",
    description: "",
    amount: null,
    balance: "-1",
    currency: "EUR",
    unit_price: null,
  };
  const faults = (...transactions: object[]) =>
    faultsOfAnswer("fetch", { snapshot: { ...empty, transactions }, consent_expires_at: null });
  expect(faults(row, { ...row }, { ...row, portfolio_key: "2", balance: "-2" })).toEqual([]);
  expect(faults(row, { ...row, key: null, balance: "-2" }, { ...row, key: null })).toEqual([]);
  expect(faults(row, { ...row, balance: "-2" })).toEqual([
    "snapshot.transactions.1.key: is that of snapshot.transactions.0, which says something else",
  ]);
});

describe("[C-8.89] what a snapshot says of former transactions", () => {
  const row = (key: string, portfolio_key = "1") => ({
    ...{ key, portfolio_key, holding_key: null, operation_date: "2026-02-03", description: "", amount: null },
    ...{ balance: "-1", currency: "EUR", unit_price: null },
  });
  const faults = (stated: object) =>
    faultsOfAnswer("fetch", {
      snapshot: { ...empty, transactions: ["a", "b", "c"].map((key) => row(key)), ...stated },
      consent_expires_at: null,
    });
  const correct = (...pairs: readonly string[]) =>
    pairs.map((pair) => ({ portfolio_key: "1", key: pair[0], by: pair[1] }));
  const withdrawn = (key: string) => [{ portfolio_key: "1", key }];

  it("leads somewhere, one step after the other", () => {
    expect(faults({ corrected: correct("xa", "ab", "yc"), withdrawn: withdrawn("z") })).toEqual([]);
    expect(faults({ corrected: [], withdrawn: withdrawn("a"), complete_from: "2026-02-01" })).toEqual([]);
  });

  it.each([
    [{ corrected: correct("xz") }, "corrected.0.by: is the key of no transaction in this portfolio"],
    [
      { corrected: [{ portfolio_key: "2", key: "x", by: "a" }] },
      "corrected.0.by: is the key of no transaction in this portfolio",
    ],
    [{ corrected: correct("xa", "xb") }, "corrected.1.key: is corrected twice"],
    [{ corrected: correct("xa", "ya") }, "corrected.1.by: corrects two transactions"],
    [
      { corrected: correct("ab", "xa") },
      "corrected.1.by: is corrected before it; a correction of a correction comes after it",
    ],
    [
      { corrected: correct("xa"), withdrawn: withdrawn("x") },
      "withdrawn.0.key: is corrected in the same snapshot; withdraw its correction instead",
    ],
    [{ transactions: null, complete_from: "2026-02-01" }, "complete_from: needs snapshot.transactions, which is null"],
    [{ complete_from: "1 February" }, "complete_from: must be a date that exists, as YYYY-MM-DD"],
    [{ corrected: [{ portfolio_key: "1", key: "x", by: "" }] }, "corrected.0.by: must not be empty"],
  ])("is refused otherwise: %o", (stated, fault) => {
    expect(faults(stated)).toEqual([`snapshot.${fault}`]);
  });
});

describe("[C-9.610] days before a snapshot", () => {
  const account = { key: "1", name: "A", balance: "1", currency: "EUR", ref_account: null, type: "S" };
  const day = (date: string, over: object = {}) => ({ date, portfolios: [account], holdings: [], ...over });
  const faults = (...earlier_days: readonly object[]) =>
    faultsOfAnswer("fetch", {
      snapshot: { ...empty, as_of: new Date("2026-02-03T12:00:00Z"), earlier_days },
      consent_expires_at: null,
    });

  it("come one after the other, with rows as those of the snapshot", () => {
    expect(faults(day("2026-01-31"), day("2026-02-01", { portfolios: [] }), day("2026-02-02"))).toEqual([]);
  });

  it.each([
    [[day("2026-02-03")], "0.date: must be before the day of as_of"],
    [[day("2026-02-01"), day("2026-02-01")], "1.date: must be after the day before it in the list"],
    [[day("2026-02-30")], "0.date: must be a date that exists, as YYYY-MM-DD"],
    [[day("2026-02-01", { portfolios: [{ ...account, balance: 1 }] })], "0.portfolios.0.balance: "],
    [[day("2026-02-01", { holdings: [{ key: "" }] })], "0.holdings.0.key: must not be empty"],
  ])("are refused otherwise: %o", (days, fault) => {
    expect(faults(...days)[0]).toContain(`snapshot.earlier_days.${fault}`);
  });
});

it("[C-9.601] a snapshot is checked one row in a step, and so is that its transactions agree", () => {
  const row = { portfolio_key: "1", holding_key: null, operation_date: "2026-02-03", description: "", amount: null };
  const rest = { balance: "-1", currency: "EUR", unit_price: null };
  const transactions = Array.from({ length: 50 }, (_, index) => ({ ...row, ...rest, key: `${index}` }));
  const steps = stepsOfAnswer("fetch", { snapshot: { ...empty, transactions }, consent_expires_at: null });
  let taken = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) taken += 1;
  expect([taken, step.value]).toEqual([2 * transactions.length, []]);
});
