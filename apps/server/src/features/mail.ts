import { createMailDelivery, createMails, type MailReport, type Storage, type TenantAccess } from "@org/core";
import { type Config, createSmtpTransport } from "@org/installation";
import { type Feature, GRACE_MS, type Platform } from "../feature.js";
import { leaseJob } from "../jobs.js";
import type { Logger } from "../log.js";
import { durations, gauges } from "../measures.js";
import { setSpanOutcome } from "../tracing/spans.js";
import { tracedMail } from "../tracing/traced-calls.js";

/** Relays dislike many connections from one sender. */
const PARALLEL = 2;

/** Mail about letters: the operators' view of it, and its delivery where a mail server is configured. */
export function mail({
  config,
  storage,
  runtime,
  log,
  bankOf,
  access,
}: Pick<Platform, "runtime" | "log"> & {
  config: Pick<Config, "mailDelayMs" | "smtp">;
  storage: Storage;
  bankOf: (connectorId: string) => Promise<string | null>;
  access: TenantAccess;
}) {
  const attempts = durations(
    "wealth_connect_mail_seconds",
    "Attempts to send a mail about a letter by kind and outcome",
    ["kind", "outcome"],
    "slow",
  );
  const open = gauges(storage.mailQueue.backlog, [
    {
      name: "wealth_connect_mails_open",
      help: "Mails that wait, failed or are in doubt",
      labelNames: ["state"],
      set(gauge, counts) {
        for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
      },
    },
  ]);
  const delivery =
    config.smtp &&
    createMailDelivery({
      storage,
      runtime,
      access,
      transport: tracedMail(createSmtpTransport(config.smtp), config.smtp),
      bankOf,
      onMail(report) {
        attempts.observe({ kind: report.kind ?? "", outcome: report.outcome }, report.milliseconds);
        setSpanOutcome(report.outcome);
        logMail(log, report);
      },
    });

  const feature: Feature = {
    metrics: [attempts.metric, ...open],
    ...(delivery && {
      jobs: [leaseJob({ name: "mails", claim: delivery.claim, work: delivery.send, parallel: PARALLEL })],
      drain: () => delivery.close(GRACE_MS),
    }),
  };
  return { ...feature, mails: createMails({ storage, runtime, mailDelayMs: config.mailDelayMs }) };
}

/** One log line for each attempt to send a mail, without its address. */
function logMail(log: Logger, { error, ...facts }: MailReport): void {
  if (facts.outcome === "failed" || facts.outcome === "in_doubt") log.warn({ reason: String(error), ...facts }, "mail");
  else if (facts.outcome === "postponed") log.info({ reason: String(error), ...facts }, "mail");
  else log.info(facts, "mail");
}
