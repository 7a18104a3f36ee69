import type { Actor, TenantActor } from "@org/core";
import type { Principal } from "@org/http";
import type { z } from "zod";
import { type Endpoint, type EndpointFacts, pathsOf } from "./endpoint.js";
import { clientEndpoints, operatorClientEndpoints } from "./endpoints/clients.js";
import { connectEndpoints } from "./endpoints/connect.js";
import { dataEndpoints } from "./endpoints/data.js";
import { eventEndpoints, operatorEventEndpoints } from "./endpoints/events.js";
import { grantEndpoints, operatorGrantEndpoints } from "./endpoints/grants.js";
import { lettersEndpoints } from "./endpoints/letters.js";
import { applicationEndpoints } from "./endpoints/operator-applications.js";
import { auditEndpoints } from "./endpoints/operator-audit.js";
import { connectionEndpoints } from "./endpoints/operator-connections.js";
import { catalogueEndpoints } from "./endpoints/operator-connectors.js";
import { dataFeedEndpoints } from "./endpoints/operator-data-feeds.js";
import { examinationEndpoints } from "./endpoints/operator-examination.js";
import { feedAccountEndpoints } from "./endpoints/operator-feed-accounts.js";
import { feedKeyEndpoints } from "./endpoints/operator-feed-keys.js";
import { feedMappingEndpoints } from "./endpoints/operator-feed-mappings.js";
import { keyEndpoints } from "./endpoints/operator-keys.js";
import { letterRequestEndpoints } from "./endpoints/operator-letter-requests.js";
import { letterOperationEndpoints } from "./endpoints/operator-letters.js";
import { matchingLetterEndpoints } from "./endpoints/operator-letters-matching.js";
import { mailEndpoints } from "./endpoints/operator-mails.js";
import { pendingFileEndpoints } from "./endpoints/operator-pending-files.js";
import { operatorPeopleEndpoints } from "./endpoints/operator-people.js";
import { providerEndpoints } from "./endpoints/operator-providers.js";
import { rateEndpoints } from "./endpoints/operator-rates.js";
import { registrationTokenEndpoints } from "./endpoints/operator-registration-tokens.js";
import { operatorSessionEndpoints } from "./endpoints/operator-sessions.js";
import { sourceEndpoints } from "./endpoints/operator-sources.js";
import { tenantEndpoints } from "./endpoints/operator-tenants.js";
import { trustedIssuerEndpoints } from "./endpoints/operator-trusted-issuers.js";
import { wealthEndpoints } from "./endpoints/wealth.js";
import { operatorWebhookEndpoints, webhookEndpoints } from "./endpoints/webhooks.js";
import { showWhy } from "./endpoints/why.js";
import { operatorWorkEndpoints, tenantWorkEndpoints } from "./endpoints/work.js";
import { connectEnvelope } from "./envelopes/connect-envelope.js";
import type { Envelope } from "./envelopes/envelope.js";
import { lettersEnvelope } from "./envelopes/letters-envelope.js";

/** Endpoints that share their prefixes, their callers and their error format. */
export interface Family<Who, Endpoints extends readonly Endpoint<Who>[] = readonly Endpoint<Who>[]> {
  /** Tag in the API document. */
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly envelope: Envelope;
  readonly endpoints: Endpoints;
  /** Returns the caller in this API's terms; null when it has no access, such as an operator in a tenant's API. */
  whoOf(caller: Caller, request: RequestFacts): Who | null;
}

/** The authenticated caller: an application by its token, or a person by their session. */
export interface Caller extends Pick<Principal, "application_id" | "tenant_id" | "client_refs"> {
  /** Grant of the access token; only applications have one. */
  readonly grant_id?: string;
  /** Of the access token. */
  readonly scopes?: ReadonlySet<string>;
}

/** The part of a family that the API document needs. */
export interface FamilyFacts extends Pick<Family<never>, "name" | "envelope"> {
  readonly endpoints: readonly EndpointFacts[];
}

/** Facts of a request that the audit trail keeps. */
export interface RequestFacts {
  readonly trace_id: string;
  readonly address: string | null;
}

/**
 * Checks that all endpoints of a family are under its prefixes. The prefix determines who may call and how errors are worded (contract
 * §5), and an endpoint elsewhere would silently break that.
 * @throws RangeError naming the path
 */
