import { expect, it } from "vitest";
import { createClientDirectory } from "../src/clients/client-directory.js";
import { createKnownApplications } from "../src/clients/known-applications.js";
import { install, noon } from "./harness.js";

const from = { address: "203.0.113.7", at: noon };

async function directoryOf(at: Awaited<ReturnType<typeof install>>) {
  const applications = createKnownApplications(at.store.applications, at.clock);
  return createClientDirectory({ applications, clients: at.store.clients, documents: null });
}

it("an application is a client with a secret, and goes back to its redirect URLs", async () => {
  const at = await install();
  const { client_id } = await at.application({ name: "Portal", redirect_urls: ["https://portal.example/done"] });
  expect(await (await directoryOf(at)).find(client_id, from)).toMatchObject({
    client_id,
    kind: "application",
    client_name: "Portal",
    redirect_uris: ["https://portal.example/done"],
    token_endpoint_auth_method: "client_secret_post",
  });
});

it("an application that is disabled, or whose tenant is, or that is the operator's, is no client to ask a person for", async () => {
  const at = await install();
  const directory = await directoryOf(at);
  const operator = await at.application({ tenant_id: null });
  expect(await directory.find(operator.client_id, from)).toBeNull();
  const disabled = await at.application();
  await at.applications.setEnabled(disabled.client_id, false);
  expect(await directory.find(disabled.client_id, from)).toBeNull();
  const { client_id } = await at.application({ tenant_id: "tenant-to-be-disabled" });
  await at.applications.setTenantEnabled("tenant-to-be-disabled", false);
  expect(await directory.find(client_id, from)).toBeNull();
});

it("a client that registered itself is found with its home page", async () => {
  const at = await install();
  const { body } = await at.register({
    redirect_uris: ["https://client.example/callback"],
    client_name: "Client",
    client_uri: "https://client.example",
    token_endpoint_auth_method: "none",
  });
  expect(await (await directoryOf(at)).find(body.client_id, from)).toEqual({
    client_id: body.client_id,
    kind: "registered",
    client_name: "Client",
    client_uri: "https://client.example",
    redirect_uris: ["https://client.example/callback"],
    token_endpoint_auth_method: "none",
    secret_hash: null,
    jwks: null,
    jwks_uri: null,
    dpop_bound_access_tokens: false,
  });
});

it.each(["", "wca_nobody", "wcd_nobody", "https://client.example/client.json", "http://client.example/"])(
  "%j is nobody",
  async (id) => expect(await (await directoryOf(await install())).find(id, from)).toBeNull(),
);
