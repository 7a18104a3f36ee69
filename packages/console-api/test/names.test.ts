import { afterAll, expect, it } from "vitest";
import { startConsole } from "./console.js";

const TENANT = "00000000-0000-4000-8000-000000000001";
const started = await startConsole();
afterAll(() => started.close());
const thing = { id: "wca_x", tenant_id: TENANT };

it("[C-14.841] names are looked up as the person who asks: an operator's as such, a tenant's person's within their tenant", async () => {
  const operator = await started.joined();
  const member = await started.joined({ email: "mia@example.com", role: "read", tenantId: TENANT as never });
  expect((await operator.browser.post("/names", { things: [thing] })).body).toEqual({ items: [] });
  expect((await member.browser.post("/names", { things: [thing] })).status).toBe(200);
  expect(started.askedNames).toEqual([
    { reader: null, things: [thing] },
    { reader: TENANT, things: [thing] },
  ]);
});

it("[C-14.1080] a provider is called by its title, and by its id where it is not loaded", async () => {
  const { browser } = await started.joined({ email: "pia@example.com", role: "read", tenantId: TENANT as never });
  const asked = started.askedNames.length;
  const things = ["open-banking", "gone"].map((id) => ({ id, tenant_id: null, kind: "provider" }));
  expect((await browser.post("/names", { things })).body.items).toEqual([
    { id: "open-banking", kind: "provider", name: "Open banking", of: null },
    { id: "gone", kind: "provider", name: "gone", of: null },
  ]);
  expect(started.askedNames).toHaveLength(asked);
});

it("[C-14.840] a look-up is bounded, and refused with the field's name", async () => {
  const { browser } = await started.joined({ email: "otto@example.com" });
  const answer = await browser.post("/names", { things: Array.from({ length: 201 }, () => thing) });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("things")]);
});
