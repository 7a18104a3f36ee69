import { z } from "zod";

/** Connector ids have the shape `<country>:<provider>` (S2 §2). */
export const connectorId = z
  .string()
  .min(3)
  .max(200)
  .regex(/^[^\s:]+:[^\s]+$/, "must have the shape <country>:<provider>");

/** A catalogue entry as the letters and connect APIs show it (S2 §2). */
export const connectorSchema = z.object({
  id: z.string().describe("<country>:<provider>."),
  name: z.string(),
  type: z.string().describe("Such as e-banking or psd2; of a datafeed the data come as files, after a letter."),
  countries: z.array(z.string()).describe("ISO 3166-1 alpha-3, in lower case."),
  available: z.boolean(),
});
export type ConnectorView = z.infer<typeof connectorSchema>;

/**
 * A catalogue entry as stored: the public fields, the provider that serves it, the provider's own name for it, and all other fields of the
 * imported row.
 */
export interface CatalogueConnector extends ConnectorView {
  readonly provider: string;
  /** The provider's own name for it; null if it has none. */
  readonly provider_ref: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Ids of the available connectors that reach the same institution, its own among them, in the order in which people are offered them. Only if
   * there are several; it is never stored.
   */
  readonly ways?: readonly string[];
}

/** Connector type whose data arrives as custodian files after a letter; it cannot be opened in a Connect session (contract §9). */
export const DATAFEED_TYPE = "datafeed";
