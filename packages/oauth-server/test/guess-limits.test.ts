import { describe, expect, it, vi } from "vitest";
import { authorization } from "./authorization.js";
import { countingStore, type Installation, install, machine, refresh } from "./harness.js";

async function fail(at: Installation, client: { client_id: string }, times: number, from?: string) {
  const statuses: number[] = [];
  const wrong = { application_id: "", secret_id: "", ...client, client_secret: "wcs_wrong" };
  for (let count = 0; count < times; count++)
    statuses.push((await at.token(machine(wrong), from ? { from } : {})).status);
  return statuses;
}

describe("[C-9.13] ten failures in fifteen minutes per client and address prefix, then 429", () => {
  it("[C-9.62] refuses the eleventh and says for how long, but lets the right secret in", async () => {
    const at = await install();
    const client = await at.application();
    expect(await fail(at, client, 10)).toEqual(Array(10).fill(401));
    at.advance(60);
    const refused = await at.token(machine({ ...client, client_secret: "x" }));
    expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(refused.body.error_description).toBe(
      "too many failed attempts from this network within 15 minutes (failed_attempts_per_client: 10); try again in 840 s",
    );
    expect(refused.headers.get("retry-after")).toBe("840");
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
    at.advance(840);
    expect(await fail(at, client, 1)).toEqual([401]);
  });

  it("[C-9.62] the right secret works at every endpoint, with the answers that it has otherwise", async () => {
    const at = await install();
    const client = await at.application();
    const { body } = await at.token(machine(client));
    await fail(at, client, 11);
    const { client_id, client_secret } = client;
    expect((await at.token(machine(client, { scope: "operator" }))).body.error).toBe("invalid_scope");
    expect((await at.token(refresh("wcr_x", { client_id, client_secret }))).body.error).toBe("invalid_grant");
    expect(await at.token(refresh(body.refresh_token, { client_id, client_secret }))).toMatchObject({ status: 200 });
    expect(await at.revoke({ token: "x", client_id, client_secret })).toMatchObject({ status: 200 });
    const listed = await fetch(`${at.issuer}/grants/list`, {
      method: "POST",
      body: new URLSearchParams({ client_id, client_secret }),
    });
    expect(listed.status).toBe(200);
    expect(await at.revoke({ token: "x", client_id, client_secret: "wcs_wrong" })).toMatchObject({ status: 429 });
  });

  it("lets other clients from there go on, and other networks try", async () => {
    const at = await install();
    const [client, other] = [await at.application(), await at.application()];
    await fail(at, client, 11, "203.0.113.7");
    expect(await fail(at, client, 1, "203.0.113.200")).toEqual([429]);
    expect(await fail(at, client, 1, "203.0.114.7")).toEqual([401]);
    expect(await fail(at, client, 1, "2001:db8::1")).toEqual([401]);
    expect(await fail(at, other, 1, "203.0.113.7")).toEqual([401]);
  });

  it("counts failures only", async () => {
    const at = await install();
    const client = await at.application();
    for (let count = 0; count < 15; count++) expect(await at.token(machine(client))).toMatchObject({ status: 200 });
    await fail(at, client, 9);
    for (let count = 0; count < 5; count++) await at.token(machine(client, { scope: "operator" }));
    expect(await fail(at, client, 2)).toEqual([401, 429]);
  });

  it("counts over all replicas", async () => {
    const at = await install();
    const client = await at.application();
    const { url } = await at.replica();
    await fail(at, client, 10);
    const wrong = machine({ ...client, client_secret: "wcs_wrong" });
    expect(await at.token(wrong, { at: url })).toMatchObject({ status: 429 });
    expect(await at.token(machine(client), { at: url })).toMatchObject({ status: 200 });
  });

  it("treats a client that does not exist the same", async () => {
    const at = await install();
    expect(await fail(at, { client_id: "wca_nobody" }, 11)).toEqual([...Array(10).fill(401), 429]);
  });

  it("does not count the right secret of a disabled application, but refuses it like a wrong one; a new secret starts afresh", async () => {
    const at = await install();
    const client = await at.application();
    await at.applications.setEnabled(client.client_id, false);
    for (let count = 0; count < 12; count++) expect(await at.token(machine(client))).toMatchObject({ status: 401 });
    await fail(at, client, 10);
    expect(await at.token(machine(client))).toMatchObject({ status: 429 });
    await at.applications.setEnabled(client.client_id, true);
    await at.applications.rollSecret(client.client_id);
    expect(await fail(at, client, 1)).toEqual([401]);
  });

  it("[C-9.62] a hundred wrong ids stop what fails from that network, and nothing that is right", async () => {
    const at = await install();
    const client = await at.application();
    for (let index = 0; index < 100; index++) await fail(at, { client_id: `wca_guess_${index}` }, 1);
    const refused = await at.token(machine({ ...client, client_secret: "wcs_wrong" }));
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.body.error_description).toContain("within 15 minutes (failed_attempts_per_network: 100)");
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
    expect(await fail(at, client, 1, "198.51.100.1")).toEqual([401]);
  });

  it("what is refused for its network costs no query beyond the look at the client", async () => {
    const { store, calls } = countingStore();
    const at = await install({ store });
    for (let index = 0; index < 101; index++) await fail(at, { client_id: `wca_guess_${index}` }, 1);
    calls.length = 0;
    expect(await fail(at, { client_id: "wca_another" }, 1)).toEqual([429]);
    expect(calls).toEqual(["findByClientId"]);
  });

  it("[scale.md] the networks of one /48 share a limit of their own", async () => {
    const at = await install();
    const counted = vi.spyOn(at.store.guessLimits, "count");
    const failFrom = (network: number) => fail(at, { client_id: `wca_${network}` }, 1, `2001:db8:7:${network}00::1`);
    expect(await failFrom(1)).toEqual([401]);
    const wide = (counted.mock.lastCall?.[0] ?? []).filter(({ address_prefix }) => address_prefix.endsWith("/48"));
    expect(wide).toMatchObject([{ limit: 1_000 }]);
    // The count after 98 guesses from each of ten networks.
    for (let count = 0; count < 980; count++) await at.store.guessLimits.count(wide, at.clock());
    const statuses: number[] = [];
    for (let network = 2; network < 24; network++) statuses.push(...(await failFrom(network)));
    expect(statuses).toEqual([...Array(19).fill(401), ...Array(3).fill(429)]);
    expect(await fail(at, { client_id: "wca_x" }, 1, "2001:db8:8::1")).toEqual([401]);
  });
});

