import type { ConnectionFacts } from "@org/wealth";
import { invalid, invalidValue } from "../errors.js";
import type { Uuid } from "../schemas/identifier.js";
import type { ConnectionSize, SizeQuery, WealthReader } from "./wealth-reader.js";

/** How many valuations and movements are read at a time of a figure that can be reckoned piece by piece; at most twice as many are held. */
const MAX_PIECE = 50_000;
/** How many of them a figure may need at once. */
const MAX_ROWS = 200_000;

/**
 * Reads the facts of a question in pieces of whole connections, so that what is held of them does not grow with the tenant. The next piece is read
 * while one is reckoned.
 */
export async function* factsInPieces(
  reader: WealthReader,
  tenantId: string,
  { portfolio_ids, ...query }: SizeQuery,
): AsyncGenerator<readonly ConnectionFacts[]> {
  const pieces = piecesOf(await reader.sizes(tenantId, { portfolio_ids, ...query }));
  const read = () => {
    const { value: connection_ids } = pieces.next();
    const piece = connection_ids ? reader.facts(tenantId, { ...query, connection_ids }) : Promise.resolve(null);
    // It may fail while another piece is reckoned; whoever waits for it is told.
    piece.catch(() => null);
    return piece;
  };
  let next = read();
  try {
    for (let piece = await next; piece; piece = await next) {
      next = read();
      yield piece;
    }
  } finally {
    // Whoever stops early does not leave a read behind.
    await next.catch(() => null);
  }
}

function* piecesOf(sizes: readonly ConnectionSize[]): Generator<readonly Uuid[], undefined> {
  let connection_ids: Uuid[] = [];
  let held = 0;
  for (const { connection_id, rows } of sizes) {
    if (connection_ids.length > 0 && held + rows >= MAX_PIECE) {
      yield connection_ids;
      [connection_ids, held] = [[], 0];
    }
    connection_ids.push(connection_id);
    // One without any is held, too.
    held += rows + 1;
  }
  if (connection_ids.length > 0) yield connection_ids;
}

/**
 * The connections of a question whose facts are needed at once.
 * @throws CoreError VALIDATION_ERROR for `from` if that is more than a server can hold for everybody
 */
export async function connectionsAtOnce(
  reader: WealthReader,
  tenantId: string,
  query: SizeQuery,
): Promise<readonly Uuid[]> {
  const sizes = await reader.sizes(tenantId, query);
  const rows = sizes.reduce((sum, one) => sum + one.rows, 0);
  if (rows > MAX_ROWS) {
    const there = `there are ${rows} values and movements, and at most ${MAX_ROWS} are reckoned at once`;
    throw invalid(
      invalidValue("from", `must begin a shorter period, unless fewer clients or portfolios are named: ${there}`),
    );
  }
  return sizes.map(({ connection_id }) => connection_id);
}
