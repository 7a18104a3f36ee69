import { expect, it } from "vitest";
import { typeFaults } from "./asks-for.js";

it.each<[readonly string[] | undefined, readonly string[]]>([
  [undefined, []],
  [["*"], []],
  [["letter.moved", "connection.*", "webhook.endpoint_disabled"], []],
  [[], ["types"]],
  [
    ["letter.*", "letters.*", "letter", "letter.mov", ""],
    ["types[1]", "types[2]", "types[3]", "types[4]"],
  ],
  [
    ["webhook.test", "mail.failed", "provider.*", "Letter.*", "*.moved"],
    ["types[0]", "types[1]", "types[2]", "types[3]", "types[4]"],
  ],
])("[C-11.40] an endpoint asks for types that there are, and what is none is named: %j", (types, fields) => {
  expect(typeFaults(types, "types").map(({ field }) => field)).toEqual(fields);
});
