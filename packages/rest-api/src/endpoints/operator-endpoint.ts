import { type Actor, CoreError, type CoreErrorCode, type TenantActor, uuidField } from "@org/core";
import type { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { type Answered, type Call, defineEndpoint, type Endpoint, type JsonText } from "../endpoint.js";
import type { RestServices } from "../services.js";

type Definition<Path extends string, Body extends z.ZodType, Answer extends z.ZodType> = Pick<
  Endpoint<Actor, Path, Body, Answer>,
  "path" | "reads" | "operation" | "summary" | "description" | "order" | "output"
> & {
  readonly body: Body;
  readonly fails?: readonly CoreErrorCode[];
  readonly handle: (
    services: RestServices,
    call: Call<Actor>,
    body: z.output<Body>,
  ) => Promise<Answered<z.input<Answer>> | JsonText>;
};

/** Makes an operator endpoint with a JSON body that `body` checks, because the services behind it take values, not bodies. */
export function operatorEndpoint<const Path extends string, Body extends z.ZodType, Answer extends z.ZodType>({
  body,
  fails = [],
  ...definition
}: Definition<Path, Body, Answer>): Endpoint<Actor, Path, Body, Answer> {
  return defineEndpoint({
    ...definition,
    scopes: ["operator"],
    input: jsonInput(body),
    fails,
  });
}

/** The tenant that an operator names in a body. */
export const tenantId = uuidField;

/** Returns the operator as an actor in one tenant. @throws CoreError NOT_FOUND with message `TenantNotFound` */
export async function actorIn(services: RestServices, operator: Actor, tenant: string): Promise<TenantActor> {
  const record = await services.tenants.find(tenant);
  if (!record) throw new CoreError("NOT_FOUND", "TenantNotFound");
  return { ...operator, tenant_id: record.tenant_id };
}
