// The series of the soak's graphs, computed from its samples.
const MEGABYTE = 1024 ** 2;
/** The number of tables to draw, those that grow most. */
const TABLES = 4;

/** `[{name, title, unit, series}]`, as `graph` takes them. */
export function seriesOf(samples) {
  const start = Date.parse(samples[0].at);
  const minuteOf = ({ at }) => (Date.parse(at) - start) / 60_000;
  // A server that is too busy does not answer /metrics either.
  const over = (value) =>
    samples.map((sample) => [minuteOf(sample), value(sample)]).filter(([, found]) => Number.isFinite(found));
  const between = (value) =>
    samples
      .slice(1)
      .map((sample, index) => [minuteOf(sample), value(sample, samples[index])])
      .filter(([, found]) => Number.isFinite(found));
  const line = (name, points) => ({ name, points });
  const both = (read) =>
    ["one", "two"].map((name) =>
      line(
        `server ${name}`,
        over((sample) => read(sample.servers[name])),
      ),
    );
  const secondsBetween = (a, b) => (Date.parse(a.at) - Date.parse(b.at)) / 1_000;

  return [
    {
      name: "memory",
      title: "Resident memory",
      unit: "MB",
      series: [
        line(
          "server one",
          over(({ processes }) => processes.one.residentMegabytes),
        ),
        line(
          "server two",
          over(({ processes }) => processes.two.residentMegabytes),
        ),
        line(
          "haproxy",
          over(({ processes }) => processes.haproxy.residentMegabytes),
        ),
        line(
          "PostgreSQL, all processes, their own",
          over(({ postgres }) => postgres.anonymousMegabytes),
        ),
      ],
    },
    { name: "heap", title: "Heap in use", unit: "MB", series: both(({ heapUsed }) => heapUsed / MEGABYTE) },
    { name: "event-loop", title: "Event loop lag, p99", unit: "ms", series: both(({ lag99 }) => lag99 * 1_000) },
    {
      name: "requests",
      title: "Requests",
      unit: "a second, both servers",
      series: [
        line(
          "all",
          between((a, b) => (requestsOf(a) - requestsOf(b)) / secondsBetween(a, b)),
        ),
        line(
          "5xx",
          between((a, b) => (requestsOf(a, /^5/) - requestsOf(b, /^5/)) / secondsBetween(a, b)),
        ),
      ],
    },
    {
      name: "latency",
      title: "Time to the answer",
      unit: "ms, both servers, from the histogram of /metrics",
      series: [
        line(
          "p50",
          between((a, b) => quantile(a, b, 0.5)),
        ),
        line(
          "p99",
          between((a, b) => quantile(a, b, 0.99)),
        ),
      ],
    },
    {
      name: "processor",
      title: "Processor",
      unit: "cores",
      series: [
        line(
          "server one",
          between((a, b) => (a.processes.one.cpuSeconds - b.processes.one.cpuSeconds) / secondsBetween(a, b)),
        ),
        line(
          "server two",
          between((a, b) => (a.processes.two.cpuSeconds - b.processes.two.cpuSeconds) / secondsBetween(a, b)),
        ),
        line(
          "haproxy",
          between((a, b) => (a.processes.haproxy.cpuSeconds - b.processes.haproxy.cpuSeconds) / secondsBetween(a, b)),
        ),
      ],
    },
    {
      name: "load",
      title: "Load of the machine",
      unit: "processes that run or wait",
      series: [
        line(
          "load",
          over(({ machine }) => machine.load),
        ),
      ],
    },
    {
      name: "descriptors",
      title: "File descriptors and sockets",
      unit: "",
      series: [
        line(
          "server one",
          over(({ processes }) => processes.one.descriptors),
        ),
        line(
          "server two",
          over(({ processes }) => processes.two.descriptors),
        ),
        line(
          "server one, sockets",
          over(({ processes }) => processes.one.sockets),
        ),
        line(
          "haproxy",
          over(({ processes }) => processes.haproxy.descriptors),
        ),
      ],
    },
    {
      name: "database",
      title: "Database",
      unit: "MB",
      series: [
        line(
          "database",
          over(({ database }) => database.bytes / MEGABYTE),
        ),
        line(
          "write-ahead log since the beginning",
          over(({ database }) => (database.wal - samples[0].database.wal) / MEGABYTE),
        ),
      ],
    },
    {
      name: "tables",
      title: "Largest tables",
      unit: "MB, with indexes",
      series: largest(samples).map((name) =>
        line(
          name,
          over(({ database }) => (database.tables[name]?.bytes ?? 0) / MEGABYTE),
        ),
      ),
    },
  ];
}

function largest(samples) {
  const { tables } = samples.at(-1).database;
  return Object.keys(tables)
    .sort((a, b) => tables[b].bytes - tables[a].bytes)
    .slice(0, TABLES);
}

export function requestsOf({ servers }, status = /./) {
  return Object.values(servers)
    .flatMap(({ statuses }) => Object.entries(statuses))
    .reduce((sum, [code, count]) => sum + (status.test(code) ? count : 0), 0);
}

/** Milliseconds, interpolated linearly within a bucket. */
function quantile(a, b, part) {
  const counts = {};
  for (const name of Object.keys(a.servers))
    for (const [le, count] of Object.entries(a.servers[name].buckets))
      counts[le] = (counts[le] ?? 0) + count - (b.servers[name].buckets[le] ?? 0);
  const bounds = Object.entries(counts)
    .map(([le, count]) => [le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), count])
    .sort(([one], [other]) => one - other);
  const all = bounds.at(-1)[1];
  if (all === 0) return Number.NaN;
  const at = bounds.findIndex(([, count]) => count >= all * part);
  const [bound, count] = bounds[at];
  const [below, before] = at === 0 ? [0, 0] : bounds[at - 1];
  if (bound === Number.POSITIVE_INFINITY) return below * 1_000;
  return (below + ((all * part - before) / (count - before)) * (bound - below)) * 1_000;
}

/** The slope per minute of a value over part of the time (least squares), and its mean. */
export function trend(samples, from, to, value) {
  const part = samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  const points = part
    .map((sample) => [Date.parse(sample.at) / 60_000, value(sample)])
    .filter(([, found]) => Number.isFinite(found));
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([minute]) => minute), mean(([, found]) => found)];
  const slope =
    points.reduce((sum, [minute, found]) => sum + (minute - x) * (found - y), 0) /
    points.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0);
  return { mean: y, least: Math.min(...points.map(([, found]) => found)), slope };
}
