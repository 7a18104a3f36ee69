import { z } from "zod";

/** A string of the settings that is never shown again once it is set: a key, a token, a certificate's private key. */
export function secret(): z.ZodString {
  return z.string().min(1).meta({ secret: true });
}
