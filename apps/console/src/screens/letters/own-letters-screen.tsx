import { hasEnded, letterStatuses as statuses } from "@org/letter-lifecycle";
import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { usePages } from "../../api/pages.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { useBeginning } from "../../listing/beginning.js";
import { nameWithClient } from "../../listing/client-name.js";
import { clientWords } from "../../listing/client-words.js";
import { DeletionEffects } from "../../listing/deletion-effects.js";
import { TypedFilter } from "../../listing/filter-bar.js";
import { listWords } from "../../listing/list-words.js";
import { Nothing } from "../../listing/nothing.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { DataTable } from "../../parts/data-table.js";
import { SelectField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { FilterText } from "./filter-text.js";
import { labelIn } from "./letter-filters.js";
import { badgeTone, letterTerms } from "./letter-terms.js";
import { SubmitLetter } from "./submit-letter.js";
import { lettersWords } from "./words.js";

type OwnLetter = AnswerOf<"/letters/v1/search-letters">["items"][number];

/** A tenant's own letters: their status, creating one, cancelling one. */
export default function OwnLettersScreen() {
  const { all, retry } = useWords(listWords);
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  const whose = useWords(clientWords);
  const { may } = usePerson();
  const { search, setSearch } = useAddress();
  const label = labelIn(search.label);
  const status = statuses.find((one) => one === search.status);
  const found = usePages("/letters/v1/search-letters", {
    query: {
      ...(search.client && { client_ref_in: [search.client] }),
      ...(label && { labels: { [label[0]]: label[1] } }),
      ...(status && { status_in: [status] }),
    },
    page_size: 100,
  });
  const names = new Map(
    (useAnswer("/letters/v1/list-connectors", {}).data?.items ?? []).map(({ id, name }) => [id, name]),
  );
  const [isSubmitting, setSubmitting] = useBeginning("submit");
  const [ending, setEnding] = useState<OwnLetter | null>(null);
  const discontinue = useChange("/letters/v1/discontinue-letter", {
    changes: ["/data/"],
    onDone() {
      showToast(words.discontinued);
      setEnding(null);
    },
  });
  const nameOf = (letter: OwnLetter) => nameWithClient(letter, names.get(letter.connector_id) ?? letter.connector_id);
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
        <TypedFilter
          label={whose.client}
          kind="client"
          value={search.client ?? ""}
          onChange={(client) => setSearch({ client })}
        />
        <FilterText name="label" label={words.label} placeholder={words.labelForm} />
        <SelectField
          label={terms.status}
          value={status ?? ""}
          options={[{ value: "", label: all }, ...statuses.map((one) => ({ value: one, label: terms.statuses[one] }))]}
          onChange={(one) => setSearch({ status: one }, true)}
        />
      </search>
      <Problem problem={found.error}>
        <Button onClick={found.retry}>{retry}</Button>
      </Problem>
      {found.isPending && !found.error && <Loading lines={6} />}
      {!found.isPending && !found.error && found.table.count === 0 && (
        <Nothing
          empty={{ title: words.noneYet, text: words.ownNoneText }}
          clear={search.client || label || status ? () => setSearch({ client: "", label: "", status: "" }) : null}
        />
      )}
      {found.table.count > 0 && (
        <DataTable
          caption={words.title}
          {...found.table}
          keyOf={({ id }) => id}
          columns={[
            {
              id: "custodian",
              header: terms.custodian,
              cell: (letter) => <Link to={`/letters/${letter.id}`}>{nameOf(letter)}</Link>,
            },
            {
              id: "status",
              header: terms.status,
              cell: (letter) => <Badge tone={badgeTone(letter.status)}>{terms.statuses[letter.status]}</Badge>,
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
            {
              id: "changed",
              header: terms.changed,
              isWideOnly: true,
              cell: ({ updated_at }) => <Moment at={updated_at} />,
            },
            ...(mayWork
              ? [
                  {
                    id: "end",
                    header: "",
                    cell: (letter: OwnLetter) =>
                      hasEnded(letter.status) ? null : (
                        <Button
                          look="ends"
                          aria-label={labelled(words.discontinue, nameOf(letter))}
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
      {isSubmitting && <SubmitLetter connectors={names} onClose={() => setSubmitting(false)} />}
      {ending && (
        <Confirm
          title={words.discontinueTitle}
          action={words.discontinue}
          typed={names.get(ending.connector_id) ?? ending.connector_id}
          isBusy={discontinue.isPending}
          problem={discontinue.error}
          onConfirm={() => discontinue.mutate({ letter_id: ending.id })}
          onClose={() => setEnding(null)}
          effects={[words.discontinueText]}
        >
          <DeletionEffects of={{ letter_id: ending.id }} />
        </Confirm>
      )}
    </Screen>
  );
}
