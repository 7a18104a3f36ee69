import { useWords } from "../../language/language.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { Holdings, Portfolios, Transactions } from "../connections/data-tables.js";
import { dataWords } from "../connections/data-words.js";
import { ReportLink } from "../report/report-link.js";
import { holdingsWords } from "./words.js";

/** What all of the tenant's clients have at all banks. */
export default function HoldingsScreen() {
  const words = useWords(holdingsWords);
  const terms = useWords(dataWords);
  return (
    <Screen title={terms.holdings} lead={words.lead} actions={<ReportLink of={{}} />}>
      <Tabs
        label={terms.holdings}
        tabs={[
          { id: "holdings", label: terms.holdings, content: () => <Holdings of="all" /> },
          { id: "portfolios", label: terms.portfolios, content: () => <Portfolios of="all" /> },
          { id: "transactions", label: terms.transactions, content: () => <Transactions of="all" /> },
        ]}
      />
    </Screen>
  );
}
