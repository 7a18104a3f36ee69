import { letterStatuses as statuses } from "@org/letter-lifecycle";
import { useState } from "react";
import { useAnswer, useChange, usePages } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Empty } from "../../parts/empty.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { say } from "../../parts/toast.js";
import { base64Of, FileField } from "./file-field.js";
import { FilterText } from "./filter-text.js";
import { labelIn } from "./letter-filters.js";
import { letterTerms, toneOf } from "./letter-terms.js";
import { lettersWords } from "./words.js";

type OwnLetter = AnswerOf<"/letters/v1/search-letters">["items"][number];

/** A tenant's own letters: where each stands, a new one, the end of one. */
export default function OwnLettersScreen() {
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  const { may } = usePerson();
  const { search, setSearch } = useAddress();
  const label = labelIn(search.label);
  const status = statuses.find((one) => one === search.status);
  const found = usePages("/letters/v1/search-letters", {
    query: { ...(label && { labels: { [label[0]]: label[1] } }), ...(status && { status_in: [status] }) },
    page_size: 100,
  });
  const names = new Map(
    (useAnswer("/letters/v1/list-connectors", {}).data?.items ?? []).map(({ id, name }) => [id, name]),
  );
  const [isSubmitting, setSubmitting] = useState(false);
  const [ending, setEnding] = useState<OwnLetter | null>(null);
  const discontinue = useChange("/letters/v1/discontinue-letter", {
    changes: ["/data/"],
    onDone() {
      say(words.discontinued);
      setEnding(null);
    },
  });
  const mayWork = may("work");
  return (
    <Screen
      title={words.title}
      lead={words.ownLead}
      actions={
        mayWork && (
          <Button look="first" onClick={() => setSubmitting(true)}>
            {words.submit}
          </Button>
        )
      }
    >
      <search className="filters" aria-label={words.filters}>
        <FilterText name="label" label={words.label} placeholder="key=value" />
        <SelectField
          label={terms.status}
          value={status ?? ""}
          options={[{ value: "", label: "–" }, ...statuses.map((one) => ({ value: one, label: terms.statuses[one] }))]}
          onChange={(one) => setSearch({ status: one }, true)}
        />
      </search>
      <Problem problem={found.error} />
      {found.isPending && !found.error && <Loading lines={6} />}
      {found.data && found.rows.length === 0 && <Empty title={label || status ? words.noneFound : words.noneYet} />}
      {found.rows.length > 0 && (
        <DataTable
          caption={words.title}
          rows={found.rows}
          keyOf={({ id }) => id}
          hasMore={found.hasNextPage}
          isLoadingMore={found.isFetchingNextPage}
          onMore={() => void found.fetchNextPage()}
          total={found.total}
          columns={[
            {
              id: "custodian",
              header: terms.custodian,
              cell: ({ connector_id }) => names.get(connector_id) ?? connector_id,
            },
            {
              id: "status",
              header: terms.status,
              cell: (letter) => <Badge tone={toneOf(letter.status)}>{terms.statuses[letter.status]}</Badge>,
            },
            {
              id: "labels",
              header: terms.labels,
              isWideOnly: true,
              cell: ({ labels }) =>
                Object.entries(labels)
                  .map(([key, value]) => `${key}=${value}`)
                  .join(", "),
            },
            {
              id: "observations",
              header: words.observations,
              isWideOnly: true,
              cell: ({ observations }) => observations,
            },
            { id: "changed", header: terms.changed, cell: ({ updated_at }) => <Moment at={updated_at} /> },
            ...(mayWork
              ? [
                  {
                    id: "end",
                    header: "",
                    cell: (letter: OwnLetter) =>
                      ["Cancelled", "Discontinued", "Revoked"].includes(letter.status) ? null : (
                        <Button
                          look="ends"
                          aria-label={`${words.discontinue}: ${names.get(letter.connector_id) ?? letter.connector_id}`}
                          onClick={() => setEnding(letter)}
                        >
                          {words.discontinue}
                        </Button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {isSubmitting && <SubmitLetter names={names} onClose={() => setSubmitting(false)} />}
      {ending && (
        <Confirm
          title={words.discontinueTitle}
          action={words.discontinue}
          typed={names.get(ending.connector_id) ?? ending.connector_id}
          isBusy={discontinue.isPending}
          problem={discontinue.error}
          onConfirm={() => discontinue.mutate({ letter_id: ending.id })}
          onClose={() => setEnding(null)}
        >
          <p>{words.discontinueText}</p>
        </Confirm>
      )}
    </Screen>
  );
}

function SubmitLetter({
  names,
  onClose,
}: {
  readonly names: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}) {
  const words = useWords(lettersWords);
  const [connector, setConnector] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [annex, setAnnex] = useState<File | null>(null);
  const [email, setEmail] = useState("");
  const [label, setLabel] = useState("");
  const submit = useChange("/letters/v1/create-signed", {
    onDone() {
      say(words.submitted);
      onClose();
    },
  });
  const isReady = connector !== "" && file !== null;
  async function send(): Promise<void> {
    if (file === null) return;
    const labels = labelIn(label);
    submit.mutate({
      connector_id: connector,
      data: await base64Of(file),
      ...(annex && { annex: await base64Of(annex) }),
      ...(email.trim() !== "" && { contact_info: { banker_email: email.trim() } }),
      ...(labels && { labels: { [labels[0]]: labels[1] } }),
    });
  }
  return (
    <Dialog title={words.submit} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !submit.isPending) void send();
        }}
      >
        <SelectField
          label={words.connector}
          value={connector}
          fault={faultOf(submit.error, "connector_id")}
          options={[{ value: "", label: words.choose }, ...[...names].map(([value, name]) => ({ value, label: name }))]}
          onChange={setConnector}
        />
        <FileField
          label={words.file}
          accept="application/pdf"
          fault={faultOf(submit.error, "data")}
          onChange={setFile}
        />
        <FileField
          label={words.annex}
          accept="application/pdf"
          fault={faultOf(submit.error, "annex")}
          onChange={setAnnex}
        />
        <TextField
          label={words.bankerEmail}
          type="email"
          value={email}
          fault={faultOf(submit.error, "contact_info.banker_email")}
          onChange={setEmail}
        />
        <TextField label={words.labelsOne} value={label} fault={faultOf(submit.error, "labels")} onChange={setLabel} />
        <Problem problem={submit.error} />
        <div className="actions">
          <Button type="submit" look="first" isBusy={submit.isPending} reason={isReady ? null : words.fileNeeded}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
