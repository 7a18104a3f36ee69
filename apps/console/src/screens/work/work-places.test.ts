import { expect, it } from "vitest";
import { workWords } from "./words.js";
import { daysSince, mannerOf, placeOf, type WorkLine, workKinds } from "./work-places.js";

const line = (over: object) =>
  ({
    kind: "letter_overdue",
    action: "ask_custodian",
    tenant_id: null,
    subject: { type: "letter", id: "l" },
    details: {},
    ...over,
  }) as WorkLine;

it("[C-14.82] knows every kind of line in the server's order, and where each leads", () => {
  expect([...workKinds].sort()).toEqual(Object.keys(workWords.en.kinds).sort());
  expect(placeOf(line({ subject: { type: "mail", id: "m" }, details: { letter_id: "l" } }))).toEqual({
    to: "/letters/l",
  });
  expect(placeOf(line({ subject: { type: "connection", id: "c" } }))).toEqual({ to: "/connections/c" });
  const file = { type: "file", id: "f" };
  expect(placeOf(line({ subject: file })).search).toEqual({ tab: "pending", file: "f" });
  expect(placeOf(line({ subject: { type: "source", id: "custodian" } }))).toEqual({ to: "/sources/custodian" });
});

it("[C-14.82] does here what can be done here; a tenant's people look at letters and switch their own endpoints on", () => {
  expect(mannerOf(line({}), "operator")).toBe("note");
  expect(mannerOf(line({}), "tenant")).toBe("go");
  expect(mannerOf(line({ action: "advance_letter" }), "operator")).toBe("advance");
  expect(mannerOf(line({ kind: "feed_silent" }), "operator")).toBe("resolve");
  expect(mannerOf(line({ kind: "letter_unmailed", action: "give_address" }), "operator")).toBe("address");
  expect(mannerOf(line({ kind: "webhook_disabled", action: "enable_endpoint" }), "tenant")).toBe("enable");
  expect(mannerOf(line({ kind: "connection_relogin", action: "send_repair_link" }), "operator")).toBe("go");
  expect([daysSince("2026-01-01T00:00:00.000Z", Date.parse("2026-01-03T12:00:00.000Z")), daysSince(null, 0)]).toEqual([
    2,
    null,
  ]);
});
