import { createGroups, type MovementStatement, type MovementStore } from "@org/core";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { lockPublications } from "./publication-lock.js";

/** Messages written by one statement. */
const BATCH = 1_000;

/**
 * Rounds from message to message by their references. Three are enough for what custodians send; what a file strings together beyond
 * that is not followed.
 */
const MAX_ROUNDS = 10;

interface FoundMessage {
  readonly arrival: bigint;
  readonly statement: MovementStatement;
  /** Its references, and those of what it takes back. */
  readonly names: readonly string[];
}

/** {@link MovementStore} of `tenant_id` inside its transaction. */
export function movementStore(db: Db, tenant_id: string): MovementStore {
  let locked: Promise<void> | undefined;
  return {
    async related(connection_id, messages, { mostSharing, mostTelling, ignored }) {
      // Two files that tell of one event follow each other.
      locked ??= lockPublications(db, tenant_id);
      await locked;
      const found = new Map<string, FoundMessage>();
      const shared = new Set<string>();
      const asked = new Set(ignored);
      const followed = new Set<string>();
      const groupsNow = () => {
        const groups = createGroups();
        for (const { names } of found.values()) groups.add(names.filter((one) => followed.has(one)));
        return groups;
      };
      let wanted = namedBy(messages).filter((one) => !asked.has(one));
      let ids: readonly string[] = messages.map(({ statement_id }) => statement_id);
      for (let round = 0; round < MAX_ROUNDS && wanted.length + ids.length > 0; round += 1) {
        for (const reference of wanted) asked.add(reference);
        const counts = await countsOf(connection_id, wanted, mostSharing + 1);
        for (const [reference, count] of counts) (count > mostSharing ? shared : followed).add(reference);
        let left: readonly string[] = wanted.filter((one) => followed.has(one));
        let groups = groupsNow();
        do {
          const { now, later } = apart(left, { counts, groups, most: mostTelling });
          for (const { statement_id, arrival, content } of await read(connection_id, now, ids, mostSharing))
            if (!found.has(statement_id)) {
              const statement: MovementStatement = { statement_id, ...JSON.parse(content) };
              found.set(statement_id, { arrival: BigInt(arrival), statement, names: namedBy([statement]) });
            }
          [left, ids, groups] = [later, [], groupsNow()];
        } while (left.length > 0);
        const isOfEvent = (one: string) => (groups.withName(one)?.size ?? 0) <= mostTelling;
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
      for (let start = 0; start < statements.length; start += BATCH) {
        const batch = statements.slice(start, start + BATCH);
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
  };

  /** Messages with these references, at most so many of each, and those with these ids. */
  async function read(connection_id: string, references: readonly string[], ids: readonly string[], most: number) {
    // By one look into the index for each: nothing is known yet of how many rows a large file has added.
    const { rows } = await sql<{ statement_id: string; arrival: string; content: string }>`
      select s.statement_id, s.arrival, s.content
      from (
        select r.statement_id
        from unnest(${[...references]}::uuid[]) wanted (reference)
        cross join lateral (
          select r.statement_id from transaction_references r
          where r.tenant_id = ${tenant_id} and r.connection_id = ${connection_id} and r.reference = wanted.reference
          limit ${most}
        ) r
        union select unnest(${[...ids]}::uuid[])
      ) named
      cross join lateral (
        select s.statement_id, s.arrival, s.content from transaction_statements s
        where s.tenant_id = ${tenant_id} and s.connection_id = ${connection_id} and s.statement_id = named.statement_id
        limit 1
      ) s`.execute(db);
    return rows;
  }

  /** How many messages have each of the references, counted up to a number; without those that none has. */
  async function countsOf(connection_id: string, references: readonly string[], most: number) {
    const { rows } = await sql<{ reference: string; messages: number }>`
      select wanted.reference, counted.messages
      from unnest(${[...references]}::uuid[]) wanted (reference)
      cross join lateral (
        select count(*)::int as messages from (
          select from transaction_references r
          where r.tenant_id = ${tenant_id} and r.connection_id = ${connection_id} and r.reference = wanted.reference
          limit ${most}
        ) those
      ) counted
      where counted.messages > 0`.execute(db);
    return new Map(rows.map(({ reference, messages }) => [reference, messages]));
  }
}

/** Messages may have several references in common: so many times as many rows as an event has messages are read at once. */
const AT_ONCE = 5;

/**
 * References that are followed now, and later: of each group no more than make it larger than an event is, so that this is found out
 * before all of it is here. Those of a group that is larger already are followed no more.
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
    if (before > AT_ONCE * known.most) later.push(reference);
    else now.push(reference);
    planned.set(of.group, before + (known.counts.get(reference) ?? 0));
  }
  return { now, later };
}

function namedBy(statements: readonly MovementStatement[]): string[] {
  return [...new Set(statements.flatMap(({ references, cancels }) => [...references, ...cancels]))];
}
