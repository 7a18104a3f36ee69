import { fromRows, picked } from "./reading-rows.mjs";
import {
  argumentFor,
  fieldIn,
  groupingFor,
  linkTo,
  memberAbout,
  mentions,
  numberSaying,
  orderFor,
  partAbout,
  partWith,
  readTools,
  rowSchema,
  switchFor,
  takesLists,
} from "./tool-reading.mjs";

/** The most calls per question; a real client would have given up. */
const MAX_CALLS = 60;

/**
 * Answers questions with a plan made from tools/list and from what answers say: the hint to the next page, the next action, and the origin of an
 * unknown id. It knows no tool, no filter, no order and no grouping. Of answers it knows only `items`, `hint`, `reasons` and `error`; of parameters
 * `page_size` and `fields`; and that money is `balance` in `currency`.
 * @param call calls a tool; answers `{isError, answer}`
 * @param namesFields whether it requests the fields it needs, or whole rows
 */
export function createAgent({ tools, call, namesFields = true }) {
  const toolbox = readTools(tools);
  let calls = 0;
  let added = 0;

  return {
    /** The answer, as rows or a text, or `"unknown"` or `"no plan"`; and how many rows had to be counted, added or compared for it. */
    async answer(asks) {
      calls = 0;
      added = 0;
      try {
        return { given: await answerTo(asks), added };
      } catch (error) {
        if (error instanceof Unanswerable) return { given: error.message, added };
        throw error;
      }
    },
  };

  async function answerTo(asks) {
    const kind = asks.want === "refusal" ? "destructive" : asks.want === "object" ? "object" : "list";
    const tool = toolbox.about(asks.subject, kind);
    if (tool === null) throw new Unanswerable("no plan");
    if (kind === "destructive") return refusal(tool, asks);
    return kind === "object" ? objects(tool, asks) : list(tool, asks);
  }

  /** One object for each row of another subject, or the one that the conditions identify. */
  async function objects(tool, { each, where = {}, pick, afterwards }) {
    const { args, left } = planned(tool, where);
    if (!each) return [picked((await made(tool, args[0])).answer, pick)];
    const { rows, link } = await linkedRows(tool, each);
    const found = [];
    for (const row of rows) {
      const { answer } = await made(tool, { ...args[0], [link.parameter]: row[link.field] });
      const whole = { ...row, ...answer };
      if (!left.every((condition) => holds(whole, condition))) continue;
      found.push(picked(afterwards ? await followed(whole, afterwards) : whole, pick));
    }
    return found;
  }

  /**
   * What a refusal tells a person who has not confirmed yet: the picked texts that it repeats, and whether it says to ask. Several connections are
   * told apart first.
   */
  async function refusal(tool, { each, pick }) {
    const { rows, link } = await linkedRows(tool, each);
    if (rows.length !== 1) return rows.map((row) => picked(row, pick));
    const { isError, answer } = await tried(tool, { [link.parameter]: rows[0][link.field] });
    if (!isError) return "done without asking";
    const { message } = answer.error;
    const repeated = (value) => (Array.isArray(value) ? value.filter((one) => message.includes(one)) : value);
    const told = picked(rows[0], pick).map((value) =>
      typeof value === "string" ? repeated([value])[0] : repeated(value),
    );
    return [[...told, mentions(message, "ask")]];
  }

  async function linkedRows(tool, { subject, where }) {
    const other = listTool(subject);
    const link = linkTo(tool, other);
    if (!link) throw new Unanswerable("no plan");
    return { rows: await rowsOf(other, where), link };
  }

  /** Takes the next action that an answer names, and looks at the result. */
  async function followed(whole, { subject }) {
    const words = whole.reasons.map(({ next_action }) => next_action).join(" ");
    const tool = toolbox.in(words);
    const parameter = tool && Object.keys(tool.inputSchema.properties).find((name) => mentions(words, name));
    const field = parameter && fieldIn(tool.inputSchema.properties[parameter], Object.keys(whole));
    const look = toolbox.about(subject, "object");
    if (!field || !look) throw new Unanswerable("no plan");
    const { answer: begun } = await made(tool, { [parameter]: whole[field] });
    const named = look.inputSchema.required.map((name) => [name, begun[name]]);
    return (await made(look, Object.fromEntries(named))).answer;
  }

  async function list(tool, asks) {
    const { where = {}, want, pick = [], by, take, per = [] } = asks;
    const more = asks.of ? await belonging(tool, asks.of) : [{}];
    const { args, left } = planned(tool, where);
    const isOneSet = args.length === 1 && more.length === 1;
    const isOneCall = isOneSet && left.length === 0;
    const readWith = async (further) => (await made(tool, { ...args[0], ...more[0], ...further })).answer;
    const summary = isOneCall && summaryOf(tool, asks);
    if (summary) return summary(await readWith(summary.args));
    if (want === "hint") {
      const { items, hint = "" } = await readWith({});
      return items.length === 0 ? hint : items.map((row) => JSON.stringify(row)).join(" ");
    }
    const order = want === "top" && isOneSet ? orderFor(tool, by, asks.direction) : null;
    if (order) {
      // Conditions that no argument expresses are checked row by row, in the order of the answer.
      const { items } = isOneCall
        ? await readWith({ ...order, ...sized(tool, take), ...fieldsOf(tool, pick) })
        : { items: await rowsOf(tool, where, pick, [{ ...more[0], ...order }]) };
      return items.slice(0, take).map((row) => picked(row, pick));
    }
    const needed = want === "sums" || want === "groups" ? ["balance", "currency", ...per] : pick;
    const rows = await rowsOf(tool, where, by ? [...needed, by] : needed, more);
    if (want !== "rows") added += rows.length;
    return fromRows(asks, rows);
  }

  /** How to read the answer from what a tool says beside the rows, with the arguments for it; null if it does not say it. */
  function summaryOf(tool, { want, per, part, pick }) {
    const alone = { ...(switchFor(tool, "totals only") ?? smallest(tool)) };
    const sums = partWith(tool, ["currency", "balance"]);
    const reading = (args, read) => Object.assign(read, { args });
    if (want === "count") {
      const counted = numberSaying(tool, "rows that match");
      return counted && reading(sums ? alone : smallest(tool), (answer) => [[answer[counted]]]);
    }
    if (want === "sums" && sums)
      return reading(alone, (answer) => answer[sums].map(({ currency, balance }) => [currency, balance]));
    if (want === "groups" && sums) {
      const grouping = groupingFor(tool, per);
      const columns = ["currency", ...(pick ?? per), "balance"];
      return (
        grouping && reading({ ...grouping, ...alone }, (answer) => answer[sums].map((row) => picked(row, columns)))
      );
    }
    if (want === "left out" && sums) {
      const counted = memberAbout(tool, sums, part);
      return counted && reading(alone, (answer) => [[answer[sums].reduce((sum, row) => sum + (row[counted] ?? 0), 0)]]);
    }
    if (want === "values") {
      const name = partAbout(tool, part);
      return name && reading(alone, (answer) => [picked(answer[name], pick)]);
    }
    if (want === "states") {
      const name = partWith(tool, ["bank", "state"]);
      const isBad = ({ state }) => state !== "ok";
      return name && reading(alone, (answer) => answer[name].filter(isBad).map(({ bank, state }) => [bank, state]));
    }
    return null;
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
    const tool = toolbox.about(subject, "list");
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
        let asked = { ...first, ...further, ...sized(tool, Number.POSITIVE_INFINITY), ...fieldsOf(tool, needed) };
        while (asked) {
          const { answer, args: accepted } = await made(tool, asked);
          rows.push(...answer.items);
          asked = nextPage(tool, accepted, answer.hint);
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
      const found = argumentFor(tool, condition, wanted, columns.includes(condition));
      if (!found && columns.includes(condition)) {
        left.push([condition, wanted]);
        continue;
      }
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
    const { isError, answer } = await tried(tool, args);
    if (!isError) return { answer, args };
    const { code, message } = answer.error;
    const source = /Next: (\S+)/.exec(message)?.[1];
    const other = code === "NOT_FOUND" && source ? toolbox.named(source) : undefined;
    if (!other) throw new Unanswerable(`refused: ${message}`);
    const listed = JSON.stringify(await rowsOf(other));
    const isThere = Object.values(args).some((value) => typeof value === "string" && listed.includes(value));
    throw new Unanswerable(isThere ? `refused: ${message}` : "unknown");
  }

  async function tried(tool, args) {
    calls += 1;
    if (calls > MAX_CALLS) throw new Unanswerable("too many calls");
    return call(tool.name, args);
  }
}

/** Ends a question; the message is the answer. */
class Unanswerable extends Error {}

function smallest({ inputSchema }) {
  const size = inputSchema.properties.page_size;
  return size ? { page_size: size.minimum } : {};
}

/** So many rows, or as many as a page may have. */
function sized({ inputSchema }, rows) {
  const size = inputSchema.properties.page_size;
  return size ? { page_size: Math.min(rows, size.maximum) } : {};
}

/** Reads arguments such as `page=2 and snapshot=r12` from a hint. */
function nextPage({ inputSchema }, args, hint) {
  const said = [...(hint ?? "").matchAll(/(\w+)=([\w-]+)/g)]
    .filter(([, name]) => name in inputSchema.properties)
    .map(([, name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]);
  const isFurther = said.some(([name, value]) => typeof value === "number" && value > (args[name] ?? 1));
  return isFurther ? { ...args, ...Object.fromEntries(said) } : null;
}

/** A text condition holds if the row's text contains it, ignoring case and accents; `true` also if the row says something there. */
function holds(row, [name, wanted]) {
  const value = row[name];
  if (Array.isArray(wanted)) return wanted.some((one) => holds(row, [name, one]));
  if (wanted === true && typeof value === "object") return value !== null;
  if (typeof value !== "string" || typeof wanted !== "string") return value === wanted;
  return plain(value).includes(plain(wanted));
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
