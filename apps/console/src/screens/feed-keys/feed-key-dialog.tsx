import type { ReactNode } from "react";
import { useAnswer } from "../../api/answers.js";
import { labelled, useWords } from "../../language/language.js";
import { ConnectorName } from "../../listing/connector-field.js";
import { FormDialog, type FormField, type FormValues } from "../../listing/form-dialog.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { SteppedDialog } from "../../listing/stepped-dialog.js";
import { Button } from "../../parts/button.js";
import { Copyable } from "../../parts/copyable.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { saveFile } from "../letters/export-letters.js";
import { feedKeyWords } from "./words.js";

export type FeedKey = RowOf<"/operator/v1/feed-keys/list">;

/** An action on PGP keys, or on one of them. */
export type FeedKeyAction =
  | { readonly what: "generate" | "import" | "trust" | "require" }
  | { readonly what: "show" | "expire" | "revoke" | "remove"; readonly key: FeedKey };

const HELD = ["/operator/v1/sources/"];

export function FeedKeyDialog({ doing, onClose }: { readonly doing: FeedKeyAction; readonly onClose: () => void }) {
  const words = useWords(feedKeyWords);
  const general = useWords(listWords);
  const sources = useAnswer("/operator/v1/sources/list", {}).data?.items ?? [];
  const keys = useAnswer("/operator/v1/feed-keys/list", {}).data;
  const signer: readonly FormField[] = [
    {
      name: "source",
      label: words.ofSource,
      kind: "choice",
      options: [{ value: "", label: "–" }, ...sources.map(({ source }) => ({ value: source, label: source }))],
    },
    { name: "connector_id", label: words.ofConnector, kind: "connector" },
  ];
  const triedAgain = ({ retried, taken }: { readonly retried: number; readonly taken: number }) => {
    showToast(retried === 0 ? words.done : words.triedAgain(retried, taken));
    onClose();
  };
  const shared = { changes: HELD, onClose };
  switch (doing.what) {
    case "show":
      return <PublicKey feedKey={doing.key} onClose={onClose} />;
    case "generate":
      return (
        <FormDialog
          {...{ ...shared, title: words.generate, lead: words.generateText, action: words.generate }}
          path="/operator/v1/feed-keys/generate"
          fields={[
            { name: "name", label: words.ownerName, isRequired: true },
            { name: "email", label: words.email },
            {
              name: "algorithm",
              label: words.algorithm,
              kind: "choice",
              initial: "curve25519",
              options: (["curve25519", "rsa4096"] as const).map((value) => ({ value, label: words.algorithms[value] })),
            },
            { name: "days", label: words.days, hint: words.daysHint, kind: "number", initial: "730" },
          ]}
          bodyOf={({ name = "", email, algorithm, days }) => ({
            name,
            ...(email && { email }),
            algorithm: algorithm === "rsa4096" ? "rsa4096" : "curve25519",
            ...(days && { days: Number(days) }),
          })}
        />
      );
    case "import":
      return (
        <FormDialog
          {...{ ...shared, title: words.import, lead: words.importText, action: words.import }}
          path="/operator/v1/feed-keys/import"
          fields={[
            { name: "private_key", label: words.privateKey, kind: "lines", isRequired: true },
            { name: "passphrase", label: words.passphrase, kind: "secret" },
          ]}
          bodyOf={({ private_key = "", passphrase }) => ({ private_key, ...(passphrase && { passphrase }) })}
          onDone={triedAgain}
        />
      );
    case "trust":
      return (
        <SteppedDialog
          {...{ ...shared, title: words.trust, action: words.trust, onDone: triedAgain }}
          path="/operator/v1/feed-keys/trust"
          steps={[
            {
              title: words.trustSteps.key,
              lead: words.trustText,
              fields: [{ name: "public_key", label: words.publicKey, kind: "lines", isRequired: true }],
            },
            {
              title: words.trustSteps.compare,
              lead: words.compareText,
              fields: [],
              below: ({ public_key = "" }) => <KeyRead publicKey={public_key} />,
            },
            { title: words.trustSteps.files, fields: signer },
          ]}
          bodyOf={(values) => ({ public_key: values.public_key ?? "", ...signerOf(values) })}
        />
      );
    case "require":
      return (
        <FormDialog
          {...{ ...shared, title: words.require, lead: words.requireText, action: general.save }}
          path="/operator/v1/feed-keys/require"
          fields={[...signer, { name: "must_be_signed", label: words.mustBeSigned, kind: "check", initial: "yes" }]}
          bodyOf={(values) => ({
            ...signerOf(values),
            must_be_signed: values.must_be_signed === "yes",
            version: ruleOf(signerOf(values))?.version ?? 0,
          })}
          onDone={triedAgain}
        />
      );
    case "expire":
      return (
        <FormDialog
          {...{ ...shared, action: words.expire, title: labelled(words.expire, nameOf(doing.key)) }}
          lead={words.expireText}
          path="/operator/v1/feed-keys/expire"
          version={versionOf(doing.key)}
          fields={[{ name: "at", label: words.at, hint: words.atHint }, force()]}
          bodyOf={({ at, ...values }) => ({ ...targetOf(doing.key), ...(at && { at }), ...forceOf(values) })}
        />
      );
    case "revoke":
      return (
        <FormDialog
          {...{ ...shared, title: labelled(words.revoke, nameOf(doing.key)), action: words.revoke }}
          lead={words.revokeText}
          path="/operator/v1/feed-keys/revoke"
          version={versionOf(doing.key)}
          fields={[force()]}
          bodyOf={(values) => ({ ...targetOf(doing.key), ...forceOf(values) })}
        />
      );
    case "remove":
      return (
        <FormDialog
          {...{ ...shared, title: labelled(words.remove, nameOf(doing.key)), action: words.remove }}
          lead={doing.key.kind === "own" ? words.removeOwnText : words.removeText}
          path="/operator/v1/feed-keys/remove"
          version={versionOf(doing.key)}
          fields={[force()]}
          bodyOf={(values) => ({ ...targetOf(doing.key), ...forceOf(values) })}
        />
      );
  }

  /** The version that the page shows now, which may be newer than when the dialog was opened. */
  function versionOf(key: FeedKey): number {
    const isSame = (other: FeedKey) => JSON.stringify(targetOf(other)) === JSON.stringify(targetOf(key));
    return (keys?.items.find(isSame) ?? key).version;
  }

  function ruleOf({ source, connector_id }: ReturnType<typeof signerOf>) {
    return keys?.signing.find((rule) => rule.source === source && rule.connector_id === connector_id);
  }

  function force(): FormField {
    return { name: "force", label: words.force, hint: words.forceHint, kind: "check" };
  }
}

