/** Providers that come with the program, by their short names. */
export const shippedProviders: Readonly<Record<string, () => Promise<unknown>>> = {
  alpaca: () => import("@org/provider-alpaca"),
  "ibkr-flex": () => import("@org/provider-ibkr-flex"),
  kraken: () => import("@org/provider-kraken"),
  openwealth: () => import("@org/provider-openwealth"),
  plaid: () => import("@org/provider-plaid"),
  saxo: () => import("@org/provider-saxo"),
  snaptrade: () => import("@org/provider-snaptrade"),
  trading212: () => import("@org/provider-trading212"),
};
