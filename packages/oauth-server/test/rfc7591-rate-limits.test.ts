import { addressPrefix } from "@org/http";
import { describe, expect, it } from "vitest";
import { install, machine } from "./harness.js";

const METADATA = { redirect_uris: ["https://client.example/callback"] };

describe("[security.md] sixty registrations a minute and network, then 429", () => {
  it("says for how long, refuses good and bad ones alike, and lets other networks go on", async () => {
    const at = await install();
    for (let count = 0; count < 59; count++) await at.register("{");
    expect(await at.register(METADATA)).toMatchObject({ status: 201 });
    at.advance(20);
    for (const metadata of [METADATA, "{"]) {
      const answer = await at.register(metadata, { from: "203.0.113.200" });
      expect(answer).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
      expect(answer.headers.get("retry-after")).toBe("40");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
    }
    expect(await at.register(METADATA, { from: "203.0.114.7" })).toMatchObject({ status: 201 });
    at.advance(40);
    expect(await at.register(METADATA)).toMatchObject({ status: 201 });
  });

  it("counts exactly over replicas, also when they race", async () => {
    const at = await install();
    const { url } = await at.replica();
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, index) => at.register(METADATA, index % 2 ? { at: url } : {})),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it("is apart from guesses: neither fills the other's counter", async () => {
    const at = await install();
    const client = await at.application();
    for (let count = 0; count < 61; count++) await at.register(METADATA);
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
    const { client_id } = (await at.register(METADATA, { from: "198.51.100.1" })).body;
    for (let count = 0; count < 9; count++)
      await at.revoke({ token: "x", client_id: "(registration)", client_secret: "wcs_x" }, { from: "198.51.100.1" });
    const bucket = { client_id: "(registration)", address_prefix: addressPrefix("198.51.100.1"), limit: 1 };
    expect(await at.store.guessLimits.recordFailure([bucket], at.clock(), 60)).toMatchObject([{ failures: 2 }]);
    expect(client_id).toMatch(/^wcd_/);
  });
});

describe("[C-9.13] guesses at the secret of a registered client are counted like those at an application's", () => {
  it("ten failures per client and network, then 429, also with the right secret", async () => {
    const at = await install();
    const { client_id, client_secret } = (await at.register(METADATA)).body;
    const attempt = async (secret: string, from = "203.0.113.7") =>
      (await at.revoke({ token: "x", client_id, client_secret: secret }, { from })).status;
    for (let count = 0; count < 10; count++) expect(await attempt("wcs_x")).toBe(401);
    expect(await attempt("wcs_x")).toBe(429);
    expect(await attempt(client_secret)).toBe(429);
    expect(await attempt(client_secret, "198.51.100.1")).toBe(200);
    at.advance(15 * 60);
    expect(await attempt(client_secret)).toBe(200);
  });

  it("a client that does not exist is treated the same", async () => {
    const at = await install();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++)
      statuses.push((await at.revoke({ token: "x", client_id: "wcd_nobody", client_secret: "wcs_x" })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  it("counts no success, and no client that shows no secret", async () => {
    const at = await install();
    const { client_id, client_secret } = (await at.register(METADATA)).body;
    for (let count = 0; count < 12; count++) {
      expect((await at.revoke({ token: "x", client_id, client_secret })).status).toBe(200);
      expect((await at.revoke({ token: "x", client_id })).status).toBe(200);
    }
    expect((await at.revoke({ token: "x", client_id, client_secret })).status).toBe(200);
  });
});
