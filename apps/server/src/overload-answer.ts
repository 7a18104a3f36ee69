import type { OutgoingHttpHeaders } from "node:http";
import type { ReachedLimit } from "@org/admission";
import { limitReached } from "@org/core";
import { answerText, anyOriginHeaders, type Exchange, limitSentence, retryAfter } from "@org/http";

/**
 * Answers a request that admission control has refused, in the envelope of its family of routes. It is cheap: it reads nothing of the
 * request, and queries nothing.
 */
export function answerOverloaded(exchange: Exchange, limit: ReachedLimit, now: Date): void {
  const family = exchange.route?.family;
  const status = limit.isOwnShare ? 429 : 503;
  const headers: OutgoingHttpHeaders = {
    ...retryAfter(limit.retryAfterSeconds),
    // OAuth's endpoints allow every origin.
    ...(family === "oauth" ? anyOriginHeaders : {}),
  };
  exchange.note({ limit: limit.name });
  const [type, text] = isForPeople(family)
    ? ["text/html; charset=utf-8", pageOf(limit)]
    : ["application/json; charset=utf-8", overloadedMessage(exchange, limit, now)];
  answerText(exchange.response, status, type, text, headers);
}

/** The same as JSON, for when the memory for answers is full because clients do not read them. */
export function overloadedMessage(exchange: Exchange, limit: ReachedLimit, now: Date): string {
  return JSON.stringify(bodyOf(exchange, limit, now));
}

function isForPeople(family = ""): boolean {
  return ["authorization-pages", "widget", "sandbox", "front-page"].includes(family);
}

function bodyOf({ traceId, route }: Exchange, limit: ReachedLimit, now: Date): object {
  const message = wordsOf(limit);
  const details = [limitReached({ limit, retryAfterSeconds: limit.retryAfterSeconds }, now)];
  const code = limit.isOwnShare ? "RATE_LIMITED" : "UNAVAILABLE";
  switch (route?.family) {
    case "mcp":
      return {
        jsonrpc: "2.0",
        error: { code: -32000, message, data: { details } },
        id: null,
      };
    case "oauth":
      return { error: "temporarily_unavailable", error_description: message };
    case "letters":
    case "data":
    case "operator":
      return { success: false, error: { code, details, message }, trace_id: traceId };
    case "connect":
      return { success: false, error: { code: limit.isOwnShare ? "RateLimited" : "Unavailable", details, message } };
    default:
      return { error: message };
  }
}

function wordsOf(limit: ReachedLimit): string {
  return limitSentence(
    limit.isOwnShare ? "this is more than one caller's share" : "the server is at its capacity",
    limit,
  );
}

/** A page for people that reloads automatically, but never repeats a form. */
function pageOf({ retryAfterSeconds }: ReachedLimit): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${retryAfterSeconds}"><title>Busy</title><h1>Too many people are here at once</h1><p>This page tries again in ${retryAfterSeconds} seconds.</p></html>`;
}
