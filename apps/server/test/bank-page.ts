/**
 * Acts as a customer on the page of the sandbox bank that works by redirect. The page stands for another site, so none of our cookies are sent
 * there. Returns the address at which the customer comes back.
 */
export async function onBankPage(
  pageUrl: string,
  customer: { username: string; password?: string } | "declines",
): Promise<string> {
  const form =
    customer === "declines" ? { decision: "decline" } : { password: "ordinary", ...customer, decision: "agree" };
  const response = await fetch(pageUrl, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`the page of the bank: ${response.status}`);
  return location;
}
