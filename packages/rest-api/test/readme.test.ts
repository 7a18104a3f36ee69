import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { serve } from "./examples/host.js";
import { startFixture } from "./fixture.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it.each(["host", "document"])("the README shows the example %s as it is tested", (name) => {
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read(`./examples/${name}.ts`)}\`\`\``);
});

it("the example document lists the paths", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const { paths } = await import("./examples/document.js");
  expect(paths).toContain("/letters/v1/search-letters");
  expect(print).toHaveBeenCalledWith(paths.join("\n"));
  print.mockRestore();
});

it("[C-10.10] the example host serves the API over injected services", async () => {
  const { services, tenantIds, close } = await startFixture();
  const server = serve(services, tenantIds.first, "a-token");
  await once(server, "listening");
  const response = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/connect/v2/connectors/list-connectors`,
    {
      method: "POST",
      headers: { authorization: "Bearer a-token", "content-type": "application/json" },
      body: JSON.stringify({ query: { connector_id_in: ["esp:bank-000"] } }),
    },
  );
  expect(await response.json()).toMatchObject({ items: [{ id: "esp:bank-000" }] });
  server.closeAllConnections();
  server.close();
  await close();
});
