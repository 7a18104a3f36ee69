import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publicPackages } from "./public-packages.mjs";
import { lockedPackages } from "./runtime-dependencies.mjs";
import { assembledFrom, sbomOf } from "./sbom.mjs";
import { root } from "./step.mjs";

const locked = lockedPackages();
const { folder, manifest } = publicPackages().find((each) => each.manifest.name === "wealth-connect");
const make = (lock = locked) => sbomOf(manifest, [join(root, folder), ...assembledFrom], lock);

describe("[C-1.64] the bill of materials of a published package", () => {
  it("names what is bundled and what is installed beside it, in the versions and with the hashes of the lock file", () => {
    const { components, dependencies, metadata } = make();
    expect(metadata.component).toMatchObject({
      type: "application",
      purl: `pkg:npm/wealth-connect@${manifest.version}`,
    });
    const known = new Map(components.map((each) => [each["bom-ref"], each]));
    const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name);
    const names = components.map(nameOf);
    for (const name of [...Object.keys(manifest.dependencies), "express", "react", "@org/core"])
      expect(names).toContain(name);
    // What stays here, or only builds and tests.
    for (const name of ["@org/server", "@org/console", "vitest", "turbo"]) expect(names).not.toContain(name);
    for (const each of components.filter(({ group }) => group !== "@org"))
      expect(each.hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    const refs = [`wealth-connect@${manifest.version}`, ...known.keys()];
    expect(dependencies.map(({ ref }) => ref)).toEqual(refs);
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(known.has(ref)).toBe(true);
    const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect([...known.keys()].filter((ref) => !needed.has(ref))).toEqual([]);
  });

  it("is the same each time, and is not made of what the lock file does not pin", () => {
    expect(make()).toEqual(make());
    const other = new Map([...locked].filter(([key]) => !key.startsWith("express@")));
    expect(() => make(other)).toThrow(/^express@5\.\d+\.\d+ is installed, and pnpm-lock\.yaml does not pin it/);
  });
});
