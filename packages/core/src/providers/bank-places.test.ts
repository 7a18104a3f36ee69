import { expect, it } from "vitest";
import { createBankPlaces, type PlaceLimits } from "./bank-places.js";

function start(limits: Partial<PlaceLimits> = {}) {
  const places = createBankPlaces({ overall: 100, each: 20, waiting: 1_000, waitingEach: 200, ...limits });
  const entered: string[] = [];
  const ends: (() => void)[] = [];
  return {
    places,
    entered,
    ends,
    /** Makes `count` calls of a tenant to a connector; returns how many got a place immediately. */
    async ask(tenant: string, connector: string, count: number) {
      const before = entered.length;
      for (let call = 0; call < count; call += 1)
        void places.take(connector, tenant, new AbortController().signal).then((end) => {
          entered.push(tenant);
          ends.push(end);
        });
      await new Promise((resolve) => setImmediate(resolve));
      return entered.length - before;
    },
  };
}

it("[C-9.65] 190 slow logins of one tenant leave another tenant's customer a place at the same bank at once", async () => {
  const { ask, places } = start();
  expect(await ask("slow", "esp:bank", 190)).toBe(10);
  expect(places.waiting).toBe(180);
  expect(await ask("honest", "esp:bank", 1)).toBe(1);
});

it("nor does a tenant that goes to all banks take all places", async () => {
  const { ask } = start({ waitingEach: 1_000 });
  let held = 0;
  for (let bank = 0; bank < 40; bank += 1) held += await ask("slow", `esp:${bank}`, 10);
  expect(held).toBe(50);
  expect(await ask("honest", "esp:0", 1)).toBe(1);
});

it("whoever waits gets a place when one is given back, tenants in turn", async () => {
  const { ask, ends, entered } = start({ each: 2 });
  await ask("a", "esp:bank", 3);
  await ask("b", "esp:bank", 2);
  expect(entered).toEqual(["a", "b"]);
  for (let turn = 0; turn < 3; turn += 1) {
    ends[turn]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(entered).toEqual(["a", "b", "a", "b", "a"]);
});

it("a call that gives up while it waits leaves nothing behind", async () => {
  const { ask, places, ends } = start({ overall: 1 });
  await ask("a", "esp:bank", 1);
  const impatient = new AbortController();
  const waiting = places.take("fra:bank", "b", impatient.signal);
  impatient.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect([places.running, places.waiting]).toEqual([1, 0]);
  ends[0]?.();
  expect(places.running).toBe(0);
});