describe("[C-9.455] failed forms of a network at /token", () => {
  it.each([
    ["junk codes", { grant_type: "authorization_code", code: "wcc_x", redirect_uri: "https://a.example" }],
    ["junk refresh tokens", { grant_type: "refresh_token", refresh_token: "wcr_x" }],
    [
      "junk refresh tokens with a secret of nobody",
      { grant_type: "refresh_token", refresh_token: "x", client_secret: "x" },
    ],
    [
      "unknown registered clients",
      { grant_type: "authorization_code", code: "x", redirect_uri: "https://a.example", client_id: "wcd_x" },
    ],
    [
      "applications without their secret",
      { grant_type: "authorization_code", code: "x", redirect_uri: "https://a.example", client_id: "wca_x" },
    ],
  ] as const)("%s are refused with 429 beyond a hundred, and what is right gets through", async (_what, form) => {
    const at = await install();
    const { approve, exchange, client } = await authorization(at);
    const code = await approve(await at.application());
    const machines = await at.application();
    const { body } = await at.token(machine(machines));
    const junk = { client_id: client.client_id, code_verifier: "v".repeat(43), ...form };
    const send = () => at.token(form.grant_type === "refresh_token" ? form : junk);
    for (let count = 0; count < 100; count++) expect([400, 401]).toContain((await send()).status);
    const refused = await send();
    expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(refused.body.error_description).toContain("failed_attempts_per_network: 100");

    expect((await exchange(code)).status).toBe(200);
    const next = await at.token(refresh(body.refresh_token));
    expect(next.status).toBe(200);
    expect((await at.token(machine(machines))).status).toBe(200);
    // One that was made here and has been used is told so.
    expect((await at.token(refresh(body.refresh_token))).body.error).toBe("invalid_grant");
  });
});
