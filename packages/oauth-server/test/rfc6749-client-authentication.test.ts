import { describe, expect, it } from "vitest";
import { basic, type Credentials, countingStore, install, machine } from "./harness.js";

describe("RFC 6749 §2.3.1 client authentication", () => {
  it("takes Basic, form-decoding both halves, and the secret in the form", async () => {
    const at = await install();
    const client = await at.application();
    const cc = { grant_type: "client_credentials" };
    const encoded = basic(client.client_id.replace("_", "%5F"), client.client_secret.replace("_", "%5f"));
    for (const authorization of [
      basic(client.client_id, client.client_secret),
      encoded,
      encoded.replace("Basic", "bAsIc"),
    ])
      expect(await at.token(cc, { headers: { authorization } })).toMatchObject({ status: 200 });
    expect(
      await at.token({ ...cc, client_id: client.client_id }, { headers: { authorization: encoded } }),
    ).toMatchObject({
      status: 200,
    });
  });

  const wrong: [string, (client: Credentials) => [Record<string, string>, string?]][] = [
    ["wrong secret in the form", (c) => [{ client_id: c.client_id, client_secret: `${c.client_secret}x` }]],
    ["unknown client in the form", (c) => [{ client_id: "wca_nobody", client_secret: c.client_secret }]],
    ["no client at all", () => [{}]],
    ["no secret", (c) => [{ client_id: c.client_id }]],
    ["no client_id", (c) => [{ client_secret: c.client_secret }]],
    ["empty secret", (c) => [{ client_id: c.client_id, client_secret: "" }]],
    [
      "a client assertion, which is not supported",
      (c) => [{ client_id: c.client_id, client_assertion: "e30.e30.e30" }],
    ],
    ["wrong secret in Basic", (c) => [{}, basic(c.client_id, "x")]],
    ["unknown client in Basic", (c) => [{}, basic("wca_nobody", c.client_secret)]],
    ["Basic without a colon", (c) => [{}, `Basic ${Buffer.from(c.client_id).toString("base64")}`]],
    ["Basic without a secret", (c) => [{}, basic(c.client_id, "")]],
    ["Basic with a broken escape", (c) => [{}, basic(c.client_id, "%zz")]],
    ["Basic with a NUL byte", (c) => [{}, basic(c.client_id, "%00")]],
    ["Basic that is not Base64", () => [{}, "Basic §§§"]],
    ["another scheme", (c) => [{}, `Bearer ${c.client_secret}`]],
  ];
  it.each(wrong)("answers 401 invalid_client to %s, with a challenge only if a header was sent", async (_, make) => {
    const at = await install();
    const [fields, authorization] = make(await at.application());
    const headers = authorization ? { authorization } : {};
    const answer = await at.token({ grant_type: "client_credentials", ...fields }, { headers: encode(headers) });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    if (authorization) expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm="/);
    else expect(answer.headers.has("www-authenticate")).toBe(false);
  });

  it("[security.md] unknown client and wrong secret are the same in body, headers and work", async () => {
    const { store, calls } = countingStore();
    const at = await install({ store });
    const client = await at.application();
    await at.token(machine(client));
    const attempt = async (change: Partial<Credentials>) => {
      calls.length = 0;
      const { status, text, headers } = await at.token(machine({ ...client, ...change }));
      return { status, text, headers: [...headers].filter(([name]) => name !== "date"), calls: [...calls] };
    };
    const unknown = await attempt({ client_id: "wca_nobody" });
    expect(unknown.calls).toEqual(["findByClientId", "count"]);
    expect(await attempt({ client_secret: "wcs_wrong" })).toEqual(unknown);
  });

  it("refuses the right secret of a disabled application like a wrong one", async () => {
    const at = await install();
    const client = await at.application();
    await at.applications.setEnabled(client.client_id, false);
    expect(await at.token(machine(client))).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    await at.applications.setEnabled(client.client_id, true);
    expect(await at.token(machine(client))).toMatchObject({ status: 200 });
  });

  it("accepts a secret that was rolled on another replica a moment ago, and refuses a removed one", async () => {
    const at = await install();
    const client = await at.application();
    await at.token(machine(client));
    const { client_secret } = await at.applications.rollSecret(client.client_id);
    expect(await at.token(machine({ ...client, client_secret }))).toMatchObject({ status: 200 });
    await at.applications.removeSecret(client.client_id, client.secret_id);
    expect(await at.token(machine(client))).toMatchObject({ status: 401 });
    expect(await at.token(machine({ ...client, client_secret }))).toMatchObject({ status: 200 });
  });
});

/** Header values must be Latin-1 to be sent. */
function encode(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
  );
}
