import { useAnswer } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { type Beginning, beginnings } from "../../listing/beginning.js";
import { paletteWords } from "../../palette/palette-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Empty } from "../../parts/empty.js";
import { Loading } from "../../parts/loading.js";
import { firstStepsWords } from "./first-steps-words.js";
import { workWords } from "./words.js";

type Words = typeof firstStepsWords.en;

/** One step: the dialog that it opens, its texts, and whether its result is there. */
interface Step {
  readonly begins: Beginning;
  readonly title: keyof Words;
  readonly text: keyof Words;
  readonly isDone: boolean;
}

/** What is there already; undefined while it is not known. */
interface Found {
  readonly steps: readonly Step[];
  /** How many applications, connections and letters there are, each counted to two. */
  readonly things: number;
}

/** From here on an installation or a tenant is set up, and an empty work queue means that nothing is to be done. */
const SET_UP = 2;

/** The server gives the tenant and the application of an empty installation this name. */
const DEMO = "Demo";

/** The work queue without lines: the first steps while next to nothing is set up, later that nothing is to be done. */
export function NothingToDo() {
  return usePerson().audience === "operator" ? <OfOperators /> : <OfTenant />;
}

function OfOperators() {
  const connections = useAnswer("/operator/v1/connections/search", { page_size: SET_UP });
  const letters = useAnswer("/operator/v1/letters/counts", {});
  const tenants = useAnswer("/operator/v1/tenants/list", {});
  const applications = useAnswer("/operator/v1/applications/list", {});
  if ([connections, letters, tenants, applications].some(({ error }) => error)) return <NothingWaits />;
  if (!connections.data || !letters.data || !tenants.data || !applications.data) return <Loading />;
  const made = applications.data.items.filter(({ tenant_id, name }) => tenant_id !== null && name !== DEMO).length;
  const connected = connections.data.items.length;
  const written = letters.data.items.reduce((sum, { letters: count }) => sum + count, 0);
  const things = made + connected + written;
  const hasTenant = things > 0 || tenants.data.items.some(({ name }) => name !== DEMO);
  const steps: readonly Step[] = [
    { begins: "tenant", title: "tenant", text: "tenantText", isDone: hasTenant },
    { begins: "application", title: "application", text: "applicationText", isDone: made > 0 },
    { begins: "session", title: "connection", text: "connectionText", isDone: connected > 0 },
    { begins: "submit", title: "letter", text: "letterText", isDone: written > 0 },
  ];
  return <Steps found={{ steps, things }} />;
}

function OfTenant() {
  const connections = useAnswer("/data/v1/search-connections", { page_size: SET_UP });
  const letters = useAnswer("/letters/v1/search-letters", { query: {}, page: 1, page_size: SET_UP });
  const people = useAnswer("/people/list", {});
  if ([connections, letters, people].some(({ error }) => error)) return <NothingWaits />;
  if (!connections.data || !letters.data || !people.data) return <Loading />;
  const connected = connections.data.items.length;
  const written = letters.data.items.length;
  const steps: readonly Step[] = [
    { begins: "session", title: "connection", text: "connectionTextTenant", isDone: connected > 0 },
    { begins: "submit", title: "letter", text: "letterText", isDone: written > 0 },
    { begins: "invite", title: "people", text: "peopleText", isDone: people.data.items.length > 1 },
  ];
  return <Steps found={{ steps, things: connected + written }} />;
}

function NothingWaits() {
  const words = useWords(workWords);
  return (
    <Empty title={words.nothing}>
      <p>{words.nothingLead}</p>
    </Empty>
  );
}

/** The steps that the person's role allows. */
function Steps({ found: { steps, things } }: { readonly found: Found }) {
  const words = useWords(firstStepsWords);
  const actions = useWords(paletteWords);
  const { audience, may } = usePerson();
  const { go } = useAddress();
  const allowed = steps.filter(({ begins }) => may(beginnings[begins].power));
  const next = allowed.find(({ isDone }) => !isDone)?.begins;
  if (things >= SET_UP || allowed.length === 0) return <NothingWaits />;
  return (
    <section className="first-steps" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="quiet">{audience === "operator" ? words.lead : words.leadTenant}</p>
      <ol>
        {allowed.map(({ begins, title, text, isDone }) => (
          <li key={begins}>
            <h3>
              {words[title]} {isDone && <Badge tone="good">{words.done}</Badge>}
            </h3>
            <p className="quiet">{words[text]}</p>
            <Button
              look={begins === next ? "first" : "usual"}
              onClick={() => go(beginnings[begins].path, { begin: begins })}
            >
              {actions[begins]}
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}
