import type { OAuthEndpoint } from "../http/endpoint.js";
import { type Form, readForm } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { RequestRecorder } from "./request-recorder.js";
import type { TokenRequest } from "./token-context.js";

/**
 * An endpoint to which programs `POST` a form. Every refusal is recorded, including that of an unreadable form.
 * @param answer returns the body of the answer, if it has one; its status is 200
 */
export function formEndpoint(
  recorder: RequestRecorder,
  answer: (form: Form, authorization: string | undefined, request: TokenRequest) => Promise<object | undefined>,
): OAuthEndpoint {
  return {
    async answer(exchange, limits) {
      const request = recorder.begin(exchange);
      const { authorization } = exchange.request.headers;
      let form: Form | undefined;
      try {
        form = await readForm(exchange.request, limits);
        const body = await answer(form, authorization, request);
        return body === undefined ? { status: 200 } : { status: 200, body };
      } catch (error) {
        if (error instanceof OAuthError) request.refused(error, form);
        throw error;
      }
    },
  };
}
