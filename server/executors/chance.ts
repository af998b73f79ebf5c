/** 32-bit FNV-1a over UTF-16 units. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);

  return value >>> 0;
};

/** Deterministic numbers in [0, 1) by mulberry32. @param name purpose, so that no two uses share a sequence */
export const createChance = (seed: string, name: string): (() => number) => {
  let state = hash(`${seed}:${name}`);

  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);

    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};
