// The connector filter over 100,000 connectors, compared with applying it rule by rule and with @casl/ability.
//
//   node src/connector-filter.mjs [rounds]      after `pnpm build`; also `pnpm bench connector-filter`
import { pathToFileURL } from "node:url";
import { AbilityBuilder, createMongoAbility } from "@casl/ability";
import { applyConnectorFilter, parseConnectorFilter, prepareCatalog } from "@org/connector-filter";
import { goal, median, medianRatio, short } from "./measuring/figures.mjs";
import { goalsTable, table } from "./measuring/page.mjs";

const CONNECTORS = 100_000;
/** A method that would take longer than this for the whole catalogue is measured on its first part, and the result is scaled. */
const BUDGET_MS = 150;
const MIN_CONNECTORS = 200;

const COUNTRIES =
  "aut bel bgr che cze deu dnk esp est fin fra gbr grc hrv hun irl isl ita ltu lux lva nld nor pol prt rou svk svn swe usa";
const TYPES = ["e-banking", "psd2", "datafeed", "open-banking", "brokerage", "pension", "insurance", "crypto"];

const cases = [
  { title: "10 rules", rules: 10 },
  { title: "100 rules", rules: 100 },
  { title: "1,000 rules", rules: 1_000 },
  { title: "1,000 rules of long id lists", rules: 1_000, isIdsOnly: true },
];

/** Each method is called with the filter first and then with the connectors, so that only the second part is scaled. */
const ways = {
  ours: (filter) => (connectors) => applyConnectorFilter(connectors, filter),
  "ours, prepared": (filter, prepared) => () => prepared.apply(filter),
  "rule by rule": (filter) => (connectors) => connectors.filter((connector) => isKept(connector, filter)),
  "@casl/ability": (filter) => {
    const ability = abilityOf(filter);
    return (connectors) => connectors.filter((connector) => connector.available && ability.can("show", connector));
  },
};
const peers = ["rule by rule", "@casl/ability"];

/** Measures every method in turns, in alternating order; `raw` has a row per measurement. */
export async function run({ rounds = 21 } = {}) {
  const catalogue = makeCatalogue(CONNECTORS);
  const before = now();
  const prepared = prepareCatalog(catalogue);
  const preparation = now().cpu - before.cpu;
  const raw = cases.flatMap((each) => measure(each, catalogue, prepared, rounds));
  const report = {
    title: `Connector filter over ${CONNECTORS.toLocaleString("en")} connectors`,
    notes:
      `Medians of ${rounds} rounds; a ratio is the median of the ratios within a round. Processor time, because other work on ` +
      "the machine stretches the wall clock's; collecting garbage counts. ~ was measured on the beginning of the catalogue " +
      `and scaled. Filters are parsed beforehand, the catalogue was prepared once, in ${short(preparation)} ms. All ways gave ` +
      "the same connectors. The peers compare as written; ours folds case and knows the names of countries.",
    tables: [tableOf(raw)],
    goals: goalsOf(raw),
    raw,
  };
  const tables = report.tables.map(({ caption, head, rows }) => `${caption}\n\n${table(head, rows)}`);
  return {
    ...report,
    markdown: [`## ${report.title}`, report.notes, ...tables, goalsTable(report.goals)].join("\n\n"),
  };
}

function measure({ title, rules, isIdsOnly = false }, catalogue, prepared, rounds) {
  const filter = parseConnectorFilter({ rules: makeRules(rules, catalogue, isIdsOnly) });
  const expected = applyConnectorFilter(catalogue, filter);
  const parts = Object.fromEntries(
    Object.entries(ways).map(([target, way]) => [
      target,
      peers.includes(target) ? affordablePart(way, filter, catalogue) : catalogue,
    ]),
  );
  for (const [target, way] of Object.entries(ways)) {
    const kept = way(filter, prepared)(parts[target]);
    const wanted = parts[target] === catalogue ? expected : applyConnectorFilter(parts[target], filter);
    if (kept.length !== wanted.length || kept.some((connector, index) => connector !== wanted[index])) {
      throw new Error(`${target} disagrees on ${title}`);
    }
  }
  const rows = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const target of round % 2 === 0 ? Object.keys(ways).toReversed() : Object.keys(ways)) {
      const part = parts[target];
      const start = now();
      const evaluate = ways[target](filter, prepared);
      const middle = now();
      evaluate(part);
      const end = now();
      const cost = (clock) =>
        middle[clock] - start[clock] + ((end[clock] - middle[clock]) * catalogue.length) / part.length;
      rows.push({ case: title, target, round, cpu: cost("cpu"), wall: cost("wall"), measured: part.length });
    }
  }
  return rows;
}

/** Milliseconds of processor time of all threads, and of wall-clock time. */
function now() {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1_000, wall: performance.now() };
}

