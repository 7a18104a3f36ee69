import { describe, expect, it } from "vitest";
import { commandFor, withFolderFirst } from "./on-any-system.mjs";

describe("[C-1.63] what scripts start is found on Windows too", () => {
  it("by PATH, whatever letters the variable has there", () => {
    const env = { Path: "C:\\nodejs;C:\\Windows", HOME: "C:\\Users\\Jane Doe" };
    expect(withFolderFirst("C:\\repo\\node_modules\\.bin", env, "win32")).toEqual({
      HOME: "C:\\Users\\Jane Doe",
      PATH: "C:\\repo\\node_modules\\.bin;C:\\nodejs;C:\\Windows",
    });
    expect(withFolderFirst("/repo/bin", { PATH: "/usr/bin", Path: "another" }, "linux")).toEqual({
      PATH: "/repo/bin:/usr/bin",
      Path: "another",
    });
    expect(withFolderFirst("/repo/bin", {}, "linux")).toEqual({ PATH: "/repo/bin" });
  });

  it("with spaces in folders, and with what its shell would read", () => {
    expect(commandFor("npm", ["pack", "pnpm@10.34.9", "C:\\Users\\Jane Doe\\AppData"], "win32")).toEqual([
      'npm pack pnpm@10.34.9 "C:\\Users\\Jane Doe\\AppData"',
      [],
    ]);
    expect(commandFor("vitest", ["-t", "a & b", "<c>"], "win32")).toEqual(['vitest -t "a & b" "<c>"', []]);
    expect(commandFor("npm", ["pack", "a b"], "darwin")).toEqual(["npm", ["pack", "a b"]]);
  });
});
