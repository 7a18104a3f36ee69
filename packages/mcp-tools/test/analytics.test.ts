import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { analyticsEndpoint, analyticsInstructions, analyticsTools, bankTools } from "../src/index.js";
import { call, contentOf, INITIALIZE, modern, rpc, startMcp, toolErrorOf } from "./mcp-server.js";
import { ids } from "./world.js";

const mcp = await startMcp({ endpoint: analyticsEndpoint });
const { log: _, ...shared } = mcp.deps;
/** `/mcp` over the same data and with the same keys. */
const banks = await startMcp({ ...shared, endpoint: undefined } as never);
/** The day of the world's data. */
const today = mcp.runtime.clock().toISOString().slice(0, 10);

const eras = {
  "2025-11-25": (name: string, args: object) => ({ body: call(name, args) }),
  "2026-07-28": (name: string, args: object) => modern("tools/call", { name, arguments: args }),
};

const namesIn = (skills: readonly { frontmatter: { name: string } }[]) =>
  skills.map(({ frontmatter }) => frontmatter.name);

/** The tools that a skill speaks of and that are not there. */
function unknownTools(text: string, { tools }: typeof bankTools): string[] {
  const known = new Set(tools.map(({ name }) => name));
  const named = [...text.slice(text.indexOf("\n---\n")).matchAll(/(?:wealth|svc)-[a-z-]+/g)].map(([name]) => name);
  return named.filter((name) => !known.has(name));
}

