import { expect, it } from "vitest";
import { outdatedNode } from "./node-version.js";

it.each(["22.0.0", "23.1.0", "24.4.1", "100.0.0"])("Node %s is maintained", (version) => {
  expect(outdatedNode(version)).toBeNull();
});

it.each(["20.19.0", "20.20.2", "21.7.3"])("Node %s is said to be past its end", (version) => {
  expect(outdatedNode(version)).toContain(`Node ${version} has had no security fixes`);
});