/** The part of the catalogue that fits the budget; a first, cold run only warms up. */
function affordablePart(way, filter, catalogue) {
  const few = catalogue.slice(0, MIN_CONNECTORS);
  const evaluate = way(filter);
  evaluate(few);
  const started = performance.now();
  evaluate(few);
  const each = (performance.now() - started) / few.length;
  const size = Math.max(MIN_CONNECTORS, Math.floor(BUDGET_MS / each));
  return size < catalogue.length ? catalogue.slice(0, size) : catalogue;
}

function tableOf(raw) {
  const titles = cases.map(({ title }) => title);
  const cell = (target, title) => {
    const rows = raw.filter((row) => row.case === title && row.target === target);
    return `${rows[0].measured < CONNECTORS ? "~" : ""}${short(median(rows.map(({ cpu }) => cpu)))}`;
  };
  const times = (other, ours) => [
    `${other} : ${ours}`,
    ...titles.map((title) => `${short(medianRatio(raw, "cpu", other, ours, { case: title }))} ×`),
  ];
  return {
    caption: "Milliseconds of processor time for the whole catalogue, and ratios",
    head: ["way", ...titles],
    rows: [
      ...Object.keys(ways).map((target) => [target, ...titles.map((title) => cell(target, title))]),
      ...peers.flatMap((peer) => [times(peer, "ours"), times(peer, "ours, prepared")]),
    ],
  };
}

function goalsOf(raw) {
  const title = "1,000 rules";
  const ms = (target) => median(raw.filter((row) => row.case === title && row.target === target).map((row) => row.cpu));
  const ratio = (other) => medianRatio(raw, "cpu", other, "ours", { case: title });
  return [
    goal("ours, 1,000 rules, CPU ms", ms("ours"), { atMost: 4 }),
    goal("ours, prepared, 1,000 rules, CPU ms", ms("ours, prepared"), { atMost: 1.5 }),
    goal("@casl/ability against ours, 1,000 rules", ratio("@casl/ability"), { atLeast: 40 }),
    goal("rule by rule against ours, 1,000 rules", ratio("rule by rule"), { atLeast: 500 }),
  ];
}

/** Applies the filter literally: each matching rule removes the connector or puts it back. */
function isKept(connector, { rules }) {
  if (!connector.available) return false;
  let kept = true;
  for (const { action, field, value } of rules) if (matches(connector, field, value)) kept = action === "include";
  return kept;
}

function matches({ id, type, countries }, field, value) {
  if (value === "*") return true;
  if (field === "countries") return countries.some((country) => value.includes(country));
  return value.includes(field === "type" ? type : id);
}

/** In CASL too the last matching rule decides, but it forbids what no rule names; hence the first rule. */
function abilityOf({ rules }) {
  const { can, cannot, build } = new AbilityBuilder(createMongoAbility);
  can("show", "Connector");
  for (const { action, field, value } of rules) {
    const say = action === "include" ? can : cannot;
    if (value === "*") say("show", "Connector");
    else say("show", "Connector", { [field === "connector_id" ? "id" : field]: { $in: [...value] } });
  }
  return build({ detectSubjectType: () => "Connector" });
}

/** Parsed from JSON, as a catalogue arrives, so that every connector has its own strings. */
function makeCatalogue(size) {
  const { pick, upTo, chance } = randomness(7);
  const countries = COUNTRIES.split(" ");
  const connectors = Array.from({ length: size }, (_, index) => {
    const operates = [...new Set(Array.from({ length: chance(0.7) ? 1 : upTo(5) }, () => pick(countries)))];
    return {
      id: `${operates[0]}:bank-${((index * 2_654_435_761) % 2 ** 32).toString(36)}-${index}`,
      name: `Bank ${index}`,
      type: pick(TYPES),
      countries: operates,
      available: chance(0.95),
    };
  });
  return JSON.parse(JSON.stringify(connectors));
}

function makeRules(size, catalogue, isIdsOnly) {
  const { pick, upTo, chance } = randomness(11);
  const countries = COUNTRIES.split(" ");
  const list = (length, one) => Array.from({ length: upTo(length) }, one);
  const rules = Array.from({ length: size - 1 }, () => {
    const action = chance(0.5) ? "include" : "exclude";
    if (isIdsOnly || chance(0.5)) return { action, field: "connector_id", value: list(20, () => pick(catalogue).id) };
    if (chance(0.6)) return { action, field: "countries", value: list(3, () => pick(countries)) };
    return { action, field: "type", value: list(2, () => pick(TYPES)) };
  });
  return JSON.parse(JSON.stringify([{ action: "exclude", field: "connector_id", value: "*" }, ...rules]));
}

/** Pseudo-random numbers, the same in every run. */
function randomness(seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    chance: (share) => next() < share,
    upTo: (most) => 1 + Math.floor(next() * most),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rounds = Number(process.argv[2] ?? 21);
  console.log((await run({ rounds })).markdown);
}
