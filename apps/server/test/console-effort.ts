import type { Locator, Page } from "playwright-core";

/** What a person does at a page, counted: clicks (each choice of a list too), keys that stand for a click, and fields filled. */
export interface Effort {
  readonly click: (control: Locator) => Promise<void>;
  readonly press: (name: string, within?: Locator) => Promise<void>;
  readonly fill: (label: string, text: string) => Promise<void>;
  readonly choose: (label: string, option: string) => Promise<void>;
  readonly key: (name: string) => Promise<void>;
  /** The counts so far, which begin again at nought. */
  readonly spent: () => { clicks: number; keys: number; fields: number };
}

export function countedEffort(page: Page): Effort {
  let counts = { clicks: 0, keys: 0, fields: 0 };
  const click = async (control: Locator) => {
    await control.click();
    counts.clicks += 1;
  };
  return {
    click,
    press: (name, within) => click((within ?? page).getByRole("button", { name, exact: true })),
    async fill(label, text) {
      await page.getByLabel(label, { exact: true }).fill(text);
      counts.fields += 1;
    },
    async choose(label, option) {
      await page.getByLabel(label, { exact: true }).selectOption({ label: option });
      counts.clicks += 1;
    },
    async key(name) {
      await page.keyboard.press(name);
      counts.keys += 1;
    },
    spent() {
      const spent = counts;
      counts = { clicks: 0, keys: 0, fields: 0 };
      return spent;
    },
  };
}
