import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectorFilterError, type ConnectorFilterIssue, parseConnectorFilter } from "./index.js";

const fine = { action: "exclude", field: "type", value: "psd2" };

function issuesOf(value: unknown): readonly ConnectorFilterIssue[] {
  try {
    parseConnectorFilter(value);
    return [];
  } catch (error) {
    if (error instanceof ConnectorFilterError) return error.issues;
    throw error;
  }
}

/** Path, without `connector_filter`, and kind of every fault. */
const faultsOf = (value: unknown) =>
  issuesOf(value).map(({ path, error_type }) => `${path.replace(/^connector_filter/, "")} ${error_type}`);

const ruleFaults = (rule: unknown) => faultsOf({ rules: [fine, rule] });

describe("a filter", () => {
  it.each<[string, unknown, string[]]>([
    ["[S2-2.17] missing", undefined, [" RequiredField"]],
    ["null", null, [" InvalidValue"]],
    ["text", "rules", [" InvalidValue"]],
    ["a list", [fine], [" InvalidValue"]],
    ["[S2-2.17] without rules", {}, [".rules RequiredField"]],
    ["[S2-2.17] rules: null", { rules: null }, [".rules InvalidValue"]],
    ["rules that are no list", { rules: { 0: fine } }, [".rules InvalidValue"]],
    ["unknown fields", { rules: [], rule: [], mode: "x" }, [".rule UnknownField", ".mode UnknownField"]],
    ["unknown fields and no rules", { Rules: [fine] }, [".Rules UnknownField", ".rules RequiredField"]],
    ["__proto__ from JSON", JSON.parse('{"rules": [], "__proto__": {}}'), [".__proto__ UnknownField"]],
    ["rules that are inherited", Object.create({ rules: [] }), [".rules RequiredField"]],
    ["a sparse list", { rules: Object.assign([], { 1: fine }) }, [".rules[0] RequiredField"]],
  ])("[C-6.7] %s is refused", (_, value, faults) => {
    expect(faultsOf(value)).toEqual(faults);
  });

  it("without any rule is a filter", () => {
    expect(parseConnectorFilter({ rules: [] })).toEqual({ rules: [] });
  });
});

describe("a rule", () => {
  it.each<[string, unknown, string[]]>([
    ["null", null, ["[1] InvalidValue"]],
    ["text", "exclude", ["[1] InvalidValue"]],
    ["a list", [fine], ["[1] InvalidValue"]],
    ["an empty object", {}, ["[1].action RequiredField", "[1].field RequiredField", "[1].value RequiredField"]],
    ["[S2-2.18] an unknown action", { ...fine, action: "hide" }, ["[1].action InvalidValue"]],
    ["[S2-2.18] an action in capitals", { ...fine, action: "EXCLUDE" }, ["[1].action InvalidValue"]],
    ["[S2-2.18] an action in a list", { ...fine, action: ["exclude"] }, ["[1].action InvalidValue"]],
    ["[S2-2.19] an unknown field", { ...fine, field: "name" }, ["[1].field InvalidValue"]],
    ["[S2-2.19] an inherited field name", { ...fine, field: "toString" }, ["[1].field InvalidValue"]],
    ["[S2-2.19] a field of null", { ...fine, field: null }, ["[1].field InvalidValue"]],
    ["no value", { action: "exclude", field: "type" }, ["[1].value RequiredField"]],
    ["[S2-2.20] a number", { ...fine, value: 7 }, ["[1].value InvalidValue"]],
    ["[S2-2.20] null as value", { ...fine, value: null }, ["[1].value InvalidValue"]],
    ["[S2-2.20] an object as value", { ...fine, value: { length: 1, 0: "psd2" } }, ["[1].value InvalidValue"]],
    ["empty text", { ...fine, value: "" }, ["[1].value InvalidValue"]],
    ["an empty list", { ...fine, value: [] }, ["[1].value InvalidValue"]],
    ["a list with a number", { ...fine, value: ["psd2", 7] }, ["[1].value InvalidValue"]],
    ["a list with empty text", { ...fine, value: ["psd2", ""] }, ["[1].value InvalidValue"]],
    ["a list with a hole", { ...fine, value: Object.assign([], { 1: "psd2" }) }, ["[1].value InvalidValue"]],
    ["a list in a list", { ...fine, value: [["psd2"]] }, ["[1].value InvalidValue"]],
    ["[S2-2.20] [S2-4.30] * for type", { ...fine, value: "*" }, ["[1].value InvalidValue"]],
    ["[S2-4.30] * for countries", { ...fine, field: "countries", value: ["*"] }, ["[1].value InvalidValue"]],
    ["* with others", { ...fine, field: "connector_id", value: ["esp:a", "*"] }, ["[1].value InvalidValue"]],
    ["* twice", { ...fine, field: "connector_id", value: ["*", "*"] }, ["[1].value InvalidValue"]],
    ["unknown fields", { ...fine, values: [], "": 1 }, ["[1].values UnknownField", "[1]. UnknownField"]],
    [
      "__proto__ from JSON",
      JSON.parse(JSON.stringify(fine).replace("{", '{"__proto__": 1, ')),
      ["[1].__proto__ UnknownField"],
    ],
  ])("[C-6.7] %s is refused", (_, rule, faults) => {
    expect(ruleFaults(rule)).toEqual(faults.map((fault) => `.rules${fault}`));
  });

  it.each<[string, unknown]>([
    ["text", fine],
    ["[S2-2.20] a list", { ...fine, value: ["psd2", "datafeed"] }],
    ["[S2-2.20] * for connector_id", { ...fine, field: "connector_id", value: "*" }],
    ["* as the only entry of a list", { ...fine, field: "connector_id", value: ["*"] }],
    ["half a surrogate pair", { ...fine, value: "\ud800" }],
    ["the name of a method", { ...fine, value: "__proto__" }],
    ["the same entry twice", { ...fine, value: ["psd2", "psd2"] }],
  ])("may have as value %s", (_, rule) => {
    expect(parseConnectorFilter({ rules: [rule] })).toEqual({ rules: [rule] });
  });
});

