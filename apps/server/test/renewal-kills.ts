import { expect, it, onTestFinished } from "vitest";
import type { Institution } from "../../../packages/provider-kit/test/stand-in/institution.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, type TestServer } from "./harness.js";
import { holdLocks } from "./hold-locks.js";
import { startReplica } from "./replica.js";

/** A connection with an institution that replaces tokens, on a server on PostgreSQL without jobs. */
export interface RenewedConnection {
  readonly server: TestServer;
  readonly connection_id: string;
  /** Of the replicas. */
  readonly environment: Readonly<Record<string, string>>;
  readonly institution: Institution;
  /** Where tokens are issued. */
  readonly tokens: string;
  /** The end of the path of a fetch's first request with a token. */
  readonly data: string;
  /** Access tokens end at once. */
  expireAccess(): void;
  /** Called after each. @param isStored whether the tokens that replace the former ones were stored before the kill */
  goesOn(isStored: boolean): Promise<void>;
}

/** Refreshes the connection as if the lease had run out and the last refresh were long ago; the outcome. */
export async function refreshLater({ server, connection_id }: Pick<RenewedConnection, "server" | "connection_id">) {
  await server.installation.withDatabase((pool) =>
    pool.query("update connection_refreshes set lease = null, attempted_at = null, outcome = null"),
  );
  const { body } = await server.operator.post("/operator/v1/connections/refresh", { connection_id });
  return body.outcome as string;
}

/** Replicas are killed while a refresh renews the tokens of a connection, which another one then refreshes. */
export function testRenewalKills(rules: string, open: () => RenewedConnection): void {
  it.each([
    ["while the bank answers with new tokens", false],
    ["before the new tokens are stored", true],
    ["at the first use of the new tokens", false],
  ])(`${rules} a server killed %s: another replica goes on`, { timeout: START_TIMEOUT }, async (at, isLocked) => {
    const { server, connection_id, institution, tokens, data, ...connection } = open();
    const sent = (path: string) => institution.requests.filter((each) => each.path.endsWith(path)).length;
    const before = { renewals: sent(tokens), uses: sent(data) };
    const isRenewed = () => sent(tokens) > before.renewals;
    const isAtUse = at.startsWith("at");
    connection.expireAccess();
    if (at.startsWith("while")) institution.fail(({ path }) => path.endsWith(tokens), { kind: "hang" });
    if (isAtUse) institution.fail(({ path }) => path.endsWith(data) && isRenewed(), { kind: "hang" });
    // Nothing can be stored of the connection.
    const held = isLocked
      ? await holdLocks(server, `select from connections where connection_id = '${connection_id}' for update`)
      : null;
    const environment = { ...connection.environment, JOBS: "true" };
    const worker = await startReplica(server, { environment, schedule: { refreshes: 50 } });
    onTestFinished(() => worker.process.end("SIGKILL").then(() => undefined));
    await eventually(async () => {
      // Unless it is being refreshed. A replica that has no settings yet postpones it, so it has to be said again.
      await server.installation.withDatabase((pool) =>
        pool.query("update connection_refreshes set due_at = now() - interval '1 second' where lease is null"),
      );
      return isRenewed();
    }, "the renewal");
    if (held) await eventually(() => held.isWaitedFor("%sealed_access%"), "the new tokens are about to be stored");
    else if (isAtUse) await eventually(async () => sent(data) === before.uses + 2, "the first use");
    await worker.process.end("SIGKILL");
    // One use was that of the token that had ended.
    expect(sent(data)).toBe(before.uses + (isAtUse ? 2 : 1));
    await held?.release();
    institution.heal();
    await connection.goesOn(isAtUse);
    if (isAtUse) expect(sent(tokens)).toBe(before.renewals + 1);
  });
}
