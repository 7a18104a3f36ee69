import { hangingEndpoints } from "./webhook-receivers.mjs";

export { environment } from "./webhook-receivers.mjs";

export const title = "twenty webhook endpoints each of two tenants that answer after 14 seconds";

export const { prepare, attack, honest } = hangingEndpoints(14_000);
