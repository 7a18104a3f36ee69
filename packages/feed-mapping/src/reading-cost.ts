import type { FeedMapping, Fields, MappingRule } from "./mapping.js";
import type { MappingCondition, MappingValue } from "./mapping-value.js";

/**
 * Estimates the maximum number of characters examined when a file is read by a mapping, which is about the time in nanoseconds. It depends on the
 * mapping as much as on the file: on the marks to search for, and on nested values, which may be read several times by the value around them.
 */
export function readingCost(file: Uint8Array, mapping: FeedMapping): number {
  let [lines, longest, start] = [1, 0, 0];
  for (const [at, byte] of file.entries()) {
    if (byte !== 10 && byte !== 13) continue;
    lines += 1;
    longest = Math.max(longest, at - start);
    start = at + 1;
  }
  longest = Math.max(longest, file.byteLength - start);
  const ofLongest = valuesElsewhere(mapping).map(
    (value) => valueCost(value, { row: longest, elsewhere: longest }).size,
  );
  const sizes = { row: file.byteLength / lines, elsewhere: Math.max(longest, ...ofLongest) };
  const ofTables = mapping.tables.map((table) => {
    const shared = { ...mapping.values, ...table.values };
    const rules = table.rows.map((rule) => ({
      when: rule.when ? conditionCost(rule.when, sizes) : 0,
      read: rule.is === "ignored" ? 0 : fieldsCost({ ...shared, ...rule.values }, sizes),
    }));
    const reads = rules.map(({ read }) => read);
    const read = table.rows.some(goesOn) ? sum(reads) : Math.max(...reads);
    return sum(rules.map(({ when }) => when)) + read;
  });
  const heads = mapping.tables.filter(({ recognise }) => recognise).length * sizes.row;
  const { account, as_of } = mapping;
  const ofAccount = [account?.number, account?.name, account?.currency, as_of].map(
    (value) => valueCost(value, sizes).cost,
  );
  return lines * (ROW + heads + Math.max(...ofTables) + sum(ofAccount) + elsewhereCost(mapping, sizes));
}

/** Cost of the row itself. */
const ROW = 200;
/** How often a part may be read for the value around it: whether it is empty, as a text and as a number. */
const READ_AGAIN = 3;
/** Cost per character of reading a text as a number. */
const NUMBER = 8;

/** Characters of an average line, and at most of a value taken from other lines. */
interface Sizes {
  readonly row: number;
  readonly elsewhere: number;
}

function goesOn({ goes_on }: MappingRule): boolean {
  return goes_on ?? false;
}

function fieldsCost(fields: Fields, sizes: Sizes): number {
  return sum(Object.values(fields).map((value) => valueCost(value, sizes).cost));
}

function elsewhereCost(mapping: FeedMapping, sizes: Sizes): number {
  const conditions = Object.values(mapping.context ?? {}).map(({ when }) => (when ? conditionCost(when, sizes) : 0));
  return sum(valuesElsewhere(mapping).map((value) => valueCost(value, sizes).cost)) + sum(conditions);
}

/** Values read from each line for use in others. */
function valuesElsewhere({ lookups = {}, context = {} }: FeedMapping): readonly MappingValue[] {
  const ofLookups = Object.values(lookups).flatMap(({ key, values }) => [key, ...Object.values(values)]);
  return [...ofLookups, ...Object.values(context).flatMap(({ take }) => take ?? [])];
}

function valueCost(value: MappingValue | undefined, sizes: Sizes): { readonly size: number; readonly cost: number } {
  if (!value) return { size: 0, cost: 0 };
  const { concat = [], first_of = [], sum: added = [], product = [], debit, credit, lookup } = value;
  const parts = [...concat, ...first_of, ...added, ...product, debit, credit, lookup?.by].map((part) =>
    valueCost(part, sizes),
  );
  const isElsewhere = value.context !== undefined || value.file_name !== undefined || lookup !== undefined;
  const own = value.column === undefined ? (value.constant?.length ?? 0) : sizes.row;
  const size = own + (isElsewhere ? sizes.elsewhere : 0) + sum(parts.map((part) => part.size));
  const looks = NUMBER + count(value.after) + count(value.before) + (value.dates?.length ?? 0);
  const around = value.minus_when ? conditionCost(value.minus_when, sizes) : 0;
  return { size, cost: size * looks + READ_AGAIN * sum(parts.map(({ cost }) => cost)) + around };
}

function conditionCost(condition: MappingCondition, sizes: Sizes): number {
  const { all = [], any = [], not, column, value } = condition;
  const parts = sum([...all, ...any, ...(not ? [not] : [])].map((part) => conditionCost(part, sizes)));
  if (column === undefined && value === undefined) return parts;
  const { size, cost } = valueCost(value ?? { column }, sizes);
  return parts + cost + size * (count(condition.starts) + count(condition.ends) + count(condition.contains));
}

function count(marks: string | readonly string[] | undefined): number {
  return marks === undefined ? 0 : typeof marks === "string" ? 1 : marks.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