export function familyOf<Who, const Endpoints extends readonly Endpoint<Who>[]>(
  family: Family<Who, Endpoints>,
): Family<Who, Endpoints> {
  for (const path of family.endpoints.flatMap(pathsOf))
    if (!family.prefixes.some((prefix) => path.startsWith(`${prefix}/`)))
      throw new RangeError(`${path} is under no prefix of the family ${family.name}: ${family.prefixes.join(", ")}`);
  return family;
}

export const lettersFamily = familyOf({
  name: "Letters",
  prefixes: ["/letters/v1"],
  envelope: lettersEnvelope,
  endpoints: lettersEndpoints,
  whoOf: tenantActor,
});

export const connectFamily = familyOf({
  name: "Connect",
  prefixes: ["/connect/v2", "/v2/connect"],
  envelope: connectEnvelope,
  endpoints: connectEndpoints,
  whoOf: tenantActor,
});

export const clientsFamily = familyOf({
  name: "Clients",
  prefixes: ["/clients/v1"],
  envelope: lettersEnvelope,
  endpoints: clientEndpoints,
  whoOf: tenantActor,
});

export const dataFamily = familyOf({
  name: "Data",
  prefixes: ["/data/v1"],
  envelope: lettersEnvelope,
  endpoints: [...dataEndpoints, ...wealthEndpoints, showWhy, ...grantEndpoints],
  whoOf: tenantActor,
});

export const eventsFamily = familyOf({
  name: "Events",
  prefixes: ["/events/v1"],
  envelope: lettersEnvelope,
  endpoints: [...eventEndpoints, ...webhookEndpoints, ...tenantWorkEndpoints],
  whoOf: tenantActor,
});

export const operatorFamily = familyOf({
  name: "Operator",
  prefixes: ["/operator/v1"],
  envelope: lettersEnvelope,
  endpoints: [
    ...tenantEndpoints,
    ...applicationEndpoints,
    ...registrationTokenEndpoints,
    ...trustedIssuerEndpoints,
    ...operatorPeopleEndpoints,
    ...catalogueEndpoints,
    ...providerEndpoints,
    ...rateEndpoints,
    ...feedMappingEndpoints,
    ...letterOperationEndpoints,
    ...matchingLetterEndpoints,
    ...letterRequestEndpoints,
    ...mailEndpoints,
    ...dataFeedEndpoints,
    ...pendingFileEndpoints,
    ...feedAccountEndpoints,
    ...sourceEndpoints,
    ...feedKeyEndpoints,
    ...connectionEndpoints,
    ...operatorSessionEndpoints,
    ...operatorClientEndpoints,
    ...operatorGrantEndpoints,
    ...auditEndpoints,
    ...operatorEventEndpoints,
    ...operatorWebhookEndpoints,
    ...keyEndpoints,
    ...examinationEndpoints,
    ...operatorWorkEndpoints,
  ],
  whoOf: operator,
});

function operator({ application_id, tenant_id }: Caller, facts: RequestFacts): Actor | null {
  return tenant_id === null ? { application_id, ...facts } : null;
}

function tenantActor({ tenant_id, application_id, ...caller }: Caller, facts: RequestFacts): TenantActor | null {
  if (tenant_id === null) return null;
  const { grant_id, scopes, client_refs } = caller;
  const limits = { ...(scopes && { scopes }), ...(client_refs && { client_refs }) };
  return { application_id, tenant_id, ...(grant_id !== undefined && { grant_id }), ...limits, ...facts };
}

/** All families, in the order of the documentation. */
export const families: readonly FamilyFacts[] = [
  lettersFamily,
  connectFamily,
  clientsFamily,
  dataFamily,
  eventsFamily,
  operatorFamily,
];

type AnyFamily =
  | typeof lettersFamily
  | typeof connectFamily
  | typeof clientsFamily
  | typeof dataFamily
  | typeof eventsFamily
  | typeof operatorFamily;

/**
 * Body and answer of every path, for TypeScript clients. As in the API document, these are the schemas' input types, which are JSON.
 * A body without a schema is a file.
 */
export type RestPaths = {
  [E in AnyFamily["endpoints"][number] as E["path"]]: {
    readonly body: E["input"]["schema"] extends z.ZodType ? z.input<E["input"]["schema"]> : Blob;
    readonly answer: z.input<E["output"]>;
  };
};
