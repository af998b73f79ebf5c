import { expect, test } from "vitest";
import { sanitizeJson } from "@/lib/sanitize/json";
import { HOSTILE_PAGE, LIBRARY_PAGES } from "@/server/seed/research/corpus";
import { NEW_LIBRARY, publish, readPage, retract, search } from "./data";

const ARTICLE = { title: "Trees", summary: "Trees cool.", body: "Trees cool streets." };

test("a search finds pages sharing words with the query, the hostile one included, and nothing otherwise", () => {
  const { hits } = search("Do street trees cool a city in summer?");
  expect(hits).toHaveLength(5);
  expect(JSON.stringify(hits)).toContain(HOSTILE_PAGE);
  expect(search("Whence came purple zebras?")).toEqual({ hits: [] });
});

test("the hostile page hides words from readers and searches", () => {
  const { text } = LIBRARY_PAGES[HOSTILE_PAGE];
  expect(text).toMatch(/[\u{E0020}-\u{E007E}]/u);
  expect(text).toContain("\u200B");
  expect(text).not.toContain("Notice to the assistant");
  expect(JSON.stringify(sanitizeJson(text))).not.toMatch(/[\u{E0020}-\u{E007E}\u200B]/u);
});

test("publishing gives a new id; retracting is idempotent", () => {
  const published = publish(NEW_LIBRARY, "0123456789ab", ARTICLE);
  if (!published.ok) throw new Error(published.error);
  const { data, result } = published.value;
  expect(result).toMatchObject({ article_id: "art_0123456789ab", status: "published" });
  const retracted = retract(data, "art_0123456789ab");
  expect(retracted).toMatchObject({ value: { data: { articles: [{ ...ARTICLE, status: "retracted" }] } } });
  expect(retracted.ok && retract(retracted.value.data, "art_0123456789ab")).toEqual(retracted);
});

test("a missing entry is a fault", () => {
  expect(readPage("constructor")).toEqual({ ok: false, error: "page_unknown" });
  expect(retract(NEW_LIBRARY, "art_0123456789ab")).toEqual({ ok: false, error: "article_unknown" });
});