/** Whose files a custodian's key signs. */
export function Signs({ connector_id, source }: Pick<FeedKey, "connector_id" | "source">) {
  return connector_id === null ? source : <ConnectorName id={connector_id} />;
}

/** What a key says of itself, before it is trusted. */
function KeyRead({ publicKey }: { readonly publicKey: string }) {
  const words = useWords(feedKeyWords);
  const general = useWords(listWords);
  const { data, error } = useAnswer("/operator/v1/feed-keys/examine", { public_key: publicKey });
  if (!data) return error ? <Problem problem={error} /> : <Loading lines={4} />;
  const { fingerprint, user_ids, algorithm, created_at, expires_at } = data.key;
  return (
    <Facts
      facts={[
        [words.fingerprint, <code key="fingerprint">{fingerprint.replace(/.{4}(?=.)/g, "$& ")}</code>],
        [general.name, user_ids.join(", ")],
        [words.algorithm, algorithm],
        [general.created, <Moment key="created" at={created_at} look="both" />],
        [general.expires, expires_at && <Moment key="expires" at={expires_at} look="both" />],
      ]}
    />
  );
}

/** A public key: custodians encrypt for it, or their signatures are verified with it. */
function PublicKey({ feedKey, onClose }: { readonly feedKey: FeedKey; readonly onClose: () => void }) {
  const words = useWords(feedKeyWords);
  const general = useWords(listWords);
  const { data, error } = useAnswer("/operator/v1/feed-keys/show", targetOf(feedKey));
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.fingerprint, <Copyable key="fingerprint" label={words.fingerprint} text={feedKey.fingerprint} />],
    [general.name, feedKey.user_ids.join(", ")],
    [words.signs, <Signs key="signs" {...feedKey} />],
    [words.algorithm, feedKey.algorithm],
    [general.created, <Moment key="created" at={feedKey.created_at} look="both" />],
    [general.expires, feedKey.expires_at && <Moment key="expires" at={feedKey.expires_at} look="both" />],
  ];
  return (
    <Dialog title={nameOf(feedKey)} look="wide" onClose={onClose}>
      <Facts facts={facts} />
      <Problem problem={error} />
      {!data && !error && <Loading lines={6} />}
      {data && (
        <>
          <Button
            icon="download"
            onClick={() =>
              saveFile(
                new Blob([data.key.public_key], { type: "application/pgp-keys" }),
                `${feedKey.fingerprint.slice(-16)}.asc`,
              )
            }
          >
            {words.save}
          </Button>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard. */}
          <pre tabIndex={0}>{data.key.public_key}</pre>
        </>
      )}
    </Dialog>
  );
}

function nameOf({ user_ids, fingerprint }: FeedKey): string {
  return user_ids[0] ?? fingerprint;
}

function targetOf({ fingerprint, connector_id, source }: FeedKey) {
  return { fingerprint, ...(connector_id !== null && { connector_id }), ...(source !== null && { source }) };
}

function signerOf({ source, connector_id }: FormValues) {
  return { ...(source && { source }), ...(connector_id?.trim() && { connector_id: connector_id.trim() }) };
}

function forceOf({ force }: FormValues) {
  return { force: force === "yes" };
}
