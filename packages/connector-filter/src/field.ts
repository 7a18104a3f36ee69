import type { Connector, ConnectorFilterRule } from "./connector.js";
import { type CountryKey, countryKey } from "./country.js";

/** A field that rules can name. */
export type Field = ConnectorFilterRule["field"];

/** What a rule compares with; `*` stands for itself. */
export const ruleKeys = ({ field, value }: ConnectorFilterRule): CountryKey[] =>
  keys(field, typeof value === "string" ? [value] : value);

/** What a rule on this field is compared with. */
export const connectorKeys = (connector: Connector, field: Field): CountryKey[] =>
  keys(field, field === "countries" ? connector.countries : [field === "type" ? connector.type : connector.id]);

const keys = (field: Field, texts: readonly string[]): CountryKey[] =>
  texts.map(field === "countries" ? countryKey : (text) => text.toLowerCase());

/** One entry for each field. */
export const eachField = <T>(make: () => T): Record<Field, T> => ({ connector_id: make(), countries: make(), type: make() });
