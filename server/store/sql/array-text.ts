/** Array parameters: the client's escaping took 2 % of a step. */

export const toIntArray = (numbers: readonly number[]): string => `{${numbers.join(",")}}`;

/** For `string_to_array(…, E'\n')`. @param texts without line feeds: JSON, hex, base64 */
export const toLines = (texts: readonly string[]): Buffer => Buffer.from(texts.join("\n"));

const LINE_FEED = Buffer.from("\n");

/** @param texts in UTF-8, otherwise as `toLines` */
export const joinLines = (texts: readonly Uint8Array[]): Buffer =>
  Buffer.concat(texts.flatMap((text, index) => (index === 0 ? [text] : [LINE_FEED, text])));
