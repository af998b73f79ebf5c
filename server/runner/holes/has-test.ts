export const hasTest = (source: string, title: string): boolean =>
  [...source.matchAll(/(?:\b(?:test|it)|\))\(\s*"((?:[^"\\]|\\.)*)"/gu)].some(([, found]) => found === title);
