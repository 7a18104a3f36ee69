/** Who acts: an application, {@link systemActor} or a {@link customerActor}, and the request that it came with. */
export interface Actor {
  readonly application_id: string;
  /** W3C trace id of the request; null for what nobody asked for over HTTP. */
  readonly trace_id: string | null;
  /** Address of the client. */
  readonly address: string | null;
}

/** An application that acts within its tenant: as the token says, or as the operator who acts for the tenant says. */
export interface TenantActor extends Actor {
  readonly tenant_id: string;
  /** The grant of its token; absent where an operator acts for the tenant. */
  readonly grant_id?: string;
}

/** Whoever acts when nobody has asked: refreshes, mail, files that were left, silent feeds. */
export const systemActor: Actor = { application_id: "system", trace_id: null, address: null };

/** The bank customer in the widget, who is no application. The address is not kept: it would name a person. */
export function customerActor(traceId: string | null): Actor {
  return { application_id: "customer", trace_id: traceId, address: null };
}
