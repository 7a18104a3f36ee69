import { type Browser, createBrowser, type Page } from "@org/pages/testing";
import { eventually } from "./eventually.js";

/** What the bank customer types. */
export interface Customer {
  readonly username: string;
  readonly password: string;
  /** Answer to a challenge; a challenge without one is approved by its Continue button. */
  readonly answer?: string;
  /** Connector to choose if the session leaves the choice. */
  readonly bank?: string;
}

/** Goes through the widget like a bank customer whose browser runs no scripts; returns the last page. */
export async function connectBank(widgetUrl: string, customer: Customer, browser = createBrowser()): Promise<Page> {
  await browser.open(widgetUrl);
  await browser.submit("continue");
  if (browser.form("bank")) await browser.submit("bank", {}, customer.bank);
  await browser.submit("credentials", { username: customer.username, password: customer.password });
  await waitForAnswer(browser, widgetUrl);
  if (browser.form("answer")) {
    await browser.submit("answer", customer.answer === undefined ? {} : { answer: customer.answer });
    await waitForAnswer(browser, widgetUrl);
  }
  return browser.page as Page;
}

/** Reloads the page while it says that the bank is being queried, as the page itself tells the browser to. */
export async function waitForAnswer(browser: Browser, widgetUrl: string): Promise<void> {
  await eventually(async () => {
    if (browser.page?.refreshes) await browser.open(widgetUrl);
    return !browser.page?.refreshes;
  }, "the bank answers");
}
