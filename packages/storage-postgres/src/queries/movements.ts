import { createGroups, type MovementStatement, type MovementStore } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { lockPublications } from "./publication-lock.js";

/** References, or messages found by them, per statement. */
const BATCH = 2_000;
/** Messages read by one statement: a few milliseconds at fifty references each. */
const READ = 250;
/** Maximum references of a message: its own and those of the messages it cancels. */
const MAX_NAMES = 100;

/**
 * Rounds of following references from message to message. What custodians send needs three at most; longer chains in a file are not followed.
 */
const MAX_ROUNDS = 10;

interface FoundMessage {
  readonly arrival: bigint;
  readonly statement: MovementStatement;
  /** Its references and those of the messages it cancels. */
  readonly names: readonly string[];
}

/** {@link MovementStore} of `tenant_id` inside its transaction. */
export function movementStore(db: Db, tenant_id: string): MovementStore {
  let locked: Promise<void> | undefined;
  return {
    async unknown(connection_id, messages) {
      await lock();
      const { rows } = await sql<{ statement_id: string }>`
        select s.statement_id
        from unnest(${messages.map(({ statement_id }) => statement_id)}::uuid[]) given (statement_id)
        cross join lateral (
          select s.statement_id from transaction_statements s
          where s.tenant_id = ${tenant_id} and s.connection_id = ${connection_id} and s.statement_id = given.statement_id
          limit 1
        ) s`.execute(db);
      const seen = new Set(rows.map(({ statement_id }) => statement_id));
      return messages.filter(({ statement_id }) => !seen.has(statement_id) && seen.add(statement_id));
    },

    async related(connection_id, messages, { maxSharing, maxMessages, maxFound, ignored }) {
      await lock();
      const found = new Map<string, FoundMessage>();
      const shared = new Set<string>();
      const asked = new Set(ignored);
      const followed = new Set<string>();
      const groupsNow = () => {
        const groups = createGroups();
        for (const { names } of found.values()) groups.add(names.filter((one) => followed.has(one)));
        return groups;
      };
      /** Adds messages; returns whether there is room for all of them. */
      const take = async (ids: readonly string[]): Promise<boolean> => {
        const others = ids.filter((id) => !found.has(id));
        for (let start = 0; start < others.length && found.size <= maxFound; start += READ)
          for (const { statement_id, arrival, content } of await read(
            connection_id,
            others.slice(start, start + READ),
          )) {
            const statement: MovementStatement = { statement_id, ...JSON.parse(content) };
            found.set(statement_id, { arrival: BigInt(arrival), statement, names: namedBy([statement]) });
          }
        return found.size <= maxFound;
      };
      if (!(await take(messages.map(({ statement_id }) => statement_id)))) return null;
      let wanted = namedBy(messages).filter((one) => !asked.has(one));
      for (let round = 0; round < MAX_ROUNDS && wanted.length > 0; round += 1) {
        for (const reference of wanted) asked.add(reference);
        const counts = await countsOf(connection_id, wanted, maxSharing, maxFound * MAX_NAMES);
        if (counts === null) return null;
        for (const [reference, count] of counts) (count > maxSharing ? shared : followed).add(reference);
        let left: readonly string[] = wanted.filter((one) => followed.has(one));
        let groups = groupsNow();
        do {
          const { now, later } = apart(left, { counts, groups, most: maxMessages });
          for (const some of batchesOf(now, (one) => counts.get(one) ?? 0, BATCH))
            if (!(await take(await idsOf(connection_id, some, maxSharing)))) return null;
          [left, groups] = [later, groupsNow()];
        } while (left.length > 0);
        const isOfEvent = (one: string) => (groups.withName(one)?.size ?? 0) <= maxMessages;
        const further = new Set<string>();
        for (const { names } of found.values())
          if (names.every(isOfEvent)) for (const one of names) if (!asked.has(one)) further.add(one);
        wanted = [...further];
      }
      const statements = [...found.values()]
        .sort((a, b) => (a.arrival < b.arrival ? -1 : 1))
        .map(({ statement }) => statement);
      return { statements, shared };
    },

    async keep(connection_id, statements) {
      for (const batch of batchesOf(statements, namesOf, BATCH)) {
        const contents = batch.map(({ statement_id: _, ...content }) => JSON.stringify(content));
        await sql`
          insert into transaction_statements (tenant_id, connection_id, statement_id, content)
          select ${tenant_id}, ${connection_id}, stated.statement_id, stated.content
          from unnest(${batch.map(({ statement_id }) => statement_id)}::uuid[], ${contents}::text[])
            with ordinality stated (statement_id, content, number)
          order by stated.number
          on conflict do nothing`.execute(db);
        const named = batch.flatMap(({ statement_id, references, cancels }) =>
          [...new Set([...references, ...cancels])].map((reference) => [reference, statement_id] as const),
        );
        await sql`
          insert into transaction_references (tenant_id, connection_id, reference, statement_id)
          select ${tenant_id}, ${connection_id}, named.reference, named.statement_id
          from unnest(${named.map(([reference]) => reference)}::uuid[], ${named.map(([, id]) => id)}::uuid[])
            named (reference, statement_id)
          on conflict do nothing`.execute(db);
      }
    },

    // A correction is stored as a message without references, of which only the transaction's id counts.
    async corrected(connection_id, correctionIds) {
      await lock();
      const { rows } = await sql<{ id: string; transaction_id: string }>`
        select named.id, s.content::json #>> '{row,transaction_id}' as transaction_id
        from unnest(${[...correctionIds]}::uuid[]) named (id)
        cross join lateral (
          select s.content from transaction_statements s
          where s.tenant_id = ${tenant_id} and s.connection_id = ${connection_id} and s.statement_id = named.id
          limit 1
        ) s`.execute(db);
      return new Map(rows.map(({ id, transaction_id }) => [id, transaction_id]));
    },

    async keepCorrected(connection_id, transactionIds) {
      if (transactionIds.size === 0) return;
      await sql`
        insert into transaction_statements (tenant_id, connection_id, statement_id, content)
        select ${tenant_id}, ${connection_id}, c.id,
          json_build_object('row', json_build_object('transaction_id', c.transaction_id))::text
        from unnest(${[...transactionIds.keys()]}::uuid[], ${[...transactionIds.values()]}::uuid[]) c (id, transaction_id)
        on conflict do nothing`.execute(db);
    },
  };

  /** Two files about the same event are ingested one after the other. */
  function lock(): Promise<void> {
    locked ??= lockPublications(db);
    return locked;
  }

  /** Ids of messages with these references, at most `most` per reference. */
  async function idsOf(connection_id: string, references: readonly string[], most: number): Promise<string[]> {
    // One index lookup per reference: PostgreSQL has no statistics yet about the rows that a large file added.
    const { rows } = await sql<{ statement_id: string }>`
      select distinct r.statement_id
      from unnest(${[...references]}::uuid[]) wanted (reference)
      cross join lateral (
        select r.statement_id from transaction_references r
        where r.tenant_id = ${tenant_id} and r.connection_id = ${connection_id} and r.reference = wanted.reference
        limit ${most}
      ) r`.execute(db);
    return rows.map(({ statement_id }) => statement_id);
  }

  /** Messages with these ids. */
  async function read(connection_id: string, ids: readonly string[]) {
    const { rows } = await sql<{ statement_id: string; arrival: string; content: string }>`
      select s.statement_id, s.arrival, s.content
      from unnest(${[...ids]}::uuid[]) named (statement_id)
      cross join lateral (
        select s.statement_id, s.arrival, s.content from transaction_statements s
        where s.tenant_id = ${tenant_id} and s.connection_id = ${connection_id} and s.statement_id = named.statement_id
        limit 1
      ) s`.execute(db);
    return rows;
  }

  /**
   * How many messages have each of the references, counted up to `most` + 1; references without messages are left out. Null if the references
   * within `most` add up to more than `maxTotal` messages.
   */
  async function countsOf(connection_id: string, references: readonly string[], most: number, maxTotal: number) {
    const counts = new Map<string, number>();
    let inAll = 0;
    for (let start = 0; start < references.length; start += BATCH) {
      const { rows } = await sql<{ reference: string; messages: number }>`
        select wanted.reference, counted.messages
        from unnest(${references.slice(start, start + BATCH)}::uuid[]) wanted (reference)
        cross join lateral (
          select count(*)::int as messages from (
            select from transaction_references r
            where r.tenant_id = ${tenant_id} and r.connection_id = ${connection_id} and r.reference = wanted.reference
            limit ${most + 1}
          ) those
        ) counted
        where counted.messages > 0`.execute(db);
      for (const { reference, messages } of rows) {
        counts.set(reference, messages);
        if (messages <= most) inAll += messages;
      }
      if (inAll > maxTotal) return null;
    }
    return counts;
  }
}

