import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { useDeliveredTypes } from "../../sentences/event-types.js";
import { useTypeFilter } from "../events/type-filter.js";
import { DeliveryDetails } from "./delivery-details.js";
import { saidError } from "./endpoint-state.js";
import { ResendFailed } from "./resend-failed.js";
import { webhookWords } from "./words.js";

type Own = RowOf<"/events/v1/list-deliveries">;
/** Operators do not see the receiver's answer. */
type Delivery = Omit<Own, "answer"> & { readonly answer?: string | null };

const tones = { pending: "neutral", delivered: "good", failed: "bad", withdrawn: "neutral" } as const;

/** The deliveries to one endpoint. */
export default function DeliveriesScreen() {
  const words = useWords(webhookWords);
  const general = useWords(listWords);
  const families = useDeliveredTypes();
  const byType = useTypeFilter(families);
  const said = new Map<string, string>(families.flatMap(({ types }) => types.map((one) => [one.type, one.said])));
  const { audience, may } = usePerson();
  const { params } = useAddress();
  const id = params.endpointId ?? "";
  const isOperator = audience === "operator";
  const own = useAnswer("/events/v1/list-endpoints", {}, { enabled: !isOperator });
  const all = useAnswer("/operator/v1/webhooks/list", {}, { enabled: isOperator });
  const ofAll = all.data?.items.find((endpoint) => endpoint.id === id);
  const log = ofAll?.tenant_id;
  const host = isOperator ? ofAll?.host : own.data?.items.find((endpoint) => endpoint.id === id)?.url;
  const again = useChange("/events/v1/replay", {
    onDone: ({ queued, next_after }) => showToast(words.replayed(queued, next_after !== null)),
  });
  const test = useChange("/events/v1/test-endpoint", { onDone: () => showToast(words.tested) });
  const [isResending, setResending] = useState(false);
  const filters: readonly Filter[] = [
    {
      kind: "choice",
      name: "state",
      label: general.state,
      options: Object.entries(words.deliveryStates).map(([value, label]) => ({ value, label })),
    },
    byType,
  ];
  const { values, clear } = useFilters(filters);
  const { sort, order, sortsOf } = useOrder({ "-when": "newest", when: "oldest" });
  const body = {
    order,
    query: {
      endpoint_id: id,
      ...(values.state && { state_in: [values.state as Delivery["state"]] }),
      ...(values.type && { type_in: [values.type] }),
    },
  };
  const saidOf = ({ type }: Delivery) => said.get(type) ?? type;
  const resultOf = ({ status, ms, error }: Delivery) =>
    [status, error && saidError(words.errors, error), ms !== null && `${ms} ms`]
      .filter((part) => part !== null && part !== false)
      .join(" · ");
  const factsOf = (delivery: Delivery) => [
    [words.when, <Moment key="when" at={delivery.created_at} look="both" />] as const,
    [general.state, words.deliveryStates[delivery.state]] as const,
    [words.lastTry, <Moment key="at" at={delivery.at} look="both" />] as const,
    [words.result, resultOf(delivery)] as const,
    [words.attempts, delivery.attempt] as const,
    ...(delivery.answer === undefined ? [] : [[words.answer, delivery.answer] as const]),
  ];
  const shared = {
    caption: words.deliveriesCaption,
    keyOf: (delivery: Delivery) => delivery.id,
    nameOf: saidOf,
    empty: { title: words.noDeliveries, text: words.noDeliveriesText },
    clear,
    sort,
    columns: [
      {
        id: "event",
        header: words.event,
        cell: (delivery: Delivery) =>
          isOperator && log === undefined ? (
            saidOf(delivery)
          ) : (
            <DeliveryDetails
              eventId={delivery.event_id}
              log={log ?? null}
              label={saidOf(delivery)}
              facts={factsOf(delivery)}
            />
          ),
      },
      {
        id: "when",
        header: words.when,
        sorts: sortsOf("when"),
        cell: ({ created_at }: Delivery) => <Moment at={created_at} />,
        isWideOnly: true,
      },
      {
        id: "state",
        header: general.state,
        cell: ({ state }: Delivery) => <Badge tone={tones[state]}>{words.deliveryStates[state]}</Badge>,
      },
      {
        id: "result",
        header: words.result,
        isWideOnly: true,
        cell: resultOf,
      },
      {
        id: "last",
        header: words.lastTry,
        cell: ({ at }: Delivery) => <Moment at={at} />,
        isWideOnly: true,
      },
      {
        id: "next",
        beneath: "last",
        header: words.nextAttempt,
        cell: ({ next_at }: Delivery) => <Moment at={next_at} />,
        isWideOnly: true,
      },
      {
        id: "attempts",
        header: words.attempts,
        isNumeric: true,
        isWideOnly: true,
        cell: ({ attempt }: Delivery) => attempt,
      },
    ],
  };
  return (
    <Screen
      title={host === undefined ? words.deliveries : words.deliveriesOf(host)}
      above={<Link to="/webhooks">{words.back}</Link>}
      actions={
        !isOperator &&
        may("administer") && (
          <>
            <Button isBusy={test.isPending} onClick={() => test.mutate({ id })}>
              {words.test}
            </Button>
            <Button onClick={() => setResending(true)}>{words.replayFailed}</Button>
          </>
        )
      }
    >
      <FilterBar filters={filters} />
      <Problem problem={again.error ?? test.error} />
      {isOperator ? (
        <List {...shared} path="/operator/v1/webhooks/list-deliveries" body={body} />
      ) : (
        <List
          {...shared}
          path="/events/v1/list-deliveries"
          body={body}
          columns={[
            ...shared.columns,
            {
              id: "answer",
              header: words.answer,
              cell: ({ answer }: Delivery) => <span className="quiet">{answer}</span>,
              isWideOnly: true,
            },
          ]}
          {...(may("administer") && {
            actionsOf: ({ event_id }: Delivery) => [
              { label: words.replayOne, onSelect: () => again.mutate({ endpoint_id: id, event_ids: [event_id] }) },
            ],
          })}
        />
      )}
      {isResending && <ResendFailed endpointId={id} onClose={() => setResending(false)} />}
    </Screen>
  );
}
