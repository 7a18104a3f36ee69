import { expect, it } from "vitest";
import type { Uuid } from "../schemas/identifier.js";
import type { Storage, TenantStores } from "../storage.js";
import {
  auditEntry,
  connection,
  holding,
  holdingQuery,
  later,
  letter,
  letterQuery,
  move,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  session,
  sessionQuery,
  transaction,
  transactionQuery,
} from "./fixture.js";

/** Cases of tenant isolation: for one tenant the ids of another do not exist. */
export function isolationCases(storage: () => Storage): void {
  it("[C-2.1] no method shows or changes a row of another tenant", async () => {
    const owner = await newTenant(storage());
    const stranger = await newTenant(storage());
    const owned = await owner.connect({ identity_hash: "who" });
    const { connection_id } = owned;
    const ownedSession = session({ connection_id });
    const ownedLetter = letter({ connection_id, labels: { a: "b" } });
    const signed = move(ownedLetter);
    const document = {
      kind: "letter",
      sha256: "ab",
      size: 1,
      signature: "none",
      sealed_key: "k",
      ciphertext: new Uint8Array([1]),
      object_key: null,
    } as const;
    const key = {
      application_id: "app",
      key: "k",
      request_hash: "h",
      letter_id: ownedLetter.letter_id,
      expires_at: later(60),
    };
    const entry = auditEntry();
    const rows = { portfolios: [portfolio()], holdings: [holding()], transactions: [transaction()] };
    const file = { connection_id, sha256: "ab", name: "a", format: "csv", taken_at: now };
    await owner.run(async (stores) => {
      await stores.sessions.create(ownedSession);
      await stores.letters.create(ownedLetter, [document], signed);
      await stores.letters.claimKey(key, now);
      await stores.audit.append(entry);
      await stores.snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows });
      await stores.snapshots.noteFile(file);
      await stores.profile.change({ display_name: "Owner" });
    });

    const attempts: [(stores: TenantStores) => Promise<unknown>, unknown][] = [
      [({ connections }) => connections.find(connection_id), null],
      [
        ({ connections }) => connections.save(connection_id, { status: connection().status, sealed_access: "stolen" }),
        false,
      ],
      [({ connections }) => connections.remove(connection_id), false],
      [async ({ profile }) => (await profile.find())?.display_name, null],
      [({ sessions }) => sessions.find(ownedSession.session_id), null],
      [({ sessions }) => sessions.move(ownedSession.session_id, 1, { status: "Finished:OK", updated_at: now }), false],
      [({ sessions }) => sessions.list(sessionQuery()), []],
      [({ sessions }) => sessions.list(sessionQuery({ session_id_in: [ownedSession.session_id] })), []],
      [({ letters }) => letters.find(ownedLetter.letter_id), null],
      [
        ({ letterMoves }) => letterMoves.record(ownedLetter, move(ownedLetter, { from: "Signed", to: "Cancelled" })),
        false,
      ],
      [({ letterMoves }) => letterMoves.history(ownedLetter.letter_id), []],
      [({ letterDocuments }) => letterDocuments.document(ownedLetter.letter_id, "letter"), null],
      [({ letterDocuments }) => letterDocuments.documents(ownedLetter.letter_id), []],
      [({ letterDocuments }) => letterDocuments.countHere(), { documents: 0, bytes: 0 }],
      [({ letterDocuments }) => letterDocuments.listHere(null, 9), []],
      [({ letters }) => letters.findByConnection(connection_id), null],
      [({ letters }) => letters.claimKey(key, now), { claimed: true }],
      [({ audit }) => audit.list({ limit: 9 }), []],
      [({ connections }) => connections.create(connection({ identity_hash: "who" })), { created: true }],
    ];
    for (const [attempt, answer] of attempts) expect(await stranger.run(attempt)).toEqual(answer);
    const publish = stranger.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: now, published_at: now, holdings: [] }),
    );
    await expect(publish).rejects.toThrow();
    await expect(stranger.run(({ snapshots }) => snapshots.noteFile({ ...file, sha256: "cd" }))).rejects.toThrow();

    const { reader, letterFinder, connectionFinder } = storage();
    // Of the stranger's own.
    const everything = {
      bank: null,
      client_refs: null,
      ready_only: false,
      attention_at: null,
      with_accounts: false,
      page: 1,
      page_size: 9,
    };
    expect((await connectionFinder.page(stranger.tenant_id, everything)).total).toBe(1);
    expect((await connectionFinder.page(owner.tenant_id, everything)).items).toMatchObject([{ connection_id }]);
    const searches = [{}, { labels: { a: "b" } }, { labels: { a: "b" }, id_in: [ownedLetter.letter_id] }];
    for (const query of searches.map((search) => letterQuery(search))) {
      expect(await letterFinder.search(stranger.tenant_id, query)).toEqual({ items: [], total: 0 });
      expect(await letterFinder.search(owner.tenant_id, query)).toMatchObject({ total: 1 });
    }
    const unknown = { kind: "unknown", field: "credentials_token", ids: [connection_id] };
    const asked = { connection_ids: [connection_id] };
    expect(await reader.portfolios(stranger.tenant_id, portfolioQuery(asked))).toEqual(unknown);
    expect(await reader.holdings(stranger.tenant_id, holdingQuery(asked))).toEqual(unknown);
    expect(await reader.transactions(stranger.tenant_id, transactionQuery(asked))).toEqual(unknown);
    const portfolio_id = rows.portfolios[0]?.portfolio_id as Uuid;
    const holding_id = rows.holdings[0]?.holding_id as Uuid;
    expect(await reader.holdings(stranger.tenant_id, holdingQuery({ portfolio_id }))).toMatchObject({
      field: "portfolio_id",
    });
    expect(await reader.transactions(stranger.tenant_id, transactionQuery({ holding_id }))).toMatchObject({
      field: "investment_id",
    });
    for (const page of [
      await reader.portfolios(stranger.tenant_id, portfolioQuery()),
      await reader.holdings(stranger.tenant_id, holdingQuery()),
      await reader.transactions(stranger.tenant_id, transactionQuery()),
    ]) {
      expect(page).toMatchObject({ kind: "page", items_json: "[]", total: 0, totals: [] });
    }

    await owner.run(async ({ connections, sessions, letters, audit, snapshots, letterMoves }) => {
      expect(await connections.find(connection_id)).toEqual(owned);
      expect(await sessions.find(ownedSession.session_id)).toEqual(ownedSession);
      expect(await letters.find(ownedLetter.letter_id)).toEqual(ownedLetter);
      expect(await letterMoves.history(ownedLetter.letter_id)).toEqual([signed]);
      expect(await letters.claimKey(key, now)).toEqual({ claimed: false, holder: key });
      expect(await audit.list({ limit: 9 })).toEqual([entry]);
      expect(await snapshots.noteFile(file)).toBe(false);
    });
    expect(await reader.holdings(owner.tenant_id, holdingQuery())).toMatchObject({ total: 1, revision: "1" });
  });
}
