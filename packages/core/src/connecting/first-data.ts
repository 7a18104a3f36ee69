import type { AccessRefusal, FetchedData, FetchResult, LoginStep } from "@org/provider-kit";
import { statusAfter, statusAfterLogin } from "../connections/connection-changes.js";
import { type PreparedPublication, publicationSteps } from "../data/publication.js";
import { staleAt } from "../data/stale-at.js";
import { valuationSteps } from "../data/valuations.js";
import { createEventLoopYielder, runInSteps, waitOf } from "../event-loop-yielder.js";
import type { Runtime } from "../ports/runtime.js";
import type { CatalogueConnector } from "../schemas/connector.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { SessionRemark } from "../schemas/session.js";

/** A customer whom the bank has let in. */
export interface Authenticated {
  /** The connection under repair, or the one that the login would make. */
  readonly connection_id: Uuid;
  readonly connector: CatalogueConnector;
  /** The provider's name. */
  readonly provider: string;
  readonly step: Extract<LoginStep, { kind: "authenticated" }>;
  readonly identity: string;
  /** The identity that the data state, if the login could not know it; null if they do not. */
  readonly stated: string | null;
  /** The latest one. */
  readonly access: unknown;
}

/** The bank's first answer after a login: data, or a reason to wait for them. */
type FirstFetch = Exclude<FetchResult, { refused: AccessRefusal } | { failed: { message: string } }>;

/** A successful login, and what the bank returned for it. */
export interface Entered extends Authenticated {
  readonly result: FirstFetch;
  /** What it was asked for. */
  readonly since: Date | null;
  /** What the session keeps: accesses of logins before this one. */
  readonly sealed_accesses: string | null;
}

/** A re-login by another customer than the connection's, or whose data belong to another connection; nothing of it is stored. */
export class LoginOfAnother extends Error {
  constructor(
    /** The connection to which the data belong; null if the login itself is another's. */
    readonly existing: Uuid | null,
  ) {
    super("the login is another customer's");
  }
}

function dataOf(result: FirstFetch): FetchedData | null {
  return result.snapshot === undefined ? null : result;
}

/** Prepares the publication of the first data in steps, before anything is locked; null if there are none yet. */
export async function publicationFor(
  tenantId: string,
  { connection_id, provider, result }: Entered,
  { clock, staleAfterDays, loop }: Pick<Runtime, "clock" | "staleAfterDays" | "loop">,
): Promise<PreparedPublication | null> {
  const snapshot = dataOf(result)?.snapshot;
  if (!snapshot) return null;
  const pace = createEventLoopYielder(waitOf(loop, tenantId));
  const publication = await runInSteps(publicationSteps(connection_id, snapshot, clock()), pace);
  const valuations = await runInSteps(
    valuationSteps(connection_id, snapshot, provider, publication.published_at),
    pace,
  );
  return { ...publication, stale_at: staleAt(snapshot.as_of, staleAfterDays), ...(valuations && { valuations }) };
}

/** Returns the status of a connection after the login. */
export function statusOf(before: CredentialStatus, { step, result }: Entered, now: Date): CredentialStatus {
  const entered = statusAfterLogin(before, step);
  const data = dataOf(result);
  return data ? statusAfter(entered, data, now, data.more !== undefined) : entered;
}

/** Returns the remark for the customer when the bank shows no accounts, has no data yet, or only part of the data can be read. */
export function remarkOn({ result }: Entered): SessionRemark | null {
  const data = dataOf(result);
  if (!data) return "data_pending";
  const { portfolios, holdings, transactions } = data.snapshot;
  if (data.more === undefined && [portfolios, holdings, transactions].includes(null)) return "data_incomplete";
  return portfolios?.length === 0 ? "no_accounts" : null;
}
