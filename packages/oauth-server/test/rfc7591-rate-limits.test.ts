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
      await at.revoke({ token: "x", client_id: "(registration 60)", client_secret: "wcs_x" }, { from: "198.51.100.1" });
    const bucket = { client_id: "(registration 60)", address_prefix: "198.51.100.0/24", window_seconds: 60 };
    expect(await at.store.guessLimits.full([{ ...bucket, limit: 1 }], at.clock())).not.toBeNull();
    expect(await at.store.guessLimits.full([{ ...bucket, limit: 2 }], at.clock())).toBeNull();
    expect(client_id).toMatch(/^wcd_/);
  });
});

describe("[scale.md] registrations of wider networks, and of all together", () => {
  const last = (address: string, status: number) => ({ address, status });

  it("from each of 256 networks of one /56: most are refused, and other networks go on", async () => {
    const at = await install();
    const statuses: number[] = [];
    for (let network = 0; network < 256; network++)
      statuses.push((await at.register(METADATA, { from: `2001:db8:7:12${hex(network)}::1` })).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(120);
    const refused = await at.register(METADATA, { from: "2001:db8:7:1299::9" });
    expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(refused.body.error_description).toBe(
      "too many registrations from this network (registrations_per_minute: 120); try again in 60 s",
    );
    const elsewhere = ["2001:db8:7:1300::1", "2001:db8:8::1", "203.0.113.7"];
    for (const from of elsewhere)
      expect(last(from, (await at.register(METADATA, { from })).status)).toEqual(last(from, 201));
  });

  it("2,000 a day of a /48, as of a /56: who has 256 networks gets no more of them", async () => {
    const at = await install();
    const wide = {
      client_id: "(registration 86400)",
      address_prefix: "2001:db8:7::/48",
      window_seconds: 86_400,
      limit: 1e6,
    };
    await Promise.all(Array.from({ length: 2_000 }, () => at.store.guessLimits.count([wide], at.clock())));
    expect((await at.register(METADATA, { from: "2001:db8:7:1200::1" })).status).toBe(429);
    expect((await at.register(METADATA, { from: "2001:db8:8:1200::1" })).status).toBe(201);
  });

  it("what is refused fills no wider network", async () => {
    const at = await install();
    for (let time = 0; time < 200; time++) await at.register("{", { from: "2001:db8:7:1200::1" });
    expect((await at.register(METADATA, { from: "2001:db8:7:1201::1" })).status).toBe(201);
  });

  it("20,000 a day in all are the server's own limit: 503, and the next day again", async () => {
    const at = await install();
    const all = { client_id: "(registration 86400)", address_prefix: "*", window_seconds: 86_400, limit: 1e6 };
    const reserve = { ...all, client_id: "(registration 86400 reserve)" };
    await Promise.all(Array.from({ length: 10_000 }, () => at.store.guessLimits.count([all, reserve], at.clock())));
    const refused = await at.register(METADATA);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "86400"]);
    at.advance(86_400);
    expect((await at.register(METADATA)).status).toBe(201);
  });

  it("[C-9.517] twenty networks that register as many as they may leave room for others, who are told the truth", async () => {
    const at = await install();
    const statuses: number[] = [];
    const attackers = Array.from({ length: 20 }, (_, index) => `${11 + (index >> 1)}.7.${index % 2}.1`);
    for (let time = 0; time < 60; time++)
      statuses.push(...(await Promise.all(attackers.map(async (from) => (await at.register("{", { from })).status))));
    // Half of 1,200, and for each of ten /16s a hundredth of the rest.
    expect(statuses.filter((status) => status === 400)).toHaveLength(600 + 10 * 6);
    for (const from of ["203.0.113.7", "198.51.100.1", "2001:db8:7::1"])
      expect(last(from, (await at.register(METADATA, { from })).status)).toEqual(last(from, 201));
    const refused = await at.register("{", { from: "11.7.200.1" });
    expect(last(refused.body.error_description, refused.status)).toEqual(
      last(
        "too many registrations from all networks together (registrations_per_minute: 1200); try again in 60 s",
        503,
      ),
    );
    // Whoever has many /48s of a provider has no more than the provider.
    for (let site = 0; site < 10; site++)
      statuses.push((await at.register("{", { from: `2001:db8:${hex(site + 16)}::1` })).status);
    expect(statuses.slice(-5)).toEqual(Array(5).fill(503));
  });

  it("a registration of more than 4 kB is refused", async () => {
    const at = await install();
    const name = (length: number) => ({
      ...METADATA,
      contacts: ["x".repeat(200)],
      policy_uri: `https://a.example/${"x".repeat(length)}`,
    });
    expect((await at.register({ ...name(1_900), tos_uri: `https://a.example/${"x".repeat(1_600)}` })).status).toBe(201);
    expect((await at.register({ ...name(1_990), tos_uri: `https://a.example/${"x".repeat(1_990)}` })).status).toBe(413);
  });
});

function hex(number: number): string {
  return number.toString(16).padStart(2, "0");
}

describe("[C-9.13] guesses at the secret of a registered client are counted like those at an application's", () => {
  it("[C-9.62] ten failures per client and network, then 429, but the right secret gets in", async () => {
    const at = await install();
    const { client_id, client_secret } = (await at.register(METADATA)).body;
    const attempt = async (secret: string, from = "203.0.113.7") =>
      (await at.revoke({ token: "x", client_id, client_secret: secret }, { from })).status;
    for (let count = 0; count < 10; count++) expect(await attempt("wcs_x")).toBe(401);
    expect(await attempt("wcs_x")).toBe(429);
    expect(await attempt(client_secret)).toBe(200);
    expect(await attempt(client_secret, "198.51.100.1")).toBe(200);
    expect(await attempt("wcs_x", "198.51.100.1")).toBe(401);
    at.advance(15 * 60);
    expect(await attempt("wcs_x")).toBe(401);
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
