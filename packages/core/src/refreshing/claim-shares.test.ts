import { expect, it } from "vitest";
import { samples } from "../testing/index.js";
import { createClaimShares } from "./claim-shares.js";

const lease = (tenant_id: string) => ({
  tenant_id,
  connection_id: samples.newId(),
  connector_id: "usa:broker",
  lease: samples.newId(),
});

function sharesAt(owners: readonly string[] = []) {
  let now = 1_000_000;
  const pauses: number[] = [];
  const shares = createClaimShares({
    clock: () => new Date(now),
    providers: { owners: () => owners },
    each: 8,
    openBreakers: () => [{ connector_id: "fra:bank", provider: "other", scope: "", state: "half_open" }],
    afterPause: (milliseconds) => void pauses.push(milliseconds),
  });
  return { shares, pauses, pass: (milliseconds: number) => (now += milliseconds) };
}

it("[C-5.282] a connector whose shared limit is used up is left alone until its time, and then has three places for a minute", () => {
  const { shares, pauses, pass } = sharesAt(["owner"]);
  const at = { connector_id: "usa:broker", provider: "aggregator", tenant_id: "somebody" };
  const closed = { connector_id: "usa:broker", tenant_id: null, except_tenants: ["owner"] };
  expect(shares.current()).toMatchObject({ closed: [], at_most: { "fra:bank": 1 } });
  shares.pause(at, 6);
  // Others that were under way find out, too, and change nothing.
  pass(100);
  shares.pause(at, 6);
  expect(pauses).toEqual([6_000]);
  expect(shares.current()).toMatchObject({ closed: [closed], at_most: { "fra:bank": 1, "usa:broker": 3 } });
  pass(5_900);
  expect(shares.current()).toMatchObject({ closed: [], at_most: { "usa:broker": 3 } });
  shares.pause(at, 3_600);
  expect(pauses).toEqual([6_000, 60_000]);
  pass(60_000);
  expect(shares.current().closed).toEqual([]);
  pass(60_000);
  expect(shares.current().at_most).toEqual({ "fra:bank": 1 });
  // The limit of a tenant's own application is that tenant's.
  shares.pause({ ...at, tenant_id: "owner" }, 6);
  expect(shares.current()).toMatchObject({ closed: [{ tenant_id: "owner", except_tenants: [] }] });
  expect(shares.current().at_most).toEqual({ "fra:bank": 1 });
});

it("[C-5.283] a refresh counts for its tenant while it runs, and for a minute afterwards", () => {
  const { shares, pass } = sharesAt();
  const end = shares.begin(lease("busy"));
  expect(shares.current()).toMatchObject({ held: [{ tenant_id: "busy" }], served: [] });
  pass(90_000);
  end();
  expect(shares.current()).toMatchObject({ held: [], served: ["busy"] });
  pass(60_000);
  expect(shares.current().served).toEqual([]);
});
