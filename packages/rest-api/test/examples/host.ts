import { createServer } from "node:http";
import { createRestApi, type RestServices } from "@org/rest-api";

/** Serves the REST API on a free local port, for one application with one token. */
export function serve(services: RestServices, tenantId: string, token: string) {
  const principal = {
    application_id: "019b0000-0000-7000-8000-000000000001",
    client_id: "wca_example",
    tenant_id: tenantId,
    scopes: new Set(["connections:read", "connections:write"]),
    grant_id: "019b0000-0000-7000-8000-000000000002",
  };
  const restApi = createRestApi({
    services,
    authenticate({ headers: { authorization } }) {
      if (!authorization?.startsWith("Bearer ")) return { refusal: "missing" };
      return authorization === `Bearer ${token}` ? { principal } : { refusal: "invalid" };
    },
    publicUrl: "http://localhost:3000",
    allowedOrigins: [],
    letterMaxBytes: 10_485_760,
    clock: () => new Date(),
    log: { error: (fields, message) => console.error(message, fields) },
  });
  return createServer((request, response) => restApi(request, response)).listen(0, "127.0.0.1");
}
