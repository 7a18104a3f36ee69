import pg from "pg";

/** Events that occur at most once per object. */
const ONCE = ["letter.created", "connection.created", "session.finished", "grant.ended"];

/**
 * Finds duplicates: letters, sessions, moves of letters and custodian files that exist more often than requested, or that have no event or two. A
 * request without an answer counts as one, so its result may exist once.
 * @param connectionString a superuser's, for the installation's database
 * @param asked as in `beginMixedUse`
 * @returns what is wrong, in words
 */
export async function doublesIn(connectionString, { letters, feed, files }) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const found = async (what, text, values) => (await client.query(text, values)).rows.map((row) => what(row));
  try {
    return [
      ...(await found(
        ({ times, number }) => `letter ${number} is there ${times} times`,
        "select value as number, count(*)::integer as times from letter_labels where key = 'number' group by value having count(*) > 1",
      )),
      ...(await found(
        ({ times, number }) => `session ${number} is there ${times} times`,
        "select labels->>'number' as number, count(*)::integer as times from sessions where labels ? 'number' group by 1 having count(*) > 1",
      )),
      ...(await found(
        ({ type, object_id, times }) => `${type} of ${object_id} came ${times} times`,
        "select type, object_id, count(*)::integer as times from events where type = any($1) group by tenant_id, type, object_id having count(*) > 1",
        [ONCE],
      )),
      ...(await found(
        ({ letter_id, moves, events }) => `letter ${letter_id} was moved ${moves} times and has ${events} events of it`,
        `select letter_id, count(*)::integer as moves, (select count(*)::integer from events where object_id = letter_id::text
           and type in ('letter.created', 'letter.moved')) as events
         from letter_moves group by letter_id having count(*) <> (select count(*) from events where object_id = letter_id::text
           and type in ('letter.created', 'letter.moved'))`,
      )),
      ...(
        await found(
          ({ letter_id, moves }) => ({ letter_id, moves: moves - 1 }),
          "select letter_id::text, count(*)::integer as moves from letter_moves where letter_id <> $1 group by letter_id",
          [feed],
        )
      ).flatMap(({ letter_id, moves }) => {
        const { asked, done } = letters.get(letter_id) ?? { asked: 0, done: 0 };
        return moves >= done && moves <= asked
          ? []
          : [`letter ${letter_id} was advanced ${moves} times: ${asked} were asked for and ${done} acknowledged`];
      }),
      ...(await found(
        ({ arrivals, taken }) => `${files} files were acknowledged, ${arrivals} are there, and ${taken} were told of`,
        `select * from (select (select count(*)::integer from feed_arrivals) as arrivals,
           (select count(*)::integer from events where type = 'feed.file_taken') as taken) as counts
         where arrivals <> $1 or taken <> $1`,
        [files],
      )),
      ...(await found(
        ({ tenant_id, events, last }) => `the log of ${tenant_id} has ${events} events and ends with number ${last}`,
        `select tenant_id, count(*)::integer as events, max(sequence)::integer as last from events
         group by tenant_id having count(*) <> count(sequence) or count(*) <> max(sequence)`,
      )),
    ];
  } finally {
    await client.end();
  }
}
