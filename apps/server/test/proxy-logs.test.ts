import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { clientOf, type ProxyName, proxyPrograms, startServingProxy } from "./proxy.js";

const MIB = 1_048_576;
const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), "utf8");

describe("proxies of deploy/", () => {
  it.runIf(proxyPrograms).each<ProxyName>(["haproxy", "nginx"])(
    "[C-1.45] %s logs no secret of a path or a query, whether a server answers or none, and takes the largest file",
    async (name) => {
      const server = createServer(async (request, answer) => {
        let bytes = 0;
        for await (const chunk of request) bytes += chunk.length;
        answer.end(String(bytes));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const proxy = await startServingProxy(name, String(await freePort()), [origin, origin]);
      const client = clientOf(proxy, 1);
      const askAll = async () => {
        for (const path of ["/feeds/v1/SECRET/file.csv", "/connect/SECRET", "/console/sign-in/back?code=SECRET"])
          await client.fetch(`${proxy.url}${path}`).then((answer) => answer.text());
      };
      try {
        await askAll();
        const body = Buffer.alloc(64 * MIB);
        const sent = await client.fetch(`${proxy.url}/feeds/v1/SECRET/file.csv`, { method: "PUT", body });
        expect([sent.status, await sent.text()]).toEqual([200, String(body.length)]);
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await askAll();
      } finally {
        client.close();
        await proxy.stop();
      }
      // haproxy logs each request, nginx none.
      if (name === "haproxy") expect(proxy.output()).toMatch(/ PUT HTTP\/1\.1\n/);
      expect(proxy.output()).not.toMatch(/SECRET|\/feeds|\/connect/);
    },
  );

  it("[C-1.46] nginx's limits of bodies are those of the route that takes most", () => {
    const sizes = [...read("docs/reference/routes.md").matchAll(/\| ([\d.]+) MiB \|/g)].map(([, size]) => Number(size));
    const largest = Math.max(...sizes);
    for (const file of [
      "deploy/nginx.conf",
      "deploy/systemd/nginx-site.conf",
      "deploy/helm/wealth-connect/values.yaml",
      "deploy/kubernetes/wealth-connect.yaml",
    ])
      expect([file, /(?:client_max_body_size|proxy-body-size:) (\d+)m/.exec(read(file))?.[1]]).toEqual([
        file,
        String(largest),
      ]);
  });

  it("[C-1.45] every server block of nginx writes neither log of requests", () => {
    const site = read("deploy/systemd/nginx-site.conf")
      .split(/^server \{$/m)
      .slice(1);
    expect(site).toHaveLength(2);
    for (const block of site) expect(block).toMatch(/access_log off;\n +error_log \/dev\/null emerg;/);
    for (const file of ["helm/wealth-connect/values.yaml", "kubernetes/wealth-connect.yaml"])
      expect(read(`deploy/${file}`)).toContain('enable-access-log: "false"');
  });
});
