import type { ReactNode } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { labelled, useWords } from "../../language/language.js";
import { nameWithClient } from "../../listing/client-name.js";
import { ProviderName } from "../../listing/connector-field.js";
import { useAddress } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import { CopyButton } from "../../parts/copyable.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { Link, LinkHere } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Day, Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { dataWords } from "./data-words.js";
import { formerVersionWords } from "./former-version-words.js";
import { whyWords } from "./why-words.js";
import { connectionWords } from "./words.js";

type Answer = AnswerOf<"/data/v1/why">;
type Version = Answer["versions"][number];

/** A number of a portfolio, holding or transaction that leads to where it comes from: `why` in the address, which {@link Why} answers. */
export function WhyLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const { title } = useWords(whyWords);
  return (
    <LinkHere className="why" title={title} search={{ why: id }}>
      {children}
    </LinkHere>
  );
}

interface Shown {
  /** The day of the numbers on the page, YYYY-MM-DD; today if left out. */
  readonly date?: string;
  /** The currency into which the page converts numbers; null or left out = none. */
  readonly shownIn?: string | null;
}

/** The dialog on the number that the address asks about. A screen with {@link WhyLink}s has one. */
export function Why(shown: Shown) {
  const { search } = useAddress();
  return search.why === undefined ? null : <WhyDialog id={search.why} {...shown} />;
}

function WhyDialog({ id, date, shownIn = null }: Shown & { readonly id: string }) {
  const words = useWords(whyWords);
  const { setSearch } = useAddress();
  const { data, error, refetch } = useAnswer("/data/v1/why", { id, ...(date !== undefined && { date }) });
  return (
    <Dialog title={data?.name ? labelled(words.title, data.name) : words.title} onClose={() => setSearch({ why: "" })}>
      {error ? (
        <Problem problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Found answer={data} shownIn={shownIn} />
      ) : (
        <Loading lines={6} />
      )}
    </Dialog>
  );
}

function Found({ answer, shownIn }: { readonly answer: Answer; readonly shownIn: string | null }) {
  const words = useWords(whyWords);
  const { kept } = useWords(formerVersionWords);
  const { versions, parts } = answer;
  const [first] = versions;
  const isConverted = shownIn !== null && first !== undefined && first.currency !== shownIn;
  return (
    <>
      {!first && <p>{words.none}</p>}
      {first?.current === false && <p className="notice">{words.gone}</p>}
      {isConverted && <p className="hint">{words.converted(shownIn)}</p>}
      {versions.map((version, index) => (
        <section key={`${version.came_at} ${index}`} className="former-version">
          {index > 0 && <h3>{words.before}</h3>}
          <VersionFacts of={answer} version={version} isFirst={index === 0} />
        </section>
      ))}
      {parts.length > 0 && (
        <>
          <p>{words.parts}</p>
          <ul>
            {parts.map((part, index) => (
              <li key={part}>
                <LinkHere search={{ why: part }}>{`${words.account} ${index + 1}`}</LinkHere>
              </li>
            ))}
          </ul>
        </>
      )}
      {first && <p className="hint">{kept}</p>}
    </>
  );
}

function VersionFacts({
  of: { what, date, credentials_token },
  version: { amount, balance, currency, valuation_date, came_at, source },
  isFirst,
}: {
  readonly of: Answer;
  readonly version: Version;
  readonly isFirst: boolean;
}) {
  const words = useWords(whyWords);
  const data = useWords(dataWords);
  const terms = useWords(connectionWords);
  const { params } = useAddress();
  const isElsewhere = params.connectionId !== credentials_token;
  return (
    <Facts
      facts={[
        [
          what === "transaction" ? data.cash : data.balance,
          <Amount key="balance" value={balance} currency={currency} isAsked />,
        ],
        [data.units, amount && <Amount key="units" value={amount} />],
        [what === "transaction" ? data.date : words.positionDate, isFirst ? date && <Day key="day" at={date} /> : null],
        [data.valued, valuation_date && <Day key="valued" at={valuation_date} />],
        [terms.connectionId, isFirst && isElsewhere ? <Whose key="whose" connectionId={credentials_token} /> : null],
        [words.received, <Moment key="came" at={came_at} look="exact" />],
        ...(source.kind === "file" ? fileFacts(source) : providerFacts(source)),
      ]}
    />
  );

  type Fact = readonly [name: string, value: ReactNode];

  function fileFacts({
    name,
    part,
    place,
    format,
    format_version,
    sha256,
  }: Version["source"] & { kind: "file" }): Fact[] {
    const [, mapping] = format.split("mapping:");
    return [
      [words.file, name],
      [words.part, part],
      [words.place, place === null ? words.notKnown : placeIn(place)],
      [words.format, mapping === undefined ? format : labelled(words.mapping, mapping)],
      mapping === undefined
        ? [words.readBy, format_version === null ? words.notKnown : `Wealth Connect ${format_version}`]
        : [words.version, format_version ?? words.notKnown],
      [
        "SHA-256",
        <span key="sha256" className="copyable">
          <code title={sha256}>{sha256.slice(0, 12)}…</code>
          <CopyButton text={sha256} label="SHA-256" />
        </span>,
      ],
    ];
  }

  function providerFacts({ provider, version, read_at }: Version["source"] & { kind: "provider" }): Fact[] {
    return [
      [terms.provider, <ProviderName key="provider" id={provider} />],
      [words.read, <Moment key="read" at={read_at} look="exact" />],
      [words.readBy, version && `Wealth Connect ${version}`],
    ];
  }

  /** The server's place (`line 12, column 3`, `line 4, :60F:`) in the person's language. */
  function placeIn(place: string): string {
    const [line = "", ...rest] = place.split(", ");
    const more = rest.map((one) => one.replace("column ", `${words.column} `));
    return [line.replace("line ", `${words.line} `), ...more].join(", ");
  }
}

/** Bank and client of the connection that a number is of. */
function Whose({ connectionId }: { readonly connectionId: string }) {
  const { data } = useAnswer("/data/v1/search-connections", { query: { connection_id: connectionId } });
  const connection = data?.items[0];
  return connection && <Link to={`/connections/${connectionId}`}>{nameWithClient(connection, connection.bank)}</Link>;
}
