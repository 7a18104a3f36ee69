import type { Uuid } from "@org/core";
import { INSTALLATION } from "@org/people";
import { afterEach, beforeEach, expect, it } from "vitest";
import { find, findActors, SEARCHES_PER_MINUTE } from "../src/finding.js";
import { type Console, startConsole } from "./console.js";

const TENANT = "019b0000-0000-7000-8000-000000000001" as Uuid;
const OTHER = "019b0000-0000-7000-8000-000000000002" as Uuid;

let console: Console;
beforeEach(async () => {
  console = await startConsole();
});
afterEach(() => console.close());

/** Services that note whose letters and connections they were asked for. */
function services() {
  const asked: (string | null)[] = [];
  const letter = {
    letter_id: OTHER,
    custodian: "Bank",
    status: "Signed",
    labels: {},
    tenant_id: TENANT,
    tenant: "Alfa",
  };
  return {
    asked,
    services: {
      letterAdmin: { lookUp: async (tenantId: string | null) => [asked.push(tenantId) && letter] },
      connectionAdmin: { search: async (tenantId: string | null) => ({ items: [], _: asked.push(tenantId) }) },
      tenantClients: {
        lookUp: async (tenantId: string) => [asked.push(tenantId) && { client_ref: "M-17", name: "Alfa Meier" }],
      },
      tenants: { list: async () => [{ tenant_id: TENANT, name: "Alfa", enabled: true }] },
      feedSources: { held: async () => ({ items: [{ file_id: "1", name: "alfa.csv", source: "sftp" }] }) },
    } as unknown as Parameters<typeof find>[0]["services"],
  };
}

it("[C-14.852] [C-14.887] a tenant's people find what is their tenant's, operators what is of all, and each the people beside them", async () => {
  const member = await console.joined({ email: "mo@alfa.example", role: "member", tenantId: TENANT });
  await console.joined({ email: "zoe@alfa.example", role: "read", tenantId: OTHER });
  const operator = await console.joined({ email: "alfa@desk.example" });
  const search = async (person: { person_id: Uuid; tenant_id: Uuid }, text: string) => {
    const { asked, services: found } = services();
    const items = await find({ services: found, people: console.people }, person as never, text);
    return { asked, kinds: items.map(({ kind, name }) => `${kind} ${name}`), items };
  };
  const own = await search({ ...member.person, tenant_id: TENANT }, "alfa");
  expect(own.asked).toEqual([TENANT, TENANT, TENANT]);
  expect(own.kinds).toEqual(["client Alfa Meier", "letter Bank", "person Ada"]);
  expect(own.items[0]).toMatchObject({ id: "M-17" });
  expect(own.items[1]).toMatchObject({ tenant: null });
  const all = await search({ ...operator.person, tenant_id: INSTALLATION }, "ALFA");
  expect(all.asked).toEqual([null, null]);
  expect(all.kinds).toEqual(["letter Bank", "tenant Alfa", "person Ada", "file alfa.csv"]);
  expect(all.items[0]).toMatchObject({ tenant: "Alfa" });
  // A short text is in nearly everything.
  expect((await search({ ...operator.person, tenant_id: INSTALLATION }, " a ")).asked).toEqual([]);
});

it("[C-14.852] a person who searches very often is refused until later; others are not", async () => {
  const [ada, bo] = [await console.joined(), await console.joined({ email: "bo@desk.example" })];
  const search = async ({ browser }: typeof ada) => (await browser.post("/find", { text: "a" })).status;
  for (let searched = 0; searched < SEARCHES_PER_MINUTE; searched += 1) expect(await search(ada)).toBe(200);
  const refused = await ada.browser.post("/find", { text: "a" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await search(bo)).toBe(200);
  console.passes(1);
  expect(await search(ada)).toBe(200);
  expect((await ada.browser.post("/find", { text: "a".repeat(201) })).body.error.details).toMatchObject([
    { field: "text" },
  ]);
});

it("[C-14.977] who acts is found by name or id: operators or a tenant's people, and applications; a tenant's person finds nobody", async () => {
  const operator = await console.joined({ email: "alfa@desk.example" });
  const member = await console.joined({ email: "mo@alfa.example", role: "member", tenantId: TENANT });
  const applications = {
    list: async ({ tenant_id }: { tenant_id?: string }) =>
      [
        { application_id: OTHER, name: "CRM of Alfa", tenant_id: TENANT },
        { application_id: TENANT, name: "Desk", tenant_id: null },
      ].filter((one) => tenant_id === undefined || one.tenant_id === tenant_id),
  };
  const services = { applications } as unknown as Parameters<typeof findActors>[0]["services"];
  const found = async (text: string, tenantId: Uuid | null) =>
    (await findActors({ services, people: console.people }, text, tenantId)).map(({ id }) => id);
  const [ofOperator, ofMember] = [`person:${operator.person.person_id}`, `person:${member.person.person_id}`];
  expect(await found("ALFA", null)).toEqual([ofOperator, OTHER]);
  expect(await found("alfa", TENANT)).toEqual([ofMember, OTHER]);
  expect(await found(ofMember, TENANT)).toEqual([ofMember]);
  expect(await found("desk", TENANT)).toEqual([]);
  const { status, body } = await member.browser.post("/find-actors", { text: "", tenant_id: null });
  expect([status, body]).toEqual([200, { items: [] }]);
});
