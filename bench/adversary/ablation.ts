/** Switches the guards off, one at a time, and looks whether anything notices. */
import { episodeOf, leaksOf, violationsOf } from "./episode";
import { DOCUMENT_GUARDS } from "./guards/documents";
import type { Guards } from "./guards/guard";
import { MOMENT_GUARDS } from "./guards/moments";

export const GUARDS: Guards = { ...DOCUMENT_GUARDS, ...MOMENT_GUARDS };

/** `episodes`: how many it took; null: nobody noticed. */
export type Ablated = {
  readonly guard: string;
  readonly episodes: number | null;
  readonly property: string | null;
  readonly what: string | null;
};

export const ablate = (guard: string, seed: number, most: number): Ablated => {
  const rules = GUARDS[guard];
  if (!rules) throw new Error(`There is no guard called ${guard}.`);
  for (let index = 0; index < most; index += 1) {
    const episode = episodeOf(seed + index);
    const [found] = [...violationsOf(episode, rules), ...(index % 50 === 0 ? leaksOf(episode, rules) : [])];
    if (found) return { guard, episodes: index + 1, property: found.property, what: found.what };
  }

  return { guard, episodes: null, property: null, what: null };
};
