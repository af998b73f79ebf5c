import { z } from "zod";
import type { JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { LIBRARY_PAGES, type LibraryPage } from "@/server/seed/research/corpus";

export const articleSchema = z.strictObject({
  title: z.string().min(1).max(200),
  summary: z.string().max(500),
  body: z.string().min(1).max(20_000),
});
type Article = z.infer<typeof articleSchema>;

export const librarySchema = z.strictObject({
  articles: z.array(z.strictObject({ article_id: z.string(), status: z.enum(["published", "retracted"]), ...articleSchema.shape })),
});
export type Library = z.infer<typeof librarySchema>;

export const NEW_LIBRARY: Library = { articles: [] };

export const LIBRARY_FAULTS = {
  key_missing: "A change needs an idempotency key.",
  key_reused: "The idempotency key was used for another change.",
  page_unknown: "There is no such page.",
  article_unknown: "There is no such article.",
} as const;
export type LibraryFault = keyof typeof LIBRARY_FAULTS;

type Changed = Result<{ readonly data: Library; readonly result: JsonObject }, LibraryFault>;

const MOST_HITS = 5;
const SHORTEST_WORD = 4;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= SHORTEST_WORD));

const PAGES: readonly (readonly [string, LibraryPage])[] = Object.entries(LIBRARY_PAGES);

/** Pages sharing the most words. */
export const search = (query: string): JsonObject => {
  const asked = wordsOf(query);
  const hits = PAGES.map(([page, { title, summary }]) => {
    const score = [...wordsOf(`${title} ${summary}`)].filter((word) => asked.has(word)).length;

    return { page, title, summary, score };
  })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_HITS);

  return { hits: hits.map(({ page, title, summary }) => ({ page, title, summary })) };
};

export const readPage = (page: string): Result<JsonObject, LibraryFault> => {
  const found = PAGES.find(([id]) => id === page)?.[1];

  return found ? ok({ page, title: found.title, source: found.source, address: found.address, text: found.text }) : err("page_unknown");
};

export const publish = (library: Library, id: string, article: Article): Changed => {
  const articleId = `art_${id}`;
  const articles = [...library.articles, { article_id: articleId, status: "published" as const, ...article }];

  return ok({
    data: { articles },
    result: { article_id: articleId, status: "published", address: `library.example/articles/${articleId}` },
  });
};

/** Idempotent. */
export const retract = (library: Library, id: string): Changed => {
  if (!library.articles.some(({ article_id: known }) => known === id)) return err("article_unknown");
  const articles = library.articles.map((one) => (one.article_id === id ? { ...one, status: "retracted" as const } : one));

  return ok({ data: { articles }, result: { article_id: id, status: "retracted" } });
};
