import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { faultsBeforePublishing, publicPackages } from "./public-packages.mjs";
import { root } from "./step.mjs";

const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

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

  it("needs a scope and a repository of its own for the world, and no pending changeset anywhere", () => {
    const standIn = ["@", "org"].join(""); // not as one word, which renaming the scope would change
    const packages = [{ manifest: { name: "a", license: "MIT", engines: {}, files: [], publishConfig: {} } }];
    const faults = (facts) => faultsBeforePublishing(packages, { scope: standIn, pending: 0, toNpm: false, ...facts });
    expect(faults({})).toEqual([]);
    expect(faults({ pending: 2 })).toEqual(["2 changesets are not used up: pnpm version:packages"]);
    expect(faults({ toNpm: true })).toEqual([
      "the scope is still the stand-in: docs/how-to/publish.md says how it is renamed",
      'no "repository" in a',
    ]);
    expect(faults({ toNpm: true, scope: "@ours" })).toEqual(['no "repository" in a']);
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
  });
});
