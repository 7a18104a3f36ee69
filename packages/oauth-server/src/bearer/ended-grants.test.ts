import { expect, it } from "vitest";
import { ACCESS_TOKEN_LINGERS_SECONDS, createEndedGrants } from "./ended-grants.js";

it("[C-9.572] expired ones are looked for once a minute, however often there are new ones", async () => {
  let now = Date.UTC(2026, 2, 1);
  let endings = 0;
  const news = [{ grant_id: "old", last_issued_at: new Date(now) }];
  const feed = {
    endings: () => endings,
    endedGrants: async () => ({ ended: news.splice(0), limited: [], cursor: "" }),
  };
  const ended = createEndedGrants(feed as never, () => new Date(now));
  const later = async (seconds: number) => {
    now += seconds * 1000;
    endings += 1;
    await ended.refresh();
    return ended.has("old");
  };
  await later(0);
  expect(await later(ACCESS_TOKEN_LINGERS_SECONDS - 30)).toBe(true);
  expect(await later(30)).toBe(true);
  expect(await later(30)).toBe(false);
});
