import { describe, expect, it } from "vitest";
import { bankTools } from "../src/index.js";
import { call, contentOf, modern, rpc, startMcp, toolErrorOf } from "./mcp-server.js";
import { ids } from "./world.js";

const mcp = await startMcp();

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Valid arguments of each tool; tests replace one of them with a fault. */
const sound: Record<string, Record<string, unknown>> = {
  "svc-create-connect-session": { connector_id: "esp:alpha" },
  "svc-session-status": { session_id: "any" },
  "svc-credential-status": { credentials_token: ids.alpha },
  "svc-needs-relogin": { credentials_token: ids.alpha },
  "svc-delete-credentials": { credentials_token: ids.alpha, confirm: false },
};

/** Arguments beside which another parameter is tried alone: two names of one bank cannot have different values. */
const besides = (name: string, parameter: string) =>
  name === "svc-create-connect-session" || parameter === "connection_id" ? {} : sound[name];

/** Accepts any value: anything but true means no (contract §4). */
const isConfirm = (parameter: string) => parameter === "confirm";
/** A string that is not an id is treated like any unknown id (contract §9). */
const isId = (parameter: string) => /_(id|token)$/.test(parameter);
/** Messages of the schema library, which must never be visible. */
const zodSentence =
  /Invalid (input|option|string|number|key|value|discriminator|element)|Unrecognized key|Too (small|big)|: expected|, received|match pattern/;

const samples: [string, unknown][] = [
  ["null", null],
  ["a number", 7],
  ["a fraction", 1.5],
  ["a number that is too large for any", 1e300],
  ["text", "text"],
  ["a boolean", true],
  ["an object", { a: 1 }],
  ["an empty list", []],
  ["a list of objects", [{}]],
  ["a list of lists", [["a"]]],
  ["a list of numbers", [1]],
];

/** Whether a JSON schema accepts a value, for the keywords that the tools' inputs use. */
function takes(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((option) => takes(option, value));
  switch (schema.type) {
    case "integer":
      return (
        Number.isInteger(value) &&
        (value as number) >= (schema.minimum ?? -Infinity) &&
        (value as number) <= (schema.maximum ?? Infinity)
      );
    case "number":
      return typeof value === "number" && Math.abs(value) < 1e15;
    case "boolean":
      return typeof value === "boolean";
    case "array": {
      const { items, minItems = 0, maxItems = Infinity } = schema;
      return (
        Array.isArray(value) &&
        value.length >= minItems &&
        value.length <= maxItems &&
        value.every((one) => takes(items ?? {}, one))
      );
    }
    case "string":
      return typeof value === "string" && takesText(schema, value);
    default:
      throw new Error(`what does ${JSON.stringify(schema)} take?`);
  }
}

function takesText({ enum: names, pattern, minLength = 0, maxLength = Infinity }: Schema, text: string): boolean {
  return (
    (!names || names.includes(text.toUpperCase())) &&
    (!pattern || new RegExp(pattern).test(text)) &&
    text.length >= minLength &&
    text.length <= maxLength
  );
}

/** Returns values at and beyond the bounds of a schema. */
function edges(schema: Schema): [string, unknown][] {
  const options = schema.anyOf ?? [schema];
  return options.flatMap(
    ({ minimum, maximum, minLength, maxLength, maxItems, items, enum: names }): [string, unknown][] => [
      ...(minimum === undefined ? [] : ([[`${minimum - 1}`, minimum - 1]] as [string, unknown][])),
      ...(maximum === undefined ? [] : ([[`${maximum + 1}`, maximum + 1]] as [string, unknown][])),
      ...(minLength ? ([["empty text", ""]] as [string, unknown][]) : []),
      ...(maxLength === undefined
        ? []
        : ([[`text of ${maxLength + 1} characters`, "x".repeat(maxLength + 1)]] as [string, unknown][])),
      ...(maxItems === undefined
        ? []
        : ([[`a list of ${maxItems + 1}`, Array.from({ length: maxItems + 1 }, () => wordFor(items ?? {}))]] as [
            string,
            unknown,
          ][])),
      ...(names ? ([["a name that is none", "nonsense"]] as [string, unknown][]) : []),
    ],
  );
}

/** Returns a list that the parameter takes, of two values where its options are known: a list of codes takes those of a single value. */
function listFor(schema: Schema): unknown[] {
  const options = schema.anyOf ?? [schema];
  const { items = {} } = options.find(({ type }) => type === "array") ?? {};
  const names = items.enum ?? options[0]?.enum;
  return names ? names.slice(0, 2) : [schema.examples?.find((value) => typeof value === "string") ?? wordFor(items)];
}

