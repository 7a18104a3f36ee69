/// <reference path="./sql-text.d.ts" />
import installation from "../sql/0001_installation.sql";
import events from "../sql/0002_events.sql";
import providers from "../sql/0003_providers.sql";
import connections from "../sql/0004_connections.sql";
import snapshots from "../sql/0005_snapshots.sql";
import dataReads from "../sql/0006_data_reads.sql";
import letters from "../sql/0007_letters.sql";
import dataFeeds from "../sql/0008_data_feeds.sql";
import feedSources from "../sql/0009_feed_sources.sql";
import auditTrail from "../sql/0010_audit_trail.sql";
import people from "../sql/0011_people.sql";
import authorization from "../sql/0012_authorization.sql";
import operation from "../sql/0013_operation.sql";
import valuations from "../sql/0014_valuations.sql";
import released from "../sql/released.json" with { type: "json" };

/**
 * The SHA-256 of each migration that was released, by name: `pnpm version:packages` adds those of a release. These files are never changed again;
 * scripts/released-migrations.test.mjs compares them.
 */
export const releasedMigrations: Readonly<Record<string, string>> = released;

/** The migrations in order; a migration's number is its position, from 1. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: "0001_installation", sql: installation },
  { name: "0002_events", sql: events },
  { name: "0003_providers", sql: providers },
  { name: "0004_connections", sql: connections },
  { name: "0005_snapshots", sql: snapshots },
  { name: "0006_data_reads", sql: dataReads },
  { name: "0007_letters", sql: letters },
  { name: "0008_data_feeds", sql: dataFeeds },
  { name: "0009_feed_sources", sql: feedSources },
  { name: "0010_audit_trail", sql: auditTrail },
  { name: "0011_people", sql: people },
  { name: "0012_authorization", sql: authorization },
  { name: "0013_operation", sql: operation },
  { name: "0014_valuations", sql: valuations },
];
