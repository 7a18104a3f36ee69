import type { CoreError } from "@org/core";
import { describe, expect, it } from "vitest";
import { parseJsonObject } from "./json.js";

const refusalOf = (value: object): CoreError => {
  try {
    parseJsonObject(Buffer.from(JSON.stringify(value)));
  } catch (error) {
    return error as CoreError;
  }
  throw new Error("it was taken");
};

describe("[C-7.22] a refusal stays small, whatever is refused", () => {
  it("a name longer than any is one fault, and nothing below it another", () => {
    const { details, message } = refusalOf({ ["k".repeat(100_000)]: Array.from({ length: 400 }, () => "\u0000") });
    expect(details).toEqual([
      {
        field: `${"k".repeat(200)}…`,
        error_type: "InvalidValue",
        message: "names of fields have at most 200 characters",
        rule: "names of fields have at most 200 characters",
      },
    ]);
    expect(message.length).toBeLessThan(1_000);
  });

  it("of very many faults the first thousand are listed, and the first of them said", () => {
    const { details, message } = refusalOf({ list: Array.from({ length: 20_000 }, () => "\u0000") });
    expect(details).toHaveLength(1_000);
    expect(details?.[999]?.field).toBe("list[999]");
    expect(message.length).toBeLessThan(10_000);
    expect(message).toMatch(/; and 950 more$/);
  });
});
