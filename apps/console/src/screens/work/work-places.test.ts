import { fileCauses, stepOfCause } from "@org/core/file-steps";
import { expect, it } from "vitest";
import { workWords } from "./words.js";
import { daysSince, mannerOf, placeOf, placeOfNext, type WorkLine, workKinds } from "./work-places.js";

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
  expect(mannerOf(line({ kind: "connection_relogin", action: "send_repair_link" }), "operator")).toBe("link");
  expect([daysSince("2026-01-01T00:00:00.000Z", Date.parse("2026-01-03T12:00:00.000Z")), daysSince(null, 0)]).toEqual([
    2,
    null,
  ]);
});

it("[C-14.890] a line of a held file leads by its cause as the file's page does: the mapping editor with it, the keys, or the file itself", () => {
  const next = (cause: (typeof fileCauses)[number], details: object = {}) => {
    const held = line({
      kind: "file_held",
      action: stepOfCause[cause],
      subject: { type: "file", id: "f" },
      details: { cause, ...details },
    });
    const manner = mannerOf(held, "operator");
    return manner === "go" ? placeOfNext(held) : manner;
  };
  const editor = { to: "/mapping", search: { held: "f" } };
  const keys = { to: "/sources", search: { tab: "keys" } };
  expect(Object.fromEntries(fileCauses.map((cause) => [cause, next(cause)]))).toEqual({
    ...{ format: editor, mapping: editor, key: keys, valid_key: keys, signature: keys },
    ...{ account: "file", target: "file", internal: "file", content: "file" },
  });
  // The table is a part of a container, and a letter may have to move on first.
  expect([next("format", { is_part: true }), next("target", { letter_id: "l" })]).toEqual(["file", "retry"]);
});
