import { describe, expect, it } from "vitest";
import { type ChainHead, contentHash, createChainCheck, linkHash, refusedAt } from "./audit-chain.js";
import type { ChainItem } from "./audit-chain-page.js";

const line = (n: number, over: object = {}) => ({
  audit_id: `01900000-0000-7000-8000-00000000000${n}`,
  at: `2026-03-01T12:00:0${n}.000Z`,
  tenant_id: null,
  actor: "operator",
  action: "tenant.disabled",
  object_type: "tenant",
  object_id: "t",
  trace_id: null,
  address: null,
  facts: { b: 1, a: "x" },
  ...over,
});

/** Six places; the third is a refusal that was deleted. */
function chain(): ChainItem[] {
  const lines = [1, 2, 3, 4, 5, 6].map((n) =>
    n === 3 ? line(n, { actor: "unknown", action: "grant.refused" }) : line(n),
  );
  let previous = "0".repeat(64);
  const items = lines.map((entry, index): ChainItem => {
    previous = linkHash(previous, index + 1, refusedAt(entry), contentHash(entry));
    const { audit_id } = entry;
    return { sequence: index + 1, hash: previous, audit_id, refused_at: null, content_hash: null, line: entry };
  });
  const third = items[2] as ChainItem;
  items[2] = {
    ...third,
    line: null,
    refused_at: lines[2]?.at ?? null,
    content_hash: contentHash(lines[2] as ReturnType<typeof line>),
  };
  return items;
}

function check(items: readonly ChainItem[], known: readonly ChainHead[] = []) {
  const checking = createChainCheck(undefined, known);
  const fault = items.map((item) => checking.add(item)).find((found) => found !== null) ?? checking.end();
  return { fault, report: checking.report() };
}

const whole = chain();
const last = whole[5] as ChainItem;
const change = (index: number, over: Partial<ChainItem>) =>
  chain().map((item, place) => (place === index ? { ...item, ...over } : item));

describe("[security.md] the hash chain of the audit trail", () => {
  it("is intact as it was made, without the refusals that were deleted after their time", () => {
    expect(check(whole, [{ sequence: 6, hash: last.hash }])).toEqual({
      fault: null,
      report: {
        first: 1,
        head: { sequence: 6, hash: last.hash },
        lines: 6,
        erased: 1,
        erased_until: "2026-03-01T12:00:03.000Z",
      },
    });
  });

  it.each<[string, readonly ChainItem[], number, RegExp]>([
    ["a line was changed", change(1, { line: line(2, { actor: "another" }) }), 2, /was changed/],
    ["a fact was changed", change(1, { line: line(2, { facts: { b: 2, a: "x" } }) }), 2, /was changed/],
    ["a line was made a refusal", change(1, { line: line(2, { action: "grant.refused" }) }), 2, /was changed/],
    ["a hash was changed", change(3, { hash: "f".repeat(64) }), 4, /was changed/],
    ["a line was deleted", change(4, { line: null }), 5, /is missing/],
    [
      "a line was deleted and passed off as a refusal",
      change(4, { line: null, refused_at: line(5).at, content_hash: contentHash(line(5)) }),
      5,
      /was changed/,
    ],
    ["a refusal was dated back", change(2, { refused_at: "2025-03-01T12:00:03.000Z" }), 3, /was changed/],
    ["a place is missing", whole.toSpliced(3, 1), 5, /expected sequence 4/],
    ["two places were exchanged", [...whole.slice(0, 3), whole[4], whole[3], last] as ChainItem[], 5, /expected/],
  ])("%s: names the place", (_, items, sequence, message) => {
    expect(check(items).fault).toMatchObject({ sequence, message: expect.stringMatching(message) });
  });

  it("who kept a head notices that the end was cut off, or that everything was written anew", () => {
    const known = [{ sequence: 6, hash: last.hash }];
    expect(check(whole.slice(0, 4), known).fault).toMatchObject({ message: expect.stringMatching(/cut off/) });
    const other = { sequence: 6, hash: "a".repeat(64) };
    expect(check(whole, [other]).fault).toMatchObject({ sequence: 6, message: expect.stringMatching(/rewritten/) });
    const from = createChainCheck({ sequence: 6, hash: "b".repeat(64) }, known);
    expect(from.add({ ...last, sequence: 7 })).toMatchObject({ message: expect.stringMatching(/rewritten/) });
  });
});