/** Messages may share several references, so one round reads up to this many times as many rows as an event may have messages. */
const READ_AHEAD_FACTOR = 5;

/**
 * Splits references into those to follow now and later. Of each group, only as many are followed now as show that the group exceeds the size of
 * an event, before all of it is read. References of a group that already exceeds it are dropped.
 */
function apart(
  references: readonly string[],
  known: {
    readonly counts: ReadonlyMap<string, number>;
    readonly groups: ReturnType<typeof createGroups>;
    readonly most: number;
  },
): { readonly now: readonly string[]; readonly later: readonly string[] } {
  const [now, later] = [[] as string[], [] as string[]];
  const planned = new Map<number, number>();
  for (const reference of references) {
    const of = known.groups.withName(reference);
    if (of === null) {
      now.push(reference);
      continue;
    }
    if (of.size > known.most) continue;
    const before = planned.get(of.group) ?? of.size;
    if (before > READ_AHEAD_FACTOR * known.most) later.push(reference);
    else now.push(reference);
    planned.set(of.group, before + (known.counts.get(reference) ?? 0));
  }
  return { now, later };
}

function namedBy(statements: readonly Pick<MovementStatement, "references" | "cancels">[]): string[] {
  return [...new Set(statements.flatMap(({ references, cancels }) => [...references, ...cancels]))];
}

function namesOf({ references, cancels }: MovementStatement): number {
  return references.length + cancels.length;
}

/** Splits items, in order, into batches that weigh at most `most`, with at least one item each. */
function* batchesOf<Item>(items: readonly Item[], weigh: (item: Item) => number, most: number): Generator<Item[]> {
  let batch: Item[] = [];
  let weight = 0;
  for (const item of items) {
    const more = 1 + weigh(item);
    if (batch.length > 0 && weight + more > most) {
      yield batch;
      [batch, weight] = [[], 0];
    }
    batch.push(item);
    weight += more;
  }
  if (batch.length > 0) yield batch;
}
