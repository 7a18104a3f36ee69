// Written from the API document by schema.test.ts.
export interface paths {
  "/letters/v1/list-connectors": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listLetterConnectors"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/letters/v1/create-signed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createSignedLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/letters/v1/search-letters": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["searchLetters"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/letters/v1/discontinue-letter": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["discontinueLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/connect/v2/connectors/preview-connector-filter": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["previewConnectorFilter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/connect/v2/connectors/list-connectors": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listConnectors"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/connect/v2/sessions/create-session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v2/connect/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createSessionAlias"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/connect/v2/sessions/list-sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listSessions"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/connect/v2/connections/refresh": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["refreshConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/list-portfolios": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listPortfolios"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/list-investments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listInvestments"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/list-transactions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listTransactions"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/list-connections": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listBankConnections"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/search-connections": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["searchBankConnections"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/show-connection": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showBankConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/delete-connection": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["deleteBankConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/list-grants": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listGrants"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/data/v1/end-grant": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["endGrant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/list-events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listEvents"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/create-endpoint": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/list-endpoints": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listEndpoints"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/update-endpoint": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["updateEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/delete-endpoint": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["deleteEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/test-endpoint": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["testEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["rotateEndpointSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/list-deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listDeliveries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["replayEvents"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/v1/list-work": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listTenantWork"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listTenants"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["updateTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/disable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["disableTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/enable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["enableTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/delete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["deleteTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/limits": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listTenantLimits"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/tenants/change-limits": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeTenantLimits"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listApplications"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createApplication"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/roll-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["rollApplicationSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/remove-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeApplicationSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/disable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["disableApplication"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/enable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["enableApplication"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["updateApplication"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/applications/add-scopes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["addApplicationScopes"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/registration-tokens/create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createRegistrationToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/registration-tokens/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listRegistrationTokens"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/registration-tokens/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeRegistrationToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/trusted-issuers/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listTrustedIssuers"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/trusted-issuers/trust": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["trustIssuer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/trusted-issuers/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["testTrustedIssuer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/trusted-issuers/withdraw": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["withdrawTrustedIssuer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/people/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listPeople"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/people/invite": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["invitePerson"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/people/reinvite": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["reinvitePerson"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/people/change": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changePerson"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/people/end": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["endPerson"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connectors/import": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["importConnectors"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connectors/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listCatalogue"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listProviders"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showProvider"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/set": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["setProvider"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["testProvider"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/remove": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeProvider"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/sync": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["syncProvider"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeed-mappings/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listFeedMappings"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeed-mappings/show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showFeedMapping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeed-mappings/set": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["setFeedMapping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeed-mappings/remove": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeFeedMapping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeed-mappings/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["testFeedMapping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeed-mappings/draft": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["draftFeedMapping"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["searchTenantLetters"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/counts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["countTenantLetters"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/advance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["advanceLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/move-many": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["moveLetters"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/preview-moves": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["previewLetterMoves"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/contacts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["correctLetterContacts"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/block": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["blockLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/resolve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["resolveLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["cancelLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/document": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["downloadLetterDocument"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/observe": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["observeLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/request": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["requestLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/submit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["submitTenantLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/details": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["collectLetterDetails"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/letters/sign": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["attachSignedLetter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/mails/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listMails"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/mails/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["retryMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/mails/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["confirmMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/ingest": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["ingestDataFeed"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/list-pending": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listPendingFiles"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/show-pending": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showPendingFile"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/retry-pending": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["retryPendingFile"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/route-pending": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["routePendingFile"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/drop-pending": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["dropPendingFile"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listFeedAccounts"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/link-account": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["linkFeedAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/unlink-account": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["unlinkFeedAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/datafeeds/reconcile": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["reconcileDataFeed"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listSources"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showSource"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/set": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["setSource"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["testSource"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/remove": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeSource"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/run": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["runSource"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/list-files": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listSourceFiles"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/list-routes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listSourceRoutes"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/add-route": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["addSourceRoute"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/remove-route": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeSourceRoute"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/create-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createSourceToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/list-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listSourceTokens"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sources/end-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["endSourceToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listFeedKeys"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/generate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["generateFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/import": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["importFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/trust": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["trustFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/expire": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["expireFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/remove": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeFeedKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/feed-keys/require": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["requireSignedFeeds"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connections/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listConnections"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connections/search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["searchConnections"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connections/delete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["deleteConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connections/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showConnectionStatus"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/connections/refresh": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["refreshConnectionForOperator"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sessions/create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["createSessionForTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/sessions/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listSessionsOfTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/grants/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listGrantsOfTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/grants/end": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["endGrantOfTenant"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/audit/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listAuditTrail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/audit/head": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showAuditHead"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/audit/chain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["readAuditChain"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/list-events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listAllEvents"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/webhooks/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listWebhookEndpoints"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/webhooks/list-deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listWebhookDeliveries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/webhooks/enable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["enableWebhookEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/webhooks/disable": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["disableWebhookEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/keys/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listKeys"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/keys/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["rotateSigningKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/keys/rotate-server": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["rotateServerKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/keys/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeSigningKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/keys/rewrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["rewrapStoredValues"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/doctor/examine": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["examineInstallation"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/work/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["listWork"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/operator/v1/providers/figures": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["showProviderFigures"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Application: {
      application_id: string;
      tenant_id: string | null;
      client_id: string;
      name: string;
      scopes: ("connections:read" | "connections:write" | "connections:delete" | "investments:read" | "letters:read" | "letters:write" | "events:read" | "events:write" | "grants:manage" | "operator")[];
      enabled: boolean;
      redirect_urls: string[];
      secrets: {
        secret_id: string;
        created_at: string;
      }[];
      created_at: string;
    };
    AuditLine: {
      /** Format: uuid */
      audit_id: string;
      at: string;
      tenant_id: string | null;
      actor: string;
      action: string;
      object_type: string;
      object_id: string;
      trace_id: string | null;
      address: string | null;
      facts: {
        [key: string]: string | number | boolean | null;
      };
    };
    CatalogueEntry: {
      id: string;
      name: string;
      type: string;
      countries: string[];
      available: boolean;
      provider: string;
      provider_ref: string | null;
      metadata: {
        [key: string]: unknown;
      };
    };
    ConnectError: {
      /** @constant */
      success: false;
      error: {
        code: string;
        message: string;
        details?: components["schemas"]["LimitReached"][];
      };
    };
    ConnectInternalError: {
      /** @constant */
      error: "Internal Error";
    };
    ConnectUnauthenticated: {
      /** @constant */
      error: "Invalid credentials";
    };
    ConnectValidationError: {
      /** @constant */
      success: false;
      error: {
        /** @constant */
        code: "ValidationError";
        details: {
          /** @enum {string} */
          error_type: "RequiredField" | "InvalidValue" | "UnknownField";
          field: string;
          rule: string;
        }[];
      };
      trace_id: string;
    };
    Connector: {
      id: string;
      name: string;
      type: string;
      countries: string[];
      available: boolean;
    };
    ConnectorFilter: {
      rules: {
        /** @enum {string} */
        action: "include" | "exclude";
        /** @enum {string} */
        field: "connector_id" | "countries" | "type";
        value: string | string[];
      }[];
    };
    CredentialStatus: {
      pending: boolean;
      blocked: boolean;
      reset_token: string | null;
      sca_token: string | null;
      transaction_token: string | null;
      last_update: string | null;
      created_at: string;
      errored: {
        product: {
          auth: boolean;
          account: boolean;
          card: boolean;
          portfolio: boolean;
          investment: boolean;
          liability: boolean;
          holders: boolean;
        };
        transaction: {
          account: boolean;
          card: boolean;
          investment: boolean;
          liability: boolean;
        };
      };
      created: {
        product: {
          auth: boolean;
          account: boolean;
          card: boolean;
          portfolio: boolean;
          investment: boolean;
          liability: boolean;
          holders: boolean;
        };
        transaction: {
          account: boolean;
          card: boolean;
          investment: boolean;
          liability: boolean;
        };
      };
      consent_expires_at: string | null;
    };
    EncryptionKey: {
      key_id: string | null;
      active: boolean;
      available: boolean;
      values: number;
    };
    Event: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "session.finished";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        session_id: string;
        /** @enum {string} */
        status: "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted";
        error_code: ("InvalidCredentials" | "InvalidChallengeResponse" | "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "AbortedByUser" | "SessionExpired" | "InternalError") | null;
        connection_id: string | null;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.created";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.refreshed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.needs_relogin";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.recovered";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.blocked";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.removed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.consent_expiring";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        consent_expires_at: string;
        days: 7 | 1;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "data.changed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        snapshot_revision: number;
        products: ("portfolios" | "holdings" | "transactions")[];
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.created";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.moved";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.blocked";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.resolved";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.document_added";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.changed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.file_taken";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.file_refused";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
        place?: string;
        reason?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.silent";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.differences";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
        /** Format: date */
        date: string;
        differences: number;
        gap_days: number;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "grant.ended";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        grant_id: string;
        client_id: string;
        reason: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "webhook.endpoint_disabled";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        endpoint_id: string;
        reason: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "webhook.test";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        endpoint_id: string;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "mail.failed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        tenant_id: string;
        mail_id: string;
        letter_id: string;
        /** @enum {string} */
        kind: "signature_request" | "authorization_letter" | "revocation_notice";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "mail.in_doubt";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        tenant_id: string;
        mail_id: string;
        letter_id: string;
        /** @enum {string} */
        kind: "signature_request" | "authorization_letter" | "revocation_notice";
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "provider.degraded";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        tenant_id: string | null;
        provider: string;
        connector_id: string | null;
      };
    } | {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "provider.recovered";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        tenant_id: string | null;
        provider: string;
        connector_id: string | null;
      };
    };
    Labels: {
      [key: string]: string;
    };
    Letter: {
      /** Format: uuid */
      id: string;
      connector_id: string;
      /** @enum {string} */
      status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
      labels: components["schemas"]["Labels"];
      connection_id: string | null;
      observations: string | null;
      created_at: string;
      updated_at: string;
    };
    Limit: {
      /** @enum {string} */
      name: "requests_per_minute" | "grants" | "open_sessions" | "letters" | "document_bytes" | "grants_ended_per_hour" | "mcp_sessions_ended_per_day" | "webhook_endpoints" | "webhook_tests_and_replays_per_hour";
      value: number;
      /** @enum {string} */
      source: "tenant" | "installation" | "default";
      used: number | null;
    };
    LimitReached: {
      limit: string;
      value: number;
      ends_at: string | null;
    };
    LettersError: {
      /** @constant */
      success: false;
      error: {
        /** @enum {string} */
        code: "UNAUTHENTICATED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "NOT_FOUND" | "CONFLICT" | "CONFIRMATION_REQUIRED" | "RATE_LIMITED" | "METHOD_NOT_ALLOWED" | "UNSUPPORTED_MEDIA_TYPE" | "REQUEST_TIMEOUT" | "UNAVAILABLE" | "INTERNAL_ERROR";
        details?: {
          field: string;
          /** @enum {string} */
          error_type: "RequiredField" | "InvalidValue" | "UnknownField";
          rule?: string;
        }[] | components["schemas"]["LimitReached"][];
        message?: string;
      };
      trace_id: string;
    };
    OperatorLetter: {
      /** Format: uuid */
      id: string;
      connector_id: string;
      /** @enum {string} */
      status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
      labels: components["schemas"]["Labels"];
      connection_id: string | null;
      observations: string | null;
      created_at: string;
      updated_at: string;
      /** Format: uuid */
      tenant_id: string;
      tenant: string;
      custodian: string;
      contact_info: {
        [key: string]: string;
      };
      status_since: string;
      to_do: {
        /** @enum {string} */
        by: "operator" | "client" | "custodian" | "service" | "nobody";
        what: string;
      };
      mails: {
        /** Format: uuid */
        mail_id: string;
        /** Format: uuid */
        tenant_id: string;
        /** Format: uuid */
        letter_id: string;
        /** @enum {string} */
        kind: "signature_request" | "authorization_letter" | "revocation_notice";
        /** @enum {string} */
        state: "queued" | "sent" | "in_doubt" | "failed" | "withdrawn";
        recipient: string | null;
        created_at: string;
        next_attempt_at: string | null;
        attempts: number;
        last_error: string | null;
        settled_at: string | null;
      }[];
      remarks: string[];
      details: {
        full_name: string;
        address: string[];
        /** @default [] */
        accounts: string[];
        birth_date?: string | null;
        tax_id?: string | null;
        email?: string | null;
        language?: ("en" | "es" | "fr" | "de") | null;
      } | null;
      version: number;
      moves: {
        /** @enum {string} */
        move: "details" | "sign" | "advance" | "block" | "resolve" | "cancel";
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
      }[];
      documents: {
        /** @enum {string} */
        kind: "letter" | "annex" | "generated";
        size: number;
        sha256: string;
        /** @enum {string} */
        signature: "none" | "present" | "intact";
      }[];
      history: {
        /** Format: uuid */
        move_id: string;
        /** Format: uuid */
        letter_id: string;
        at: string;
        actor: string;
        actor_name: string | null;
        event: string;
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        note: string | null;
        connection_id: string | null;
      }[];
    };
    Session: {
      session_id: string;
      /** @enum {string} */
      status: "Waiting:ProvideCredentials" | "Processing:ProvideCredentials" | "Waiting:Challenge" | "Processing:Challenge" | "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted";
      updated_at: string;
      widget_url: string | null;
      connection_id: string | null;
      connector_id: string | null;
      expires_at: string;
      error_code: ("InvalidCredentials" | "InvalidChallengeResponse" | "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "AbortedByUser" | "SessionExpired" | "InternalError") | null;
      /** @enum {string} */
      challenge_kind?: "sms" | "code" | "app" | "qr" | "card" | "redirect" | "ask";
    };
    SigningKey: {
      kid: string;
      algorithm: string;
      /** @enum {string} */
      state: "next" | "active" | "retiring" | "expired";
      created_at: string;
      signs_from: string | null;
    };
    Tenant: {
      /** Format: uuid */
      tenant_id: string;
      name: string;
      enabled: boolean;
      created_at: string;
    };
    SessionFinishedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "session.finished";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        session_id: string;
        /** @enum {string} */
        status: "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted";
        error_code: ("InvalidCredentials" | "InvalidChallengeResponse" | "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "AbortedByUser" | "SessionExpired" | "InternalError") | null;
        connection_id: string | null;
      };
    };
    ConnectionCreatedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.created";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    };
    ConnectionRefreshedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.refreshed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    };
    ConnectionNeedsReloginEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.needs_relogin";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    };
    ConnectionRecoveredEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.recovered";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    };
    ConnectionBlockedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.blocked";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    };
    ConnectionRemovedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.removed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        letter_id: string | null;
        reason?: string;
        /** @enum {string} */
        source?: "login" | "refresh" | "feed";
      };
    };
    ConnectionConsentExpiringEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "connection.consent_expiring";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "pending" | "ready" | "needs_relogin" | "blocked" | "removed";
        consent_expires_at: string;
        days: 7 | 1;
      };
    };
    DataChangedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "data.changed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string;
        snapshot_revision: number;
        products: ("portfolios" | "holdings" | "transactions")[];
      };
    };
    LetterCreatedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.created";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    };
    LetterMovedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.moved";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    };
    LetterBlockedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.blocked";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    };
    LetterResolvedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.resolved";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    };
    LetterDocumentAddedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.document_added";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    };
    LetterChangedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "letter.changed";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        letter_id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        /** @enum {string} */
        to: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: {
          [key: string]: string;
        };
        /** @constant */
        more_labels?: true;
        /** @enum {string} */
        document?: "letter" | "annex" | "generated";
        /** @enum {string} */
        change?: "observations" | "details" | "contacts" | "mail";
        reason?: string;
      };
    };
    FeedFileTakenEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.file_taken";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
      };
    };
    FeedFileRefusedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.file_refused";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
        place?: string;
        reason?: string;
      };
    };
    FeedSilentEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.silent";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
      };
    };
    FeedDifferencesEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "feed.differences";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        connection_id: string | null;
        letter_id: string | null;
        connector_id: string;
        format?: string;
        /** Format: date */
        date: string;
        differences: number;
        gap_days: number;
      };
    };
    GrantEndedEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "grant.ended";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        grant_id: string;
        client_id: string;
        reason: string;
      };
    };
    WebhookEndpointDisabledEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "webhook.endpoint_disabled";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        endpoint_id: string;
        reason: string;
      };
    };
    WebhookTestEvent: {
      /** Format: uuid */
      id: string;
      /** @constant */
      type: "webhook.test";
      created_at: string;
      /** Format: uuid */
      tenant_id: string;
      sequence: number;
      data: {
        endpoint_id: string;
      };
    };
    ListLetterConnectorsRequest: Record<string, never>;
    ListLetterConnectorsResponse: {
      items: components["schemas"]["Connector"][];
    };
    CreateSignedLetterRequest: {
      connector_id: string;
      data: string;
      labels?: components["schemas"]["Labels"] | null;
      annex?: string | null;
      contact_info?: ({
        /** Format: email */
        banker_email?: string;
      } & {
        [key: string]: string;
      }) | null;
    };
    CreateSignedLetterResponse: {
      /** Format: uuid */
      letter_id: string;
    };
    SearchLettersRequest: {
      query: {
        connector_id_in?: string[];
        status_in?: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked")[];
        id_in?: string[];
        labels?: components["schemas"]["Labels"];
        creation_date?: {
          start?: string;
          end?: string;
        };
        last_update?: {
          start?: string;
          end?: string;
        };
      };
      page?: number | null;
      page_size?: number | null;
    };
    SearchLettersResponse: {
      items: components["schemas"]["Letter"][];
      page: number;
      page_size: number;
      pages: number;
      total: number;
    };
    DiscontinueLetterRequest: {
      /** Format: uuid */
      letter_id: string;
    };
    DiscontinueLetterResponse: {
      /** @constant */
      success: true;
    };
    PreviewConnectorFilterRequest: {
      connector_filter: components["schemas"]["ConnectorFilter"];
      page_token?: string | null;
    };
    PreviewConnectorFilterResponse: {
      items: components["schemas"]["Connector"][];
      next_page_token: string | null;
      warnings?: {
        field: string;
        message: string;
      }[];
    };
    ListConnectorsRequest: {
      query?: {
        connector_id_in?: string[];
      } | null;
      page_token?: string | null;
    };
    ListConnectorsResponse: {
      items: components["schemas"]["Connector"][];
      next_page_token: string | null;
    };
    CreateSessionRequest: {
      /** @default {} */
      configuration: {
        connector_id?: string | null;
        connection_id?: string | null;
        connector_filter?: components["schemas"]["ConnectorFilter"] | null;
        redirect_url?: string | null;
        labels?: components["schemas"]["Labels"] | null;
        language?: ("en" | "es" | "fr" | "de") | null;
        privacy_notice?: string | null;
      };
    };
    CreateSessionResponse: {
      session: components["schemas"]["Session"];
      widget_url: string;
    };
    ListSessionsRequest: {
      query?: {
        session_id_in?: string[];
        status_in?: ("Waiting:ProvideCredentials" | "Processing:ProvideCredentials" | "Waiting:Challenge" | "Processing:Challenge" | "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted")[];
        connection_id_in?: string[];
        error_code_in?: ("InvalidCredentials" | "InvalidChallengeResponse" | "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "AbortedByUser" | "SessionExpired" | "InternalError")[];
      } | null;
      page_token?: string | null;
    };
    ListSessionsResponse: {
      items: components["schemas"]["Session"][];
      next_page_token: string | null;
    };
    RefreshConnectionRequest: {
      connection_id: string;
    };
    RefreshConnectionResponse: {
      connection_id: string;
      /** @enum {string} */
      outcome: "refreshed" | "incomplete" | "relogin_needed" | "failed" | "pending" | "throttled" | "postponed" | "already_exists" | "superseded" | "under_way";
      status: components["schemas"]["CredentialStatus"];
      refresh: {
        /** @enum {string} */
        state: "planned" | "under_way" | "relogin_needed" | "none";
        next_at: string | null;
        last_attempt_at: string | null;
        last_outcome: ("refreshed" | "incomplete" | "relogin_needed" | "failed" | "pending" | "throttled" | "postponed" | "already_exists" | "superseded") | null;
      };
    };
    ListPortfoliosRequest: {
      credentials_token?: string | string[];
      page?: number | null;
      page_size?: number | null;
      include_source_token?: boolean | null;
      snapshot?: string | null;
      currency?: string | string[];
      min_balance?: (number | string) | null;
      portfolio_type?: ("M" | "UM" | "F" | "S" | "CFD" | "PP" | "FI" | "C" | "ETF" | "L" | "O" | "DV" | "BP" | "AEP" | "MIX") | ("M" | "UM" | "F" | "S" | "CFD" | "PP" | "FI" | "C" | "ETF" | "L" | "O" | "DV" | "BP" | "AEP" | "MIX")[];
      fields?: ("id" | "name" | "balance" | "currency" | "refAccount" | "type")[];
    };
    ListPortfoliosResponse: {
      items: {
        id?: string;
        name?: string;
        balance?: string | null;
        currency?: string;
        refAccount?: string | null;
        /** @enum {string} */
        type?: "M" | "UM" | "F" | "S" | "CFD" | "PP" | "FI" | "C" | "ETF" | "L" | "O" | "DV" | "BP" | "AEP" | "MIX";
        credentials_token?: string;
      }[];
      page: number;
      page_size: number;
      pages: number;
      total: number;
      totals: {
        currency: string;
        balance: string;
      }[];
      sources: {
        credentials_token: string;
        bank: string;
        as_of: string | null;
        /** @enum {string} */
        state: "ok" | "pending" | "stale" | "error";
        message?: string;
      }[];
      source_counts: {
        ok: number;
        pending: number;
        stale: number;
        error: number;
      };
      snapshot: string;
    };
    ListInvestmentsRequest: {
      credentials_token?: string | string[];
      page?: number | null;
      page_size?: number | null;
      include_source_token?: boolean | null;
      snapshot?: string | null;
      currency?: string | string[];
      min_balance?: (number | string) | null;
      portfolio_id?: string | null;
      inv_type?: ("F" | "VI" | "PP" | "FI" | "C" | "ETF" | "CFD" | "L" | "O" | "DV" | "BP" | "AEP") | ("F" | "VI" | "PP" | "FI" | "C" | "ETF" | "CFD" | "L" | "O" | "DV" | "BP" | "AEP")[];
      subtype?: ("FOP" | "OP" | "FT" | "W" | "COM" | "FF" | "CD" | "PE" | "RA") | ("FOP" | "OP" | "FT" | "W" | "COM" | "FF" | "CD" | "PE" | "RA")[];
      fields?: ("id" | "name" | "isin" | "amount" | "balance" | "currency" | "valuation_date" | "type" | "subtype" | "price" | "price_currency" | "price_unit" | "cost" | "identifiers" | "accrued_interest")[];
    };
    ListInvestmentsResponse: {
      items: {
        id?: string;
        name?: string;
        isin?: string | null;
        amount?: string | null;
        balance?: string | null;
        currency?: string;
        valuation_date?: string | null;
        /** @enum {string} */
        type?: "F" | "VI" | "PP" | "FI" | "C" | "ETF" | "CFD" | "L" | "O" | "DV" | "BP" | "AEP";
        subtype?: ("FOP" | "OP" | "FT" | "W" | "COM" | "FF" | "CD" | "PE" | "RA") | null;
        price?: string | null;
        price_currency?: string | null;
        price_unit?: ("currency" | "percent") | null;
        cost?: string | null;
        identifiers?: {
          isin?: string;
          cusip?: string;
          sedol?: string;
          wkn?: string;
          valor?: string;
          figi?: string;
          ticker?: string;
          mic?: string;
        } | null;
        accrued_interest?: string | null;
        credentials_token?: string;
      }[];
      page: number;
      page_size: number;
      pages: number;
      total: number;
      totals: {
        currency: string;
        balance: string;
      }[];
      sources: {
        credentials_token: string;
        bank: string;
        as_of: string | null;
        /** @enum {string} */
        state: "ok" | "pending" | "stale" | "error";
        message?: string;
      }[];
      source_counts: {
        ok: number;
        pending: number;
        stale: number;
        error: number;
      };
      snapshot: string;
    };
    ListTransactionsRequest: {
      credentials_token?: string | string[];
      page?: number | null;
      page_size?: number | null;
      include_source_token?: boolean | null;
      snapshot?: string | null;
      investment_id?: string | null;
      /** Format: date */
      start_date?: string;
      /** Format: date */
      end_date?: string;
      fields?: ("id" | "operationDate" | "description" | "amount" | "balance" | "currency" | "unitPrice" | "kind" | "settlement_date" | "fees" | "taxes" | "gross" | "identifiers")[];
    };
    ListTransactionsResponse: {
      items: {
        id?: string;
        operationDate?: string;
        description?: string;
        amount?: string | null;
        balance?: string | null;
        currency?: string;
        unitPrice?: string | null;
        kind?: ("buy" | "sell" | "dividend" | "interest" | "coupon" | "fee" | "tax" | "deposit" | "withdrawal" | "transfer_in" | "transfer_out" | "split" | "spin_off" | "merger" | "redemption" | "fx" | "other") | null;
        settlement_date?: string | null;
        fees?: string | null;
        taxes?: string | null;
        gross?: string | null;
        identifiers?: {
          isin?: string;
          cusip?: string;
          sedol?: string;
          wkn?: string;
          valor?: string;
          figi?: string;
          ticker?: string;
          mic?: string;
        } | null;
        credentials_token?: string;
      }[];
      page: number;
      page_size: number;
      pages: number;
      total: number;
      totals: {
        currency: string;
        balance: string;
      }[];
      sources: {
        credentials_token: string;
        bank: string;
        as_of: string | null;
        /** @enum {string} */
        state: "ok" | "pending" | "stale" | "error";
        message?: string;
      }[];
      source_counts: {
        ok: number;
        pending: number;
        stale: number;
        error: number;
      };
      snapshot: string;
    };
    ListBankConnectionsRequest: {
      bank?: string | null;
      ready_only?: boolean | null;
      include_status?: boolean | null;
      page?: number | null;
      page_size?: number | null;
    };
    ListBankConnectionsResponse: {
      items: {
        credentials_token: string;
        bank: string;
        labels: components["schemas"]["Labels"];
        status?: components["schemas"]["CredentialStatus"];
      }[];
      page: number;
      page_size: number;
      pages: number;
      total: number;
    };
    SearchBankConnectionsRequest: {
      query?: {
        connection_id?: string | null;
        bank?: string | null;
        state_in?: ("pending" | "ready" | "needs_relogin" | "blocked")[];
        consent_ends_before?: string;
        is_failing?: boolean | null;
      } | null;
      page_token?: string | null;
      page_size?: number | null;
    };
    SearchBankConnectionsResponse: {
      items: {
        /** Format: uuid */
        connection_id: string;
        connector_id: string;
        bank: string;
        provider: string;
        labels: components["schemas"]["Labels"];
        /** @enum {string} */
        state: "pending" | "ready" | "needs_relogin" | "blocked";
        reasons: ("blocked" | "sca_required" | "auth_error" | "reset_token")[];
        last_update: string | null;
        consent_expires_at: string | null;
        letter_id: string | null;
        created_at: string;
        refresh: {
          /** @enum {string} */
          state: "planned" | "under_way" | "relogin_needed" | "none";
          next_at: string | null;
          last_attempt_at: string | null;
          last_outcome: ("refreshed" | "incomplete" | "relogin_needed" | "failed" | "pending" | "throttled" | "postponed" | "already_exists" | "superseded") | null;
        };
      }[];
      next_page_token: string | null;
    };
    ShowBankConnectionRequest: {
      /** @example 0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11 */
      credentials_token: string;
    };
    ShowBankConnectionResponse: {
      credentials_token: string;
      bank: string;
      labels: components["schemas"]["Labels"];
      status: components["schemas"]["CredentialStatus"];
      needs_relogin: boolean;
      reasons: {
        /** @enum {string} */
        code: "blocked" | "sca_required" | "auth_error" | "reset_token";
        message: string;
        next_action: string;
      }[];
      consent_renewal: {
        asked_since: string;
        expires_at: string;
      } | null;
    };
    DeleteBankConnectionRequest: {
      /** @example 0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11 */
      credentials_token: string;
      confirm?: boolean;
    };
    DeleteBankConnectionResponse: {
      message: string;
      credentials_token: string;
    };
    ListGrantsRequest: {
      client_id?: string | null;
      page_token?: string | null;
      page_size?: number | null;
    };
    ListGrantsResponse: {
      items: {
        grant_id: string;
        client_id: string;
        client_name: string;
        is_verified: boolean;
        application: {
          client_id: string;
          name: string;
        };
        /** @enum {string} */
        flow: "machine" | "browser" | "asserted";
        person: {
          person_id: string;
          name: string | null;
        } | null;
        scopes: string[];
        created_at: string;
        last_issued_at: string;
        expires_at: string;
      }[];
      next_page_token: string | null;
    };
    EndGrantRequest: {
      grant_id: string;
    };
    EndGrantResponse: {
      grant_id: string;
    };
    ListEventsRequest: {
      query?: {
        type_in?: string[];
        after?: string | null;
        before?: string | null;
        created_at?: {
          start?: string;
          end?: string;
        };
        object_id?: string | null;
      } | null;
      order?: ("asc" | "desc") | null;
      page_size?: number | null;
      page_token?: string | null;
      wait_seconds?: number | null;
    };
    ListEventsResponse: {
      items: components["schemas"]["Event"][];
      next_page_token: string | null;
    };
    CreateEndpointRequest: {
      url: string;
      types?: string[];
      labels?: components["schemas"]["Labels"];
      description?: string | null;
      enabled?: boolean | null;
    };
    CreateEndpointResponse: {
      endpoint: {
        /** Format: uuid */
        id: string;
        url: string;
        types: string[];
        labels: components["schemas"]["Labels"];
        description: string | null;
        enabled: boolean;
        disabled_reason: ("request" | "gone" | "failing") | null;
        disabled_at: string | null;
        failing_since: string | null;
        delivered_at: string | null;
        last_failure: {
          at: string;
          status: number | null;
          error: string;
        } | null;
        previous_secret_until: string | null;
        created_at: string;
        updated_at: string;
        version: number;
      };
      secret: string;
    };
    ListEndpointsRequest: Record<string, never>;
    ListEndpointsResponse: {
      items: {
        /** Format: uuid */
        id: string;
        url: string;
        types: string[];
        labels: components["schemas"]["Labels"];
        description: string | null;
        enabled: boolean;
        disabled_reason: ("request" | "gone" | "failing") | null;
        disabled_at: string | null;
        failing_since: string | null;
        delivered_at: string | null;
        last_failure: {
          at: string;
          status: number | null;
          error: string;
        } | null;
        previous_secret_until: string | null;
        created_at: string;
        updated_at: string;
        version: number;
      }[];
    };
    UpdateEndpointRequest: {
      id: string;
      url?: string | null;
      types?: string[];
      labels?: components["schemas"]["Labels"];
      description?: string | null;
      enabled?: boolean | null;
      version?: number | null;
    };
    UpdateEndpointResponse: {
      endpoint: {
        /** Format: uuid */
        id: string;
        url: string;
        types: string[];
        labels: components["schemas"]["Labels"];
        description: string | null;
        enabled: boolean;
        disabled_reason: ("request" | "gone" | "failing") | null;
        disabled_at: string | null;
        failing_since: string | null;
        delivered_at: string | null;
        last_failure: {
          at: string;
          status: number | null;
          error: string;
        } | null;
        previous_secret_until: string | null;
        created_at: string;
        updated_at: string;
        version: number;
      };
    };
    DeleteEndpointRequest: {
      id: string;
    };
    DeleteEndpointResponse: {
      /** @constant */
      success: true;
    };
    TestEndpointRequest: {
      id: string;
    };
    TestEndpointResponse: {
      /** Format: uuid */
      event_id: string;
    };
    RotateEndpointSecretRequest: {
      id: string;
    };
    RotateEndpointSecretResponse: {
      secret: string;
      previous_until: string;
    };
    ListDeliveriesRequest: {
      query: {
        endpoint_id: string;
        event_id?: string | null;
        state_in?: ("pending" | "delivered" | "failed" | "withdrawn")[];
      };
      page_token?: string | null;
      page_size?: number | null;
    };
    ListDeliveriesResponse: {
      items: {
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        event_id: string;
        sequence: number;
        type: string;
        /** @enum {string} */
        state: "pending" | "delivered" | "failed" | "withdrawn";
        attempt: number;
        at: string | null;
        status: number | null;
        ms: number | null;
        error: string | null;
        answer: string | null;
        next_at: string | null;
      }[];
      next_page_token: string | null;
    };
    ReplayEventsRequest: {
      endpoint_id: string;
      since?: string | null;
      until?: string | null;
      event_ids?: string[];
      types?: string[];
      after?: string | null;
    };
    ReplayEventsResponse: {
      queued: number;
      next_after: string | null;
    };
    ListTenantWorkRequest: {
      kinds?: ("letter_blocked" | "feed_silent" | "webhook_disabled" | "letter_overdue" | "connection_relogin" | "consent_ending")[];
      page_token?: string | null;
      page_size?: number | null;
    };
    ListTenantWorkResponse: {
      items: {
        /** @enum {string} */
        kind: "provider_failing" | "provider_unavailable" | "source_failing" | "mail_failed" | "mail_in_doubt" | "letter_blocked" | "feed_silent" | "webhook_disabled" | "file_held" | "pages_overdue" | "letter_unmailed" | "letter_overdue" | "connection_relogin" | "consent_ending" | "feed_differs";
        subject: {
          /** @enum {string} */
          type: "provider" | "source" | "mail" | "letter" | "endpoint" | "file" | "statement" | "connection";
          id: string;
        };
        tenant_id: string | null;
        tenant: string | null;
        since: string | null;
        /** @enum {string} */
        action: "look_at_provider" | "set_provider" | "test_source" | "correct_address" | "confirm_mail" | "resolve_letter" | "ask_custodian" | "remind_client" | "advance_letter" | "collect_details" | "tell_custodian" | "give_address" | "enable_endpoint" | "retry_file" | "route_file" | "find_pages" | "send_repair_link" | "compare_statements";
        /** @enum {string} */
        severity: "high" | "medium" | "low";
        details: {
          /** Format: uuid */
          letter_id?: string;
          /** Format: uuid */
          connection_id?: string;
          /** Format: uuid */
          mail_id?: string;
          connector_id?: string;
          institution?: string;
          /** @enum {string} */
          status?: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
          /** @enum {string} */
          previous_status?: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
          limit_days?: number;
          labels?: {
            [key: string]: string;
          };
          observations?: string;
          note?: string;
          /** @enum {string} */
          mail_kind?: "signature_request" | "authorization_letter" | "revocation_notice";
          recipient?: string;
          attempts?: number;
          reason?: string;
          provider?: string;
          source?: string;
          name?: string;
          statement?: string;
          host?: string;
          until?: string;
          differences?: number;
        };
      }[];
      counts: {
        [key: string]: number;
      };
      next_page_token: string | null;
    };
    ListTenantsRequest: Record<string, never>;
    ListTenantsResponse: {
      items: components["schemas"]["Tenant"][];
    };
    CreateTenantRequest: {
      name: string;
    };
    CreateTenantResponse: {
      tenant: components["schemas"]["Tenant"];
    };
    ShowTenantRequest: {
      /** Format: uuid */
      tenant_id: string;
    };
    ShowTenantResponse: {
      tenant: {
        /** Format: uuid */
        tenant_id: string;
        name: string;
        enabled: boolean;
        created_at: string;
        profile: {
          display_name: string | null;
          legal_name: string | null;
          postal_address: string[] | null;
          privacy_url: string | null;
          support_contact: string | null;
          logo: {
            sha256: string;
            /** @enum {string} */
            media_type: "image/png" | "image/jpeg" | "image/webp";
            width: number;
            height: number;
          } | null;
        };
        version: number;
      };
    };
    UpdateTenantRequest: {
      /** Format: uuid */
      tenant_id: string;
      set?: {
        display_name?: string | null;
        legal_name?: string | null;
        postal_address?: string[] | null;
        privacy_url?: string | null;
        support_contact?: string | null;
        logo?: string | null;
      } | null;
      /** @default [] */
      reset: ("display_name" | "legal_name" | "postal_address" | "privacy_url" | "support_contact" | "logo")[];
      version?: number | null;
    };
    DisableTenantRequest: {
      /** Format: uuid */
      tenant_id: string;
    };
    EnableTenantRequest: {
      /** Format: uuid */
      tenant_id: string;
    };
    DeleteTenantRequest: {
      /** Format: uuid */
      tenant_id: string;
      confirm?: boolean | null;
    };
    DeleteTenantResponse: {
      /** @constant */
      success: true;
    };
    ListTenantLimitsRequest: {
      tenant_id: string | null;
    };
    ListTenantLimitsResponse: {
      items: components["schemas"]["Limit"][];
      version: number;
    };
    ChangeTenantLimitsRequest: {
      tenant_id: string | null;
      /** @default {} */
      set: {
        [key: string]: number;
      };
      /** @default [] */
      reset: ("requests_per_minute" | "grants" | "open_sessions" | "letters" | "document_bytes" | "grants_ended_per_hour" | "mcp_sessions_ended_per_day" | "webhook_endpoints" | "webhook_tests_and_replays_per_hour")[];
      version?: number | null;
    };
    ListApplicationsRequest: {
      tenant_id?: string | null;
      page_token?: string | null;
    };
    ListApplicationsResponse: {
      items: components["schemas"]["Application"][];
      next_page_token: string | null;
    };
    CreateApplicationRequest: {
      tenant_id: string | null;
      name: string;
      scopes?: ("connections:read" | "connections:write" | "connections:delete" | "investments:read" | "letters:read" | "letters:write" | "events:read" | "events:write" | "grants:manage" | "operator")[];
      redirect_urls?: string[];
    };
    CreateApplicationResponse: {
      application: components["schemas"]["Application"];
      client_secret: string;
    };
    RollApplicationSecretRequest: {
      client_id: string;
    };
    RemoveApplicationSecretRequest: {
      client_id: string;
      secret_id: string;
    };
    RemoveApplicationSecretResponse: {
      application: components["schemas"]["Application"];
    };
    DisableApplicationRequest: {
      client_id: string;
    };
    EnableApplicationRequest: {
      client_id: string;
    };
    UpdateApplicationRequest: {
      client_id: string;
      redirect_urls: string[];
    };
    AddApplicationScopesRequest: {
      client_id: string;
      scopes: ("connections:read" | "connections:write" | "connections:delete" | "investments:read" | "letters:read" | "letters:write" | "events:read" | "events:write")[];
    };
    CreateRegistrationTokenRequest: {
      name: string;
      days?: number | null;
    };
    CreateRegistrationTokenResponse: {
      registration_token: {
        token_id: string;
        name: string;
        created_at: string;
        expires_at: string;
      };
      token: string;
    };
    ListRegistrationTokensRequest: Record<string, never>;
    ListRegistrationTokensResponse: {
      items: {
        token_id: string;
        name: string;
        created_at: string;
        expires_at: string;
      }[];
    };
    RevokeRegistrationTokenRequest: {
      token_id: string;
    };
    RevokeRegistrationTokenResponse: {
      token_id: string;
    };
    ListTrustedIssuersRequest: Record<string, never>;
    ListTrustedIssuersResponse: {
      items: {
        trust_id: string;
        issuer: string;
        tenant_id: string | null;
        jwks_uri: string | null;
        jwks: {
          [key: string]: unknown;
        } | null;
        algorithms: string[];
        client_ids: string[];
        takes_public_clients: boolean;
        max_assertion_seconds: number;
        token_seconds: number;
        rules: {
          /** @default {} */
          claims: {
            [key: string]: string;
          };
          client_id: string;
          scopes: string[];
        }[];
        created_at: string;
        changed_at: string;
        version: number;
      }[];
    };
    TrustIssuerRequest: {
      issuer: string;
      tenant_id: string | null;
      jwks_uri?: string | null;
      jwks?: {
        keys: {
          [key: string]: string | boolean | string[];
        }[];
      } | null;
      algorithms?: string[];
      client_ids: string[];
      takes_public_clients?: boolean;
      max_assertion_seconds?: number;
      token_seconds?: number;
      rules: {
        /** @default {} */
        claims: {
          [key: string]: string;
        };
        client_id: string;
        scopes: string[];
      }[];
      version?: number | null;
    };
    TrustIssuerResponse: {
      trusted_issuer: {
        trust_id: string;
        issuer: string;
        tenant_id: string | null;
        jwks_uri: string | null;
        jwks: {
          [key: string]: unknown;
        } | null;
        algorithms: string[];
        client_ids: string[];
        takes_public_clients: boolean;
        max_assertion_seconds: number;
        token_seconds: number;
        rules: {
          /** @default {} */
          claims: {
            [key: string]: string;
          };
          client_id: string;
          scopes: string[];
        }[];
        created_at: string;
        changed_at: string;
        version: number;
      };
      found: {
        jwks_uri: string | null;
        keys: {
          kid: string | null;
          kty: string;
          alg: string | null;
        }[];
      };
      grants_ended: number;
    };
    TestTrustedIssuerRequest: {
      issuer: string;
    };
    TestTrustedIssuerResponse: {
      trusted_issuer: {
        trust_id: string;
        issuer: string;
        tenant_id: string | null;
        jwks_uri: string | null;
        jwks: {
          [key: string]: unknown;
        } | null;
        algorithms: string[];
        client_ids: string[];
        takes_public_clients: boolean;
        max_assertion_seconds: number;
        token_seconds: number;
        rules: {
          /** @default {} */
          claims: {
            [key: string]: string;
          };
          client_id: string;
          scopes: string[];
        }[];
        created_at: string;
        changed_at: string;
        version: number;
      };
      found: {
        jwks_uri: string | null;
        keys: {
          kid: string | null;
          kty: string;
          alg: string | null;
        }[];
      };
    };
    WithdrawTrustedIssuerResponse: {
      grants_ended: number;
    };
    ListPeopleRequest: {
      tenant_id?: string | null;
      ended?: boolean | null;
      page_size?: number | null;
      page_token?: string | null;
    };
    ListPeopleResponse: {
      items: {
        person_id: string;
        tenant_id: string | null;
        email: string;
        name: string;
        /** @enum {string} */
        role: "operator" | "operator:read" | "admin" | "member" | "read";
        /** @enum {string} */
        state: "invited" | "active" | "ended";
        /** @enum {string} */
        signs_in_with: "passkey" | "oidc";
        created_at: string;
        joined_at: string | null;
        seen_at: string | null;
        invited_until: string | null;
        ended_at: string | null;
      }[];
      next_page_token: string | null;
    };
    InvitePersonRequest: {
      tenant_id?: string | null;
      email: string;
      name?: string | null;
      /** @enum {string} */
      role: "operator" | "operator:read" | "admin" | "member" | "read";
    };
    InvitePersonResponse: {
      person: {
        person_id: string;
        tenant_id: string | null;
        email: string;
        name: string;
        /** @enum {string} */
        role: "operator" | "operator:read" | "admin" | "member" | "read";
        /** @enum {string} */
        state: "invited" | "active" | "ended";
        /** @enum {string} */
        signs_in_with: "passkey" | "oidc";
        created_at: string;
        joined_at: string | null;
        seen_at: string | null;
        invited_until: string | null;
        ended_at: string | null;
      };
      link: string;
      expires_at: string;
    };
    ReinvitePersonRequest: {
      tenant_id?: string | null;
      person_id: string;
    };
    ChangePersonRequest: {
      tenant_id?: string | null;
      person_id: string;
      name?: string | null;
      role?: ("operator" | "operator:read" | "admin" | "member" | "read") | null;
    };
    ChangePersonResponse: {
      person: {
        person_id: string;
        tenant_id: string | null;
        email: string;
        name: string;
        /** @enum {string} */
        role: "operator" | "operator:read" | "admin" | "member" | "read";
        /** @enum {string} */
        state: "invited" | "active" | "ended";
        /** @enum {string} */
        signs_in_with: "passkey" | "oidc";
        created_at: string;
        joined_at: string | null;
        seen_at: string | null;
        invited_until: string | null;
        ended_at: string | null;
      };
    };
    EndPersonRequest: {
      tenant_id?: string | null;
      person_id: string;
    };
    ImportConnectorsResponse: {
      inserted: number;
      updated: number;
      unserved_total: number;
      unserved: {
        id: string;
        provider: string;
      }[];
    };
    ListCatalogueRequest: {
      name?: string | null;
      unserved?: boolean | null;
      page?: number | null;
      page_size?: number | null;
    };
    ListCatalogueResponse: {
      items: components["schemas"]["CatalogueEntry"][];
      page: number;
      page_size: number;
      pages: number;
      total: number;
    };
    ListProvidersRequest: {
      tenant_id?: string | null;
    };
    ListProvidersResponse: {
      items: {
        name: string;
        title: string | null;
        tenant_id: string | null;
        /** @enum {string} */
        state: "available" | "starting" | "unavailable" | "no_settings" | "not_loaded";
        reason: string | null;
        changed_at: string | null;
        connectors: number;
      }[];
    };
    ShowProviderRequest: {
      name: string;
      tenant_id?: string | null;
    };
    ShowProviderResponse: {
      provider: {
        name: string;
        title: string | null;
        tenant_id: string | null;
        /** @enum {string} */
        state: "available" | "starting" | "unavailable" | "no_settings" | "not_loaded";
        reason: string | null;
        changed_at: string | null;
        connectors: number;
        version: number;
        settings: unknown;
        settings_schema: {
          [key: string]: unknown;
        } | null;
      };
    };
    SetProviderRequest: {
      name: string;
      tenant_id?: string | null;
      settings: {
        [key: string]: unknown;
      };
      version?: number | null;
    };
    TestProviderRequest: {
      name: string;
      tenant_id?: string | null;
      settings?: {
        [key: string]: unknown;
      };
    };
    TestProviderResponse: {
      ok: boolean;
      message: string;
    };
    RemoveProviderRequest: {
      name: string;
      tenant_id?: string | null;
    };
    RemoveProviderResponse: {
      /** @constant */
      success: true;
    };
    SyncProviderRequest: {
      name: string;
      tenant_id?: string | null;
    };
    SyncProviderResponse: {
      inserted: number;
      updated: number;
      taken_total: number;
      taken: {
        id: string;
        provider: string;
      }[];
    };
    ListFeedMappingsRequest: Record<string, never>;
    ListFeedMappingsResponse: {
      items: {
        name: string;
        title: string;
        connector_id: string | null;
        connection_id: string | null;
        changed_at: string | null;
        version: number;
      }[];
    };
    ShowFeedMappingRequest: {
      connector_id?: string;
      connection_id?: string;
      name: string;
    };
    ShowFeedMappingResponse: {
      mapping: {
        name: string;
        title: string;
        connector_id: string | null;
        connection_id: string | null;
        changed_at: string | null;
        version: number;
        mapping: {
          [key: string]: unknown;
        };
      };
    };
    SetFeedMappingRequest: {
      connector_id?: string;
      connection_id?: string;
      mapping: {
        [key: string]: unknown;
      };
      version?: number | null;
    };
    SetFeedMappingResponse: {
      mapping: {
        name: string;
        title: string;
        connector_id: string | null;
        connection_id: string | null;
        changed_at: string | null;
        version: number;
      };
      retried: number;
      taken: number;
    };
    RemoveFeedMappingRequest: {
      connector_id?: string;
      connection_id?: string;
      name: string;
    };
    RemoveFeedMappingResponse: {
      /** @constant */
      success: true;
    };
    TestFeedMappingRequest: {
      mapping: {
        [key: string]: unknown;
      };
      /** Format: base64 */
      file: string;
      file_name?: string | null;
      limit?: number | null;
    };
    TestFeedMappingResponse: {
      rows: {
        line: number;
        is: string;
        values: {
          [key: string]: unknown;
        };
      }[];
      counts: {
        [key: string]: number;
      };
      faults: {
        place: string;
        reason: string;
      }[];
      faults_total: number;
      warnings: {
        place: string;
        message: string;
      }[];
      portfolios: {
        number: string | null;
        name: string;
        currency: string;
        balance: string | null;
      }[];
    };
    DraftFeedMappingRequest: {
      /** Format: base64 */
      file: string;
      file_name?: string | null;
    };
    DraftFeedMappingResponse: {
      mapping: {
        [key: string]: unknown;
      };
      guesses: {
        path: string;
        value: unknown;
        /** @enum {string} */
        sure: "certain" | "likely" | "guess";
        why: string;
      }[];
      to_decide: {
        path: string;
        question: string;
        options?: unknown[];
      }[];
    };
    SearchTenantLettersRequest: {
      /** @default {} */
      query: {
        connector_id_in?: string[];
        status_in?: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked")[];
        id_in?: string[];
        labels?: components["schemas"]["Labels"];
        creation_date?: {
          start?: string;
          end?: string;
        };
        last_update?: {
          start?: string;
          end?: string;
        };
      };
      page?: number | null;
      page_size?: number | null;
      tenant_id?: string | null;
      in_status_before?: string;
      custodian?: string | null;
      text?: string | null;
      stuck?: boolean | null;
      order?: ("newest" | "oldest" | "longest_in_status" | "last_changed") | null;
      page_token?: string | null;
    };
    SearchTenantLettersResponse: {
      items: {
        /** Format: uuid */
        id: string;
        connector_id: string;
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        labels: components["schemas"]["Labels"];
        connection_id: string | null;
        observations: string | null;
        created_at: string;
        updated_at: string;
        /** Format: uuid */
        tenant_id: string;
        tenant: string;
        custodian: string;
        contact_info: {
          [key: string]: string;
        };
        status_since: string;
        to_do: {
          /** @enum {string} */
          by: "operator" | "client" | "custodian" | "service" | "nobody";
          what: string;
        };
        mails: {
          /** Format: uuid */
          mail_id: string;
          /** Format: uuid */
          tenant_id: string;
          /** Format: uuid */
          letter_id: string;
          /** @enum {string} */
          kind: "signature_request" | "authorization_letter" | "revocation_notice";
          /** @enum {string} */
          state: "queued" | "sent" | "in_doubt" | "failed" | "withdrawn";
          recipient: string | null;
          created_at: string;
          next_attempt_at: string | null;
          attempts: number;
          last_error: string | null;
          settled_at: string | null;
        }[];
        remarks: string[];
        days_in_status: number;
      }[];
      page: number;
      page_size: number;
      pages: number;
      total: number;
      next_page_token: string | null;
    };
    CountTenantLettersRequest: {
      tenant_id?: string | null;
    };
    CountTenantLettersResponse: {
      items: {
        /** @enum {string} */
        status: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
        letters: number;
        oldest_since: string;
        oldest_days: number;
      }[];
    };
    ShowLetterRequest: {
      letter_id: string;
    };
    ShowLetterResponse: {
      letter: components["schemas"]["OperatorLetter"];
    };
    AdvanceLetterRequest: {
      letter_id: string;
      to?: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
      note?: string | null;
      version?: number | null;
    };
    MoveLettersRequest: {
      letter_ids: string[];
      move?: ("advance" | "block" | "resolve" | "cancel") | null;
      to?: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
      note?: string | null;
      versions?: {
        [key: string]: number;
      } | null;
    };
    MoveLettersResponse: {
      items: {
        /** Format: uuid */
        letter_id: string;
        /** @enum {string} */
        outcome: "moved" | "refused";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        to: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        error: {
          code: string;
          message: string;
        } | null;
      }[];
      moved: number;
      refused: number;
    };
    PreviewLetterMovesRequest: {
      letter_ids: string[];
      move?: ("advance" | "block" | "resolve" | "cancel") | null;
      to?: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
    };
    PreviewLetterMovesResponse: {
      items: {
        /** Format: uuid */
        letter_id: string;
        /** @enum {string} */
        outcome: "moves" | "refused";
        from: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        to: ("NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked") | null;
        version: number | null;
        error: {
          code: string;
          message: string;
        } | null;
      }[];
    };
    CorrectLetterContactsRequest: {
      letter_id: string;
      /** @default {} */
      contact_info: {
        [key: string]: string | null;
      };
      mail?: boolean | null;
      version?: number | null;
    };
    BlockLetterRequest: {
      letter_id: string;
      note?: string | null;
      version?: number | null;
    };
    DownloadLetterDocumentRequest: {
      letter_id: string;
      kind?: ("letter" | "annex" | "generated") | null;
    };
    DownloadLetterDocumentResponse: {
      /** Format: uuid */
      letter_id: string;
      /** @enum {string} */
      kind: "letter" | "annex" | "generated";
      sha256: string;
      size: number;
      data: string;
    };
    ObserveLetterRequest: {
      letter_id: string;
      observations: string | null;
      version?: number | null;
    };
    RequestLetterRequest: {
      /** Format: uuid */
      tenant_id: string;
      connector_id: string;
      /** @default {} */
      labels: components["schemas"]["Labels"];
      /** @default {} */
      contact_info: {
        /** Format: email */
        banker_email?: string;
      } & {
        [key: string]: string;
      };
    };
    SubmitTenantLetterRequest: {
      connector_id: string;
      data: string;
      labels?: components["schemas"]["Labels"] | null;
      annex?: string | null;
      contact_info?: ({
        /** Format: email */
        banker_email?: string;
      } & {
        [key: string]: string;
      }) | null;
      /** Format: uuid */
      tenant_id: string;
    };
    SubmitTenantLetterResponse: {
      /** Format: uuid */
      letter_id: string;
    };
    CollectLetterDetailsRequest: {
      letter_id: string;
      details: {
        full_name: string;
        address: string[];
        /** @default [] */
        accounts: string[];
        birth_date?: string | null;
        tax_id?: string | null;
        email?: string | null;
        language?: ("en" | "es" | "fr" | "de") | null;
      };
      version?: number | null;
    };
    AttachSignedLetterRequest: {
      letter_id: string;
      data: string;
      annex?: string | null;
    };
    ListMailsRequest: {
      tenant_id?: string | null;
      state_in?: ("queued" | "sent" | "in_doubt" | "failed" | "withdrawn")[];
      page_size?: number | null;
      page_token?: string | null;
    };
    ListMailsResponse: {
      items: {
        /** Format: uuid */
        mail_id: string;
        /** Format: uuid */
        tenant_id: string;
        /** Format: uuid */
        letter_id: string;
        /** @enum {string} */
        kind: "signature_request" | "authorization_letter" | "revocation_notice";
        /** @enum {string} */
        state: "queued" | "sent" | "in_doubt" | "failed" | "withdrawn";
        recipient: string | null;
        created_at: string;
        next_attempt_at: string | null;
        attempts: number;
        last_error: string | null;
        settled_at: string | null;
      }[];
      next_page_token: string | null;
    };
    RetryMailRequest: {
      mail_id: string;
      recipient?: string | null;
    };
    RetryMailResponse: {
      mail: {
        /** Format: uuid */
        mail_id: string;
        /** Format: uuid */
        tenant_id: string;
        /** Format: uuid */
        letter_id: string;
        /** @enum {string} */
        kind: "signature_request" | "authorization_letter" | "revocation_notice";
        /** @enum {string} */
        state: "queued" | "sent" | "in_doubt" | "failed" | "withdrawn";
        recipient: string | null;
        created_at: string;
        next_attempt_at: string | null;
        attempts: number;
        last_error: string | null;
        settled_at: string | null;
      };
    };
    ConfirmMailRequest: {
      mail_id: string;
    };
    IngestDataFeedResponse: {
      /** @enum {string} */
      status: "ingested" | "duplicate";
      connection_id: string;
      format: string;
      sha256: string;
      portfolios: number;
      holdings: number;
      transactions: number;
      differences: number;
      gap_days: number;
      warnings: {
        place: string;
        message: string;
      }[];
      parts?: {
        name: string;
        sha256: string;
        /** @enum {string} */
        status: "ingested" | "duplicate";
        format: string;
        portfolios: number;
        holdings: number;
        transactions: number;
      }[];
    };
    ListPendingFilesRequest: {
      source?: string | null;
      limit?: number | null;
    };
    ListPendingFilesResponse: {
      items: ({
        file_id: string;
        source: string;
        name: string;
        size: number;
        sha256: string;
        /** @constant */
        state: "held";
        modified_at: string | null;
        came_at: string;
        settled_at: string;
        held_until: string;
        findings: {
          part: string;
          account: string | null;
          reason: string;
          proposals: {
            letter_id: string;
            tenant_id: string;
            why: string;
          }[];
        }[];
      } | {
        tenant_id: string;
        connection_id: string;
        letter_id: string | null;
        statement: string;
        title: string | null;
        readonly pages: number[];
        readonly missing: number[];
        last_page: number | null;
        /** @enum {string} */
        state: "incomplete" | "overdue";
        first_at: string;
        latest_at: string;
        until: string;
      })[];
      held: number;
      incomplete: number;
      overdue: number;
    };
    ShowPendingFileRequest: {
      file_id: string;
    };
    ShowPendingFileResponse: {
      file: {
        file_id: string;
        source: string;
        name: string;
        size: number;
        sha256: string;
        /** @enum {string} */
        state: "taken" | "held" | "dropped" | "expired";
        modified_at: string | null;
        came_at: string;
        settled_at: string;
        held_until: string;
        findings: {
          part: string;
          account: string | null;
          reason: string;
          proposals: {
            letter_id: string;
            tenant_id: string;
            why: string;
          }[];
        }[];
      };
      excerpt: {
        place: {
          line: number;
          column: number | null;
        } | null;
        is_text: boolean;
        readonly lines: {
          line: number;
          skipped: number;
          text: string;
          is_cut: boolean;
        }[];
      };
    };
    RetryPendingFileRequest: {
      file_id: string;
      letter_id?: string;
      connection_id?: string;
    };
    RetryPendingFileResponse: {
      /** @enum {string} */
      outcome: "taken" | "held" | "duplicate";
      file_id: string;
      delivered: number;
      findings: {
        part: string;
        account: string | null;
        reason: string;
        proposals: {
          letter_id: string;
          tenant_id: string;
          why: string;
        }[];
      }[];
    };
    RoutePendingFileRequest: {
      file_id: string;
      account?: string;
      letter_id?: string;
      connection_id?: string;
    };
    RoutePendingFileResponse: {
      rules: number;
      retried: number;
      taken: number;
    };
    DropPendingFileRequest: {
      file_id?: string;
      connection_id?: string;
      statement?: string;
    };
    DropPendingFileResponse: {
      /** @constant */
      success: true;
    };
    ListFeedAccountsRequest: {
      connection_or_letter_id: string;
    };
    ListFeedAccountsResponse: {
      connection_id: string;
      accounts: {
        number: string;
        currency: string;
        is_cash: boolean;
        as_of: string | null;
        shown_in: string | null;
      }[];
      total: number;
      links: {
        account: string;
        portfolio: string | null;
        /** @enum {string} */
        origin: "operator" | "letter" | "rule";
        in_force: boolean;
      }[];
    };
    LinkFeedAccountRequest: {
      connection_or_letter_id: string;
      account: string;
      portfolio: string;
    };
    UnlinkFeedAccountRequest: {
      connection_or_letter_id: string;
      account: string;
    };
    ReconcileDataFeedRequest: {
      connection_or_letter_id: string;
    };
    ReconcileDataFeedResponse: {
      connection_id: string;
      differences: {
        account: string;
        /** Format: date */
        from_day: string;
        /** Format: date */
        to_day: string;
        name: string;
        isin: string | null;
        before: string;
        moved: string;
        expected: string;
        stated: string;
        difference: string;
        found_at: string;
      }[];
      gaps: {
        account: string;
        /** Format: date */
        from_day: string;
        /** Format: date */
        to_day: string;
        days: string[];
        found_at: string;
      }[];
    };
    ListSourcesRequest: Record<string, never>;
    ListSourcesResponse: {
      items: {
        source: string;
        /** @enum {string} */
        kind: "sftp" | "push" | "folder";
        enabled: boolean;
        failures: number;
        last_error: string | null;
        changed_at: string;
        due_at: string | null;
        attempted_at: string | null;
        succeeded_at: string | null;
      }[];
    };
    ShowSourceRequest: {
      source: string;
    };
    ShowSourceResponse: {
      source: {
        source: string;
        /** @enum {string} */
        kind: "sftp" | "push" | "folder";
        enabled: boolean;
        failures: number;
        last_error: string | null;
        changed_at: string;
        due_at: string | null;
        attempted_at: string | null;
        succeeded_at: string | null;
        version: number;
        settings: {
          [key: string]: unknown;
        };
      };
    };
    SetSourceRequest: {
      source: string;
      settings: {
        [key: string]: unknown;
      };
      enabled?: boolean | null;
      version?: number | null;
    };
    SetSourceResponse: {
      source: {
        source: string;
        /** @enum {string} */
        kind: "sftp" | "push" | "folder";
        enabled: boolean;
        failures: number;
        last_error: string | null;
        changed_at: string;
        due_at: string | null;
        attempted_at: string | null;
        succeeded_at: string | null;
        version: number;
        settings: {
          [key: string]: unknown;
        };
      };
    };
    TestSourceRequest: {
      source: string;
    };
    TestSourceResponse: {
      ok: boolean;
      message: string;
      host_key: string | null;
      files: number | null;
    };
    RemoveSourceRequest: {
      source: string;
    };
    RemoveSourceResponse: {
      /** @constant */
      success: true;
    };
    RunSourceRequest: {
      source: string;
    };
    RunSourceResponse: {
      found: number;
      taken: number;
      held: number;
      duplicates: number;
      waiting: number;
      unfit: number;
      failed: number;
      reason: string | null;
      isWhole: boolean;
    };
    ListSourceFilesRequest: {
      source?: string | null;
      state?: ("taken" | "held" | "dropped" | "expired") | null;
      limit?: number | null;
    };
    ListSourceFilesResponse: {
      items: {
        file_id: string;
        source: string;
        name: string;
        size: number;
        sha256: string;
        /** @enum {string} */
        state: "taken" | "held" | "dropped" | "expired";
        modified_at: string | null;
        came_at: string;
        settled_at: string;
      }[];
    };
    ListSourceRoutesRequest: {
      source: string;
    };
    ListSourceRoutesResponse: {
      items: {
        route_id: string;
        source: string;
        when: {
          [key: string]: unknown;
        };
        to: {
          [key: string]: unknown;
        };
        created_at: string;
      }[];
    };
    AddSourceRouteRequest: {
      source: string;
      when?: {
        account?: string;
        servicer?: string;
        sender?: string;
        name?: string;
      } | null;
      to: {
        letter_id?: string;
        connection_id?: string;
        connector_id?: string;
        tenant_id?: string;
      };
    };
    AddSourceRouteResponse: {
      route: {
        route_id: string;
        source: string;
        when: {
          [key: string]: unknown;
        };
        to: {
          [key: string]: unknown;
        };
        created_at: string;
      };
      retried: number;
      taken: number;
    };
    RemoveSourceRouteRequest: {
      route_id: string;
    };
    CreateSourceTokenRequest: {
      source: string;
      name: string;
      days?: number | null;
    };
    CreateSourceTokenResponse: {
      source_token: {
        token_id: string;
        source: string;
        name: string;
        created_at: string;
        expires_at: string | null;
      };
      token: string;
    };
    ListSourceTokensRequest: {
      source: string;
    };
    ListSourceTokensResponse: {
      items: {
        token_id: string;
        source: string;
        name: string;
        created_at: string;
        expires_at: string | null;
      }[];
    };
    EndSourceTokenRequest: {
      token_id: string;
    };
    ListFeedKeysRequest: Record<string, never>;
    ListFeedKeysResponse: {
      items: {
        fingerprint: string;
        /** @enum {string} */
        kind: "own" | "custodian";
        connector_id: string | null;
        source: string | null;
        /** @enum {string} */
        state: "live" | "expired" | "revoked";
        user_ids: string[];
        algorithm: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        added_at: string;
        version: number;
      }[];
      signing: {
        connector_id?: string;
        source?: string;
        must_be_signed: boolean;
        changed_at: string;
        version: number;
      }[];
    };
    ShowFeedKeyRequest: {
      fingerprint: string;
      connector_id?: string | null;
      source?: string | null;
    };
    ShowFeedKeyResponse: {
      key: {
        fingerprint: string;
        /** @enum {string} */
        kind: "own" | "custodian";
        connector_id: string | null;
        source: string | null;
        /** @enum {string} */
        state: "live" | "expired" | "revoked";
        user_ids: string[];
        algorithm: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        added_at: string;
        version: number;
        public_key: string;
      };
    };
    GenerateFeedKeyRequest: {
      name: string;
      email?: string | null;
      algorithm?: ("curve25519" | "rsa4096") | null;
      days?: number | null;
    };
    GenerateFeedKeyResponse: {
      key: {
        fingerprint: string;
        /** @enum {string} */
        kind: "own" | "custodian";
        connector_id: string | null;
        source: string | null;
        /** @enum {string} */
        state: "live" | "expired" | "revoked";
        user_ids: string[];
        algorithm: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        added_at: string;
        version: number;
      };
    };
    ImportFeedKeyRequest: {
      private_key: string;
      passphrase?: string | null;
    };
    ImportFeedKeyResponse: {
      key: {
        fingerprint: string;
        /** @enum {string} */
        kind: "own" | "custodian";
        connector_id: string | null;
        source: string | null;
        /** @enum {string} */
        state: "live" | "expired" | "revoked";
        user_ids: string[];
        algorithm: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        added_at: string;
        version: number;
      };
      retried: number;
      taken: number;
    };
    TrustFeedKeyRequest: {
      public_key: string;
      connector_id?: string | null;
      source?: string | null;
    };
    TrustFeedKeyResponse: {
      key: {
        fingerprint: string;
        /** @enum {string} */
        kind: "own" | "custodian";
        connector_id: string | null;
        source: string | null;
        /** @enum {string} */
        state: "live" | "expired" | "revoked";
        user_ids: string[];
        algorithm: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        added_at: string;
        version: number;
      };
      retried: number;
      taken: number;
    };
    ExpireFeedKeyRequest: {
      fingerprint: string;
      connector_id?: string | null;
      source?: string | null;
      at?: string | null;
      force?: boolean | null;
      version?: number | null;
    };
    RevokeFeedKeyRequest: {
      fingerprint: string;
      connector_id?: string | null;
      source?: string | null;
      force?: boolean | null;
      version?: number | null;
    };
    RemoveFeedKeyRequest: {
      fingerprint: string;
      connector_id?: string | null;
      source?: string | null;
      force?: boolean | null;
      version?: number | null;
    };
    RemoveFeedKeyResponse: {
      /** @constant */
      success: true;
    };
    RequireSignedFeedsRequest: {
      connector_id?: string | null;
      source?: string | null;
      must_be_signed: boolean;
      version?: number | null;
    };
    RequireSignedFeedsResponse: {
      signing: {
        connector_id?: string;
        source?: string;
        must_be_signed: boolean;
        changed_at: string;
        version: number;
      };
      retried: number;
      taken: number;
    };
    ListConnectionsRequest: {
      /** Format: uuid */
      tenant_id: string;
      bank?: string | null;
      ready_only?: boolean | null;
      include_status?: boolean | null;
      page?: number | null;
      page_size?: number | null;
    };
    ListConnectionsResponse: {
      items: {
        connection_id: string;
        bank: string;
        labels: components["schemas"]["Labels"];
        status?: components["schemas"]["CredentialStatus"];
      }[];
      page: number;
      page_size: number;
      pages: number;
      total: number;
    };
    SearchConnectionsRequest: {
      query?: {
        connection_id?: string | null;
        bank?: string | null;
        state_in?: ("pending" | "ready" | "needs_relogin" | "blocked")[];
        consent_ends_before?: string;
        is_failing?: boolean | null;
        tenant_id?: string | null;
      } | null;
      page_token?: string | null;
      page_size?: number | null;
    };
    SearchConnectionsResponse: {
      items: {
        /** Format: uuid */
        connection_id: string;
        connector_id: string;
        bank: string;
        provider: string;
        labels: components["schemas"]["Labels"];
        /** @enum {string} */
        state: "pending" | "ready" | "needs_relogin" | "blocked";
        reasons: ("blocked" | "sca_required" | "auth_error" | "reset_token")[];
        last_update: string | null;
        consent_expires_at: string | null;
        letter_id: string | null;
        created_at: string;
        refresh: {
          /** @enum {string} */
          state: "planned" | "under_way" | "relogin_needed" | "none";
          next_at: string | null;
          last_attempt_at: string | null;
          last_outcome: ("refreshed" | "incomplete" | "relogin_needed" | "failed" | "pending" | "throttled" | "postponed" | "already_exists" | "superseded") | null;
        };
        /** Format: uuid */
        tenant_id: string;
        tenant: string;
      }[];
      next_page_token: string | null;
    };
    DeleteConnectionRequest: {
      connection_id: string;
      confirm?: boolean | null;
    };
    DeleteConnectionResponse: {
      connection_id: string;
      bank: string;
    };
    ShowConnectionStatusRequest: {
      tenant_id?: string | null;
      connection_id: string;
    };
    ShowConnectionStatusResponse: {
      connection_id: string;
      status: components["schemas"]["CredentialStatus"];
      refresh: {
        /** @enum {string} */
        state: "planned" | "under_way" | "relogin_needed" | "none";
        next_at: string | null;
        last_attempt_at: string | null;
        last_outcome: ("refreshed" | "incomplete" | "relogin_needed" | "failed" | "pending" | "throttled" | "postponed" | "already_exists" | "superseded") | null;
      };
    };
    CreateSessionForTenantRequest: {
      /** @default {} */
      configuration: {
        connector_id?: string | null;
        connection_id?: string | null;
        connector_filter?: components["schemas"]["ConnectorFilter"] | null;
        labels?: components["schemas"]["Labels"] | null;
        language?: ("en" | "es" | "fr" | "de") | null;
        privacy_notice?: string | null;
      };
      /** Format: uuid */
      tenant_id: string;
    };
    CreateSessionForTenantResponse: {
      session: components["schemas"]["Session"];
      widget_url: string;
    };
    ListSessionsOfTenantRequest: {
      query?: {
        session_id_in?: string[];
        status_in?: ("Waiting:ProvideCredentials" | "Processing:ProvideCredentials" | "Waiting:Challenge" | "Processing:Challenge" | "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted")[];
        connection_id_in?: string[];
        error_code_in?: ("InvalidCredentials" | "InvalidChallengeResponse" | "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "AbortedByUser" | "SessionExpired" | "InternalError")[];
      } | null;
      page_token?: string | null;
      /** Format: uuid */
      tenant_id: string;
    };
    ListSessionsOfTenantResponse: {
      items: {
        session_id: string;
        /** @enum {string} */
        status: "Waiting:ProvideCredentials" | "Processing:ProvideCredentials" | "Waiting:Challenge" | "Processing:Challenge" | "Finished:OK" | "Finished:Error" | "Finished:Expired" | "Finished:Aborted";
        updated_at: string;
        connection_id: string | null;
        connector_id: string | null;
        expires_at: string;
        error_code: ("InvalidCredentials" | "InvalidChallengeResponse" | "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "AbortedByUser" | "SessionExpired" | "InternalError") | null;
        /** @enum {string} */
        challenge_kind?: "sms" | "code" | "app" | "qr" | "card" | "redirect" | "ask";
      }[];
      next_page_token: string | null;
    };
    ListGrantsOfTenantRequest: {
      tenant_id: string | null;
      client_id?: string | null;
      page_token?: string | null;
      page_size?: number | null;
    };
    EndGrantOfTenantRequest: {
      tenant_id: string | null;
      grant_id: string;
    };
    ListAuditTrailRequest: {
      tenant_id?: string | null;
      since?: string;
      until?: string;
      action?: string | null;
      actor?: string | null;
      object_id?: string | null;
      trace_id?: string | null;
      order?: ("newest" | "oldest") | null;
      page_size?: number | null;
      page_token?: string | null;
    };
    ListAuditTrailResponse: {
      items: components["schemas"]["AuditLine"][];
      next_page_token: string | null;
    };
    ShowAuditHeadRequest: Record<string, never>;
    ShowAuditHeadResponse: {
      sequence: number;
      hash: string;
      sealed_at: string | null;
      waiting: number;
    };
    ReadAuditChainRequest: {
      after?: number | null;
      through?: number | null;
      since?: string;
      until?: string;
      page_size?: number | null;
    };
    ReadAuditChainResponse: {
      after: {
        sequence: number;
        hash: string;
      };
      items: {
        sequence: number;
        hash: string;
        /** Format: uuid */
        audit_id: string;
        refused_at: string | null;
        content_hash: string | null;
        line: components["schemas"]["AuditLine"] | null;
      }[];
      strangers: components["schemas"]["AuditLine"][];
      waiting: components["schemas"]["AuditLine"][];
      through: number | null;
      next_after: number | null;
    };
    ListAllEventsRequest: {
      query?: {
        type_in?: string[];
        after?: string | null;
        before?: string | null;
        created_at?: {
          start?: string;
          end?: string;
        };
        object_id?: string | null;
        tenant_id?: string | null;
      } | null;
      order?: ("asc" | "desc") | null;
      page_size?: number | null;
      page_token?: string | null;
      wait_seconds?: number | null;
    };
    ListWebhookEndpointsRequest: {
      tenant_id?: string | null;
      state_in?: ("enabled" | "failing" | "disabled")[];
      page_token?: string | null;
      page_size?: number | null;
    };
    ListWebhookEndpointsResponse: {
      items: {
        /** Format: uuid */
        id: string;
        types: string[];
        disabled_reason: ("request" | "gone" | "failing") | null;
        disabled_at: string | null;
        failing_since: string | null;
        delivered_at: string | null;
        last_failure: {
          at: string;
          status: number | null;
          error: string;
        } | null;
        previous_secret_until: string | null;
        created_at: string;
        updated_at: string;
        /** Format: uuid */
        tenant_id: string;
        host: string;
        /** @enum {string} */
        state: "enabled" | "failing" | "disabled";
      }[];
      next_page_token: string | null;
    };
    ListWebhookDeliveriesResponse: {
      items: {
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        event_id: string;
        sequence: number;
        type: string;
        /** @enum {string} */
        state: "pending" | "delivered" | "failed" | "withdrawn";
        attempt: number;
        at: string | null;
        status: number | null;
        ms: number | null;
        error: string | null;
        next_at: string | null;
      }[];
      next_page_token: string | null;
    };
    EnableWebhookEndpointRequest: {
      id: string;
    };
    EnableWebhookEndpointResponse: {
      endpoint: {
        /** Format: uuid */
        id: string;
        types: string[];
        disabled_reason: ("request" | "gone" | "failing") | null;
        disabled_at: string | null;
        failing_since: string | null;
        delivered_at: string | null;
        last_failure: {
          at: string;
          status: number | null;
          error: string;
        } | null;
        previous_secret_until: string | null;
        created_at: string;
        updated_at: string;
        /** Format: uuid */
        tenant_id: string;
        host: string;
        /** @enum {string} */
        state: "enabled" | "failing" | "disabled";
      };
    };
    DisableWebhookEndpointRequest: {
      id: string;
    };
    ListKeysRequest: Record<string, never>;
    ListKeysResponse: {
      signing_keys: components["schemas"]["SigningKey"][];
      encryption_keys: components["schemas"]["EncryptionKey"][];
      server_keys: {
        /** @enum {string} */
        name: "secret-hash" | "mcp-session" | "webhook-signature";
        version: number;
        active: boolean;
        active_from: string | null;
      }[];
      webhook_keys: {
        kid: string;
        public_key: string;
        since: string | null;
        until: string | null;
      }[];
    };
    RotateSigningKeyRequest: Record<string, never>;
    RotateSigningKeyResponse: {
      signing_keys: components["schemas"]["SigningKey"][];
    };
    RotateServerKeyRequest: {
      /** @enum {string} */
      name: "secret-hash" | "mcp-session" | "webhook-signature";
    };
    RotateServerKeyResponse: {
      server_keys: {
        /** @enum {string} */
        name: "secret-hash" | "mcp-session" | "webhook-signature";
        version: number;
        active: boolean;
        active_from: string | null;
      }[];
    };
    RevokeSigningKeyRequest: {
      kid: string;
    };
    RevokeSigningKeyResponse: {
      signing_keys: components["schemas"]["SigningKey"][];
    };
    RewrapStoredValuesRequest: {
      page_token?: string | null;
    };
    RewrapStoredValuesResponse: {
      rewrapped: number;
      unreadable: {
        place: string;
        key_id: string | null;
        values: number;
      }[];
      next_page_token: string | null;
    };
    ExamineInstallationRequest: Record<string, never>;
    ExamineInstallationResponse: {
      items: {
        check: string;
        /** @enum {string} */
        state: "ok" | "warn" | "fail";
        message: string;
        next_step?: string;
      }[];
    };
    ListWorkRequest: {
      tenant_id?: string | null;
      kinds?: ("provider_failing" | "provider_unavailable" | "source_failing" | "mail_failed" | "mail_in_doubt" | "letter_blocked" | "feed_silent" | "webhook_disabled" | "file_held" | "pages_overdue" | "letter_unmailed" | "letter_overdue" | "connection_relogin" | "consent_ending" | "feed_differs")[];
      page_token?: string | null;
      page_size?: number | null;
    };
    ListWorkResponse: {
      items: {
        /** @enum {string} */
        kind: "provider_failing" | "provider_unavailable" | "source_failing" | "mail_failed" | "mail_in_doubt" | "letter_blocked" | "feed_silent" | "webhook_disabled" | "file_held" | "pages_overdue" | "letter_unmailed" | "letter_overdue" | "connection_relogin" | "consent_ending" | "feed_differs";
        subject: {
          /** @enum {string} */
          type: "provider" | "source" | "mail" | "letter" | "endpoint" | "file" | "statement" | "connection";
          id: string;
        };
        tenant_id: string | null;
        tenant: string | null;
        since: string | null;
        /** @enum {string} */
        action: "look_at_provider" | "set_provider" | "test_source" | "correct_address" | "confirm_mail" | "resolve_letter" | "ask_custodian" | "remind_client" | "advance_letter" | "collect_details" | "tell_custodian" | "give_address" | "enable_endpoint" | "retry_file" | "route_file" | "find_pages" | "send_repair_link" | "compare_statements";
        /** @enum {string} */
        severity: "high" | "medium" | "low";
        details: {
          /** Format: uuid */
          letter_id?: string;
          /** Format: uuid */
          connection_id?: string;
          /** Format: uuid */
          mail_id?: string;
          connector_id?: string;
          institution?: string;
          /** @enum {string} */
          status?: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
          /** @enum {string} */
          previous_status?: "NewRequest" | "UsersDetail" | "Generated" | "SentToUser" | "Signed" | "SentToCustodian" | "AcceptedByCustodian" | "ConnectionSetup" | "WaitingForData" | "Connected" | "Blocked" | "Cancelled" | "Discontinued" | "Revoked";
          limit_days?: number;
          labels?: {
            [key: string]: string;
          };
          observations?: string;
          note?: string;
          /** @enum {string} */
          mail_kind?: "signature_request" | "authorization_letter" | "revocation_notice";
          recipient?: string;
          attempts?: number;
          reason?: string;
          provider?: string;
          source?: string;
          name?: string;
          statement?: string;
          host?: string;
          until?: string;
          differences?: number;
        };
      }[];
      counts: {
        [key: string]: number;
      };
      next_page_token: string | null;
    };
    ShowProviderFiguresRequest: {
      page_token?: string | null;
      page_size?: number | null;
    };
    ShowProviderFiguresResponse: {
      items: {
        connector_id: string;
        name: string;
        provider: string | null;
        logins: {
          day: {
            succeeded: number;
            failed: number;
            customer: number;
            rate: number | null;
          };
          week: {
            succeeded: number;
            failed: number;
            customer: number;
            rate: number | null;
          };
        };
        refreshes: {
          day: {
            succeeded: number;
            failed: number;
            customer: number;
            rate: number | null;
          };
          week: {
            succeeded: number;
            failed: number;
            customer: number;
            rate: number | null;
          };
        };
        /** @enum {string} */
        circuit: "closed" | "open";
        circuit_open_since: string | null;
      }[];
      next_page_token: string | null;
    };
  };
  responses: {
    Letters401: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "WWW-Authenticate": components["headers"]["Challenge"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters403: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "WWW-Authenticate": components["headers"]["Challenge"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters400: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters404: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters409: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters413: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters422: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters429: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters405: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters415: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters408: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters503: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Letters500: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["LettersError"];
      };
    };
    Connect401: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "WWW-Authenticate": components["headers"]["Challenge"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectUnauthenticated"];
      };
    };
    Connect403: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "WWW-Authenticate": components["headers"]["Challenge"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect400: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectValidationError"];
      };
    };
    Connect404: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect409: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect413: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect422: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect429: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect405: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect415: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect408: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect503: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectError"];
      };
    };
    Connect500: {
      headers: {
        "X-Trace-Id": components["headers"]["TraceId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["ConnectInternalError"];
      };
    };
  };
  parameters: {
    Traceparent: string;
    WebhookId: string;
    WebhookTimestamp: string;
    WebhookSignature: string;
  };
  requestBodies: never;
  headers: {
    TraceId: string;
    Challenge: string;
    RetryAfter: number;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listLetterConnectors: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListLetterConnectorsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListLetterConnectorsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createSignedLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSignedLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateSignedLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      422: components["responses"]["Letters422"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  searchLetters: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchLettersRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SearchLettersResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  discontinueLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DiscontinueLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DiscontinueLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  previewConnectorFilter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewConnectorFilterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PreviewConnectorFilterResponse"];
        };
      };
      400: components["responses"]["Connect400"];
      401: components["responses"]["Connect401"];
      403: components["responses"]["Connect403"];
      408: components["responses"]["Connect408"];
      413: components["responses"]["Connect413"];
      415: components["responses"]["Connect415"];
      429: components["responses"]["Connect429"];
      500: components["responses"]["Connect500"];
      503: components["responses"]["Connect503"];
    };
  };
  listConnectors: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListConnectorsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListConnectorsResponse"];
        };
      };
      400: components["responses"]["Connect400"];
      401: components["responses"]["Connect401"];
      403: components["responses"]["Connect403"];
      408: components["responses"]["Connect408"];
      413: components["responses"]["Connect413"];
      415: components["responses"]["Connect415"];
      429: components["responses"]["Connect429"];
      500: components["responses"]["Connect500"];
      503: components["responses"]["Connect503"];
    };
  };
  createSession: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSessionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateSessionResponse"];
        };
      };
      400: components["responses"]["Connect400"];
      401: components["responses"]["Connect401"];
      403: components["responses"]["Connect403"];
      408: components["responses"]["Connect408"];
      413: components["responses"]["Connect413"];
      415: components["responses"]["Connect415"];
      429: components["responses"]["Connect429"];
      500: components["responses"]["Connect500"];
      503: components["responses"]["Connect503"];
    };
  };
  createSessionAlias: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSessionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateSessionResponse"];
        };
      };
      400: components["responses"]["Connect400"];
      401: components["responses"]["Connect401"];
      403: components["responses"]["Connect403"];
      408: components["responses"]["Connect408"];
      413: components["responses"]["Connect413"];
      415: components["responses"]["Connect415"];
      429: components["responses"]["Connect429"];
      500: components["responses"]["Connect500"];
      503: components["responses"]["Connect503"];
    };
  };
  listSessions: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListSessionsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListSessionsResponse"];
        };
      };
      400: components["responses"]["Connect400"];
      401: components["responses"]["Connect401"];
      403: components["responses"]["Connect403"];
      408: components["responses"]["Connect408"];
      413: components["responses"]["Connect413"];
      415: components["responses"]["Connect415"];
      429: components["responses"]["Connect429"];
      500: components["responses"]["Connect500"];
      503: components["responses"]["Connect503"];
    };
  };
  refreshConnection: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RefreshConnectionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RefreshConnectionResponse"];
        };
      };
      400: components["responses"]["Connect400"];
      401: components["responses"]["Connect401"];
      403: components["responses"]["Connect403"];
      408: components["responses"]["Connect408"];
      409: components["responses"]["Connect409"];
      413: components["responses"]["Connect413"];
      415: components["responses"]["Connect415"];
      429: components["responses"]["Connect429"];
      500: components["responses"]["Connect500"];
      503: components["responses"]["Connect503"];
    };
  };
  listPortfolios: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "currency": "EUR",
         *     "min_balance": "1000"
         *   }
         */
        "application/json": components["schemas"]["ListPortfoliosRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "items": [
           *     {
           *       "id": "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20",
           *       "name": "Growth",
           *       "balance": "15230.47",
           *       "currency": "EUR",
           *       "refAccount": "ES91 2100 0418",
           *       "type": "UM"
           *     }
           *     ],
           *     "page": 1,
           *     "page_size": 50,
           *     "pages": 1,
           *     "total": 1,
           *     "totals": [
           *     {
           *       "currency": "EUR",
           *       "balance": "15230.47"
           *     }
           *     ],
           *     "sources": [],
           *     "source_counts": {
           *     "ok": 1,
           *     "pending": 0,
           *     "stale": 0,
           *     "error": 0
           *     },
           *     "snapshot": "r12"
           *   }
           */
          "application/json": components["schemas"]["ListPortfoliosResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listInvestments: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "inv_type": [
         *     "F",
         *     "ETF"
         *     ],
         *     "fields": [
         *     "name",
         *     "isin",
         *     "balance",
         *     "currency"
         *     ]
         *   }
         */
        "application/json": components["schemas"]["ListInvestmentsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "items": [
           *     {
           *       "name": "Global Equity Fund",
           *       "isin": "LU0000000001",
           *       "balance": "15230.47",
           *       "currency": "EUR"
           *     }
           *     ],
           *     "page": 1,
           *     "page_size": 50,
           *     "pages": 1,
           *     "total": 1,
           *     "totals": [
           *     {
           *       "currency": "EUR",
           *       "balance": "15230.47"
           *     }
           *     ],
           *     "sources": [],
           *     "source_counts": {
           *     "ok": 1,
           *     "pending": 0,
           *     "stale": 0,
           *     "error": 0
           *     },
           *     "snapshot": "r12"
           *   }
           */
          "application/json": components["schemas"]["ListInvestmentsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listTransactions: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "start_date": "2026-01-01",
         *     "end_date": "2026-03-31"
         *   }
         */
        "application/json": components["schemas"]["ListTransactionsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "items": [
           *     {
           *       "id": "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20",
           *       "operationDate": "2026-02-12",
           *       "amount": "12.5",
           *       "balance": "-1250.00",
           *       "currency": "EUR",
           *       "unitPrice": "100.00"
           *     }
           *     ],
           *     "page": 1,
           *     "page_size": 50,
           *     "pages": 1,
           *     "total": 1,
           *     "totals": [
           *     {
           *       "currency": "EUR",
           *       "balance": "-1250.00"
           *     }
           *     ],
           *     "sources": [],
           *     "source_counts": {
           *     "ok": 1,
           *     "pending": 0,
           *     "stale": 0,
           *     "error": 0
           *     },
           *     "snapshot": "r12"
           *   }
           */
          "application/json": components["schemas"]["ListTransactionsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listBankConnections: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "bank": "ejemplo"
         *   }
         */
        "application/json": components["schemas"]["ListBankConnectionsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "items": [
           *     {
           *       "credentials_token": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11",
           *       "bank": "Banco Ejemplo",
           *       "labels": {
           *       "client": "42"
           *       }
           *     }
           *     ],
           *     "page": 1,
           *     "page_size": 50,
           *     "pages": 1,
           *     "total": 1
           *   }
           */
          "application/json": components["schemas"]["ListBankConnectionsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  searchBankConnections: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "query": {
         *     "state_in": [
         *       "needs_relogin"
         *     ]
         *     }
         *   }
         */
        "application/json": components["schemas"]["SearchBankConnectionsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "items": [
           *     {
           *       "connection_id": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11",
           *       "connector_id": "esp:ejemplo",
           *       "bank": "Banco Ejemplo",
           *       "provider": "open-banking",
           *       "labels": {
           *       "client": "42"
           *       },
           *       "state": "needs_relogin",
           *       "reasons": [
           *       "sca_required"
           *       ],
           *       "letter_id": null,
           *       "last_update": "2026-03-02T04:10:00.000Z",
           *       "consent_expires_at": null,
           *       "created_at": "2026-01-15T09:00:00.000Z",
           *       "refresh": {
           *       "state": "relogin_needed",
           *       "next_at": null,
           *       "last_outcome": "relogin_needed",
           *       "last_attempt_at": "2026-03-03T04:10:00.000Z"
           *       }
           *     }
           *     ],
           *     "next_page_token": null
           *   }
           */
          "application/json": components["schemas"]["SearchBankConnectionsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showBankConnection: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "credentials_token": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11"
         *   }
         */
        "application/json": components["schemas"]["ShowBankConnectionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "credentials_token": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11",
           *     "bank": "Banco Ejemplo",
           *     "labels": {
           *     "client": "42"
           *     },
           *     "status": {
           *     "pending": false,
           *     "blocked": false,
           *     "reset_token": null,
           *     "sca_token": null,
           *     "transaction_token": null,
           *     "last_update": "2026-03-02T04:10:00.000Z",
           *     "created_at": "2026-03-01T09:00:00.000Z",
           *     "errored": {
           *       "product": {
           *       "auth": false,
           *       "account": false,
           *       "card": false,
           *       "portfolio": false,
           *       "investment": false,
           *       "liability": false,
           *       "holders": false
           *       },
           *       "transaction": {
           *       "account": false,
           *       "card": false,
           *       "investment": false,
           *       "liability": false
           *       }
           *     },
           *     "created": {
           *       "product": {
           *       "auth": false,
           *       "account": false,
           *       "card": false,
           *       "portfolio": false,
           *       "investment": false,
           *       "liability": false,
           *       "holders": false
           *       },
           *       "transaction": {
           *       "account": false,
           *       "card": false,
           *       "investment": false,
           *       "liability": false
           *       }
           *     },
           *     "consent_expires_at": null
           *     },
           *     "needs_relogin": false,
           *     "reasons": [],
           *     "consent_renewal": null
           *   }
           */
          "application/json": components["schemas"]["ShowBankConnectionResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  deleteBankConnection: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "credentials_token": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11",
         *     "confirm": true
         *   }
         */
        "application/json": components["schemas"]["DeleteBankConnectionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "message": "The connection to Banco Ejemplo and all data stored for it have been deleted.",
           *     "credentials_token": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11"
           *   }
           */
          "application/json": components["schemas"]["DeleteBankConnectionResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listGrants: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /** @example {} */
        "application/json": components["schemas"]["ListGrantsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "items": [
           *     {
           *       "grant_id": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11",
           *       "client_id": "0192a5c0-assistant",
           *       "client_name": "Assistant",
           *       "is_verified": false,
           *       "application": {
           *       "client_id": "wca_portfolio",
           *       "name": "Portfolio"
           *       },
           *       "flow": "browser",
           *       "person": null,
           *       "scopes": [
           *       "investments:read"
           *       ],
           *       "created_at": "2026-03-01T09:00:00.000Z",
           *       "last_issued_at": "2026-03-02T09:00:00.000Z",
           *       "expires_at": "2026-04-01T09:00:00.000Z"
           *     }
           *     ],
           *     "next_page_token": null
           *   }
           */
          "application/json": components["schemas"]["ListGrantsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  endGrant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "grant_id": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11"
         *   }
         */
        "application/json": components["schemas"]["EndGrantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "grant_id": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11"
           *   }
           */
          "application/json": components["schemas"]["EndGrantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listEvents: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListEventsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListEventsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createEndpoint: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *     "url": "https://crm.example/hooks",
         *     "types": [
         *     "letter.*",
         *     "connection.needs_relogin"
         *     ],
         *     "labels": {
         *     "desk": "zurich"
         *     }
         *   }
         */
        "application/json": components["schemas"]["CreateEndpointRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *     "endpoint": {
           *     "id": "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11",
           *     "url": "https://crm.example/hooks",
           *     "types": [
           *       "letter.*",
           *       "connection.needs_relogin"
           *     ],
           *     "labels": {
           *       "desk": "zurich"
           *     },
           *     "description": null,
           *     "enabled": true,
           *     "disabled_reason": null,
           *     "disabled_at": null,
           *     "failing_since": null,
           *     "delivered_at": null,
           *     "last_failure": null,
           *     "previous_secret_until": null,
           *     "created_at": "2026-11-22T10:15:30.000Z",
           *     "updated_at": "2026-11-22T10:15:30.000Z",
           *     "version": 196372554816043
           *     },
           *     "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDo9aQ1J8aGqA="
           *   }
           */
          "application/json": components["schemas"]["CreateEndpointResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listEndpoints: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListEndpointsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListEndpointsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  updateEndpoint: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateEndpointRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UpdateEndpointResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  deleteEndpoint: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteEndpointRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeleteEndpointResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  testEndpoint: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestEndpointRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestEndpointResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  rotateEndpointSecret: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RotateEndpointSecretRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RotateEndpointSecretResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listDeliveries: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListDeliveriesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListDeliveriesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  replayEvents: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReplayEventsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReplayEventsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listTenantWork: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListTenantWorkRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListTenantWorkResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listTenants: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListTenantsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListTenantsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  updateTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  disableTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DisableTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  enableTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EnableTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  deleteTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeleteTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listTenantLimits: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListTenantLimitsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListTenantLimitsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  changeTenantLimits: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeTenantLimitsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListTenantLimitsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listApplications: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListApplicationsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListApplicationsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createApplication: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateApplicationRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateApplicationResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  rollApplicationSecret: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RollApplicationSecretRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateApplicationResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  removeApplicationSecret: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoveApplicationSecretRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveApplicationSecretResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  disableApplication: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DisableApplicationRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveApplicationSecretResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  enableApplication: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EnableApplicationRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveApplicationSecretResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  updateApplication: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateApplicationRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveApplicationSecretResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  addApplicationScopes: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddApplicationScopesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveApplicationSecretResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createRegistrationToken: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateRegistrationTokenRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateRegistrationTokenResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listRegistrationTokens: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListRegistrationTokensRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListRegistrationTokensResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  revokeRegistrationToken: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RevokeRegistrationTokenRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RevokeRegistrationTokenResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listTrustedIssuers: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListTrustedIssuersRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListTrustedIssuersResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  trustIssuer: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TrustIssuerRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TrustIssuerResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  testTrustedIssuer: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestTrustedIssuerRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestTrustedIssuerResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  withdrawTrustedIssuer: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestTrustedIssuerRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WithdrawTrustedIssuerResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listPeople: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListPeopleRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListPeopleResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  invitePerson: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InvitePersonRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InvitePersonResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  reinvitePerson: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReinvitePersonRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InvitePersonResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  changePerson: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePersonRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangePersonResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  endPerson: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EndPersonRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangePersonResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  importConnectors: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/x-ndjson": unknown;
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ImportConnectorsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listCatalogue: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListCatalogueRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListCatalogueResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listProviders: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListProvidersRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListProvidersResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showProvider: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowProviderRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowProviderResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  setProvider: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetProviderRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowProviderResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  testProvider: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestProviderRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestProviderResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  removeProvider: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoveProviderRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveProviderResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  syncProvider: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SyncProviderRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SyncProviderResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listFeedMappings: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListFeedMappingsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListFeedMappingsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showFeedMapping: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowFeedMappingRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowFeedMappingResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  setFeedMapping: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetFeedMappingRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SetFeedMappingResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  removeFeedMapping: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoveFeedMappingRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveFeedMappingResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  testFeedMapping: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestFeedMappingRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestFeedMappingResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  draftFeedMapping: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DraftFeedMappingRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DraftFeedMappingResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  searchTenantLetters: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchTenantLettersRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SearchTenantLettersResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  countTenantLetters: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CountTenantLettersRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CountTenantLettersResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  advanceLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AdvanceLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  moveLetters: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MoveLettersRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MoveLettersResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  previewLetterMoves: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewLetterMovesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PreviewLetterMovesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  correctLetterContacts: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CorrectLetterContactsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  blockLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BlockLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  resolveLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BlockLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  cancelLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BlockLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  downloadLetterDocument: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DownloadLetterDocumentRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DownloadLetterDocumentResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  observeLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ObserveLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  requestLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  submitTenantLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SubmitTenantLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SubmitTenantLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      422: components["responses"]["Letters422"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  collectLetterDetails: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CollectLetterDetailsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  attachSignedLetter: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AttachSignedLetterRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowLetterResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listMails: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListMailsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListMailsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  retryMail: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RetryMailRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetryMailResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  confirmMail: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmMailRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetryMailResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  ingestDataFeed: {
    parameters: {
      query: {
        connection_id?: string;
        letter_id?: string;
        name: string;
      };
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/octet-stream": unknown;
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IngestDataFeedResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listPendingFiles: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListPendingFilesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListPendingFilesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showPendingFile: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowPendingFileRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowPendingFileResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  retryPendingFile: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RetryPendingFileRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetryPendingFileResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  routePendingFile: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RoutePendingFileRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoutePendingFileResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  dropPendingFile: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DropPendingFileRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DropPendingFileResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listFeedAccounts: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListFeedAccountsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListFeedAccountsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  linkFeedAccount: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LinkFeedAccountRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListFeedAccountsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  unlinkFeedAccount: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UnlinkFeedAccountRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListFeedAccountsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  reconcileDataFeed: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReconcileDataFeedRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReconcileDataFeedResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listSources: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListSourcesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListSourcesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showSource: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowSourceRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  setSource: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetSourceRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SetSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  testSource: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestSourceRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  removeSource: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoveSourceRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  runSource: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RunSourceRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RunSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listSourceFiles: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListSourceFilesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListSourceFilesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listSourceRoutes: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListSourceRoutesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListSourceRoutesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  addSourceRoute: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddSourceRouteRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AddSourceRouteResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  removeSourceRoute: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoveSourceRouteRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createSourceToken: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSourceTokenRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateSourceTokenResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listSourceTokens: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListSourceTokensRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListSourceTokensResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  endSourceToken: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EndSourceTokenRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveSourceResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listFeedKeys: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListFeedKeysRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListFeedKeysResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  generateFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GenerateFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GenerateFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  importFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ImportFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ImportFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  trustFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TrustFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TrustFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  expireFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExpireFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GenerateFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  revokeFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RevokeFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GenerateFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  removeFeedKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RemoveFeedKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemoveFeedKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  requireSignedFeeds: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequireSignedFeedsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RequireSignedFeedsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listConnections: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListConnectionsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListConnectionsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  searchConnections: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchConnectionsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SearchConnectionsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  deleteConnection: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteConnectionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeleteConnectionResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showConnectionStatus: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowConnectionStatusRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowConnectionStatusResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  refreshConnectionForOperator: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RefreshConnectionRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RefreshConnectionResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      409: components["responses"]["Letters409"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  createSessionForTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSessionForTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreateSessionForTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listSessionsOfTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListSessionsOfTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListSessionsOfTenantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listGrantsOfTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListGrantsOfTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListGrantsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  endGrantOfTenant: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EndGrantOfTenantRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EndGrantResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listAuditTrail: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListAuditTrailRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListAuditTrailResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showAuditHead: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowAuditHeadRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowAuditHeadResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  readAuditChain: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReadAuditChainRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReadAuditChainResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listAllEvents: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListAllEventsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListEventsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListWebhookEndpointsRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListWebhookEndpointsResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListDeliveriesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListWebhookDeliveriesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  enableWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EnableWebhookEndpointRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EnableWebhookEndpointResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  disableWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DisableWebhookEndpointRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EnableWebhookEndpointResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listKeys: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListKeysRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListKeysResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  rotateSigningKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RotateSigningKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RotateSigningKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  rotateServerKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RotateServerKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RotateServerKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  revokeSigningKey: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RevokeSigningKeyRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RevokeSigningKeyResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      404: components["responses"]["Letters404"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  rewrapStoredValues: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RewrapStoredValuesRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RewrapStoredValuesResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  examineInstallation: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExamineInstallationRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExamineInstallationResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  listWork: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ListWorkRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListWorkResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
  showProviderFigures: {
    parameters: {
      query?: never;
      header?: {
        traceparent?: components["parameters"]["Traceparent"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ShowProviderFiguresRequest"];
      };
    };
    responses: {
      200: {
        headers: {
          "X-Trace-Id": components["headers"]["TraceId"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ShowProviderFiguresResponse"];
        };
      };
      400: components["responses"]["Letters400"];
      401: components["responses"]["Letters401"];
      403: components["responses"]["Letters403"];
      408: components["responses"]["Letters408"];
      413: components["responses"]["Letters413"];
      415: components["responses"]["Letters415"];
      429: components["responses"]["Letters429"];
      500: components["responses"]["Letters500"];
      503: components["responses"]["Letters503"];
    };
  };
}
