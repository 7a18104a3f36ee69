import { connectLetter, createTenantClients, type Storage, type Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { advanceIn, submitTo } from "./letter-steps.js";
import { connect, createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const stores = <T>(work: Parameters<typeof world.storage.inTenant<T>>[1]) =>
  world.storage.inTenant(world.alice.tenant_id, work);
const dataOf = async (type: string) =>
  (await world.storage.eventsOf(world.alice.tenant_id)).flatMap((event) => (event.type === type ? [event.data] : []));

/** A client with two letters, one of which has a connection, and a connection of a login. */
async function meier() {
  const waiting = await submitTo(world, { client_ref: "M-17" });
  const connected = await submitTo(world, { client_ref: "M-17" });
  await advanceIn(world, connected, "Connected");
  const { connection_id } = await connect(world, world.alice);
  const login = connection_id as Uuid;
  await world.tenantClients.assign(world.alice, { client_ref: "M-17", connection_id: [login] });
  return { waiting, connected, login };
}

describe("what is a client's", () => {
  it("[C-14.802] a connection takes its letter's client, and both go to another together", async () => {
    const { connected, login } = await meier();
    const show = () => world.tenantClients.show(world.alice, "M-17");
    expect(await show()).toMatchObject({ connections: 2, letters: 2 });
    const { connection_id } = await world.letterOperations.show(connected);
    await world.tenantClients.assign(world.alice, { client_ref: "X", connection_id: [connection_id as Uuid] });
    expect(await show()).toMatchObject({ connections: 1, letters: 1 });
    await world.tenantClients.assign(world.alice, { client_ref: null, letter_id: [connected] });
    expect(await world.tenantClients.show(world.alice, "X")).toMatchObject({ connections: 0, letters: 0 });
    expect((await stores(({ connections }) => connections.find(login)))?.client_ref).toBe("M-17");
  });

  it("[C-14.968] the preview of a deletion counts what goes and names whom it tells, and what is done is the same", async () => {
    const contact_info = { banker_email: "desk@custody.example" };
    const told = await submitTo(world, { client_ref: "M-17", contact_info });
    await advanceIn(world, told, "Connected");
    const { waiting, connected, login } = await meier();
    await world.sessions.createFor(world.alice, { connector_id: "deu:rhein", client_ref: "M-17" });
    const preview = (target: Parameters<typeof world.tenantClients.previewDeletion>[1]) =>
      world.tenantClients.previewDeletion(world.alice, target);
    const rows = { portfolios: expect.any(Number), holdings: expect.any(Number), transactions: expect.any(Number) };
    const ofClient = await preview({ client_ref: "M-17" });
    expect(ofClient).toMatchObject({ connections: 3, letters: 3, sessions: 1, is_whole: true, ...rows });
    expect(ofClient.effects.map(({ mail }) => mail?.recipient)).toContain("desk@custody.example");
    expect(ofClient.portfolios).toBeGreaterThan(0);
    expect(await preview({ connection_id: login })).toMatchObject({ connections: 1, letters: 0, effects: [] });
    expect(await preview({ letter_id: waiting })).toMatchObject({ connections: 0, letters: 1, transactions: 0 });
    expect(await preview({ letter_id: connected })).toMatchObject({ connections: 1, letters: 1 });
    const toldOf = (await preview({ letter_id: told })).effects;
    expect(toldOf).toMatchObject([
      { mail: { kind: "revocation_notice", recipient: "desk@custody.example" }, deleted_documents: 1 },
    ]);
    for (const target of [{ client_ref: "nobody" }, { letter_id: login }, { connection_id: "x" }])
      await expect(preview(target)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const elsewhere = { ...world.alice, tenant_id: world.bob.tenant_id };
    await expect(world.tenantClients.previewDeletion(elsewhere, { letter_id: told })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    // Nothing was changed; the deletion does what was said.
    expect(await world.tenantClients.show(world.alice, "M-17")).toMatchObject({ connections: 3, letters: 3 });
    await world.tenantClients.remove(world.alice, "M-17", true);
    expect((await world.letterOperations.show(told)).mails.at(-1)).toMatchObject({
      kind: "revocation_notice",
      recipient: "desk@custody.example",
    });
  });

  it("[C-14.885] a connection is of the client of today, whoever read its letter before", async () => {
    const { waiting } = await meier();
    const before = await stores(({ letters }) => letters.find(waiting));
    if (!before) throw new Error("no letter");
    await world.tenantClients.update(world.alice, { client_ref: "M-17", new_client_ref: "M-18" });
    const made = await stores((all) => connectLetter(all, world.runtime, "A bank", before));
    expect(made.client_ref).toBe("M-18");
    await expect(world.tenantClients.show(world.alice, "M-17")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("[C-14.805] is told in events, and not in the audit trail", async () => {
    const { waiting } = await meier();
    await submitTo(world);
    expect(await dataOf("letter.created")).toMatchObject([
      { client_ref: "M-17", letter_id: waiting },
      { client_ref: "M-17" },
      { client_ref: null },
    ]);
    expect(await dataOf("connection.created")).toMatchObject([{ client_ref: "M-17" }, { client_ref: null }]);
    expect(await dataOf("session.finished")).toMatchObject([{ client_ref: null }]);
    await world.tenantClients.update(world.alice, { client_ref: "M-17", name: "Meier", new_client_ref: "M-18" });
    await world.tenantClients.remove(world.alice, "M-18", true);
    expect(await dataOf("connection.removed")).toMatchObject([{ client_ref: null }, { client_ref: null }]);
    const lines = JSON.stringify(await auditLines(world.alice.tenant_id));
    expect(lines).toContain("client.delete");
    for (const said of ["M-17", "M-18", "Meier"]) expect(lines).not.toContain(said);
  });
});

describe("deleting a client", () => {
  it("[C-14.1048] a letter and a session that a limited caller asks for while its client goes do not make the client again", async () => {
    await meier();
    const limited = { ...world.alice, client_refs: ["M-17"] };
    await submitTo({ ...world, alice: limited }, { client_ref: "M-17" });
    await world.tenantClients.remove(world.alice, "M-17", true);
    const refused = { code: "VALIDATION_ERROR", details: [expect.objectContaining({ field: "client_ref" })] };
    await expect(submitTo({ ...world, alice: limited }, { client_ref: "M-17" })).rejects.toMatchObject(refused);
    const session = { connector_id: "deu:rhein", client_ref: "M-17" };
    await expect(world.sessions.createFor(limited, session)).rejects.toMatchObject(refused);
    await expect(world.tenantClients.show(world.alice, "M-17")).rejects.toMatchObject({ code: "NOT_FOUND" });
    // A caller without a limit makes a new client of that reference.
    await submitTo(world, { client_ref: "M-17" });
    expect(await world.tenantClients.show(world.alice, "M-17")).toMatchObject({ connections: 0, letters: 1 });
  });

  it("[C-14.804] asks for confirmation, and changes nothing without", async () => {
    await meier();
    await expect(world.tenantClients.remove(world.alice, "M-17", false)).rejects.toMatchObject({
      code: "CONFIRMATION_REQUIRED",
      message: expect.stringContaining("2 connections"),
    });
    await expect(world.tenantClients.remove(world.bob, "M-17", true)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await world.tenantClients.show(world.alice, "M-17")).toMatchObject({ connections: 2, letters: 2 });
  });

  it("[C-14.804] [C-14.889] ends sessions and letters, deletes connections and then the reference, whenever it is killed and however often it is repeated", async () => {
    for (let survived = 0; ; survived += 1) {
      world = await createWorld();
      const { waiting, connected, login } = await meier();
      const others = await submitTo(world, { client_ref: "Other" });
      const open = (client_ref: string) =>
        world.sessions.createFor(world.alice, { connector_id: "deu:rhein", client_ref });
      const own = [await open("M-17"), await open("M-17")];
      const other = await open("Other");
      let left = survived;
      const dying: Pick<Storage, "inTenant" | "connectionAdmin" | "reader"> = {
        reader: world.storage.reader,
        connectionAdmin: world.storage.connectionAdmin,
        inTenant: (tenantId, work) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error("killed")) : world.storage.inTenant(tenantId, work);
        },
      };
      const killed = createTenantClients({ storage: dying, runtime: world.runtime });
      const died = await killed.remove(world.alice, "M-17", true).then(
        () => false,
        () => true,
      );
      if (died) await world.tenantClients.remove(world.alice, "M-17", true);
      await expect(world.tenantClients.show(world.alice, "M-17")).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      const letters = await Promise.all([waiting, connected, others].map((id) => world.letterOperations.show(id)));
      expect(letters.map(({ status, client_ref }) => [status, client_ref])).toEqual([
        ["Cancelled", null],
        ["Discontinued", null],
        ["Signed", "Other"],
      ]);
      expect(await stores(({ connections }) => connections.find(login))).toBeNull();
      for (const { session, widget_url } of own) {
        const { status, error_code, client_ref } = await world.sessions.status(world.alice, session.session_id);
        expect([status, error_code, client_ref]).toEqual(["Finished:Aborted", null, null]);
        expect(await kindBy(widget_url)).toBe("taken");
      }
      expect(await kindBy(other.widget_url)).toBe("unclaimed");
      expect(
        (await dataOf("session.finished")).filter((data) => "status" in data && data.status === "Finished:Aborted"),
      ).toMatchObject([{ client_ref: null }, { client_ref: null }]);
      expect(JSON.stringify(await world.storage.eventsOf(world.alice.tenant_id))).not.toContain("M-17");
      if (!died) return expect(survived).toBeGreaterThan(5);
    }
  });

  it("[C-14.889] a session that has expired holds nothing up, and one that is opened meanwhile is ended too", async () => {
    for (let before = 2; before <= 6; before += 1) {
      world = await createWorld();
      const open = () => world.sessions.createFor(world.alice, { connector_id: "deu:rhein", client_ref: "M-17" });
      const expired = await open();
      world.runtime.advance(2 * 3_600_000);
      const opened: Awaited<ReturnType<typeof open>>[] = [];
      let calls = 0;
      const busy: Pick<Storage, "inTenant" | "connectionAdmin" | "reader"> = {
        reader: world.storage.reader,
        connectionAdmin: world.storage.connectionAdmin,
        async inTenant(tenantId, work) {
          calls += 1;
          if (calls === before) opened.push(await open());
          return world.storage.inTenant(tenantId, work);
        },
      };
      await createTenantClients({ storage: busy, runtime: world.runtime }).remove(world.alice, "M-17", true);
      const statuses = await Promise.all(
        [expired, ...opened].map(({ session }) => world.sessions.status(world.alice, session.session_id)),
      );
      expect(statuses.map(({ status, client_ref }) => [status, client_ref])).toEqual([
        ["Finished:Expired", null],
        ["Finished:Aborted", null],
      ]);
    }
  });
});

/** What a customer sees who has the link. */
async function kindBy(widget_url: string): Promise<string> {
  return (await world.customer.view(widget_url.split("/").at(-1) ?? "", null)).kind;
}

/** Everything in the audit trail of a tenant. */
function auditLines(tenant_id: string) {
  const everything = { from: null, before: null, action: null, actor: null, object_id: null, trace_id: null };
  return world.storage.auditTrail.list({ tenant_id, ...everything, after: null, order: "oldest", limit: 1_000 });
}
