import { expect, it } from "vitest";
import { z } from "zod";
import { zodMessages } from "./index.js";

/** Messages of zod itself, none of which may be left. */
const zodSentence = /Invalid|Unrecognized|Too (small|big)|expected|received|pattern/;

const refusalsOf = (schema: z.ZodType, input: unknown) =>
  schema.safeParse(input, { error: zodMessages }).error?.issues.map(({ code, message }) => [code, message]) ?? [];

const day = new Date(0);

/** Every issue code of zod 4, with each way to cause it. */
const cases: Readonly<Record<z.core.$ZodIssue["code"], readonly (readonly [z.ZodType, unknown, string])[]>> = {
  invalid_type: [
    [z.string(), 1, "must be a string"],
    [z.string(), undefined, "is required"],
    [z.number(), "1", "must be a number"],
    [z.number(), Number.NaN, "must be a number"],
    [z.int(), 1.5, "must be a whole number"],
    [z.bigint(), 1, "must be a whole number"],
    [z.boolean(), "true", "must be true or false"],
    [z.array(z.string()), {}, "must be a list"],
    [z.tuple([z.string()]), {}, "must be a list"],
    [z.object({}), [], "must be an object"],
    [z.record(z.string(), z.string()), "a", "must be an object"],
    [z.map(z.string(), z.string()), {}, "must be an object"],
    [z.set(z.string()), {}, "must be a list"],
    [z.date(), "2026", "must be a date"],
    [z.null(), 1, "must be null"],
    [z.never(), 1, "must be left out"],
    [z.undefined(), 1, "must be left out"],
    [z.symbol(), 1, "must be of another kind"],
    [z.nan(), 1, "must be of another kind"],
    [z.file(), 1, "must be a file"],
  ],
  invalid_value: [
    [z.literal("*"), "a", "must be *"],
    [z.enum(["a", "b"]), "c", "must be one of a, b"],
    [z.enum(["a", "b"]), undefined, "is required"],
    [z.literal([1, null]), 2, "must be one of 1, null"],
  ],
  too_small: [
    [z.string().min(1), "", "must not be empty"],
    [z.string().min(3), "ab", "must have at least 3 characters"],
    [z.string().length(3), "ab", "must have exactly 3 characters"],
    [z.array(z.string()).min(1), [], "must not be empty"],
    [z.array(z.string()).min(2), [], "must have at least 2 entries"],
    [z.set(z.string()).min(2), new Set(), "must have at least 2 entries"],
    [z.number().min(1), 0, "must be at least 1"],
    [z.number().gt(1), 1, "must be more than 1"],
    [z.bigint().min(1n), 0n, "must be at least 1"],
    [z.date().min(new Date(1)), day, "must be at least 1970-01-01T00:00:00.001Z"],
    [z.file().min(2), new File([], "a"), "must have at least 2 bytes"],
  ],
  too_big: [
    [z.string().max(1), "ab", "must have at most 1 character"],
    [z.string().length(1), "ab", "must have exactly 1 character"],
    [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
    [z.tuple([]), [1], "must have at most 0 entries"],
    [z.map(z.string(), z.string()).max(0), new Map([["a", "b"]]), "must have at most 0 entries"],
    [z.number().max(1), 2, "must be at most 1"],
    [z.number().lt(1), 1, "must be less than 1"],
    [z.int(), 2 ** 60, `must be at most ${Number.MAX_SAFE_INTEGER}`],
  ],
  invalid_format: [
    [z.email(), "a", "must be an e-mail address"],
    [z.url(), "a", "must be a URL"],
    [z.guid(), "a", "must be a UUID"],
    [z.uuid(), "a", "must be a UUID"],
    [z.iso.date(), "a", "must be a date that exists, as YYYY-MM-DD"],
    [z.iso.datetime(), "a", "must be a date and time, as RFC 3339 has it"],
    [z.ipv4(), "a", "must be an IPv4 address"],
    [z.base64(), "?", "must be Base64"],
    [z.string().regex(/a/), "b", "is not written as it has to be"],
    [z.string().startsWith("a"), "b", "has the wrong prefix"],
    [z.string().endsWith("a"), "b", "has the wrong suffix"],
    [z.string().includes("a"), "b", "lacks something that it has to hold"],
    [z.ulid(), "a", "is not written as it has to be"],
  ],
  not_multiple_of: [[z.number().multipleOf(3), 4, "must be a multiple of 3"]],
  unrecognized_keys: [[z.strictObject({}), { a: 1 }, "has members that do not belong there"]],
  invalid_key: [
    [z.record(z.string().min(2), z.string()), { a: "b" }, "must have at least 2 characters"],
    [z.map(z.number(), z.string()), new Map([[{}, "b"]]), "must be a number"],
  ],
  invalid_element: [[z.map(z.object({}), z.number()), new Map([[{}, "b"]]), "must be a number"]],
  invalid_union: [
    [z.union([z.string(), z.array(z.string())]), 1, "must be a string or a list"],
    [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), {}, "has none of the forms that are allowed"],
    [z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]), { kind: "b" }, "must be a"],
    [z.xor([z.string(), z.string()]), "a", "has none of the forms that are allowed"],
  ],
  custom: [
    [z.string().refine(() => false), "a", "is not allowed here"],
    [z.custom(() => false), "a", "is not allowed here"],
    [z.string().refine(() => false, "must be good"), "a", "must be good"],
  ],
};

for (const [code, refused] of Object.entries(cases))
  it(`[C-7.60] ${code} is said in our words`, () => {
    for (const [schema, input, words] of refused) {
      const [refusal] = refusalsOf(schema, input);
      expect(refusal).toEqual([code, words]);
      expect(refusal?.[1]).not.toMatch(zodSentence);
      expect(refusal?.[1]).toMatch(/^[\x20-\x7e]+$/);
    }
  });

it("a message of the schema's own goes first", () => {
  expect(refusalsOf(z.string("must be a name"), 1)).toEqual([["invalid_type", "must be a name"]]);
  expect(refusalsOf(z.int().min(1, "must be 1 or more"), 0)).toEqual([["too_small", "must be 1 or more"]]);
});

it("what was sent is not repeated", () => {
  const secret = "s3cret";
  for (const schema of [z.int(), z.enum(["a"]), z.email(), z.strictObject({}), z.string().max(2), z.literal(1)])
    for (const input of [secret, { [secret]: secret }, [secret]])
      expect(JSON.stringify(refusalsOf(schema, input))).not.toContain(secret);
});
