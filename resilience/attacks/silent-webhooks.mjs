import { hangingEndpoints } from "./webhook-receivers.mjs";

export { environment } from "./webhook-receivers.mjs";

export const title = "twenty webhook endpoints each of two tenants that never answer";

export const { prepare, attack, honest } = hangingEndpoints(null);
