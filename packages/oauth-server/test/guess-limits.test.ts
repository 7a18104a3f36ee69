import { describe, expect, it } from "vitest";
import { type Installation, install, machine, refresh } from "./harness.js";

async function fail(at: Installation, client: { client_id: string }, times: number, from?: string) {
  const statuses: number[] = [];
  const wrong = { application_id: "", secret_id: "", ...client, client_secret: "wcs_wrong" };
  for (let count = 0; count < times; count++)
    statuses.push((await at.token(machine(wrong), from ? { from } : {})).status);
  return statuses;
}

describe("[C-9.13] ten failures in fifteen minutes per client and address prefix, then 429", () => {
  it("refuses the eleventh, also with the right secret, and says for how long", async () => {
    const at = await install();
    const client = await at.application();
    expect(await fail(at, client, 10)).toEqual(Array(10).fill(401));
    at.advance(60);
    for (const answer of [
      await at.token(machine(client)),
      await at.token(machine({ ...client, client_secret: "x" })),
    ]) {
      expect(answer).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
      expect(answer.headers.get("retry-after")).toBe("840");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    at.advance(840);
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
  });

  it("tells a limited guesser nothing by scope, resource, refresh or revocation", async () => {
    const at = await install();
    const client = await at.application();
    const { body } = await at.token(machine(client));
    await fail(at, client, 10);
    const { client_id, client_secret } = client;
    expect(await at.token(machine(client, { scope: "operator" }))).toMatchObject({ status: 429 });
    expect(await at.token(refresh("wcr_x", { client_id, client_secret }))).toMatchObject({ status: 429 });
    expect(await at.token(refresh(body.refresh_token, { client_id, client_secret }))).toMatchObject({ status: 429 });
    expect(await at.revoke({ token: "x", client_id, client_secret })).toMatchObject({ status: 429 });
    expect(await at.token(refresh(body.refresh_token))).toMatchObject({ status: 200 });
  });

  it("lets correct credentials from elsewhere, and other clients from there, go on", async () => {
    const at = await install();
    const [client, other] = [await at.application(), await at.application()];
    await fail(at, client, 11, "203.0.113.7");
    expect(await at.token(machine(client), { from: "203.0.113.200" })).toMatchObject({ status: 429 });
    expect(await at.token(machine(client), { from: "203.0.114.7" })).toMatchObject({ status: 200 });
    expect(await at.token(machine(client), { from: "2001:db8::1" })).toMatchObject({ status: 200 });
    expect(await at.token(machine(other), { from: "203.0.113.7" })).toMatchObject({ status: 200 });
  });

  it("counts failures only", async () => {
    const at = await install();
    const client = await at.application();
    for (let count = 0; count < 15; count++) expect(await at.token(machine(client))).toMatchObject({ status: 200 });
    await fail(at, client, 9);
    for (let count = 0; count < 5; count++) await at.token(machine(client, { scope: "operator" }));
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
  });

  it("counts over all replicas", async () => {
    const at = await install();
    const client = await at.application();
    const { url } = await at.replica();
    await at.token(machine(client), { at: url });
    await fail(at, client, 10);
    expect(await at.token(machine(client), { at: url })).toMatchObject({ status: 429 });
  });

  it("treats a client that does not exist the same", async () => {
    const at = await install();
    expect(await fail(at, { client_id: "wca_nobody" }, 11)).toEqual([...Array(10).fill(401), 429]);
  });

  it("does not count the right secret of a disabled application, and a new secret starts afresh", async () => {
    const at = await install();
    const client = await at.application();
    await at.applications.setEnabled(client.client_id, false);
    for (let count = 0; count < 12; count++) expect(await at.token(machine(client))).toMatchObject({ status: 401 });
    await at.applications.setEnabled(client.client_id, true);
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
    await fail(at, client, 11);
    const { client_secret } = await at.applications.rollSecret(client.client_id);
    expect(await at.token(machine({ ...client, client_secret }))).toMatchObject({ status: 200 });
  });

  it("stops an address that tries many clients", async () => {
    const at = await install();
    const client = await at.application();
    for (let index = 0; index < 100; index++) await fail(at, { client_id: `wca_guess_${index}` }, 1);
    expect(await at.token(machine(client))).toMatchObject({ status: 429 });
    expect(await at.token(machine(client), { from: "198.51.100.1" })).toMatchObject({ status: 200 });
  });
});
