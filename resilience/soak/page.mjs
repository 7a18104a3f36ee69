import { requestsOf, trend } from "./series.mjs";

const MEGABYTE = 1024 ** 2;
/** For each table that may grow: why, and until when. Any other that grows by more than `SLACK` rows is reported as unexplained. */
const GROWTH = {
  audit_log: "a line for each grant, change and refusal, and one an hour for reads; kept for ever",
  audit_chain: "one for each line of the audit trail; kept for ever",
  events: "what happened to the tenants; 30 days",
  webhook_deliveries: "one for each event and endpoint; as long as the event",
  letters: "those that were submitted; kept",
  letter_documents: "the document of each of them; until the letter ends",
  letter_moves: "the history of each of them: submitted and moved twice; kept",
  letter_labels: "the label of each of them; kept",
  letter_counts: "how many there are of each label and status: each letter has a label of its own here",
  object_owners: "which tenant a letter, session or connection is of; as long as that",
  grants: "those that are live or were ended; until no access token of them can be alive, about an hour",
  guess_counts: "wrong secrets by client and network; a quarter of an hour",
  sessions: "those that were opened; finished ones for 30 days",
  ended_mcp_sessions: "MCP sessions that their clients ended; as long as their ids would have been good for, 30 days",
  session_links: "the link of each of them; as long as the session",
  connections: "those of customers; beyond a number the oldest is deleted with each new one",
  connection_refreshes: "when each of these is due; as long as they",
  portfolios: "shown ones, and replaced ones for an hour",
  holdings: "shown ones, and replaced ones for an hour",
  snapshots: "each publication; replaced ones for an hour",
  transactions: "those of the connections that are there",
  replaced_transactions: "former versions of transactions, ten of each; for 400 days",
  transaction_references: "one for each transaction of files",
  feed_files: "one for each file, so that none is taken twice",
  feed_arrivals: "one for each file, and what it brought",
  feed_differences:
    "what differs from the statement before; here every file tells of another balance without movements",
  feed_gaps: "business days without a statement",
  transaction_statements: "one for each statement",
  idempotency_keys: "a day",
  people_ceremonies: "sign-ins that are under way",
  institution_outcomes: "how logins and refreshes went, in minutes",
};
const SLACK = 5;

/** The report as Markdown. */
export function pageOf({ begins, ends, samples, graphs, beside, note }) {
  const minutes = Math.round((Date.parse(samples.at(-1).at) - Date.parse(samples[0].at)) / 60_000);
  const [first, last] = [samples[0], samples.at(-1)];
  const seconds = (Date.parse(last.at) - Date.parse(first.at)) / 1_000;
  const requests = requestsOf(last) - requestsOf(first);
  const failures = Object.entries(ends.failures);
  const uses = Object.values(ends.done).reduce((sum, { done }) => sum + done, 0);
  const cores = ["one", "two", "haproxy"].reduce(
    (sum, name) => sum + last.processes[name].cpuSeconds - first.processes[name].cpuSeconds,
    0,
  );
  // The usage of processes that ended between two samples is not included.
  const postgresCores = samples
    .slice(1)
    .reduce(
      (sum, { postgres }, index) => sum + Math.max(0, postgres.cpuSeconds - samples[index].postgres.cpuSeconds),
      0,
    );
  return `# Soak

Two servers behind haproxy with the settings that deploy/ ships, on PostgreSQL with its durable defaults, under a steady load of every kind for
${minutes} minutes, ${first.at.slice(0, 10)}. Beside it ran ${beside}.

| | |
| --- | --- |
| machine | ${begins.cores} cores; load ${number(mean(samples, ({ machine }) => machine.load))} on average, ${number(Math.max(...samples.map(({ machine }) => machine.load)))} at most |
| requests | ${number(requests)}, ${number(requests / seconds)} a second (rate ${begins.rate}); each kind begins so often a second, whether or not what was begun before has ended |
| sent over | HTTP/1.1 ${number(ends.requests[0])}, HTTP/2 ${number(ends.requests[1])}, both with TLS |
| processor | servers and haproxy ${number(cores / seconds)} cores, PostgreSQL at least ${number(postgresCores / seconds)} |
| uses | ${number(uses)}: ${Object.entries(ends.done)
    .map(([kind, { done }]) => `${kind} ${number(done)}`)
    .join(", ")} |
| failed | ${failures.length === 0 ? "none" : `${number(failures.reduce((sum, [, count]) => sum + count, 0))}, see below`} |
| refused for want of capacity, asked again and done | ${number(ends.busy)} |
| events | ${ends.events.map((types) => number(Object.values(types).reduce((sum, count) => sum + count, 0))).join(" and ")} in two tenants' logs, without a gap; ${ends.delivered.map(number).join(" and ")} delivered and verified, ${ends.repeated.map(number).join(" and ")} of them more than once |
| console | ${number(ends.console.events)} events on the stream of an operator's page, which was begun ${ends.console.streams === 1 ? "once" : `${number(ends.console.streams)} times`} |
| refreshes of connections | ${Object.entries(ends.refreshed.by)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ")} |
| warnings and errors in the log | ${
    Object.entries(ends.log)
      .map(([what, count]) => `${what} (${count})`)
      .join("; ") || "none"
  } |

${[...(failures.length === 0 ? [] : [checkFailureRate(failures)]), ...(note === "" ? [] : [`${note}\n`]), ""].join("\n")}## Memory

Means of two quarters of the time (and the least: of the heap that is what lives), and the slope within the last one by least squares.

| | second quarter (least) | last quarter (least) | slope in the last quarter |
| --- | --- | --- | --- |
${memoryRows(samples)}

## Graphs

${graphs.map(({ name, title }) => `![${title}](${name}.svg)`).join("\n\n")}

## The database, table by table

${number((last.database.bytes - first.database.bytes) / MEGABYTE)} MB more, and ${number((last.database.wal - first.database.wal) / MEGABYTE)} MB of write-ahead log. Tables that are not named have as many rows as before.

| table | rows before | after | MB after | why |
| --- | --- | --- | --- | --- |
${tableRows(begins.rows, ends.rows, last.database.tables)}
`;
}

