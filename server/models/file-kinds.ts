import { constants, inflateSync } from "node:zlib";

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

const MOST_STREAMS = 50;
const MOST_INFLATED_BYTES = 1_048_576;

const PAGE = /\/Type\s*\/Page\b/gu;

const inflate = (bytes: Buffer): string | null => {
  try {
    return inflateSync(bytes, { maxOutputLength: MOST_INFLATED_BYTES, finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
  } catch {
    return null;
  }
};

/** Most documents list their pages in compressed objects. */
const readObjects = (bytes: Buffer, text: string): readonly (string | null)[] => {
  const places = [...text.matchAll(/\/ObjStm\b/gu)];
  if (places.length > MOST_STREAMS) return [null];

  return places.map(({ index }) => {
    const begin = /stream\r?\n/gu;
    begin.lastIndex = index;
    const end = bytes.indexOf("endstream", index);

    return begin.test(text) && begin.lastIndex < end ? inflate(bytes.subarray(begin.lastIndex, end)) : null;
  });
};

const countPages = (bytes: Buffer): number => {
  const text = bytes.toString("latin1");
  const parts = [text, ...readObjects(bytes, text)];
  const pages = parts.reduce((sum, part) => sum + (part?.match(PAGE)?.length ?? 0), 0);

  return pages === 0 || parts.includes(null) ? MOST_PAGES : Math.min(pages, MOST_PAGES);
};

export const countFileTokens = (mediaType: string, bytes: Buffer): number => {
  if (mediaType === PDF) return countPages(bytes) * PAGE_TOKENS;

  return isText(mediaType) ? bytes.length : IMAGE_TOKENS;
};
