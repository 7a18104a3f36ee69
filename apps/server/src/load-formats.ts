import { feedFormats } from "@org/bank-providers";
import { ConfigError } from "@org/installation";
import { defineFeedFormat, type FeedFormat } from "@org/provider-kit";
import { loadDefaultExport, moduleFault } from "@org/provider-kit/loading";

/**
 * Loads the formats of custodian files that `FEED_FORMATS` names, by module name or path.
 * @param directory where paths and packages are resolved from
 * @throws ConfigError with a line for each module that cannot be loaded, is not a format, or has the name of another
 */
export async function loadFeedFormats(names: readonly string[], directory: string): Promise<readonly FeedFormat[]> {
  const problems: string[] = [];
  const known = new Map(feedFormats.map((format) => [format.name, "the server"]));
  const loaded: FeedFormat[] = [];
  for (const name of names)
    try {
      const format = await loadDefaultExport(name, directory);
      if (format === null || typeof format !== "object")
        throw new Error("has no default export that defineFeedFormat made");
      // The format may come from another copy of the kit or be written by hand, so its shape is checked here too.
      const defined = defineFeedFormat(format as FeedFormat);
      const other = known.get(defined.name);
      if (other !== undefined) throw new Error(`calls itself ${defined.name}, as a format of ${other} does`);
      known.set(defined.name, name);
      loaded.push(defined);
    } catch (error) {
      problems.push(`FEED_FORMATS: ${name}: ${moduleFault(error)}`);
    }
  if (problems.length > 0) throw new ConfigError(problems);
  return loaded;
}
