import { useScopeWords } from "./scope-words.js";

/** What scopes allow, on two lines at most; all of it in the title. */
export function ScopeTitles({ scopes }: { readonly scopes: readonly string[] }) {
  const titles = useScopeWords().titlesOf(scopes);
  return (
    <span className="quiet two-lines" title={titles}>
      {titles}
    </span>
  );
}
