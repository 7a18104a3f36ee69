import {
  auditLineSchema,
  connectorSchema,
  credentialStatusSchema,
  eventSchema,
  labelsSchema,
  letterSchema,
  letterStatusSchema,
  limitSchema,
  type Steps,
  sessionSchema,
} from "@org/core";
import { z } from "zod";
import { applicationSchema } from "../applications.js";
import { connectorFilterSchema } from "../endpoints/connect.js";
import { letterConnectorSchema } from "../endpoints/letters.js";
import { catalogueEntrySchema } from "../endpoints/operator-connectors.js";
import { operatorLetterSchema } from "../endpoints/operator-letters.js";
import { tenantSchema } from "../endpoints/operator-tenants.js";
import {
  connectErrorSchema,
  connectInternalErrorSchema,
  connectUnauthenticatedSchema,
  connectValidationSchema,
} from "../envelopes/connect-envelope.js";
import { limitReachedSchema } from "../envelopes/envelope.js";
import { lettersErrorSchema } from "../envelopes/letters-envelope.js";
import type { FamilyFacts } from "../families.js";
import { encryptionKeySchema, signingKeySchema } from "../keys.js";
import { deliveredEvents } from "./webhooks.js";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the `{$ref}` of a schema that has a name in the document. */
export type SchemaReferences = (schema: z.ZodType) => { readonly $ref: string };

const shared: Readonly<Record<string, z.ZodType>> = {
  Application: applicationSchema,
  AuditLine: auditLineSchema,
  CatalogueEntry: catalogueEntrySchema,
  ConnectError: connectErrorSchema,
  ConnectInternalError: connectInternalErrorSchema,
  ConnectUnauthenticated: connectUnauthenticatedSchema,
  ConnectValidationError: connectValidationSchema,
  Connector: connectorSchema,
  ConnectorFilter: connectorFilterSchema,
  CredentialStatus: credentialStatusSchema,
  EncryptionKey: encryptionKeySchema,
  Event: eventSchema,
  Labels: labelsSchema,
  Letter: letterSchema,
  LetterConnector: letterConnectorSchema,
  LetterStatus: letterStatusSchema,
  Limit: limitSchema,
  LimitReached: limitReachedSchema,
  LettersError: lettersErrorSchema,
  OperatorLetter: operatorLetterSchema,
  Session: sessionSchema,
  SigningKey: signingKeySchema,
  Tenant: tenantSchema,
};

/** The schemas that have a name in the document. References are made to these, and each keeps its description. */
class Names extends z.core.$ZodRegistry<{ id: string }> {
  override get(schema: z.core.$ZodType) {
    return { ...super.get(schema), ...z.globalRegistry.get(schema) } as never;
  }
}

/** Names every request, answer, event and shared shape, and writes each as JSON Schema 2020-12 with references by name, one in a step. */
export function* namedSchemas(
  families: readonly FamilyFacts[],
): Steps<{ readonly schemas: Record<string, JsonSchema>; readonly references: SchemaReferences }> {
  const names = new Map<z.ZodType, string>();
  const registry = new Names();
  const add = (schema: z.ZodType, id: string) => {
    if (names.has(schema)) return;
    names.set(schema, id);
    registry.add(schema, { id });
  };
  for (const [id, schema] of Object.entries(shared)) add(schema, id);
  for (const { schema, name } of deliveredEvents) add(schema, name);
  for (const { operation, input, output } of families.flatMap(({ endpoints }) => endpoints)) {
    const stem = operation.charAt(0).toUpperCase() + operation.slice(1);
    if (input.schema) add(input.schema, `${stem}Request`);
    add(output, `${stem}Response`);
  }
  const schemas: Record<string, JsonSchema> = {};
  for (const [schema, id] of names) {
    yield;
    schemas[id] = namedSchema(schema, id, registry);
  }
  return {
    schemas,
    references(schema) {
      const id = names.get(schema);
      if (id === undefined) throw new Error("a schema of the API document has no name");
      return { $ref: uriOf(id) };
    },
  };
}

/** zod writes what a schema refers to beside it; here each name has a place of its own. */
function namedSchema(schema: z.ZodType, name: string, metadata: Names): JsonSchema {
  const json = z.toJSONSchema(schema, { io: "input", metadata, override: forPeople });
  const { $schema: _dialect, $defs = {}, ...inline } = json;
  const { id: _id, ...own } = $defs[name] ?? inline;
  return JSON.parse(JSON.stringify(own).replaceAll('"#/$defs/', `"${uriOf("")}`));
}

/** JSON Schema of one parameter. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: "input" });
  return json;
}

const uriOf = (id: string) => `#/components/schemas/${id}`;

/**
 * Writes a record of known names as an object that has them as properties, because generators of types drop the names of a record, and
 * removes bounds that only state the range of JavaScript's safe integers.
 */
function forPeople({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { propertyNames, additionalProperties: value = {} } = jsonSchema;
  if (typeof propertyNames === "object" && propertyNames.enum !== undefined) {
    delete jsonSchema.propertyNames;
    jsonSchema.properties = Object.fromEntries(propertyNames.enum.map((name) => [name, value]));
    jsonSchema.additionalProperties = false;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
