/// <reference path="./sql-text.d.ts" />
import roles from "../sql/0001_roles.sql";
import environment from "../sql/0002_environment.sql";
import connections from "../sql/0003_connections.sql";
import snapshots from "../sql/0004_snapshots.sql";
import dataReads from "../sql/0005_data_reads.sql";
import dataSearches from "../sql/0006_data_searches.sql";
import letters from "../sql/0007_letters.sql";
import auditLog from "../sql/0008_audit_log.sql";
import oauth from "../sql/0009_oauth.sql";
import authorization from "../sql/0010_authorization.sql";
import operation from "../sql/0011_operation.sql";
import refreshes from "../sql/0012_refreshes.sql";
import lettersAtScale from "../sql/0013_letters_at_scale.sql";
import letterMail from "../sql/0014_letter_mail.sql";
import dataFeeds from "../sql/0015_data_feeds.sql";
import challengeLooks from "../sql/0016_challenge_looks.sql";
import feedArrivals from "../sql/0017_feed_arrivals.sql";
import loginLeases from "../sql/0018_login_leases.sql";
import auditChain from "../sql/0019_audit_chain.sql";
import tenantLimits from "../sql/0020_tenant_limits.sql";
import grantLimits from "../sql/0021_grant_limits.sql";
import cleanUp from "../sql/0022_clean_up.sql";
import fairAuthorization from "../sql/0023_fair_authorization.sql";
import letterDesk from "../sql/0024_letter_desk.sql";
import letterConnections from "../sql/0025_letter_connections.sql";
import customerSessions from "../sql/0026_customer_sessions.sql";
import feedPages from "../sql/0027_feed_pages.sql";
import tenantProfiles from "../sql/0028_tenant_profiles.sql";
import providers from "../sql/0029_providers.sql";
import letterWords from "../sql/0030_letter_words.sql";
import waysBack from "../sql/0031_ways_back.sql";
import fetchStates from "../sql/0032_fetch_states.sql";
import facts from "../sql/0033_facts.sql";
import movements from "../sql/0034_movements.sql";
import accounts from "../sql/0035_accounts.sql";
import refreshShares from "../sql/0036_refresh_shares.sql";
import feedSources from "../sql/0037_feed_sources.sql";
import feedDifferences from "../sql/0038_feed_differences.sql";
import feedMappings from "../sql/0039_feed_mappings.sql";
import events from "../sql/0040_events.sql";
import waitingFiles from "../sql/0041_waiting_files.sql";
import eventOrigins from "../sql/0042_event_origins.sql";
import feedKeys from "../sql/0043_feed_keys.sql";
import webhooks from "../sql/0044_webhooks.sql";
import sessionWords from "../sql/0045_session_words.sql";
import trustedIssuers from "../sql/0046_trusted_issuers.sql";
import people from "../sql/0047_people.sql";
import wholeStatements from "../sql/0048_whole_statements.sql";
import connectionDesk from "../sql/0049_connection_desk.sql";
import letterPages from "../sql/0050_letter_pages.sql";
import workQueue from "../sql/0051_work_queue.sql";
import peopleUpkeep from "../sql/0052_people_upkeep.sql";
import recoveryByCode from "../sql/0053_recovery_by_code.sql";
import documentBucket from "../sql/0054_document_bucket.sql";
import webhookFailures from "../sql/0055_webhook_failures.sql";
import personGrants from "../sql/0056_person_grants.sql";
import grantsByExpiryDay from "../sql/0057_grants_by_expiry_day.sql";
import connectionPages from "../sql/0058_connection_pages.sql";
import idTokenHints from "../sql/0059_id_token_hints.sql";
import lettersForFiles from "../sql/0060_letters_for_files.sql";
import logsOfTenants from "../sql/0061_logs_of_tenants.sql";
import pagesOverManyConnections from "../sql/0062_pages_over_many_connections.sql";
import onlyOfTenants from "../sql/0063_only_of_tenants.sql";
import grantsTogether from "../sql/0064_grants_together.sql";
import publications from "../sql/0065_publications.sql";
import letterSearches from "../sql/0066_letter_searches.sql";
import sameTransactions from "../sql/0067_same_transactions.sql";
import pendingFiles from "../sql/0068_pending_files.sql";
import contract from "../sql/contract.sql";

