/** Array literals: the client's escaping took 2 % of a step. */

/** @param words numbers, hex or base64 */
export const toWordArray = (words: readonly (string | number)[]): string => `{${words.join(",")}}`;

/** For `string_to_array(…, E'\n')`. @param texts canonical JSON: no raw line feeds */
export const toJsonLines = (texts: readonly string[]): string => texts.join("\n");
