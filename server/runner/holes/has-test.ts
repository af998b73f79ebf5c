/** Returns whether a source has a test of this title. */
export const hasTest = (source: string, title: string): boolean =>
  [...source.matchAll(/(?:\b(?:test|it)|\))\(\s*"((?:[^"\\]|\\.)*)"/gu)].some(([, found]) => found === title);
