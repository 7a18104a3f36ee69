import { createAuthenticator } from "@org/people/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinConsole } from "./console-person.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post } from "./http-client.js";
import { oneBackend } from "./installation.js";

const FLOOD = 60;

describe("[C-9.454] made-up names of a tenant", () => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await startTestServer({
      backend: oneBackend("which queue each look-up takes is a table of storage-postgres"),
      // One statement of a tenant runs and one waits: any third is refused.
      environment: { STATEMENTS_PER_TENANT: "1", STATEMENTS_WAITING_PER_TENANT: "1" },
    });
    tenant = await server.createTenant("Named");
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const named = () => Buffer.from(tenant.tenantId.replaceAll("-", ""), "hex");
  const ask = (path: string, body: object, cookie = "") =>
    post(`${server.url}/console/api${path}`, body, {
      headers: { origin: server.url, "sec-fetch-site": "same-origin", ...(cookie !== "" && { cookie }) },
    });
  /** A cookie's or invitation's text that nobody issued: with a wrong MAC or, as before there were any, with none. */
  const bearer = (index: number) =>
    named().toString("base64url") +
    Buffer.alloc(4, 255).toString("base64url") +
    Buffer.alloc(32, index + 1).toString("base64url") +
    (index % 2 === 0 ? Buffer.alloc(16, 7).toString("base64url") : "");

  const floods: readonly [what: string, send: (index: number) => Promise<unknown>][] = [
    ["cookies", (index) => ask("/session", {}, `wc-person=wcp_${bearer(index)}`)],
    ["invitations", (index) => ask("/join/show", { invitation: `wci_${bearer(index)}` })],
    [
      "user handles",
      async (index) => {
        const begun = await ask("/sign-in/begin", {});
        const answer = createAuthenticator(server.url).sign(begun.body.options) as { response: object };
        const userHandle = Buffer.concat([named(), Buffer.alloc(16, index + 1)]).toString("base64url");
        const cookie = begun.headers.getSetCookie().map((line) => line.split(";")[0]);
        const forged = { ...answer, response: { ...answer.response, userHandle } };
        return ask("/sign-in/finish", { answer: forged }, cookie.join("; "));
      },
    ],
  ];
  it.each(floods)("%s leave the tenant its statements", async (what, send) => {
    const person = await joinConsole(server, {
      tenant_id: tenant.tenantId,
      email: `ada@${what.replace(" ", "-")}.example`,
      role: "admin",
    });
    const before = await refusals();
    const flood = Promise.all(Array.from({ length: FLOOD }, (_, index) => send(index)));
    for (let each = 0; each < 5; each++) expect((await person.post("/sessions/list")).status).toBe(200);
    await flood;
    // Not one of the flood, and none of the tenant's, waited in the tenant's queue.
    expect(await refusals()).toBe(before);
  });

  async function refusals(): Promise<string> {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return metrics
      .split("\n")
      .filter((line) => line.includes('limit="statements_at_once"'))
      .join();
  }
});
