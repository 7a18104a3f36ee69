import { requestBytes } from "@org/bench/measuring/load.mjs";
import { closedLoop, OTHER_NETWORK } from "./closed-loop.mjs";
import { expectOk } from "./stage.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title = "connector filters as large as they may be, ten at once: listed, previewed and stored";

const SESSIONS = 100;
const PARALLEL = 10;
/** How many different filters take turns. */
const BODIES = 8;

const include = (field, value) => ({ connector_filter: { rules: [{ action: "include", field, value }] } });
/** Many distinct ids, so that compression does not help. */
const ids = (round) =>
  Array.from({ length: 10_000 }, (_, index) => `esp:${(index * 2_654_435_761).toString(36)}-${index}-${round}`);
/** As many values as there may be, as long as they may be, and with letters that have several forms. */
const values = (round) =>
  Array.from({ length: 1_000 }, (_, index) => `Å${index}é${round}`.padEnd(200, "Straße in Ñandú "));
const preview = (field, valuesOf) => (round) => [
  "connectors/preview-connector-filter",
  include(field, valuesOf(round)),
];

/** Path and body of a request, by what it does. */
export const variants = {
  sessions: () => ["sessions/list-sessions", {}],
  ids: preview("connector_id", ids),
  countries: preview("countries", values),
  types: preview("type", values),
  stored: (round) => ["sessions/create-session", { configuration: include("connector_id", ids(round)) }],
};

export async function prepare({ variant, attacker, post }) {
  if (variant !== "sessions") return;
  const [path, body] = variants.stored(0);
  for (let made = 0; made < SESSIONS; made += 1) await expectOk(post(attacker, `/connect/v2/${path}`, body));
}

export function attack(stage) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${stage.attacker.token}` };
  const bodies = Array.from({ length: BODIES }, (_, round) => {
    const [path, body] = variants[stage.variant](round);
    return requestBytes("POST", `/connect/v2/${path}`, headers, JSON.stringify(body));
  });
  return closedLoop(stage, { connections: PARALLEL, from: OTHER_NETWORK }, (index) => bodies[index % BODIES]);
}
