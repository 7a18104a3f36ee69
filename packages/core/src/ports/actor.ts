/** Who acts: an application, {@link systemActor} or a {@link customerActor}, and with which request. */
export interface Actor {
  readonly application_id: string;
  /** W3C trace id of the request; null for work that no HTTP request caused. */
  readonly trace_id: string | null;
  /** Address of the client. */
  readonly address: string | null;
}

/** An application that acts within its tenant, as its token says, or on behalf of a tenant, as the operator says. */
export interface TenantActor extends Actor {
  readonly tenant_id: string;
  /** The grant of its token; absent if an operator acts for the tenant. */
  readonly grant_id?: string;
  /** What its token allows; absent for people, whose power is checked by operation, and for operators. */
  readonly scopes?: ReadonlySet<string>;
  /** The clients that it is limited to: what is not theirs does not exist for it. Absent = no limit, none = nothing. */
  readonly client_refs?: readonly string[];
}

/** The actor of background work: refreshes, mail, files in drop folders, silent feeds. */
export const systemActor: Actor = { application_id: "system", trace_id: null, address: null };

/** The bank customer in the widget, who is not an application. The address is not recorded, because it would identify a person. */
export function customerActor(traceId: string | null): Actor {
  return { application_id: "customer", trace_id: traceId, address: null };
}
