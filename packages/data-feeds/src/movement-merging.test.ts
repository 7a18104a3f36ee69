import type { MovementStatement } from "@org/core";
import { describe, expect, it } from "vitest";
import { transactionsOf } from "./movement-merging.js";

const message = (
  stage: MovementStatement["stage"],
  references: readonly string[],
  units: string,
  more: Partial<MovementStatement> & { readonly day?: string } = {},
): MovementStatement => {
  const { day = "2024-01-04", ...rest } = more;
  const id = `${stage} ${references.join("+")} ${units} ${rest.cancels?.join("+") ?? ""}`;
  return {
    statement_id: id,
    references,
    cancels: [],
    key: references[0] ?? null,
    stage,
    slot: id,
    row: {
      transaction_id: id as never,
      portfolio_id: "p" as never,
      holding_id: "nestle" as never,
      operation_date: day,
      description: id,
      amount: units,
      balance: null,
      currency: "CHF",
      unit_price: null,
      facts: { settlement_date: "2024-01-04" },
    },
    ...rest,
  };
};

describe("messages about movements", () => {
  it("come to the same transactions in every order", () => {
    const messages = [
      message("traded", ["SEME:K1", "TRAD:T1"], "10", { day: "2024-01-02" }),
      message("settled", ["SEME:C1", "TRAD:T1"], "10"),
      message("posted", ["RELA:C1", "SEME:C1"], "10.0"),
      message("traded", ["SEME:K2", "TRAD:T2"], "-4", { day: "2024-01-02" }),
      message("traded", ["SEME:K3"], "4", { cancels: ["SEME:K2"] }),
    ];
    const shown = (order: readonly MovementStatement[]) =>
      transactionsOf(order).map(({ amount, operation_date }) => `${operation_date} ${Number(amount)}`);
    for (const order of permutations(messages)) expect(shown(order)).toEqual(["2024-01-02 10"]);
  });

  it("executions give way to the order that a statement books, and to one another by their own references", () => {
    const executions = [message("traded", ["TRADE:1", "ORDER:1"], "6"), message("traded", ["TRADE:2", "ORDER:1"], "4")];
    const amounts = (...more: MovementStatement[]) =>
      transactionsOf([...executions, ...more])
        .map(({ amount }) => amount)
        .sort();
    expect(amounts()).toEqual(["4", "6"]);
    expect(amounts(message("posted", ["ORDER:1"], "10"))).toEqual(["10"]);
    expect(
      amounts(message("posted", ["TRADE:2", "ORDER:1"], "4"), message("posted", ["TRADE:1", "ORDER:1"], "6")),
    ).toEqual(["4", "6"]);
  });

  it("[C-9.141] a reversal goes the other way than what it takes back, whichever way it is written and whichever comes first", () => {
    const paid = (id: string, balance: string, cancels: readonly string[] = []): MovementStatement => {
      const one = message("settled", cancels.length > 0 ? [id, ...cancels] : [id], "1", { cancels });
      return { ...one, row: { ...one.row, amount: null, balance, facts: { taxes: "-0.30" } } };
    };
    const shown = (messages: readonly MovementStatement[]) =>
      transactionsOf(messages)
        .map(({ balance, facts }) => `${balance} ${facts?.taxes}`)
        .sort();
    const original = paid("SEME:N1", "8.5");
    for (const written of ["8.50", "-8.50"])
      for (const order of permutations([original, paid("SEME:A1", written, ["SEME:N1"])]))
        expect(shown(order)).toEqual([`-8.50 ${written === "8.50" ? "0.30" : "-0.30"}`, "8.5 -0.30"]);
    // The amounts differ, so the reversal is shown as written.
    expect(shown([original, paid("SEME:A1", "3", ["SEME:N1"])])).toEqual(["3 -0.30", "8.5 -0.30"]);
  });

  it("messages that string a whole file together cost time in proportion, reversals too", () => {
    const count = 20_000;
    const chained = Array.from({ length: count }, (_, index) => {
      const cancels = index % 2 === 1 ? [`SEME:none${index}`] : [];
      return message("settled", [`SEME:${index}`, `SEME:${index + 1}`, ...cancels], String(index + 1), { cancels });
    });
    const began = process.cpuUsage();
    expect(transactionsOf(chained)).toHaveLength(count);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  it("a reference that too many other messages have joins none of these", () => {
    const two = [message("posted", ["POOL:1", "A:1"], "1"), message("settled", ["POOL:1", "B:1"], "1")];
    expect(transactionsOf(two)).toHaveLength(1);
    expect(transactionsOf(two, new Set(["POOL:1"]))).toHaveLength(2);
  });

  it("a movement that is told more often than a call has arguments is one", () => {
    const one = message("posted", [], "1", { slot: "one" });
    const often = Array.from({ length: 130_000 }, (_, index) => {
      const link = Math.floor(index / 100);
      return { ...one, statement_id: `${index}`, references: [`A:${link}`, `A:${link + 1}`] };
    });
    expect(transactionsOf(often)).toHaveLength(1);
  });

  it("a reference that hundreds share joins nothing, and costs time in proportion", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => [
      message("posted", ["POOL:1", `TRAD:${index}`], `${index + 1}`),
      message("settled", ["POOL:1", `TRAD:${index}`], `${index + 1}`),
    ]).flat();
    const began = process.cpuUsage();
    expect(transactionsOf(many)).toHaveLength(5_000);
    const chain = Array.from({ length: 5_000 }, (_, index) => message("posted", [`A:${index}`, `A:${index + 1}`], "1"));
    expect(transactionsOf(chain)).toHaveLength(5_000);
    const { user, system } = process.cpuUsage(began);
    // Quadratic time would be minutes.
    expect((user + system) / 1e6).toBeLessThan(60);
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}