describe("ConnectorFilterError", () => {
  it("[C-10.1] lists every fault with path, error_type and message", () => {
    const value = {
      rules: [fine, { action: "hide", field: "*", value: "" }, 7, { field: "type", value: "*", n: 1 }],
      x: 1,
    };
    expect(issuesOf(value)).toEqual([
      { path: "connector_filter.x", error_type: "UnknownField", message: "is unknown" },
      { path: "connector_filter.rules[1].action", error_type: "InvalidValue", message: "must be include or exclude" },
      {
        path: "connector_filter.rules[1].field",
        error_type: "InvalidValue",
        message: "must be connector_id or countries or type",
      },
      {
        path: "connector_filter.rules[1].value",
        error_type: "InvalidValue",
        message: "must be a non-empty string or list of such",
      },
      { path: "connector_filter.rules[2]", error_type: "InvalidValue", message: "must be an object" },
      { path: "connector_filter.rules[3].n", error_type: "UnknownField", message: "is unknown" },
      { path: "connector_filter.rules[3].action", error_type: "RequiredField", message: "must be include or exclude" },
      {
        path: "connector_filter.rules[3].value",
        error_type: "InvalidValue",
        message: 'may have "*" alone, for connector_id',
      },
    ]);
  });

  it("has a short message however many the faults", () => {
    const error = new ConnectorFilterError(issuesOf({ rules: Array(10_000).fill(0) }));
    expect(error.name).toBe("ConnectorFilterError");
    expect(error.issues).toHaveLength(10_000);
    expect(error.message).toMatch(/^connector_filter\.rules\[0\] must be an object; connector_filter\.rules\[1\] /);
    expect(error.message.length).toBeLessThan(500);
  });
});

describe("a parsed filter", () => {
  it("is a frozen copy: what happens to the input later does not reach it", () => {
    const input = { rules: [{ ...fine, value: ["psd2"] }] };
    const filter = parseConnectorFilter(input);
    input.rules[0]?.value.push("*");
    expect(filter).toEqual({ rules: [{ ...fine, value: ["psd2"] }] });
    expect(Object.isFrozen(filter) && Object.isFrozen(filter.rules)).toBe(true);
    expect(Object.isFrozen(filter.rules[0]) && Object.isFrozen(filter.rules[0]?.value)).toBe(true);
  });

  it("is read once: a getter cannot answer twice", () => {
    const answers = ["type", "connector_id"];
    const rule = {
      action: "exclude",
      value: "*",
      get field() {
        return answers.shift();
      },
    };
    expect(ruleFaults(rule)).toEqual([".rules[1].value InvalidValue"]);
  });

  it("comes back as it is when parsed again", () => {
    const filter = parseConnectorFilter({ rules: [fine] });
    expect(parseConnectorFilter(filter)).toBe(filter);
  });
});

describe("a polluted prototype", () => {
  const pollution = { rules: [], action: "exclude" };
  afterEach(() => {
    for (const key of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, key);
  });

  it("adds nothing to a filter", () => {
    Object.assign(Object.prototype, pollution);
    const faults = [faultsOf({}), ruleFaults({ field: "type", value: "psd2" })];
    expect(faults).toEqual([[".rules RequiredField"], [".rules[1].action RequiredField"]]);
  });
});

describe("any input", () => {
  const anyValue = fc.oneof(
    fc.constantFrom("*", "", "psd2"),
    fc.array(fc.constantFrom("*", "", "psd2", 1)),
    fc.anything(),
  );
  const anyRule = fc.oneof(
    fc.record(
      {
        action: fc.oneof(fc.constantFrom("include", "exclude"), fc.anything()),
        field: fc.oneof(fc.constantFrom("connector_id", "countries", "type"), fc.anything()),
        value: anyValue,
        extra: fc.anything(),
      },
      { requiredKeys: [] },
    ),
    fc.anything(),
  );
  const anyInput = fc.oneof(
    fc.record({ rules: fc.oneof(fc.array(anyRule), fc.anything()), extra: fc.anything() }, { requiredKeys: [] }),
    fc.anything({ withNullPrototype: true, withSparseArray: true, withMap: true, withDate: true }),
  );

  it("is either a filter, kept as it was, or refused with paths of its own", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const issues = issuesOf(input);
        if (issues.length === 0) expect(parseConnectorFilter(input)).toEqual(input);
        for (const { path, error_type, message } of issues) {
          expect(path).toMatch(/^connector_filter(\.|$)/);
          expect(["RequiredField", "InvalidValue", "UnknownField"]).toContain(error_type);
          expect(message).toMatch(/^(must|may|is) /);
        }
      }),
      { numRuns: 500 },
    );
  });
});
