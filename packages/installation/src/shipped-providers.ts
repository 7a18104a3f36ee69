/** Providers that come with the program, by their short names. */
export const shippedProviders: Readonly<Record<string, () => Promise<unknown>>> = {
  alpaca: () => import("@org/provider-alpaca"),
  "ibkr-flex": () => import("@org/provider-ibkr-flex"),
  openwealth: () => import("@org/provider-openwealth"),
};
