import type { Uuid } from "@org/core";
import type { Passkey, Person, PersonSession, SavedView } from "@org/people";
import type { Generated } from "kysely";

type PeopleRow = Omit<Person, "identity" | "seen_at" | "invited_until" | "ended_at"> & {
  issuer: string | null;
  subject: string | null;
  invitation_hash: string | null;
  invitation_expires_at: Date | null;
  seen_at: Generated<Date | null>;
  ended_at: Generated<Date | null>;
  let_go_at: Generated<Date | null>;
};

/** Tables of people. */
export interface PeopleTables {
  people: PeopleRow;
  people_passkeys: Omit<Passkey, "counter" | "transports"> & { tenant_id: Uuid; counter: string; transports: string[] };
  people_recovery_codes: { tenant_id: Uuid; person_id: Uuid; code_hash: string };
  people_sessions: PersonSession & { id_token_hint: string | null };
  people_views: Pick<SavedView, "screen" | "name"> & {
    tenant_id: Uuid;
    person_id: Uuid;
    view: Pick<SavedView, "search" | "columns">;
  };
  people_ceremonies: { tenant_id: Generated<Uuid>; ceremony_id: Uuid; expires_at: Date };
}
