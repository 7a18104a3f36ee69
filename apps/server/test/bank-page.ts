/**
 * What a customer does on the page of the sandbox bank that works by redirect, which stands for another site: no cookie of ours goes
 * there. Returns the address at which they come back.
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
