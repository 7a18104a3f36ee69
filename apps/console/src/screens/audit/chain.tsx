import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { Copyable } from "../../parts/copyable.js";
import { Facts } from "../../parts/facts.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { auditWords } from "./words.js";

/** The head of the audit trail's hash chain, to be stored elsewhere. */
export function Chain() {
  const words = useWords(auditWords);
  const { data, error } = useAnswer("/operator/v1/audit/head", {}, { everyMs: 30_000 });
  if (!data) return error ? <Problem problem={error} /> : <Loading lines={3} />;
  return (
    <>
      <p className="lead">{words.chainLead}</p>
      <Facts
        facts={[
          [words.head, data.sequence],
          [words.hash, <Copyable key="hash" label={words.hash} text={`${data.sequence} ${data.hash}`} />],
          [words.sealed, data.sealed_at && <Moment at={data.sealed_at} look="both" />],
          [words.waiting, data.waiting],
        ]}
      />
    </>
  );
}