function wordFor({ enum: names, pattern }: Schema): string {
  return names?.[0] ?? (pattern?.includes("A-Z") ? "EUR" : "x");
}

for (const { name, inputSchema } of bankTools.listed()) {
  const base = sound[name] ?? {};
  const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, Schema>);
  const required = (inputSchema.required as string[] | undefined) ?? [];
  const optional = properties.map(([parameter]) => parameter).filter((parameter) => !required.includes(parameter));

  describe(name, () => {
    for (const [parameter, schema] of properties.filter(([parameter]) => !isConfirm(parameter)))
      it(`[C-4.7] [C-7.60] ${parameter}: whatever it does not take is VALIDATION_ERROR that names it and says what it takes`, async () => {
        const refused = [...samples, ...edges(schema)].filter(
          ([, value]) => !takes(schema, value) && ((value !== null && value !== "") || required.includes(parameter)),
        );
        expect(refused.length).toBeGreaterThan(5);
        for (const [what, value] of refused) {
          const args = { ...base, [parameter]: value };
          const error = toolErrorOf(await mcp.send({ body: call(name, args) }));
          expect(error.code, what).toBe("VALIDATION_ERROR");
          expect(error.details, what).toHaveLength(1);
          expect(error.details[0].field.replace(/\[\d+\]$/, ""), what).toBe(parameter);
          expect(error.message, what).toContain(parameter);
          expect(error.message, what).not.toMatch(/undefined|\[object/);
          expect(error.message, what).not.toMatch(zodSentence);
          for (const bound of boundsOf(schema)) expect(error.message, what).toContain(bound);
          expect(toolErrorOf(await mcp.send(modern("tools/call", { name, arguments: args })))).toEqual(error);
        }
      });

    for (const nothing of [null, ""])
      it(`[C-4.60] ${JSON.stringify(nothing)} for an optional argument is as if it were left out`, async () => {
        const optionalIn = optional.filter((parameter) => !(parameter in base));
        const left = Object.fromEntries(optionalIn.map((parameter) => [parameter, nothing]));
        const answers = await Promise.all(
          [base, { ...left, ...base }].map((args) => mcp.send({ body: call(name, args) })),
        );
        if (name === "svc-create-connect-session") for (const answer of answers) contentOf(answer);
        else expect(answers[1]?.text).toBe(answers[0]?.text);
      });

    for (const [parameter, schema] of properties.filter(([parameter]) => !isConfirm(parameter)))
      it(`[C-4.82] ${parameter}: JSON text of what it takes is taken as that, and nothing else`, async () => {
        const others = besides(name, parameter);
        const answer = async (value: unknown) =>
          (await mcp.send({ body: call(name, { ...others, [parameter]: value }) })).text;
        const options = (schema.anyOf ?? [schema]).map(({ type }) => type);
        if (options.includes("integer")) {
          expect(await answer("5")).toBe(await answer(5));
          expect(await answer("0")).toContain(`${parameter}: must be a whole number between`);
        }
        if (options.includes("boolean")) expect(await answer("true")).toBe(await answer(true));
        if (options.includes("array")) {
          const list = listFor(schema);
          expect(await answer(JSON.stringify(list))).toBe(await answer(list));
        }
        const texts = options.includes("array") ? ["5", "true"] : ["5", "true", '["a"]'];
        if (isId(parameter) && options.includes("string"))
          for (const text of texts) expect(await answer(text)).toContain("NOT_FOUND");
      });

    for (const parameter of required)
      it(`[C-4.26] without ${parameter}: VALIDATION_ERROR that names it`, async () => {
        const { [parameter]: _, ...rest } = base;
        const error = toolErrorOf(await mcp.send({ body: call(name, rest) }));
        expect(error).toMatchObject({
          code: "VALIDATION_ERROR",
          details: [{ field: parameter, error_type: "RequiredField" }],
        });
      });

    for (const parameter of ["unknown", "Page", "__proto__", "constructor", "toString", "a.b"])
      it(`an unknown parameter ${parameter}: VALIDATION_ERROR that names it and those that there are`, async () => {
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${JSON.stringify(base).slice(0, -1)}${Object.keys(base).length ? "," : ""}"${parameter}":1}}}`;
        const error = toolErrorOf(await mcp.send({ body }));
        expect(error).toMatchObject({
          code: "VALIDATION_ERROR",
          details: [{ field: parameter, error_type: "UnknownField" }],
        });
        for (const [known] of properties) expect(error.message).toContain(known);
      });

    it("lists every fault at once", async () => {
      const names = properties.map(([parameter]) => parameter).filter((parameter) => !isConfirm(parameter));
      const wrong = Object.fromEntries(names.map((parameter) => [parameter, { no: "value" }]));
      const error = toolErrorOf(await mcp.send({ body: call(name, { ...wrong, more: 1 }) }));
      expect(error.details.map((fault: { field: string }) => fault.field).sort()).toEqual(
        [...Object.keys(wrong), "more"].sort(),
      );
    });

    for (const [what, text] of [
      ["NUL", "a\u0000b"],
      ["a lone surrogate", "a\ud800b"],
    ] as const)
      for (const [parameter, schema] of properties.filter(([, schema]) => isText(schema)))
        it(`${parameter} with ${what} is refused, and never an error of ours`, async () => {
          const confirmed = name === "svc-delete-credentials" && { confirm: true };
          const others = { ...besides(name, parameter), ...confirmed };
          const error = toolErrorOf(
            await mcp.send({ body: call(name, { ...others, [parameter]: schema.type === "array" ? [text] : text }) }),
          );
          expect(error).toMatchObject({ code: isId(parameter) ? "NOT_FOUND" : "VALIDATION_ERROR" });
        });
  });
}

describe.each(["svc-needs-relogin", "svc-credential-status"])("%s", (name) => {
  const answer = (args: object) => mcp.send({ body: call(name, args) });
  const refusal = async (args: object) => toolErrorOf(await answer(args));
  const { beta } = ids;

  it("[C-4.144] takes connection_id as another name of credentials_token, which its published schema requires", async () => {
    const { inputSchema } = bankTools.listed().find((tool) => tool.name === name) as { inputSchema: Schema & object };
    expect(inputSchema).toMatchObject({
      required: ["credentials_token"],
      properties: { connection_id: { type: "string" } },
      additionalProperties: false,
    });
    const { text } = await answer({ credentials_token: beta });
    for (const args of [
      { connection_id: beta },
      { connection_id: beta, credentials_token: null },
      { connection_id: beta, credentials_token: "" },
      { connection_id: beta, credentials_token: beta },
      { connection_id: beta, credentials_token: beta.toUpperCase() },
    ]) {
      expect((await answer(args)).text).toBe(text);
      expect(contentOf(await mcp.send(modern("tools/call", { name, arguments: args })))).toEqual(
        contentOf(await answer({ credentials_token: beta })),
      );
    }
  });

  it("[C-4.144] refuses two different values, and names both where neither is given", async () => {
    expect(await refusal({ connection_id: beta, credentials_token: ids.alpha })).toEqual({
      code: "VALIDATION_ERROR",
      message: "connection_id: is another name of credentials_token: give one of them, or both the same value",
      details: [{ field: "connection_id", error_type: "InvalidValue" }],
    });
    for (const none of [{}, { connection_id: null }, { connection_id: "" }])
      expect(await refusal(none)).toEqual({
        code: "VALIDATION_ERROR",
        message: "credentials_token: is required, or connection_id, which is another name of it",
        details: [{ field: "credentials_token", error_type: "RequiredField" }],
      });
  });
});

describe("arguments", () => {
  it("may be left out where nothing is required", async () => {
    expect(
      contentOf(
        await mcp.send({ body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "svc-connectors" } } }),
      ).page_size,
    ).toBe(50);
  });

  it("are repeated to the client in part only, however many and long they are", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`unknown-${index}-${"x".repeat(900)}`, 1]),
    );
    for (const args of [many, { ["x".repeat(900_000)]: 1 }]) {
      const answer = await mcp.send({ body: call("svc-connectors", args) });
      expect(toolErrorOf(answer).code).toBe("VALIDATION_ERROR");
      expect(answer.text.length).toBeLessThan(50_000);
    }
  });

  it("[C-9.284] are bounded in number, and so are their names and what is beside them", async () => {
    const named = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`unknown-${index}`, 1]));
    const beside = (values: number) => rpc("ping", { padding: Array(values).fill(1) });
    for (const [body, status] of [
      [call("svc-connectors", named), 400],
      [call("svc-connectors", { countries: Array(10_100).fill("esp") }), 400],
      [call("svc-connectors", { countries: Array(9_000).fill("esp") }), 200],
      [beside(320), 400],
      [beside(280), 200],
    ] as const)
      expect((await mcp.send({ body })).status).toBe(status);
  });
});

function isText(schema: Schema): boolean {
  return (schema.anyOf ?? [schema]).some((option) => option.type === "string") || schema.items?.type === "string";
}

/** Returns the bounds of a number that a message must state. */
function boundsOf({ type, minimum, maximum }: Schema): string[] {
  return type === "integer" ? [String(minimum), String(maximum)] : [];
}
