import { expect, it } from "vitest";
import { filtersIn, searchOf, withStatus } from "./letter-filters.js";

const now = new Date("2026-11-23T10:59:59Z");
const plain = { query: {}, order: "newest", page: 1, page_size: 100 };

it.each([
  ["nothing", {}, plain],
  ["texts", { text: "müller", custodian: "bank" }, { ...plain, text: "müller", custodian: "bank" }],
  ["a label", { label: "desk=Zürich = West" }, { ...plain, query: { labels: { desk: "Zürich = West" } } }],
  ["half a label", { label: "desk=" }, plain],
  ["statuses", { status: "Signed,Blocked,Nonsense" }, { ...plain, query: { status_in: ["Signed", "Blocked"] } }],
  ["an age", { days: "7" }, { ...plain, in_status_before: "2026-11-16T10:00:00.000Z" }],
  ["no age", { days: "-7" }, plain],
  ["what is stuck", { stuck: "yes", order: "oldest" }, { ...plain, stuck: true, order: "oldest" }],
  ["another order", { order: "by colour" }, plain],
])("an address is what is asked: %s", (_, address, expected) => {
  expect(searchOf(address, now)).toEqual(expected);
});

it("a status is added to the address and taken away; the order is no filter", () => {
  expect(withStatus("", "Signed")).toBe("Signed");
  expect(withStatus("Signed,Blocked", "Signed")).toBe("Blocked");
  expect(filtersIn({ order: "oldest", text: "a", status: "" })).toBe(1);
});
