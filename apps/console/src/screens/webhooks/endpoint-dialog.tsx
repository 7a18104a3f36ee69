import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { labelled, useWords } from "../../language/language.js";
import { ConfirmChange, FormDialog, type FormValues } from "../../listing/form-dialog.js";
import { linesOf } from "../../listing/lines-of.js";
import { listWords } from "../../listing/list-words.js";
import { ShownOnce } from "../../listing/shown-once.js";
import { showToast } from "../../parts/toast.js";
import type { Endpoint } from "./endpoint-state.js";
import { webhookWords } from "./words.js";

export type EndpointAction =
  | { readonly what: "add" }
  | {
      readonly what: "change" | "rotate" | "replay" | "disable" | "enable" | "delete";
      readonly endpoint: Endpoint;
    };

/** The actions on an endpoint, each in its own dialog. */
export function EndpointDialog({ doing, onClose }: { readonly doing: EndpointAction; readonly onClose: () => void }) {
  const words = useWords(webhookWords);
  const general = useWords(listWords);
  const [secret, setSecret] = useState<string | null>(null);
  const endpoints = useAnswer("/events/v1/list-endpoints", {}).data?.items ?? [];
  if (secret !== null)
    return <ShownOnce title={words.secretTitle} texts={[{ label: words.secret, text: secret }]} onClose={onClose} />;
  // As the page shows it now, which may be newer than when the dialog was opened.
  const endpoint =
    doing.what === "add" ? null : (endpoints.find(({ id }) => id === doing.endpoint.id) ?? doing.endpoint);
  const fields = [
    { name: "url", label: words.address, hint: words.urlHint, initial: endpoint?.url ?? "", isRequired: true },
    {
      name: "types",
      label: words.types,
      kind: "events" as const,
      initial: endpoint?.types.join("\n") ?? "*",
      isRequired: true,
    },
    {
      name: "labels",
      label: words.labels,
      hint: words.labelsHint,
      kind: "lines" as const,
      initial: labelLines(endpoint?.labels ?? {}),
    },
    { name: "description", label: words.description, initial: endpoint?.description ?? "" },
  ];
  if (endpoint === null)
    return (
      <FormDialog
        {...{ title: words.add, action: words.addAction, fields, onClose }}
        path="/events/v1/create-endpoint"
        bodyOf={settingsOf}
        onDone={(answer) => setSecret(answer.secret)}
      />
    );
  const { id, url, version } = endpoint;
  switch (doing.what) {
    case "change":
      return (
        <FormDialog
          {...{ title: words.change, action: general.save, fields, version, onClose }}
          path="/events/v1/update-endpoint"
          bodyOf={(values) => ({ id, ...settingsOf(values) })}
        />
      );
    case "rotate":
      return (
        <ConfirmChange
          {...{ title: words.rotate, action: words.rotate, look: "first", onClose }}
          path="/events/v1/rotate-secret"
          body={{ id }}
          onDone={(answer) => setSecret(answer.secret)}
          effects={[words.rotateText]}
        />
      );
    case "replay":
      return (
        <FormDialog
          {...{ title: words.replay, lead: words.replayLead, action: words.replay, onClose }}
          path="/events/v1/replay"
          fields={[
            { name: "since", label: words.since, hint: "2026-11-22" },
            { name: "until", label: words.until },
            { name: "types", label: words.types, kind: "events", initial: "*", isRequired: true },
          ]}
          bodyOf={({ since, until, types }) => ({
            endpoint_id: id,
            ...(since && { since }),
            ...(until && { until }),
            types: linesOf(types),
          })}
          onDone={({ queued, next_after }) => {
            showToast(words.replayed(queued, next_after !== null));
            onClose();
          }}
        />
      );
    case "delete":
      return (
        <ConfirmChange
          {...{ title: words.deleteTitle, action: words.delete, typed: hostOf(url), onClose }}
          path="/events/v1/delete-endpoint"
          body={{ id }}
          effects={[labelled(url, words.deleteText)]}
        />
      );
    default: {
      const enabled = doing.what === "enable";
      return (
        <ConfirmChange
          title={enabled ? general.enable : general.disable}
          action={enabled ? general.enable : general.disable}
          look={enabled ? "first" : "ends"}
          path="/events/v1/update-endpoint"
          body={{ id, enabled }}
          onClose={onClose}
          effects={[enabled ? words.enableText : words.disableText]}
        />
      );
    }
  }
}

function settingsOf({ url = "", types, labels, description }: FormValues) {
  return {
    url: url.trim(),
    types: linesOf(types),
    labels: Object.fromEntries(
      linesOf(labels).map((line) => {
        const [key = "", ...value] = line.split(":");
        return [key.trim(), value.join(":").trim()];
      }),
    ),
    description: description?.trim() || null,
  };
}

function labelLines(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => labelled(key, value))
    .join("\n");
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
