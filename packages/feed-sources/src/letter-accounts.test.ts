import type { TenantStores, Uuid } from "@org/core";
import { createMemoryStorage, createTestRuntime, samples } from "@org/core/testing";
import { expect, it } from "vitest";
import { letterAccounts } from "./letter-accounts.js";

const connector_id = "esp:custody";
const details = {
  full_name: "A",
  address: ["B"],
  birth_date: null,
  tax_id: null,
  email: null,
  language: "en" as const,
};

it("of letters that name accounts nothing is read or opened again while none changes, and then what has changed", async () => {
  const memory = createMemoryStorage();
  const runtime = createTestRuntime();
  const tenant = await samples.newTenant(memory);
  const made = Array.from({ length: 450 }, () => samples.letter({ connector_id, status: "WaitingForData" }));
  const name = async (stores: TenantStores, letterId: Uuid, accounts: readonly string[]) => {
    const text = JSON.stringify({ ...details, accounts });
    const sealed = await runtime.vault.seal(text, { purpose: "letter-details", row: letterId });
    await stores.letterDocuments.storeDetails(letterId, sealed);
  };
  await tenant.run(async (stores) => {
    for (const [index, letter] of made.entries()) {
      await stores.letters.create(letter, [], samples.move(letter));
      if (index !== 7) await name(stores, letter.letter_id, [`ACC-${index}`]);
    }
  });
  const done: string[] = [];
  const storage: typeof memory = {
    ...memory,
    letterAdmin: {
      ...memory.letterAdmin,
      async forFiles(query, known) {
        const found = await memory.letterAdmin.forFiles(query, known);
        done.push(`told ${found.letters?.length ?? "nothing"}`);
        return found;
      },
    },
    inTenant(tenantId, work) {
      done.push("transaction");
      return memory.inTenant(tenantId, work);
    },
  };
  const vault = {
    ...runtime.vault,
    async open(...given: Parameters<typeof runtime.vault.open>) {
      done.push("opened");
      return runtime.vault.open(...given);
    },
  };
  const lettersOf = letterAccounts({ storage, runtime: { vault } });
  const told = async () => {
    done.length = 0;
    const letters = await lettersOf({ connector_id });
    return { letters, done: [...new Set(done)].map((what) => `${what} ${done.filter((one) => one === what).length}`) };
  };
  const [first, beside] = await Promise.all([told(), lettersOf({ connector_id })]);
  expect(first.letters).toHaveLength(449);
  expect(first.letters[0]).toMatchObject({ tenant_id: tenant.tenant_id, accounts: ["ACC-0"] });
  expect(first.done).toEqual(["told 450 2", "transaction 3", "opened 449"]);
  expect(beside).toBe(first.letters);
  const second = await told();
  expect([second.letters, second.done]).toEqual([first.letters, ["told nothing 1"]]);
  const [, changed] = made as [(typeof made)[0], (typeof made)[0]];
  await tenant.run(async (stores) => {
    await stores.letterMoves.record(changed, samples.move(changed, { from: "WaitingForData" }));
    await name(stores, changed.letter_id, ["NEW"]);
  });
  const third = await told();
  expect(third.done).toEqual(["told 450 1", "transaction 1", "opened 1"]);
  expect(third.letters[1]).toMatchObject({ letter_id: changed.letter_id, accounts: ["NEW"] });
});
