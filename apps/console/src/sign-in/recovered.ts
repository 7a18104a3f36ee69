import { createStored } from "../shell/stored.js";

/** Whether the person came in by a recovery code, and has not been offered a new passkey yet. */
export const recovered = createStored(false);
