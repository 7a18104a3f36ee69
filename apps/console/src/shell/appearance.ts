import { createStored, useStored } from "./stored.js";

/** Colours of the page. `system`: as the device has them. */
export const themes = ["system", "light", "dark"] as const;
/** How close rows and controls are to each other. */
export const densities = ["comfortable", "compact"] as const;

export interface Appearance {
  readonly theme: (typeof themes)[number];
  readonly density: (typeof densities)[number];
}

/** `first-paint.js` reads it too. */
const KEPT_AS = "wealth-connect-console-appearance";

const chosen = createStored<Appearance>(keptAppearance());

/** How the page looks in this browser. */
export function useAppearance(): Appearance {
  return useStored(chosen);
}

/** Changes how the page looks, and stores it in this browser. Before the first paint of the next visit `first-paint.js` sets it. */
export function changeAppearance(change: Partial<Appearance>): void {
  const next = { ...chosen.get(), ...change };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(next));
  } catch {
    // Storage is unavailable: the choice is lost on the next visit.
  }
  document.documentElement.dataset.theme = next.theme;
  document.documentElement.dataset.density = next.density;
  chosen.set(next);
}

/** What `first-paint.js` found and set. */
function keptAppearance(): Appearance {
  const { theme, density } = document.documentElement.dataset;
  return {
    theme: themes.find((one) => one === theme) ?? "system",
    density: densities.find((one) => one === density) ?? "comfortable",
  };
}
