import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { publicPackages } from "./public-packages.mjs";
import { mentions, renameScope } from "./rename-scope.mjs";
import { root } from "./step.mjs";
import { copyWorkingTree } from "./working-tree.mjs";

const scratch = mkdtempSync(join(tmpdir(), "scope-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const read = (file, folder = root) => JSON.parse(readFileSync(join(folder, file), "utf8"));

describe("what is published", () => {
  it.each(publicPackages().map(({ folder, manifest }) => [folder, manifest]))(
    "%s says all that a registry shows",
    (folder, manifest) => {
      const { license, description, engines, files, publishConfig, scripts, version } = manifest;
      expect({ license, engines, access: publishConfig?.access, prepack: scripts?.prepack }).toEqual({
        license: "MIT",
        engines: { node: read("package.json").engines.node },
        access: "public",
        prepack: "node ../../scripts/prepack.mjs",
      });
      expect(description.length).toBeGreaterThan(20);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(files).toEqual(expect.arrayContaining(["dist", "README.md", "LICENSE", "CHANGELOG.md"]));
      expect(existsSync(join(root, folder, "README.md"))).toBe(true);
    },
  );

  it("is one product with one version", () => {
    const versions = ["apps/server/package.json", "apps/cli/package.json", "server.json"].map(
      (file) => read(file).version,
    );
    expect(new Set([read("apps/wealth-connect/package.json").version, ...versions]).size).toBe(1);
  });

  it("gets another scope, and says where its sources are, by one command", () => {
    copyWorkingTree(scratch, ["*.ts", "*.mjs", "*.json", "*.yaml", "*.md"]);
    execFileSync("git", ["init", "-q"], { cwd: scratch });
    expect(
      renameScope({ folder: scratch, to: "@example-scope", repository: "https://github.com/example/it" }),
    ).toBeGreaterThan(100);
    expect(mentions(scratch, "@org").filter((line) => !line.includes("/scripts/publish.mjs: "))).toEqual([]);
    expect(read("package.json", scratch).scope).toBe("@example-scope");
    const [first] = publicPackages(scratch);
    expect(first.manifest).toMatchObject({
      name: expect.stringMatching(/^@example-scope\//),
      repository: { type: "git", url: "git+https://github.com/example/it.git", directory: first.folder },
    });
    expect(() => renameScope({ folder: scratch, to: "example" })).toThrow("a scope is @ and");
  });

  it("goes nowhere but to this machine unless told", () => {
    const publish = (...args) => {
      try {
        execFileSync(process.execPath, [join(root, "scripts/publish.mjs"), ...args], { stdio: "pipe" });
        return "published";
      } catch (error) {
        return error.stderr.toString();
      }
    };
    expect(publish()).toMatch(/--registry with an address of this machine, or --to-npm/);
    expect(publish("--registry", "https://registry.example.com")).toMatch(/is not on this machine/);
    expect(publish("--registry", "http://127.0.0.1:9")).toMatch(/scope is still the stand-in/);
  });
});
