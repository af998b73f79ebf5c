const IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const PDF = "application/pdf";
const TEXTS = ["text/plain", "text/csv", "text/markdown", "application/json"];

export const isText = (mediaType: string): boolean => TEXTS.includes(mediaType);

export const isReadable = (mediaType: string): boolean => IMAGES.includes(mediaType) || mediaType === PDF || isText(mediaType);

const IMAGE_TOKENS = 5_000;
/** As text and image. */
const PAGE_TOKENS = 6_000;
/** Providers take no more. */
const MOST_PAGES = 100;

const countPages = (bytes: Buffer): number => {
  const text = bytes.toString("latin1");
  const pages = text.match(/\/Type\s*\/Page\b/gu)?.length ?? 0;

  // Compressed objects hide their pages.
  return pages === 0 || text.includes("/ObjStm") ? MOST_PAGES : Math.min(pages, MOST_PAGES);
};

export const countFileTokens = (mediaType: string, bytes: Buffer): number => {
  if (mediaType === PDF) return countPages(bytes) * PAGE_TOKENS;

  return isText(mediaType) ? bytes.length : IMAGE_TOKENS;
};
