import { useWords } from "../../language/language.js";
import { Screen } from "../../parts/screen.js";
import { Wealth } from "./wealth.js";
import { wealthWords } from "./words.js";

/** What all of the tenant's clients have, what it earned and what it paid. */
export default function WealthScreen() {
  const words = useWords(wealthWords);
  return (
    <Screen title={words.wealth} lead={words.lead}>
      <Wealth of={{}} />
    </Screen>
  );
}