function checkFailureRate(failures) {
  const kinds = {};
  for (const [what, count] of failures) {
    const kind = wordsOf(what);
    kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  const rows = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  return `What failed:

| times | what |
| --- | --- |
${rows.map(([what, count]) => `| ${number(count)} | ${what} |`).join("\n")}
`;
}

/** Without the parts that differ each time. */
function wordsOf(failure) {
  const said = /<h1>([^<]*)|"message":"([^"]*)|"error_description":"([^"]*)|"error":"([^"]*)/.exec(failure);
  const words = said?.slice(1).find((found) => found !== undefined) ?? failure.replace(/^[^:]+: (\/\S+: )?/, "");
  return words
    .replace(/: \d+\);.*/, ")")
    .slice(0, 110)
    .replaceAll("\n", " ")
    .replaceAll("|", "/")
    .replaceAll("`", "'");
}

function memoryRows(samples) {
  const kinds = {
    "server one, resident": ({ processes }) => processes.one.residentMegabytes,
    "server two, resident": ({ processes }) => processes.two.residentMegabytes,
    "server one, heap in use": ({ servers }) => servers.one.heapUsed / MEGABYTE,
    "server two, heap in use": ({ servers }) => servers.two.heapUsed / MEGABYTE,
    haproxy: ({ processes }) => processes.haproxy.residentMegabytes,
    "PostgreSQL, its processes' own": ({ postgres }) => postgres.anonymousMegabytes,
  };
  return Object.entries(kinds)
    .map(([name, value]) => {
      const [second, final] = [trend(samples, 0.25, 0.5, value), trend(samples, 0.75, 1, value)];
      const of = ({ mean, least }) => `${number(mean)} MB (${number(least)})`;
      return `| ${name} | ${of(second)} | ${of(final)} | ${number(final.slope)} MB a minute |`;
    })
    .join("\n");
}

function tableRows(before, after, tables) {
  return Object.keys(after)
    .filter((name) => Math.abs(after[name] - (before[name] ?? 0)) > SLACK || tables[name]?.bytes > MEGABYTE)
    .sort((a, b) => after[b] - after[a])
    .map((name) => {
      const bytes = tables[name] ? number(tables[name].bytes / MEGABYTE) : "";
      return `| \`${name}\` | ${number(before[name] ?? 0)} | ${number(after[name])} | ${bytes} | ${GROWTH[name] ?? "**unexplained**"} |`;
    })
    .join("\n");
}

function mean(samples, value) {
  return samples.reduce((sum, sample) => sum + value(sample), 0) / samples.length;
}

function number(value) {
  return Number(value.toPrecision(value >= 1_000 ? 12 : 3)).toLocaleString("en", {
    maximumFractionDigits: value >= 100 ? 0 : 2,
  });
}
