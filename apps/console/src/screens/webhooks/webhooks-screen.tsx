import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import type { MenuItem } from "../../parts/menu.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { AskedTypes } from "./asked-types.js";
import { type EndpointAction, EndpointDialog } from "./endpoint-dialog.js";
import { type Endpoint, EndpointState, LastFailure } from "./endpoint-state.js";
import { webhookWords } from "./words.js";

/** The addresses to which a tenant's events are sent. */
export default function WebhooksScreen() {
  const words = useWords(webhookWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const [doing, setDoing] = useState<EndpointAction | null>(null);
  const test = useChange("/events/v1/test-endpoint", { onDone: () => showToast(words.tested) });
  const canChange = may("administer");
  return (
    <Screen
      title={words.title}
      lead={words.leadTenant}
      actions={
        canChange && (
          <Button look="first" onClick={() => setDoing({ what: "add" })}>
            {words.add}
          </Button>
        )
      }
    >
      <Problem problem={test.error} />
      <List
        path="/events/v1/list-endpoints"
        body={{}}
        caption={words.caption}
        keyOf={({ id }) => id}
        nameOf={({ url }) => url}
        columns={[
          {
            id: "url",
            by: ({ url }) => url,
            header: words.address,
            cell: ({ id, url }) => <Link to={`/webhooks/${id}`}>{url}</Link>,
          },
          { id: "state", header: general.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          {
            id: "types",
            header: words.types,
            cell: ({ types }) => <AskedTypes types={types} />,
            isWideOnly: true,
          },
          { id: "failure", header: words.lastFailure, cell: (endpoint) => <LastFailure endpoint={endpoint} /> },
          {
            id: "delivered",
            byMost: ({ delivered_at }) => delivered_at,
            header: words.delivered,
            cell: ({ delivered_at }) => <Moment at={delivered_at} />,
            isWideOnly: true,
          },
          {
            id: "description",
            header: words.description,
            cell: ({ description }) => description,
            isWideOnly: true,
          },
        ]}
        {...(canChange && { actionsOf })}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
      />
      {doing && <EndpointDialog doing={doing} onClose={() => setDoing(null)} />}
    </Screen>
  );

  function actionsOf(endpoint: Endpoint): readonly MenuItem[] {
    const act = (what: Exclude<EndpointAction["what"], "add">) => () => setDoing({ what, endpoint });
    return [
      { label: words.change, onSelect: act("change") },
      { label: words.test, onSelect: () => test.mutate({ id: endpoint.id }) },
      { label: words.replay, onSelect: act("replay") },
      { label: words.rotate, onSelect: act("rotate") },
      endpoint.enabled
        ? { label: general.disable, look: "ends", onSelect: act("disable") }
        : { label: general.enable, onSelect: act("enable") },
      { label: words.delete, look: "ends", onSelect: act("delete") },
    ];
  }
}
