import { connectBank } from "./connect-bank.js";
import { sandboxBanks, type TestServer } from "./harness.js";
import { waitingLetter } from "./letters.js";

/** Something in every list, with the long names that people give. Returns the ids that screens of one thing need. */
export async function fillLists(server: TestServer) {
  const { demo, operate } = server;
  const tenant_id = demo.tenantId;
  const { widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.psd2, client_ref: "HH-2041-Brandenburg" });
  await connectBank(widgetUrl, { username: "BLOCKED_AFTER", password: "BLOCKED_AFTER" });
  const connectionId: string = (await demo.post("/data/v1/search-connections", { page_size: 1 })).body.items[0]
    .connection_id;
  await demo.post("/connect/v2/connections/refresh", { connection_id: connectionId });
  await demo.openSession({ connector_id: sandboxBanks.eBanking });
  await demo.post("/clients/v1/update", {
    ...{ client_ref: "HH-2041-Brandenburg", name: "Familienstiftung Brandenburg-Hohenzollern" },
  });
  for (const name of ["Portfolioüberwachung Tagesabschluss", "Reporting"])
    await operate("/operator/v1/applications/create", { tenant_id, name });
  await operate("/operator/v1/tenants/create", { name: "Vermögensverwaltung Westerwald & Partner" });
  await operate("/operator/v1/people/invite", {
    ...{ email: "maximiliane.mustermann@vermoegensverwaltung.example", role: "operator:read" },
    name: "Maximiliane Mustermann-Schwarzenberger",
  });
  await operate("/operator/v1/people/invite", { tenant_id, email: "ed@example.com", role: "read", name: "Ed" });
  await operate("/operator/v1/registration-tokens/create", { name: "Laptops of the advisers" });
  await operate("/operator/v1/sources/set", { source: "custodian-desk", settings: { kind: "push" } });
  await operate("/operator/v1/sources/create-token", { source: "custodian-desk", name: "Bank" });
  const letterId = await waitingLetter(server, demo, sandboxBanks.datafeed);
  await operate("/operator/v1/feed-keys/generate", { name: "Wealth Connect", days: 0 });
  const endpoint = await demo.post("/events/v1/create-endpoint", { url: "https://crm.invalid/hooks/wealth-connect" });
  const endpointId: string = endpoint.body.endpoint.id;
  await demo.post("/events/v1/test-endpoint", { id: endpointId });
  return { connectionId, endpointId, letterId };
}
