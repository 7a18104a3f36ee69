import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Programs of Debian's, where they are: systemd has one, prometheus the other. */
const isThere = (program: string) => spawnSync(program, ["--version"]).status === 0;
const promtool = process.env.PROMTOOL_PATH || "promtool";
const deploy = (file: string) => fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));
const read = (file: string) => readFileSync(deploy(file), "utf8");

describe("deploy/", () => {
  it.runIf(isThere("systemd-analyze"))("the unit leaves the server little of the machine: at most 2 of 10", () => {
    const unit = deploy("systemd/wealth-connect.service");
    const answer = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], {
      encoding: "utf8",
    });
    expect(answer.stderr).toBe("");
    expect([answer.status, /Overall exposure level[^:]*: ([\d.]+)/.exec(answer.stdout)?.[1]]).toEqual([0, "1.3"]);
  });

  it.runIf(isThere(promtool))("the alerts are Prometheus' own, and say what they shall", () => {
    for (const args of [
      ["check", "rules", "alerts.yml"],
      ["test", "rules", "alerts.test.yml"],
    ])
      expect(execFileSync(promtool, args, { cwd: deploy("monitoring"), encoding: "utf8" })).toContain("SUCCESS");
  });

  it("the image is of named versions, runs as nobody in particular, and starts what the package starts", () => {
    const text = read("containers/Dockerfile");
    const [build = "", image = ""] = text.split(/^(?=FROM )/m).slice(1);
    for (const [, base] of text.matchAll(/^FROM (\S+)/gm)) expect(base).toMatch(/^node:\d+\.\d+-bookworm-slim$/);
    for (const [, tag] of read("containers/compose.yaml").matchAll(/image: (?!wealth-connect)(\S+)/g))
      expect(tag).toMatch(/^[a-z]+:\d+\.\d+-[a-z]+$/);
    expect(build).toContain("--frozen-lockfile");
    expect(image).toMatch(/^USER 10001:10001$/m);
    expect(image).toMatch(/^HEALTHCHECK .*\/healthz/m);
    expect(image.match(/^(?:COPY|ADD) .*$/gm)).toEqual(["COPY --from=build /opt/wealth-connect /opt/wealth-connect"]);
    expect(image).toContain('ENTRYPOINT ["/opt/wealth-connect/node_modules/.bin/wealth-connect"]\nCMD ["serve"]');
    const started = "/opt/wealth-connect/node_modules/wealth-connect/dist/main.js";
    expect(read("systemd/wealth-connect.service")).toContain(`ExecStart=/usr/bin/node ${started} serve`);
    const manifest = JSON.parse(
      readFileSync(new URL("../../../apps/wealth-connect/package.json", import.meta.url), "utf8"),
    );
    expect(manifest.bin).toEqual({ "wealth-connect": "./dist/main.js" });
  });

  it("pages and Compose file name files that are there", () => {
    for (const page of ["deploy.md", "deploy-containers.md", "deploy-kubernetes.md", "deploy-patroni.md"]) {
      const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8");
      for (const [, file = ""] of text.matchAll(
        /\bdeploy\/((?:systemd|monitoring|containers|kubernetes|patroni|helm)\/[\w.-]+)/g,
      ))
        expect([page, file, existsSync(deploy(file))]).toEqual([page, file, true]);
    }
    const addresses = (text: string) => new Set([...text.matchAll(/10\.0\.0\.1\d/g)].map(([address]) => address));
    expect(addresses(read("containers/compose.yaml"))).toEqual(addresses(read("haproxy.cfg")));
  });
});
