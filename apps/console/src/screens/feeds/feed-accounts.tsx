import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Empty } from "../../parts/empty.js";
import { TextField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { accountWords } from "./account-words.js";
import { isTarget, type Target, TargetFields } from "./target-fields.js";
import { feedsWords } from "./words.js";

/** The accounts in a connection's files, and the differences between its statements. */
export function FeedAccounts() {
  const words = useWords(feedsWords);
  const { search, setSearch } = useAddress();
  const of = search.of ?? "";
  const [target, setTarget] = useState<Target>({
    kind: search.kind === "connection" ? "connection_id" : "letter_id",
    id: of,
  });
  return (
    <>
      <TargetFields
        target={target}
        onChange={(next) => {
          setTarget(next);
          setSearch(
            isTarget(next) ? { of: next.id.trim(), kind: next.kind === "letter_id" ? "" : "connection" } : { of: "" },
          );
        }}
      />
      {isTarget({ ...target, id: of }) ? (
        <>
          <Accounts of={of} />
          <Differences key={of} of={of} />
        </>
      ) : (
        <Empty title={words.needsId} />
      )}
    </>
  );
}

function Accounts({ of }: { readonly of: string }) {
  const words = useWords(feedsWords);
  const terms = useWords(accountWords);
  const { may } = usePerson();
  const [portfolio, setPortfolio] = useState("");
  const found = useAnswer("/operator/v1/datafeeds/accounts", { connection_or_letter_id: of });
  const link = useChange("/operator/v1/datafeeds/link-account");
  const unlink = useChange("/operator/v1/datafeeds/unlink-account");
  if (found.error) return <Problem problem={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { accounts } = found.data;
  const mayWork = may("work");
  const reason = !mayWork ? words.readOnly : portfolio.trim() === "" ? terms.portfolioFirst : null;
  return (
    <section>
      <h2>{terms.accountsOf}</h2>
      <Problem problem={link.error ?? unlink.error} />
      {mayWork && <TextField label={terms.portfolioNumber} value={portfolio} onChange={setPortfolio} maxLength={100} />}
      <DataTable
        caption={terms.accountsOf}
        rows={accounts}
        keyOf={({ number, currency }) => `${number} ${currency}`}
        columns={[
          { id: "number", header: terms.account, cell: ({ number, currency }) => `${number} ${currency}` },
          { id: "shown", header: terms.shownIn, cell: ({ shown_in }) => shown_in ?? terms.ownPortfolio },
          { id: "as-of", header: terms.asOf, cell: ({ as_of }) => <Moment at={as_of} />, isWideOnly: true },
          {
            id: "do",
            header: "",
            cell: ({ number, is_cash, shown_in }) =>
              !is_cash ? null : shown_in === null ? (
                <Button
                  reason={reason}
                  aria-label={labelled(terms.link, number)}
                  onClick={() =>
                    link.mutate({ connection_or_letter_id: of, account: number, portfolio: portfolio.trim() })
                  }
                >
                  {terms.link}
                </Button>
              ) : (
                <Button
                  reason={mayWork ? null : words.readOnly}
                  aria-label={labelled(terms.unlink, number)}
                  onClick={() => unlink.mutate({ connection_or_letter_id: of, account: number })}
                >
                  {terms.unlink}
                </Button>
              ),
          },
        ]}
      />
    </section>
  );
}

/** Loaded only on request: it shows a client's positions, and the audit trail records who looked. */
function Differences({ of }: { readonly of: string }) {
  const words = useWords(feedsWords);
  const terms = useWords(accountWords);
  const { may } = usePerson();
  const [isAsked, setAsked] = useState(false);
  const found = useAnswer("/operator/v1/datafeeds/reconcile", { connection_or_letter_id: of }, { enabled: isAsked });
  return (
    <section>
      <h2>{words.differences}</h2>
      {!isAsked && (
        <>
          <p className="quiet">{terms.differencesText}</p>
          <Button reason={may("work") ? null : words.readOnly} onClick={() => setAsked(true)}>
            {terms.showDifferences}
          </Button>
        </>
      )}
      <Problem problem={found.error} onRetry={() => void found.refetch()} />
      {isAsked && found.isPending && !found.error && <Loading />}
      {found.data &&
        [found.data.differences, found.data.gaps, found.data.left_out].every((rows) => rows.length === 0) && (
          <Empty title={terms.noDifferences} />
        )}
      {found.data && found.data.differences.length > 0 && (
        <DataTable
          caption={words.differences}
          rows={found.data.differences}
          keyOf={({ account, to_day, name, isin }) => `${account} ${to_day} ${isin ?? name}`}
          columns={[
            { id: "name", header: terms.holding, cell: ({ name, isin }) => `${name}${isin ? ` (${isin})` : ""}` },
            { id: "account", header: terms.account, cell: ({ account }) => account, isWideOnly: true },
            { id: "days", header: terms.between, cell: ({ from_day, to_day }) => `${from_day} – ${to_day}` },
            {
              id: "expected",
              header: terms.expected,
              isNumeric: true,
              isWideOnly: true,
              cell: ({ expected }) => <Amount value={expected} />,
            },
            {
              id: "stated",
              header: terms.stated,
              isNumeric: true,
              isWideOnly: true,
              cell: ({ stated }) => <Amount value={stated} />,
            },
            {
              id: "difference",
              header: terms.difference,
              isNumeric: true,
              cell: ({ difference }) => <Amount value={difference} />,
            },
          ]}
        />
      )}
      {found.data && found.data.gaps.length > 0 && (
        <DataTable
          caption={terms.gaps}
          rows={found.data.gaps}
          keyOf={({ account, to_day }) => `${account} ${to_day}`}
          columns={[
            { id: "account", header: terms.account, cell: ({ account }) => account },
            { id: "days", header: terms.missingDays, cell: ({ days }) => days.join(", ") },
          ]}
        />
      )}
      {found.data && found.data.left_out.length > 0 && (
        <DataTable
          caption={terms.leftOut}
          rows={found.data.left_out}
          keyOf={({ file, place }) => `${file} ${place}`}
          columns={[
            { id: "file", header: terms.file, cell: ({ file }) => file },
            { id: "place", header: terms.place, cell: ({ place }) => <code>{place}</code> },
            { id: "field", header: terms.field, cell: ({ field }) => field },
          ]}
        />
      )}
    </section>
  );
}
