import { expect, test } from "vitest";
import { type CredentialField, isSecretField } from "./credential-field.js";

test.each<[CredentialField, boolean]>([
  [{ name: "key", kind: "secret" }, true],
  [{ name: "password" }, true],
  [{ name: "password", kind: "secret" }, true],
  [{ name: "password", kind: "number" }, false],
  [{ name: "username" }, false],
  [{ name: "key" }, false],
])("[C-5.217] the field %j is a secret: %s", (field, isSecret) => {
  expect(isSecretField(field)).toBe(isSecret);
});
