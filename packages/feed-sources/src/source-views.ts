import { contentVersion } from "@org/core";
import { maskSettings } from "@org/provider-kit";
import type { HeldFileIssue } from "./held-findings.js";
import type { FileRecord, HeldFile, RouteRecord, SourceRecord, TokenRecord } from "./ports/source-store.js";
import { type Route, routeSchema } from "./routing.js";
import { type SourceSettings, storedSettingsSchema } from "./source-settings.js";

/** A source as operators see it; times are RFC 3339. */
export function sourceView(record: SourceRecord) {
  const { source, kind, is_enabled, due_at, attempted_at, succeeded_at, failures, last_error } = record;
  return {
    source,
    kind,
    enabled: is_enabled,
    failures,
    last_error,
    changed_at: record.changed_at.toISOString(),
    due_at: timeOf(due_at),
    attempted_at: timeOf(attempted_at),
    succeeded_at: timeOf(succeeded_at),
  };
}

/** A source with its settings; each secret is shown as `"set"`. */
export function sourceDetails(record: SourceRecord, settings: SourceSettings) {
  const version = sourceVersion(record);
  return {
    ...sourceView(record),
    version,
    settings: maskSettings(storedSettingsSchema, settings) as Record<string, unknown>,
  };
}

/** Identifies settings by the time they were set, since they contain secrets. Runs do not change the version. */
export function sourceVersion({ changed_at, is_enabled }: SourceRecord): number {
  return contentVersion(changed_at, is_enabled);
}

/** A rule with its id. */
export function routeView({ route_id, source, rule, created_at }: RouteRecord) {
  const { when, to }: Route = routeSchema.parse(rule);
  return { route_id, source, when, to, created_at: created_at.toISOString() };
}

/** A token as an operator sees it, without the token itself. */
export function tokenView({ token_id, source, name, created_at, expires_at }: TokenRecord) {
  return { token_id, source, name, created_at: created_at.toISOString(), expires_at: timeOf(expires_at) };
}

/** A file that arrived. */
export function fileView({ modified_at, came_at, settled_at, ...file }: FileRecord) {
  return {
    ...file,
    modified_at: timeOf(modified_at),
    came_at: came_at.toISOString(),
    settled_at: settled_at.toISOString(),
  };
}

/** A held file with its findings. */
export function heldView({ sealed_findings: _, held_until, ...file }: HeldFile, findings: readonly HeldFileIssue[]) {
  return { ...fileView(file), held_until: held_until.toISOString(), findings: findingsView(findings) };
}

/** Findings as mutable lists. */
export function findingsView(findings: readonly HeldFileIssue[]) {
  return findings.map(({ proposals, lack, ...finding }) => ({
    ...finding,
    cause: lack ?? ("content" as const),
    proposals: [...proposals],
  }));
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
