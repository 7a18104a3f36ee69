import {
  argumentFor,
  fieldIn,
  linkTo,
  mentions,
  partSaying,
  readTools,
  rowSchema,
  takesLists,
} from "./tool-reading.mjs";

/** The most calls per question; a real client would have given up. */
const MAX_CALLS = 60;

/**
 * Answers questions with a plan made from tools/list and from what answers say: the hint to the next page, the next action, and the origin of an
 * unknown id. It knows no tool and no filter. Of answers it knows only `items`, `hint`, `reasons` and `error`; of parameters `page_size` and
 * `fields`; and that money is `balance` in `currency`.
 * @param call calls a tool; answers `{isError, answer}`
 * @param namesFields whether it requests the fields it needs, or whole rows
 */
export function createAgent({ tools, call, namesFields = true }) {
  const toolbox = readTools(tools);
  let calls = 0;

  return {
    /** The answer as rows, a number, `"unknown"` or `"no plan"`. */
    async answer(asks) {
      calls = 0;
      try {
        return await answerTo(asks);
      } catch (error) {
        if (error instanceof Unanswerable) return error.message;
        throw error;
      }
    },
  };

  async function answerTo(asks) {
    const tool = toolbox.about(asks.subject, asks.want !== "object");
    if (tool === null) throw new Unanswerable("no plan");
    return asks.want === "object" ? objects(tool, asks) : list(tool, asks);
  }

  /** One object for each row of another subject, or the one that the conditions identify. */
  async function objects(tool, { each, where = {}, pick, afterwards }) {
    const { args, left } = planned(tool, where);
    if (!each) return [picked((await made(tool, args[0])).answer, pick)];
    const other = listTool(each.subject);
    const link = linkTo(tool, other);
    if (!link) throw new Unanswerable("no plan");
    const found = [];
    for (const row of await rowsOf(other, each.where)) {
      const { answer } = await made(tool, { ...args[0], [link.parameter]: row[link.field] });
      const whole = { ...row, ...answer };
      if (!left.every((condition) => holds(whole, condition))) continue;
      found.push(picked(afterwards ? await followed(whole, afterwards) : whole, pick));
    }
    return found;
  }

  /** Takes the next action that an answer names, and looks at the result. */
  async function followed(whole, { subject }) {
    const words = whole.reasons.map(({ next_action }) => next_action).join(" ");
    const tool = toolbox.in(words);
    const parameter = tool && Object.keys(tool.inputSchema.properties).find((name) => mentions(words, name));
    const field = parameter && fieldIn(tool.inputSchema.properties[parameter], Object.keys(whole));
    const look = toolbox.about(subject, false);
    if (!field || !look) throw new Unanswerable("no plan");
    const { answer: begun } = await made(tool, { [parameter]: whole[field] });
    const named = look.inputSchema.required.map((name) => [name, begun[name]]);
    return (await made(look, Object.fromEntries(named))).answer;
  }

  async function list(tool, asks) {
    const { where = {}, want, pick = [], by } = asks;
    const more = asks.of ? await belonging(tool, asks.of) : [{}];
    const { left } = planned(tool, where);
    const whole = left.length === 0 && more.length === 1;
    const part = {
      count: "rows that match",
      sums: "sum of balances per currency",
      states: "state of each bank connection",
    };
    const name = part[want] && partSaying(tool, part[want]);
    if (name && whole) {
      const { answer } = await made(tool, { ...planned(tool, where).args[0], ...more[0], ...smallest(tool) });
      return partOf(want, answer[name]);
    }
    if (want === "first" && mentions(tool.description, "newest first")) {
      const { answer } = await made(tool, {
        ...planned(tool, where).args[0],
        ...more[0],
        ...smallest(tool),
        ...fieldsOf(tool, pick),
      });
      return answer.items.slice(0, 1).map((row) => picked(row, pick));
    }
    const needed = want === "sums" ? ["balance", "currency"] : [...pick, ...(by ? [by] : [])];
    const rows = await rowsOf(tool, where, needed, more);
    return fromRows(asks, rows);
  }

  /** Arguments that limit rows to those of the question's subject: one set, or several if the parameter takes no list. */
  async function belonging(tool, { subject, where }) {
    const other = listTool(subject);
    const link = linkTo(tool, other);
    if (!link) throw new Unanswerable("no plan");
    const ids = (await rowsOf(other, where, [link.field])).map((row) => row[link.field]);
    if (ids.length === 0) throw new Unanswerable("unknown");
    if (ids.length === 1) return [{ [link.parameter]: ids[0] }];
    return takesLists(tool, link.parameter) ? [{ [link.parameter]: ids }] : ids.map((id) => ({ [link.parameter]: id }));
  }

  function listTool(subject) {
    const tool = toolbox.about(subject, true);
    if (tool === null) throw new Unanswerable("no plan");
    return tool;
  }

  /** All rows that meet the conditions, following the hints page by page. */
  async function rowsOf(tool, where = {}, fields = [], more = [{}]) {
    const { args, left } = planned(tool, where);
    const needed = [...fields, ...left.map(([name]) => name)];
    const rows = [];
    for (const first of args) {
      for (const further of more) {
        let asked = { ...first, ...further, ...largest(tool), ...fieldsOf(tool, needed) };
        while (asked) {
          const { answer, args: accepted } = await made(tool, asked);
          rows.push(...answer.items);
          asked = nextPage(accepted, answer.hint);
        }
      }
    }
    return rows.filter((row) => left.every((condition) => holds(row, condition)));
  }

  /** Converts conditions to arguments, in several sets if a parameter takes no list; `left` has those that must be checked on the rows. */
  function planned(tool, where) {
    const columns = Object.keys(rowSchema(tool)?.properties ?? tool.outputSchema.properties);
    let args = [{}];
    const left = [];
    for (const [condition, wanted] of Object.entries(where)) {
      const isParameter = condition in (tool.inputSchema.properties ?? {});
      if (!isParameter && columns.includes(condition)) {
        left.push([condition, wanted]);
        continue;
      }
      const found = argumentFor(tool, condition, wanted);
      if (!found) throw new Unanswerable("no plan");
      const needsSeveral = Array.isArray(found.value) && !takesLists(tool, found.name);
      const values = needsSeveral ? found.value : [found.value];
      args = args.flatMap((set) => values.map((value) => ({ ...set, [found.name]: value })));
    }
    return { args, left };
  }

  function fieldsOf(tool, needed) {
    const known = tool.inputSchema.properties.fields?.items?.enum;
    if (!namesFields || !known || needed.length === 0) return {};
    const named = known.filter((field) => needed.includes(field));
    return named.length > 0 ? { fields: named } : {};
  }

  /** Calls a tool; if it refuses an id, fetches the id from where the answer says and calls again. */
  async function made(tool, args) {
    calls += 1;
    if (calls > MAX_CALLS) throw new Unanswerable("too many calls");
    const { isError, answer } = await call(tool.name, args);
    if (!isError) return { answer, args };
    const { code, message } = answer.error;
    const source = /Next: (\S+)/.exec(message)?.[1];
    const other = code === "NOT_FOUND" && source ? toolbox.named(source) : undefined;
    if (!other) throw new Unanswerable(`refused: ${message}`);
    const listed = JSON.stringify(await rowsOf(other));
    const isThere = Object.values(args).some((value) => typeof value === "string" && listed.includes(value));
    throw new Unanswerable(isThere ? `refused: ${message}` : "unknown");
  }
}

