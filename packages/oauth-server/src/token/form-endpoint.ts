import type { IncomingMessage } from "node:http";
import type { Answer, Endpoint } from "../http/endpoint.js";
import { type BodyLimits, type Form, readForm } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { RequestRecorder } from "./request-recorder.js";
import type { TokenRequest } from "./token-context.js";

/** `POST` of a form by a program. Every refusal is recorded, also that of a form that cannot be read. */
export function formEndpoint(
  { recorder, limits, anyOrigin }: { recorder: RequestRecorder; limits: BodyLimits; anyOrigin: boolean },
  answer: (form: Form, authorization: string | undefined, request: TokenRequest) => Promise<Answer>,
): Endpoint {
  return {
    method: "POST",
    anyOrigin,
    async answer(req: IncomingMessage) {
      const request = recorder.begin(req);
      let form: Form | undefined;
      try {
        form = await readForm(req, limits);
        return await answer(form, req.headers.authorization, request);
      } catch (error) {
        if (error instanceof OAuthError) request.refused(error, form);
        throw error;
      }
    },
  };
}
