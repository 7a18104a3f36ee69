import type { Actor } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { findingSchema } from "../examination.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** `/operator/v1/doctor`: the server's checks of itself and its installation. */
export const examinationEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/doctor/examine",
    reads: true,
    operation: "examineInstallation",
    summary: "Examine the installation: settings, database, roles, keys, catalogue",
    order: "as the summary names them",
    description: "With the settings and the database login of the server that answers. Nothing is changed.",
    body: z.strictObject({}),
    output: z.object({ items: z.array(findingSchema) }),
    handle: async ({ examination }) => ({ items: await examination.examine() }),
  }),
] as const satisfies readonly Endpoint<Actor>[];
