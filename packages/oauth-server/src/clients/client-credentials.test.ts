import { expect, it } from "vitest";
import { parseForm } from "../http/read-form.js";
import { readClientCredentials } from "./client-credentials.js";

it.each([
  ["a:b", "a", "b"],
  ["a%3Ab:c:d", "a:b", "c:d"],
  ["a+b:c%2Bd+e", "a b", "c+d e"],
])("RFC 6749 §2.3.1: Basic %j is form-decoded after it is split", (pair, client_id, client_secret) => {
  const header = `Basic ${Buffer.from(pair).toString("base64")}`;
  expect(readClientCredentials(header, parseForm(""))).toEqual({ client_id, client_secret });
});
