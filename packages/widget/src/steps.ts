import type { CustomerSessions } from "@org/core";
import { type Form, type FormFault, readFields } from "./forms.js";
import type { StepName } from "./routes.js";
import type { Visit } from "./visit.js";

/**
 * What posting a form does. Returns what is wrong with the form, or the secret of a browser that has just become the owner.
 * A CoreError of the service goes through.
 */
export type Step = (visit: Visit, form: Form) => Promise<{ faults?: readonly FormFault[]; owner?: string }>;

/** The steps by the name under which their forms are posted: `/connect/<link>/<name>`. */
export function createSteps(sessions: CustomerSessions): Readonly<Record<StepName, Step>> {
  return {
    async continue({ link, owner, traceId }) {
      return (await sessions.claim(link, owner, traceId)) ?? {};
    },
    async bank({ link, owner }, form) {
      const read = readFields(form, ["connector_id"]);
      if ("faults" in read) return read;
      await sessions.chooseBank(link, owner, read.values.connector_id);
      return {};
    },
    async "change-bank"({ link, owner }) {
      await sessions.changeBank(link, owner);
      return {};
    },
    async credentials({ link, owner, traceId }, form) {
      const view = await sessions.view(link, owner);
      const asked = view.kind === "owned" ? view.credential_fields.map(({ name }) => name) : [];
      const read = readFields(form, asked.length > 0 ? asked : (["username", "password"] as const));
      if ("faults" in read) return read;
      const typed: Partial<Record<"username" | "password", string>> = read.values;
      const credentials = { username: typed.username ?? "", password: typed.password ?? "" };
      await sessions.submitCredentials(link, owner, credentials, traceId);
      return {};
    },
    async answer({ link, owner, traceId }, form) {
      const read = readFields(form, ["answer"]);
      if ("faults" in read) return read;
      await sessions.submitAnswer(link, owner, read.values.answer, traceId);
      return {};
    },
    /** On the first page nobody owns the session yet: who declines there becomes the owner of a cancelled one. */
    async cancel({ link, owner, traceId }) {
      const view = await sessions.view(link, owner);
      const claimed = view.kind === "unclaimed" ? await sessions.claim(link, owner, traceId) : null;
      await sessions.abort(link, claimed?.owner ?? owner, traceId);
      return claimed ?? {};
    },
  };
}
