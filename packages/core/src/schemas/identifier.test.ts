import { describe, expect, it } from "vitest";
import { parseUuid, uuidField } from "./identifier.js";

const id = "0199abcd-0000-7000-8000-00000000000f";

describe("[C-9.8] an id from outside", () => {
  it("is one of ours as it is written", () => {
    expect(parseUuid(id)).toBe(id);
  });

  it.each([
    "",
    "no-uuid",
    id.toUpperCase(),
    `{${id}}`,
    id.replaceAll("-", ""),
    ` ${id}`,
    `${id}\n`,
    `${id}\0`,
    `${id}0`,
    "0199abcd-0000-7000-8000-00000000000g",
    "' or 1=1 --",
  ])("%j is unknown without a look into the storage", (text) => {
    expect(parseUuid(text)).toBeNull();
  });
});

it("[C-9.8] a field that has to be a UUID takes any case, comes out in lower case and refuses all else", () => {
  expect(uuidField.parse(id.toUpperCase())).toBe(id);
  expect(uuidField.safeParse("no-uuid").error?.issues[0]?.message).toBe("must be a UUID");
});
