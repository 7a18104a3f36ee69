import { CoreError } from "@org/core";
import type { RegistrationTokens as OAuthRegistrationTokens, RegistrationTokenInfo } from "@org/oauth-server";
import type { RegistrationTokens } from "@org/rest-api";
import { originOf } from "../oauth-administration.js";

/** Lets operators make and withdraw the tokens that registering a client needs where `REGISTRATION` is `token`. */
export function registrationTokens(tokens: OAuthRegistrationTokens): RegistrationTokens {
  return {
    async create(operator, request) {
      const { registration_token, token } = await tokens.create(request, originOf(operator));
      return { registration_token: viewOf(registration_token), token };
    },
    list: async () => (await tokens.list()).map(viewOf),
    async revoke(operator, tokenId) {
      if (!(await tokens.revoke(tokenId, originOf(operator))))
        throw new CoreError("NOT_FOUND", "there is no registration token with this id");
    },
  };
}

function viewOf({ token_id, name, created_at, expires_at }: RegistrationTokenInfo) {
  return { token_id, name, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}
