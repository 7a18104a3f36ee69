import { readdirSync } from "node:fs";
import type { TenantActor } from "@org/core";
import { expect, it } from "vitest";
import { connectFamily, type Family, families, familyOf, lettersFamily, operatorFamily } from "../src/families.js";

it("every list of endpoints in src/endpoints is part of a family in families.ts", async () => {
  const known = new Set<unknown>(families.flatMap(({ endpoints }) => endpoints));
  const files = readdirSync(new URL("../src/endpoints", import.meta.url)).map((name) => name.replace(/\.ts$/, ""));
  const stray: string[] = [];
  for (const file of files)
    for (const [name, list] of Object.entries(await import(`../src/endpoints/${file}.ts`)))
      if (Array.isArray(list) && list.some((each) => Object.hasOwn(each, "operation") && !known.has(each)))
        stray.push(`${name} of ${file}.ts`);
  expect(files.length).toBeGreaterThan(20);
  expect(stray).toEqual([]);
});

it.each<Family<TenantActor>>([lettersFamily, connectFamily])(
  "[C-5.4] an endpoint of $name cannot appear under another prefix",
  (family) => {
    const strays = { ...family, prefixes: operatorFamily.prefixes };
    expect(() => familyOf(strays)).toThrow(RangeError);
  },
);

it.each(["/letters/v10/show", "/letters/v1"])("[C-5.4] %s only begins as the prefix /letters/v1 does", (path) => {
  const [endpoint] = lettersFamily.endpoints;
  expect(() => familyOf({ ...lettersFamily, endpoints: [{ ...endpoint, path } as typeof endpoint & object] })).toThrow(
    path,
  );
});

it("[C-5.1] an alias has to be under a prefix, too", () => {
  const [endpoint] = connectFamily.endpoints;
  const stray = { ...endpoint, alias: "/sessions" } as typeof endpoint & object;
  expect(() => familyOf({ ...connectFamily, endpoints: [stray] })).toThrow("/sessions");
});
