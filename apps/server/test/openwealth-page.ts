/** Acts as a user on the page of a stand-in of a bank with OpenWealth; returns the address at which they come back. */
export async function onOpenWealthPage(
  pageUrl: string,
  user: string,
  decision: "approve" | "decline" = "approve",
): Promise<string> {
  const [, request = ""] = /name="request" value="(\w+)"/.exec(await (await fetch(pageUrl)).text()) ?? [];
  const body = new URLSearchParams({ request, user, decision });
  const decided = await fetch(new URL("/oauth/decide", pageUrl), { method: "POST", body, redirect: "manual" });
  const location = decided.headers.get("location");
  if (location === null) throw new Error(`the page of the bank: ${decided.status}`);
  return location;
}