describe("/mcp/analytics", () => {
  it("[C-8.166] introduces itself by another name, and declares only tools and skills", async () => {
    const { json } = await mcp.send({ body: rpc("initialize", INITIALIZE) });
    expect(json.result.serverInfo).toMatchObject({ name: "wealth-connect-analytics", version: "1.2.3" });
    expect(json.result.instructions).toBe(analyticsInstructions);
    expect(json.result.capabilities).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      extensions: { "io.modelcontextprotocol/skills": {} },
    });
  });

  it("[C-8.166] lists its own tools, all of which only read, and each endpoint knows none of the other's", async () => {
    const { tools } = (await mcp.send({ body: rpc("tools/list") })).json.result;
    const names = ["wealth-summary", "wealth-history", "wealth-performance", "wealth-income", "wealth-why"];
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(names);
    for (const { name, annotations, inputSchema, outputSchema } of tools) {
      expect([name, annotations.readOnlyHint, annotations.destructiveHint]).toEqual([name, true, false]);
      expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, "object", false]);
      const scope = ["client_ref", "credentials_token", "portfolio_id", "currency", "stale_after"];
      const required = name === "wealth-why" ? ["id", "date"] : scope;
      expect([name, Object.keys(inputSchema.properties)]).toEqual([name, expect.arrayContaining(required)]);
      expect([name, outputSchema.type]).toEqual([name, "object"]);
    }
    expect(JSON.stringify(tools).length).toBeLessThan(34_000);
    expect((await mcp.send({ body: call("svc-portfolios") })).json.error.message).toContain("not found");
    expect((await banks.send({ body: call("wealth-summary", { by: "type" }) })).json.error.message).toContain(
      "not found",
    );
  });

  describe.each(Object.entries(eras))("in %s", (_version, requestOf) => {
    const ask = (name: string, args: object, token?: string) =>
      mcp.send({ ...requestOf(name, args), ...(token && { token }) });

    it.each([
      ["wealth-summary", { by: "currency" }, "summary"],
      ["wealth-history", { from: today, interval: "month" }, "history"],
      ["wealth-income", { from: today, by: "kind", kind: ["fee", "tax"] }, "income"],
    ] as const)(
      "[C-8.166] %s answers what the service answers, as its output schema says",
      async (name, args, method) => {
        const actor = { tenant_id: ids.tenantA, application_id: ids.applicationA, grant_id: "grant" };
        const own = await mcp.services.wealth[method](
          { ...actor, trace_id: "t", address: null } as never,
          { page: 1, page_size: 50, stale_after: 7, include_coverage: false, ...args } as never,
        );
        const answer = await ask(name, args);
        expect(contentOf(answer)).toEqual(JSON.parse(JSON.stringify(own)));
        const validate = new Ajv2020({ strict: false }).compile(
          analyticsTools.listed().find((tool) => tool.name === name)?.outputSchema as object,
        );
        expect(validate(contentOf(answer)), JSON.stringify(validate.errors)).toBe(true);
      },
    );

    it("[C-8.167] a figure that would be a guess is INSUFFICIENT_DATA, with what is missing in details", async () => {
      const args = { credentials_token: ids.gamma, from: today, currency: "EUR" };
      const error = toolErrorOf(await ask("wealth-performance", args));
      expect(error.code).toBe("INSUFFICIENT_DATA");
      expect(error.details).toContainEqual({ reason: "no_data", portfolio_id: null });
    });

    it("[C-8.161] wealth-why answers what the service answers, as its output schema says, and an unknown id with where to find one", async () => {
      const { id } = contentOf(await banks.send({ body: call("svc-investment-transactions") })).items[0];
      const actor = { tenant_id: ids.tenantA, application_id: ids.applicationA, grant_id: "grant" };
      const own = await mcp.services.why({ ...actor, trace_id: "t", address: null } as never, { id });
      const answer = contentOf(await ask("wealth-why", { id }));
      expect(answer).toEqual(own);
      expect(answer.versions).toMatchObject([{ current: true, source: { kind: "provider", provider: "sandbox" } }]);
      expect(analyticsTools.named("wealth-why")?.output.safeParse(answer).error).toBeUndefined();
      const error = toolErrorOf(await ask("wealth-why", { id }, "bob"));
      expect([error.code, error.message]).toEqual(["NOT_FOUND", expect.stringContaining("a row of svc-portfolios")]);
    });

    it.each([
      ["wealth-summary", {}, "by"],
      ["wealth-summary", { by: "colour" }, "by"],
      ["wealth-summary", { by: "type", date: "2026-02-30" }, "date"],
      ["wealth-history", {}, "from"],
      ["wealth-history", { from: "2999-01-01" }, "from"],
      ["wealth-performance", { from: today, method: "irr" }, "method"],
      ["wealth-performance", { from: today, currency: "euro" }, "currency"],
      ["wealth-income", { from: today, by: "kind", page_size: 501 }, "page_size"],
      ["wealth-income", { from: today, by: "kind", stale_after: 401 }, "stale_after"],
      ["wealth-income", { from: today, by: "kind", client: "M-17" }, "client"],
      ["wealth-why", {}, "id"],
      ["wealth-why", { id: ids.portfolio, date: "2999-01-01" }, "date"],
      ["wealth-why", { id: ids.portfolio, client_ref: "M-17" }, "client_ref"],
    ])("[C-8.167] %s refuses %j by the name of the argument", async (name, args, field) => {
      const error = toolErrorOf(await ask(name, args));
      expect([error.code, error.details[0].field]).toEqual(["VALIDATION_ERROR", field]);
      expect(error.message).toContain(`${field}: `);
    });

    it("[C-8.167] ids and clients of others are those that do not exist", async () => {
      for (const scope of [
        { credentials_token: ids.foreign },
        { portfolio_id: "01920000-0000-7000-8000-0000000000ff" },
        { client_ref: "M-404" },
      ]) {
        const error = toolErrorOf(await ask("wealth-summary", { by: "type", ...scope }));
        expect([error.code, error.message]).toEqual([
          "NOT_FOUND",
          expect.stringContaining(Object.keys(scope)[0] ?? ""),
        ]);
      }
    });

    it("[C-8.168] the scope is investments:read, and the challenge names it", async () => {
      const refused = await ask("wealth-summary", { by: "type" }, "reader");
      expect(refused.status).toBe(403);
      expect(refused.headers["www-authenticate"]).toContain('scope="investments:read"');
      expect((await ask("wealth-summary", { by: "type" }, "operator")).status).toBe(403);
    });
  });

  describe.each([
    ["2025-11-25", (method: string, params: Record<string, unknown>) => ({ body: rpc(method, params) })],
    [
      "2026-07-28",
      (method: string, params: Record<string, unknown>) => {
        const { body, headers } = modern(method, params);
        const isRead = method === "resources/read";
        return { body, headers: { ...headers, ...(isRead && { "mcp-name": String(params.uri) }) } };
      },
    ],
  ] as const)("skills in %s", (_version, requestOf) => {
    const ask = async (method: string, params: Record<string, unknown> = {}) =>
      (await mcp.send(requestOf(method, params))).json;

    it("[C-8.169] are listed with the digest and size of their file, which is read as a resource", async () => {
      const { skills, resultType, ttlMs, cacheScope } = (await ask("skills/list")).result;
      expect({ resultType, ttlMs, cacheScope }).toEqual({
        resultType: "complete",
        ttlMs: 300_000,
        cacheScope: "public",
      });
      expect(namesIn(skills)).toEqual(["wealth-review", "prepare-client-meeting", "explain-figure"]);
      for (const skill of skills) {
        const { name, description } = skill.frontmatter;
        const uri = `skill://${name}/SKILL.md`;
        const [{ text, mimeType }] = (await ask("resources/read", { uri })).result.contents;
        const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
        expect(skill).toMatchObject({ uri, resources: [{ uri, digest, size: Buffer.byteLength(text) }] });
        expect(mimeType).toBe("text/markdown");
        expect(text.startsWith(`---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`)).toBe(true);
        expect((await ask("skills/get", { uri })).result).toMatchObject({ resultType: "complete", skill });
        expect(unknownTools(text, analyticsTools)).toEqual([]);
      }
    });

    it("[C-8.169] of /mcp are others, under names that its prompts do not have", async () => {
      const askBanks = async (method: string, params = {}) => (await banks.send(requestOf(method, params))).json.result;
      const { skills } = await askBanks("skills/list");
      expect(namesIn(skills)).toEqual(["connect-a-bank", "repair-bank-connections", "review-investments"]);
      const prompts = (await askBanks("prompts/list")).prompts.map(({ name }: { name: string }) => name);
      expect(namesIn(skills).filter((name) => prompts.includes(name))).toEqual([]);
      for (const { uri } of skills) {
        expect(unknownTools((await askBanks("resources/read", { uri })).contents[0].text, bankTools)).toEqual([]);
        expect((await ask("skills/get", { uri })).error.code).toBe(-32602);
      }
    });

    it("[C-8.169] that are not there, and cursors, are invalid params", async () => {
      for (const [method, params] of [
        ["skills/get", { uri: "skill://none/SKILL.md" }],
        ["skills/get", {}],
        ["skills/list", { cursor: "2" }],
      ] as const)
        expect([method, (await ask(method, params)).error?.code]).toEqual([method, -32602]);
    });
  });

  it("[C-8.167] an answer that would be too long is refused by what makes it shorter", async () => {
    const small = await startMcp({ ...shared, endpoint: analyticsEndpoint, answerMaxCharacters: 6_000 } as never);
    const from = "2025-01-01";
    const ask = (name: string, args: object) => small.send({ body: call(name, args) });
    const error = toolErrorOf(await ask("wealth-history", { from, page_size: 500 }));
    const fits = Number(/page_size: must be at most (\d+)/.exec(error.message)?.[1]);
    expect(fits).toBeGreaterThan(1);
    const page = contentOf(await ask("wealth-history", { from, page_size: fits }));
    expect(page.items).toHaveLength(fits);
    const tiny = await startMcp({ ...shared, endpoint: analyticsEndpoint, answerMaxCharacters: 100 } as never);
    const one = toolErrorOf(await tiny.send({ body: call("wealth-summary", { by: "client" }) }));
    expect(one.details).toEqual([{ field: "portfolio_id", error_type: "InvalidValue" }]);
  });

  it("[C-8.168] a session begun at one endpoint is not found at the other", async () => {
    const begin = async (at: typeof mcp) =>
      String((await at.send({ body: rpc("initialize", INITIALIZE) })).headers["mcp-session-id"]);
    const [here, there] = [await begin(mcp), await begin(banks)];
    const statusOf = async (at: typeof mcp, session: string) =>
      (await at.send({ body: rpc("tools/list"), headers: { "mcp-session-id": session } })).status;
    expect([await statusOf(mcp, here), await statusOf(mcp, there)]).toEqual([200, 404]);
    expect([await statusOf(banks, there), await statusOf(banks, here)]).toEqual([200, 404]);
  });

  it("[C-8.168] batches, admission and the record of a request are those of /mcp", async () => {
    const admitted: string[] = [];
    const calls: string[] = [];
    const limited = await startMcp({
      ...shared,
      endpoint: analyticsEndpoint,
      admit: (tenant: string) => void admitted.push(tenant),
      onCall: ({ tool, outcome }: { tool: string; outcome: string }) => void calls.push(`${tool} ${outcome}`),
    } as never);
    const two = [call("wealth-summary", { by: "type" }, 1), call("wealth-summary", {}, 2)];
    const { json } = await limited.send({ body: two });
    expect(json.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    // The batch, and each of its calls.
    expect(admitted).toEqual([ids.tenantA, ids.tenantA, ids.tenantA]);
    expect(calls.sort()).toEqual(["wealth-summary VALIDATION_ERROR", "wealth-summary ok"]);
    await mcp.send({ body: call("wealth-summary", { by: "type" }) });
    expect(mcp.logs.at(-1)).toMatchObject({ rpc_method: "tools/call", tool: "wealth-summary", outcome: "ok" });
  });
});
