import { expect, it } from "vitest";
import { documentFinding } from "./oauth.js";

const lost = {
  address: "https://client.example/client.json",
  at: new Date("2026-03-02T09:00:00Z"),
  cause: "ENOTFOUND",
};

it.each([
  [{ clientDocuments: true, httpsProxy: null }, null, "ok", /directly/],
  [{ clientDocuments: true, httpsProxy: "http://proxy.example" }, null, "ok", /HTTPS_PROXY/],
  [{ clientDocuments: false, httpsProxy: null }, lost, "ok", /CLIENT_DOCUMENTS is false/],
  [{ clientDocuments: true, httpsProxy: null }, lost, "warn", /^https:.*client\.json could not be reached .*ENOTFOUND/],
] as const)("[C-3.40] the doctor says of %j after %j: %s", (config, unreachable, state, message) => {
  expect(documentFinding(config, unreachable)).toMatchObject({ state, message: expect.stringMatching(message) });
});
