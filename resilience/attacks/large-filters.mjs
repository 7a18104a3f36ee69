import { expectOk, flood } from "./stage.mjs";

export const title = "a list of 100 Connect sessions with filters of 10,000 ids each, ten at once";

const SESSIONS = 100;
const PARALLEL = 10;
/** Many distinct ids, so that compression does not help. */
const ids = Array.from({ length: 10_000 }, (_, index) => `esp:${(index * 2_654_435_761).toString(36)}-${index}`);

export async function prepare({ attacker, post }) {
  const rules = [{ action: "include", field: "connector_id", value: ids }];
  for (let made = 0; made < SESSIONS; made += 1)
    await expectOk(
      post(attacker, "/connect/v2/sessions/create-session", { configuration: { connector_filter: { rules } } }),
    );
}

export function attack(stage) {
  return flood(
    stage,
    PARALLEL,
    async () => (await stage.post(stage.attacker, "/connect/v2/sessions/list-sessions", {})).status,
  );
}
