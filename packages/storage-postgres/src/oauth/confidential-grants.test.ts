import { randomUUID } from "node:crypto";
import type { Uuid } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../migrate.js";
import { migrations } from "../migrations.js";
import { type TestDatabase, testBackends, testCitusWorkers } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createOAuthStore } from "./oauth-store.js";

const at = "2026-01-15T12:00:00.000Z";

describe.skipIf(testCitusWorkers.length > 0).each(testBackends)(
  "[C-3.20] grants that are there when migration 0023 comes, on $name",
  ({ create }) => {
    let database: TestDatabase;
    const [application_id, secret_id] = [randomUUID(), randomUUID()];
    const grants = {
      machine: { flow: "machine", client_id: "wca_owner" },
      application: { flow: "browser", client_id: "wca_other" },
      secret: { flow: "browser", client_id: "wcd_secret" },
      public: { flow: "browser", client_id: "wcd_public" },
      document: { flow: "browser", client_id: "https://client.example/metadata" },
    } as const;
    const ids = Object.fromEntries(Object.keys(grants).map((name) => [name, randomUUID()])) as Record<
      keyof typeof grants,
      string
    >;

    beforeAll(async () => {
      database = await create();
      const { pool } = database;
      const before = migrations.findIndex(({ name }) => name.startsWith("0023"));
      await pool.query("drop schema public cascade; create schema public; grant usage on schema public to public");
      await pool.query(
        "create table schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())",
      );
      for (const [index, { name, sql }] of migrations.slice(0, before).entries()) {
        await pool.query(sql);
        await pool.query("insert into schema_migrations (number, name) values ($1, $2)", [index + 1, name]);
      }
      await pool.query(
        "insert into applications values ($1, null, 'wca_owner', 'Owner', '{letters:read}', true, '{}', $2)",
        [application_id, at],
      );
      await pool.query("insert into application_secrets values ($1, $2, '1.x', $3)", [application_id, secret_id, at]);
      for (const [id, method] of [
        ["wcd_secret", "client_secret_basic"],
        ["wcd_public", "none"],
      ])
        await pool.query("insert into registered_clients values ($1, null, '{}', $2, null, null, null, '{}', $3, $3)", [
          ...[id, method, at],
        ]);
      for (const [name, { flow, client_id }] of Object.entries(grants)) await issueAsBefore(name, flow, client_id);
      await migrate(pool);
    });
    afterAll(() => database?.close());

    /** As a server of the version before issues a grant, which goes on working after the migration. */
    async function issueAsBefore(name: string, flow: string, client_id: string, grant_id = ids[name as never]) {
      const facts = {
        tenant_id: null,
        application_id,
        client_id,
        secret_id,
        scopes: ["letters:read"],
        audience: ["a"],
      };
      const times = { created_at: at, refresh_seconds: 86_400, refresh_expires_at: "2026-01-16T12:00:00Z" };
      const row = { grant_id, ...facts, flow, ...times, last_issued_at: at, token_hash: `1.${name}` };
      await database.pool.query("insert into grants select * from jsonb_populate_record(null::grants, $1)", [
        JSON.stringify({ ...row, is_confidential: false }),
      ]);
    }
    const rotate = (name: string, is_authenticated: boolean) =>
      createOAuthStore(createTransactions(database.pool)).grants.rotateRefreshToken({
        ...{ grant_id: ids[name as never] as Uuid, token_hash: `1.${name}`, next_token_hash: `1.${name} next` },
        ...{ at: new Date(at), is_authenticated },
      });

    it("need the authentication that they were made with", async () => {
      for (const name of ["application", "secret"]) {
        expect(await rotate(name, false)).toMatchObject({ outcome: "refused", reason: "unauthenticated" });
        expect(await rotate(name, true)).toMatchObject({ outcome: "rotated" });
      }
      for (const name of ["machine", "public", "document"])
        expect(await rotate(name, false)).toMatchObject({ outcome: "rotated", grant: { is_confidential: false } });
    });

    it("a server of the version before issues and rotates as it did", async () => {
      const grant_id = randomUUID();
      const asked = { grant_id, tenant_id: null, application_id, client_id: "wca_owner", secret_id, flow: "machine" };
      const rest = {
        scopes: ["letters:read"],
        audience: ["a"],
        created_at: at,
        refresh_seconds: 60,
        token_hash: "1.t",
      };
      const row = { ...asked, ...rest, refresh_expires_at: "2026-01-15T12:01:00Z", last_issued_at: at };
      const none = "'{}', '{}', '{}'";
      const issued = await database.pool.query(`select issue_grant($1, ${none}) as outcome`, [JSON.stringify(row)]);
      expect(issued.rows).toEqual([{ outcome: "issued" }]);
      const rotation = { grant_id: ids.secret, token_hash: "1.secret next", next_token_hash: "1.n", at };
      const rotated = await database.pool.query(`select outcome from rotate_refresh_token($1, ${none})`, [
        JSON.stringify(rotation),
      ]);
      expect(rotated.rows).toEqual([{ outcome: "rotated" }]);
    });
  },
);
