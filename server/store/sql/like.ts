/** Makes a text literal within a `like` pattern. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/gu, "\\$&");
