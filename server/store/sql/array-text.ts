/** Array literals: the client's escaping took 2 % of a step. */

/** @param words numbers or hex */
export const toWordArray = (words: readonly (string | number)[]): string => `{${words.join(",")}}`;

/** @param texts JSON, which has no raw control characters: the two escape the rest alike */
export const toJsonTextArray = (texts: readonly string[]): string => `{${texts.map((text) => JSON.stringify(text)).join(",")}}`;