/** Ends a question; the message is the answer. */
class Unanswerable extends Error {}

function smallest({ inputSchema }) {
  const size = inputSchema.properties.page_size;
  return size ? { page_size: size.minimum } : {};
}

function largest({ inputSchema }) {
  const size = inputSchema.properties.page_size;
  return size ? { page_size: size.maximum } : {};
}

/** Reads arguments such as `page=2 and snapshot=r12` from a hint. */
function nextPage(args, hint) {
  const said = [...(hint ?? "").matchAll(/(\w+)=([\w-]+)/g)].map(([, name, value]) => [
    name,
    /^\d+$/.test(value) ? Number(value) : value,
  ]);
  return said.length === 0 ? null : { ...args, ...Object.fromEntries(said) };
}

function partOf(want, part) {
  if (want === "sums") return part.map(({ currency, balance }) => [currency, balance]);
  if (want === "states") return part.filter(({ state }) => state !== "ok").map(({ bank, state }) => [bank, state]);
  return part;
}

function fromRows({ want, by, pick = [] }, rows) {
  if (want === "count") return rows.length;
  if (want === "sums") return sumsOf(rows);
  if (want === "rows") return rows.map((row) => picked(row, pick));
  if (want === "states") return "no plan";
  const field = by ?? pick[0];
  const sorted = rows.toSorted((a, b) => compare(a[field], b[field]));
  const chosen = want === "smallest" ? sorted.at(0) : sorted.at(-1);
  return chosen ? [picked(chosen, pick)] : [];
}

function sumsOf(rows) {
  const cents = new Map();
  for (const { currency, balance } of rows) cents.set(currency, (cents.get(currency) ?? 0n) + centsOf(balance));
  return [...cents].map(([currency, sum]) => {
    const digits = String(sum < 0n ? -sum : sum).padStart(3, "0");
    return [currency, `${sum < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`];
  });
}

function centsOf(balance) {
  const [whole, part = ""] = balance.split(".");
  return BigInt(whole + part.slice(0, 2).padEnd(2, "0"));
}

function compare(a, b) {
  const isNumber = /^-?\d+(\.\d+)?$/;
  if (isNumber.test(a) && isNumber.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A text condition holds if the row's text contains it, ignoring case. */
function holds(row, [name, wanted]) {
  const value = row[name];
  if (typeof value !== "string" || typeof wanted !== "string") return value === wanted;
  return value.toLowerCase().includes(wanted.toLowerCase());
}

/** The fields of a row; `reasons.code` is the `code` of each reason. */
function picked(row, fields) {
  return fields.map((field) => {
    const [name, inner] = field.split(".");
    return inner ? row[name].map((one) => one[inner]) : row[name];
  });
}
