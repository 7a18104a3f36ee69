import { createLetterOperations, letterDetailsSchema, type Storage, type TenantStores } from "@org/core";
import type { LetterStatus } from "@org/letter-lifecycle";
import { expect, it } from "vitest";
import { createWorld } from "./world.js";

/** A storage that records its calls: transactions, and reads of letters in them. */
function noted(storage: Storage): { storage: Storage; asked: string[] } {
  const asked: string[] = [];
  const noting = <Port extends object>(port: Port, name: string): Port =>
    new Proxy(port, {
      get: (target, method, receiver) => {
        const found = Reflect.get(target, method, receiver);
        if (typeof found !== "function") return found;
        return (...given: unknown[]) => {
          asked.push(`${name}.${String(method)}`);
          return found.apply(target, given);
        };
      },
    });
  return {
    asked,
    storage: {
      ...storage,
      directory: noting(storage.directory, "directory"),
      inTenant: (tenantId, work) => {
        asked.push("transaction");
        return storage.inTenant(tenantId, (stores: TenantStores) =>
          work({
            ...stores,
            letters: noting(stores.letters, "letters"),
            letterMoves: noting(stores.letterMoves, "letterMoves"),
          }),
        );
      },
    },
  };
}

it("an advance reads its letter once, and in one transaction unless a bank or a PDF comes in between", async () => {
  const world = await createWorld();
  const { storage, asked } = noted(world.storage);
  const letters = createLetterOperations({
    storage,
    runtime: world.runtime,
    connectors: world.connectors,
    checks: { inspect: async (bytes) => ({ bytes, signature: "none" }), scan: null, maxBytes: 5_000 },
    template: async () => Buffer.from("%PDF-1.7\nletter\n%%EOF\n"),
    sendsMail: true,
  });
  const { id } = await letters.request(world.alice, { connector_id: "fra:custody", labels: {}, contact_info: {} });
  const details = letterDetailsSchema.parse({
    full_name: "Ana",
    address: ["Calle Mayor 1"],
    email: "ana@client.example",
  });
  await letters.collectDetails(world.operator, id, details);
  const seen: [string, number][] = [];
  for (let status: LetterStatus = "UsersDetail"; status !== "Connected"; ) {
    if (status === "SentToUser") {
      const data = Buffer.from("%PDF-1.7\nsigned\n%%EOF\n").toString("base64");
      ({ status } = await letters.attachSigned(world.operator, { letter_id: id, data }));
      continue;
    }
    asked.length = 0;
    const before = status;
    ({ status } = await letters.advance(world.operator, id, {}));
    expect(asked.filter((what) => what === "letters.find" || what === "letterMoves.lock")).toEqual(["letters.find"]);
    expect(asked.filter((what) => what.startsWith("directory"))).toEqual(["directory.tenantOfLetter"]);
    seen.push([before, asked.filter((what) => what === "transaction").length]);
  }
  expect(seen).toEqual([
    ["UsersDetail", 2],
    ["Generated", 1],
    ["Signed", 1],
    ["SentToCustodian", 1],
    ["AcceptedByCustodian", 1],
    ["ConnectionSetup", 1],
    ["WaitingForData", 2],
  ]);
});
