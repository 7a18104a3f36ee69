import { describe, expectTypeOf, it } from "vitest";
import {
  applyConnectorFilter,
  type Connector,
  type ConnectorExplanation,
  type ConnectorFilter,
  ConnectorFilterError,
  type ConnectorFilterIssue,
  type ConnectorFilterRule,
  compileConnectorFilter,
  explainConnector,
  parseConnectorFilter,
  prepareCatalog,
} from "./index.js";

interface Bank extends Connector {
  readonly name: string;
  readonly logo_url: string | null;
}

describe("types", () => {
  it("[C-10.1] parsing takes anything and gives a filter or an error with issues", () => {
    expectTypeOf(parseConnectorFilter).parameters.toEqualTypeOf<[unknown]>();
    expectTypeOf(parseConnectorFilter).returns.toEqualTypeOf<ConnectorFilter>();
    expectTypeOf<ConnectorFilterError["issues"]>().toEqualTypeOf<readonly ConnectorFilterIssue[]>();
    expectTypeOf<ConnectorFilterIssue["error_type"]>().toEqualTypeOf<
      "RequiredField" | "InvalidValue" | "UnknownField"
    >();
    expectTypeOf(new ConnectorFilterError([])).toExtend<Error>();
  });

  it("[C-10.2] [C-10.4] the catalogue's own type comes back", () => {
    const banks: readonly Bank[] = [];
    expectTypeOf(applyConnectorFilter(banks)).toEqualTypeOf<Bank[]>();
    expectTypeOf(prepareCatalog(banks).apply()).toEqualTypeOf<Bank[]>();
    expectTypeOf(applyConnectorFilter<Bank>)
      .parameter(1)
      .toEqualTypeOf<ConnectorFilter | undefined>();
    expectTypeOf<{ id: string; type: string; countries: string[]; available: undefined }>().toExtend<Connector>();
    // @ts-expect-error a connector without countries cannot be filtered by them
    applyConnectorFilter([{ id: "a:b", type: "t" }].slice(1));
  });

  it("[C-10.3] [C-10.5] a compiled filter is a predicate, an explanation names a rule or none", () => {
    expectTypeOf(compileConnectorFilter({ rules: [] })).toEqualTypeOf<(connector: Connector) => boolean>();
    expectTypeOf(explainConnector).returns.toEqualTypeOf<ConnectorExplanation>();
    expectTypeOf<ConnectorExplanation["rule"]>().toEqualTypeOf<number | null>();
  });

  it("[S2-2.18] [S2-2.19] [S2-2.20] a rule is as the specification gives it", () => {
    expectTypeOf<ConnectorFilterRule["action"]>().toEqualTypeOf<"include" | "exclude">();
    expectTypeOf<ConnectorFilterRule["field"]>().toEqualTypeOf<"connector_id" | "countries" | "type">();
    expectTypeOf<ConnectorFilterRule["value"]>().toEqualTypeOf<string | readonly string[]>();
    expectTypeOf<{ rules: { action: "include"; field: "type"; value: string[] }[] }>().toExtend<ConnectorFilter>();
  });
});