/** The migrations in order; the number of one is its place, from 1. Once released, a file is never changed. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: "0001_roles", sql: roles },
  { name: "0002_environment", sql: environment },
  { name: "0003_connections", sql: connections },
  { name: "0004_snapshots", sql: snapshots },
  { name: "0005_data_reads", sql: dataReads },
  { name: "0006_data_searches", sql: dataSearches },
  { name: "0007_letters", sql: letters },
  { name: "0008_audit_log", sql: auditLog },
  { name: "0009_oauth", sql: oauth },
  { name: "0010_authorization", sql: authorization },
  { name: "0011_operation", sql: operation },
  { name: "0012_refreshes", sql: refreshes },
  { name: "0013_letters_at_scale", sql: lettersAtScale },
  { name: "0014_letter_mail", sql: letterMail },
  { name: "0015_data_feeds", sql: dataFeeds },
  { name: "0016_challenge_looks", sql: challengeLooks },
  { name: "0017_feed_arrivals", sql: feedArrivals },
  { name: "0018_login_leases", sql: loginLeases },
  { name: "0019_audit_chain", sql: auditChain },
  { name: "0020_tenant_limits", sql: tenantLimits },
  { name: "0021_grant_limits", sql: grantLimits },
  { name: "0022_clean_up", sql: cleanUp },
  { name: "0023_fair_authorization", sql: fairAuthorization },
  { name: "0024_letter_desk", sql: letterDesk },
  { name: "0025_letter_connections", sql: letterConnections },
  { name: "0026_customer_sessions", sql: customerSessions },
  { name: "0027_feed_pages", sql: feedPages },
  { name: "0028_tenant_profiles", sql: tenantProfiles },
  { name: "0029_providers", sql: providers },
  { name: "0030_letter_words", sql: letterWords },
  { name: "0031_ways_back", sql: waysBack },
  { name: "0032_fetch_states", sql: fetchStates },
  { name: "0033_facts", sql: facts },
  { name: "0034_movements", sql: movements },
  { name: "0035_accounts", sql: accounts },
  { name: "0036_refresh_shares", sql: refreshShares },
  { name: "0037_feed_sources", sql: feedSources },
  { name: "0038_feed_differences", sql: feedDifferences },
  { name: "0039_feed_mappings", sql: feedMappings },
  { name: "0040_events", sql: events },
  { name: "0041_waiting_files", sql: waitingFiles },
  { name: "0042_event_origins", sql: eventOrigins },
  { name: "0043_feed_keys", sql: feedKeys },
  { name: "0044_webhooks", sql: webhooks },
  { name: "0045_session_words", sql: sessionWords },
  { name: "0046_trusted_issuers", sql: trustedIssuers },
  { name: "0047_people", sql: people },
  { name: "0048_whole_statements", sql: wholeStatements },
  { name: "0049_connection_desk", sql: connectionDesk },
  { name: "0050_letter_pages", sql: letterPages },
  { name: "0051_work_queue", sql: workQueue },
  { name: "0052_people_upkeep", sql: peopleUpkeep },
  { name: "0053_recovery_by_code", sql: recoveryByCode },
  { name: "0054_document_bucket", sql: documentBucket },
  { name: "0055_webhook_failures", sql: webhookFailures },
  { name: "0056_person_grants", sql: personGrants },
  { name: "0057_grants_by_expiry_day", sql: grantsByExpiryDay },
  { name: "0058_connection_pages", sql: connectionPages },
  { name: "0059_id_token_hints", sql: idTokenHints },
  { name: "0060_letters_for_files", sql: lettersForFiles },
  { name: "0061_logs_of_tenants", sql: logsOfTenants },
  { name: "0062_pages_over_many_connections", sql: pagesOverManyConnections },
  { name: "0063_only_of_tenants", sql: onlyOfTenants },
  { name: "0064_grants_together", sql: grantsTogether },
  { name: "0065_publications", sql: publications },
  { name: "0066_letter_searches", sql: letterSearches },
  { name: "0067_same_transactions", sql: sameTransactions },
  { name: "0068_pending_files", sql: pendingFiles },
];

/** What servers of the version before still need, and nobody else: taken away when they are gone. May be run any number of times. */
export const contraction: string = contract;
