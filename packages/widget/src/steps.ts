import type { CustomerSessions, CustomerView } from "@org/core";
import type { CredentialField } from "@org/provider-kit";
import { type FormFault, type PostedForm, readFields } from "./forms.js";
import type { StepName } from "./routes.js";
import { requestOf, type WidgetRequest } from "./visit.js";

/** What posting a form does. CoreErrors of the service are passed on. */
export type Step = (visit: WidgetRequest, form: PostedForm) => Promise<Taken>;

/** Result of a form. */
export interface Taken {
  /** Faults of the form. */
  readonly faults?: readonly FormFault[];
  /** Secret of a browser that has just become the owner. */
  readonly owner?: string;
  /** The bank's own page, where the browser goes next. */
  readonly leads_to?: string;
}

/** Makes the steps, by the name under which their forms are posted: `/connect/<link>/<name>`. */
export function createSteps(sessions: CustomerSessions): Readonly<Record<StepName, Step>> {
  return {
    async continue(visit) {
      const claimed = await sessions.claim(visit.link, visit.owner, requestOf(visit));
      if (claimed) await sessions.autoStart(visit.link, claimed.owner, requestOf(visit));
      return claimed ?? {};
    },
    async bank(visit, form) {
      const { link, owner } = visit;
      const read = readFields(form, ["connector_id"]);
      if ("faults" in read) return read;
      await sessions.chooseBank(link, owner, read.values.connector_id, requestOf(visit));
      return {};
    },
    async "change-bank"(visit) {
      await sessions.changeBank(visit.link, visit.owner, requestOf(visit));
      return {};
    },
    async credentials(visit, form) {
      const { link, owner } = visit;
      const view = await sessions.view(link, owner, requestOf(visit));
      const read = readTyped(form, view.kind === "owned" ? view.credential_fields : []);
      if ("faults" in read) return read;
      await sessions.submitCredentials(link, owner, read.values, requestOf(visit));
      return {};
    },
    async answer(visit, form) {
      const { link, owner } = visit;
      const asked = askedIn(await sessions.view(link, owner, requestOf(visit)));
      const read = asked === null ? readFields(form, ["answer"]) : readTyped(form, asked);
      if ("faults" in read) return read;
      const answer = asked === null ? (read.values.answer ?? "") : read.values;
      await sessions.submitAnswer(link, owner, answer, requestOf(visit));
      return {};
    },
    async redirect(visit) {
      return { leads_to: await sessions.leave(visit.link, visit.owner, requestOf(visit)) };
    },
    async restart(visit) {
      await sessions.restart(visit.link, visit.owner, requestOf(visit));
      return {};
    },
    /** Nobody owns the session on the first page yet: a customer who declines there becomes the owner of a cancelled session. */
    async cancel(visit) {
      const { link, owner } = visit;
      const view = await sessions.view(link, owner, requestOf(visit));
      const claimed = view.kind === "unclaimed" ? await sessions.claim(link, owner, requestOf(visit)) : null;
      await sessions.abort(link, claimed?.owner ?? owner, requestOf(visit));
      return claimed ?? {};
    },
  };
}

/** Returns the fields of an `ask` challenge; null when the bank only asks for a text. */
function askedIn(view: CustomerView): readonly CredentialField[] | null {
  return view.kind === "owned" && view.challenge?.kind === "ask" ? view.challenge.fields : null;
}

/** Reads what was typed into a bank's fields. The service checks all values together; a repeated field is ambiguous and refused here. */
function readTyped(form: PostedForm, asked: readonly CredentialField[]): ReturnType<typeof readFields<string>> {
  const typed = asked.map(({ name }) => [name, form[name] ?? ""] as const);
  const faults = typed.flatMap(([field, value]) => (typeof value === "string" ? [] : [{ field, missing: false }]));
  return faults.length > 0 ? { faults } : { values: Object.fromEntries(typed) as Record<string, string> };
}
