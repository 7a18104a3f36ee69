import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { readForm } from "./read-form.js";

function request(): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.headers["content-type"] = "application/x-www-form-urlencoded";
  return req;
}

it("gives up on a body that does not come to its end in time", async () => {
  const req = request();
  const reading = readForm(req, { maxBytes: 100, maxSeconds: 0.02 });
  req.push("grant_type=");
  await expect(reading).rejects.toMatchObject({ code: "too_slow" });
});

it("gives up quietly when the client breaks off", async () => {
  const req = request();
  const reading = readForm(req, { maxBytes: 100, maxSeconds: 10 });
  req.push("grant_type=");
  req.destroy(new Error("aborted"));
  await expect(reading).rejects.toMatchObject({ code: "broken_off" });
});

it("says so when a body parser came first", async () => {
  const req = request();
  req.push(null);
  for await (const _ of req);
  await expect(readForm(req, { maxBytes: 100, maxSeconds: 10 })).rejects.toThrow("before any body parser");
});
