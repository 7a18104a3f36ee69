import { letterEvents } from "@org/letter-lifecycle";

/** What can be done to a letter while it keeps its status. */
const letterNotes = ["observe", "correct_details", "correct_contacts", "mail_again", "assign"] as const;

/**
 * Everything that a line of the audit trail can report: the object, then what was done to it. The console has a sentence for each in every
 * language.
 */
export const AUDIT_ACTIONS = [
  // Letters and their mail
  "letter.request",
  "letter.submit",
  ...letterEvents.map((event) => `letter.${event}` as const),
  "letter.undo",
  ...letterNotes.map((note) => `letter.${note}` as const),
  "letter.document",
  "mail.sent",
  "mail.queued",
  "mail.failed",
  "mail.in_doubt",
  "mail.withdrawn",
  "mail.retry",
  "mail.confirm",
  "mail.withdraw",
  "document.move",

  // Connections and their data
  "session.create",
  "session.claim",
  "session.end",
  "session.abort",
  "connection.create",
  "connection.renew",
  "connection.refresh",
  "connection.delete",
  "connection.assign",
  "client.create",
  "client.update",
  "client.delete",
  "data.read",
  "datafeed.ingest",
  "datafeed.reconcile",
  "datafeed.drop-pages",
  "datafeed.pages-overdue",
  "datafeed.pages-deleted",
  "datafeed.link-account",
  "datafeed.unlink-account",
  "feed_mapping.set",
  "feed_mapping.remove",

  // Sources of files and the keys for them
  "source.set",
  "source.remove",
  "source.add-route",
  "source.remove-route",
  "source.show-held",
  "source.drop-held",
  "source.create-token",
  "source.end-token",
  "feed_key.generate",
  "feed_key.import",
  "feed_key.trust",
  "feed_key.expire",
  "feed_key.revoke",
  "feed_key.remove",
  "feed_key.require",

  // Providers, exchange rates, tenants, webhooks
  "provider.set",
  "provider.test",
  "provider.remove",
  "provider.sync",
  "rates.import",
  "tenant.create",
  "tenant.update",
  "tenant.limits",
  "tenant.enabled",
  "tenant.disabled",
  "tenant.delete",
  "webhook.create",
  "webhook.update",
  "webhook.test",
  "webhook.rotate",
  "webhook.replay",
  "webhook.disable",
  "webhook.delete",

  // The work queue
  "work.taken",
  "work.handed_over",
  "work.let_go",
  "work.snoozed",
  "work.woken",

  // People
  "person.invite",
  "person.invite_again",
  "person.join",
  "person.change",
  "person.end",
  "person.sign_in",
  "person.sign_out",
  "person.provider_sign_out",
  "person.add_passkey",
  "person.remove_passkey",
  "person.new_recovery_codes",

  // Applications, grants and sign-in of the authorization server
  "application.created",
  "application.enabled",
  "application.disabled",
  "application.secret_added",
  "application.secret_removed",
  "application.redirect_urls_changed",
  "application.clients_changed",
  "application.dpop_changed",
  "application.scopes_added",
  "client.registered",
  "client.grants_ended",
  "registration_token.created",
  "registration_token.revoked",
  "trusted_issuer.trusted",
  "trusted_issuer.withdrawn",
  "grant.issued",
  "grant.refreshed",
  "grant.replayed",
  "grant.refused",
  "grant.reuse_detected",
  "grant.ended",
  "login.accepted",
  "login.refused",
  "login.ended",
  "authorization.approved",
  "authorization.denied",
  "authorization.refused",

  // Requests that failed by a fault of the server
  "request.failed",
  "request.left_out",

  // Keys
  "signing_key.rotated",
  "signing_key.revoked",
  "server_key.rotate",
  "encryption_key.rewrap",
] as const;

/** One of {@link AUDIT_ACTIONS}. */
export type AuditedAction = (typeof AUDIT_ACTIONS)[number];

/** What can be done to one kind of object, such as `invite` to a `person`. */
export type AuditVerb<Kind extends string, Action = AuditedAction> = Action extends `${Kind}.${infer Verb}`
  ? Verb
  : never;
