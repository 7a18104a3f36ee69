// `node bench/src/cluster-simulation.mjs [calls]`: what more workers bring to a cluster, by simulation. No database runs: what a call takes of
// the processors of the coordinator and of a worker is what bench/src/cluster.mjs measured; where calls wait for each other is played
// through, event by event. The same numbers come out each time.
//
// What is assumed:
//   - the coordinator, each worker and the one PostgreSQL have the same processors, CORES each, and nothing else runs there;
//   - a call needs its server's processor, then its tenant's worker, then the coordinator again; each visit takes one processor for a
//     time that is drawn from an exponential distribution around what was measured, first come, first served;
//   - tenants are many, of one size, and lie evenly on the workers: one tenant alone is never quicker than its worker;
//   - IN_FLIGHT calls are under way at any time, as many with one worker as with eight, in the shares of MIX;
//   - disks, networks, locks and connections have no limit: figures are what processors allow, not what an installation reaches.
const CALLS = Number(process.argv[2] ?? 200_000);
const CORES = 8;
const IN_FLIGHT = 256;

/** Milliseconds of a processor for a call, without the store's own (`bench/src/cluster.mjs`, 2026-11-23): on one PostgreSQL; on a cluster's coordinator, and on the tenant's worker. */
const measured = {
  "page of 50 holdings": { one: 0.66, coordinator: 0.55, worker: 0.77 },
  "the same with a filter": { one: 2.36, coordinator: 1.81, worker: 2.7 },
  "page of 50 transactions": { one: 0.46, coordinator: 0.76, worker: 0.26 },
  "publication of 200 holdings": { one: 7.24, coordinator: 11.04, worker: 4.83 },
};

const mixes = {
  "reads alone": { "page of 50 holdings": 2, "the same with a filter": 1, "page of 50 transactions": 1 },
  "one publication in ten calls": {
    ...{ "page of 50 holdings": 4, "the same with a filter": 2, "page of 50 transactions": 3 },
    "publication of 200 holdings": 1,
  },
};

console.log(`${CORES} processors each, ${IN_FLIGHT} calls under way, ${CALLS} calls\n`);
console.log("| calls | servers | calls/s | median ms | coordinator busy | workers busy |\n|---|---|---|---|---|---|");
for (const [name, mix] of Object.entries(mixes)) {
  const row = (servers, { perSecond, median, busy }) => {
    const [first, ...workers] = busy.map((share) => Math.round(share * 100));
    const rest = workers.length > 0 ? `${Math.min(...workers)}–${Math.max(...workers)} %` : "";
    console.log(`| ${name} | ${servers} | ${Math.round(perSecond)} | ${median.toFixed(1)} | ${first} % | ${rest} |`);
  };
  row("one PostgreSQL", play(mix, 0));
  for (const workers of [1, 2, 4, 8])
    row(`coordinator, ${workers} worker${workers > 1 ? "s" : ""}`, play(mix, workers));
}

/** Plays `CALLS` calls through on a coordinator and workers; on one server where there are none. */
function play(mix, workers) {
  const random = createRandom(20_261_123);
  const around = (mean) => -mean * Math.log(1 - random());
  const kinds = Object.entries(mix).flatMap(([call, share]) => Array(share).fill(measured[call]));
  const servers = Array.from({ length: workers + 1 }, () => ({ free: CORES, queue: [], used: 0 }));
  const events = createEvents();
  const took = [];
  let now = 0;

  const begin = () => {
    const kind = kinds[Math.floor(random() * kinds.length)];
    const worker = 1 + Math.floor(random() * workers);
    const visits =
      workers === 0
        ? [[0, kind.one]]
        : [
            [0, kind.coordinator / 2],
            [worker, kind.worker],
            [0, kind.coordinator / 2],
          ];
    visit({ since: now, visits: visits.map(([server, mean]) => [server, around(mean)]) });
  };
  const visit = (call) => {
    const server = servers[call.visits[0][0]];
    if (server.free === 0) server.queue.push(call);
    else work(server, call);
  };
  const work = (server, call) => {
    server.free -= 1;
    const [, milliseconds] = call.visits.shift();
    server.used += milliseconds;
    events.add(now + milliseconds, () => {
      server.free += 1;
      const next = server.queue.shift();
      if (next) work(server, next);
      if (call.visits.length > 0) return visit(call);
      took.push(now - call.since);
      begin();
    });
  };

  for (let call = 0; call < IN_FLIGHT; call += 1) begin();
  while (took.length < CALLS) {
    const { at, happen } = events.next();
    now = at;
    happen();
  }
  return {
    perSecond: (took.length / now) * 1_000,
    median: took.sort((a, b) => a - b)[Math.floor(took.length / 2)],
    busy: servers.map(({ used }) => used / (now * CORES)),
  };
}

/** What is to happen, the earliest first: a binary heap. */
function createEvents() {
  const heap = [];
  const swap = (a, b) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  return {
    add(at, happen) {
      let place = heap.push({ at, happen }) - 1;
      for (let above = (place - 1) >> 1; place > 0 && heap[above].at > at; above = (place - 1) >> 1) {
        swap(place, above);
        place = above;
      }
    },
    next() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let place = 0, least = 0; ; place = least) {
        for (const below of [2 * place + 1, 2 * place + 2])
          if (below < heap.length && heap[below].at < heap[least].at) least = below;
        if (least === place) return first;
        swap(place, least);
      }
    },
  };
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
