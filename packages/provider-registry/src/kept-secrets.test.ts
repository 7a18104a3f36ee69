import { expect, it } from "vitest";
import { withKeptSecrets } from "./kept-secrets.js";

const bank = (id: string, secret: string, host = id) => ({
  id,
  base_url: `https://${host}.example/v3`,
  auth: { token_url: `https://login.${host}.example`, client_secret: secret },
});
const kept = (stated: object, stored: object) => withKeptSecrets(stated, stated, stored);

it("[C-14.981] a secret that is given as it is shown is the stored one of the element with the same id", () => {
  const stored = { banks: [bank("one", "first"), bank("two", "second")] };
  expect(kept({ banks: [bank("two", "set"), bank("new", "typed"), bank("one", "other")] }, stored)).toEqual({
    banks: [bank("two", "second"), bank("new", "typed"), bank("one", "other")],
  });
  expect(kept({ banks: [bank("three", "set")] }, stored)).toEqual({ banks: [bank("three", "set")] });
});

it("[C-14.981] a secret stays with its hosts: anywhere else it has to be typed", () => {
  expect(kept({ banks: [bank("one", "set", "evil")] }, { banks: [bank("one", "first")] })).toEqual({
    banks: [bank("one", "set", "evil")],
  });
  const stored = { url: "https://one.example", keys: [{ key: "first" }] };
  expect(kept({ url: "https://one.example/v2", keys: [{ key: "set" }] }, stored)).toMatchObject({
    keys: [{ key: "first" }],
  });
  expect(kept({ url: "https://two.example", keys: [{ key: "set" }] }, stored)).toMatchObject({
    keys: [{ key: "set" }],
  });
  const open = { key: "set", to: [{ id: "a", url: "https://one.example" }] };
  expect(kept({ ...open, to: [...open.to, { url: "https://two.example" }] }, { ...open, key: "first" })).toMatchObject({
    key: "set",
  });
  expect(kept(open, { ...open, key: "first" })).toMatchObject({ key: "first" });
});

it("[C-14.981] where elements have no id, none of several is guessed", () => {
  expect(kept({ keys: ["set", "new"] }, { keys: ["first", "second"] })).toEqual({ keys: ["set", "new"] });
});
