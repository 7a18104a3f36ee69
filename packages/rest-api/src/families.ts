import type { Actor, TenantActor } from "@org/core";
import type { Principal } from "@org/http";
import type { Endpoint, EndpointFacts } from "./endpoint.js";
import { connectEnvelope } from "./envelopes/connect-envelope.js";
import type { Envelope } from "./envelopes/envelope.js";
import { lettersEnvelope } from "./envelopes/letters-envelope.js";
import { connectEndpoints } from "./routers/connect.js";
import { lettersEndpoints } from "./routers/letters.js";
import { applicationEndpoints } from "./routers/operator-applications.js";
import { auditEndpoints } from "./routers/operator-audit.js";
import { connectionEndpoints } from "./routers/operator-connections.js";
import { catalogueEndpoints } from "./routers/operator-connectors.js";
import { dataFeedEndpoints } from "./routers/operator-data-feeds.js";
import { keyEndpoints } from "./routers/operator-keys.js";
import { letterRequestEndpoints } from "./routers/operator-letter-requests.js";
import { letterOperationEndpoints } from "./routers/operator-letters.js";
import { mailEndpoints } from "./routers/operator-mails.js";
import { tenantEndpoints } from "./routers/operator-tenants.js";

/** Endpoints that share their prefixes, who may call them and how they word errors. */
export interface Family<Who> {
  /** Tag in the API document. */
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly envelope: Envelope;
  readonly endpoints: readonly Endpoint<Who>[];
  /** Who a principal is here; null when it is nobody, such as an operator in a tenant's API. */
  whoOf(principal: Principal, request: RequestFacts): Who | null;
}

/** A family as the API document sees it. */
export interface FamilyFacts extends Pick<Family<never>, "name" | "envelope"> {
  readonly endpoints: readonly EndpointFacts[];
}

/** What the audit trail keeps of a request. */
export interface RequestFacts {
  readonly trace_id: string;
  readonly address: string | null;
}

export const lettersFamily: Family<TenantActor> = {
  name: "Letters",
  prefixes: ["/letters/v1"],
  envelope: lettersEnvelope,
  endpoints: lettersEndpoints,
  whoOf: tenantActor,
};

export const connectFamily: Family<TenantActor> = {
  name: "Connect",
  prefixes: ["/connect/v2", "/v2/connect"],
  envelope: connectEnvelope,
  endpoints: connectEndpoints,
  whoOf: tenantActor,
};

export const operatorFamily: Family<Actor> = {
  name: "Operator",
  prefixes: ["/operator/v1"],
  envelope: lettersEnvelope,
  endpoints: [
    ...tenantEndpoints,
    ...applicationEndpoints,
    ...catalogueEndpoints,
    ...letterOperationEndpoints,
    ...letterRequestEndpoints,
    ...mailEndpoints,
    ...dataFeedEndpoints,
    ...connectionEndpoints,
    ...auditEndpoints,
    ...keyEndpoints,
  ],
  whoOf: ({ application_id, tenant_id }, facts) => (tenant_id === null ? { application_id, ...facts } : null),
};

function tenantActor({ application_id, tenant_id }: Principal, facts: RequestFacts): TenantActor | null {
  return tenant_id === null ? null : { application_id, tenant_id, ...facts };
}

/** All families, in the order in which they are documented. */
export const families: readonly FamilyFacts[] = [lettersFamily, connectFamily, operatorFamily];
