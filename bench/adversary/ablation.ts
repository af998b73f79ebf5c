/** Removes guards one by one; the oracles must notice. */
import { differencesOf, episodeOf, violationsOf } from "./episode";
import { DOCUMENT_GUARDS } from "./guards/documents";
import { AIMS } from "./guards/targets";
import { GATE_GUARDS } from "./guards/gates";
import type { Guards } from "./guards/guard";
import { MOMENT_GUARDS } from "./guards/timing";
import { PART_GUARDS } from "./guards/features";
import { ZONE_GUARDS } from "./guards/zones";

export const GUARDS: Guards = { ...DOCUMENT_GUARDS, ...GATE_GUARDS, ...MOMENT_GUARDS, ...PART_GUARDS, ...ZONE_GUARDS };

/** Rarer compositions need an aim (guards/aims.ts). */
export const MOST_ABLATED = 10_000;

/** `episodes`: needed; null: unnoticed. */
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
    const episode = episodeOf(seed + index, index % 4 === 3 ? "A5" : "A1", index % 2 === 0 ? AIMS[guard] : undefined);
    const [found] = [...violationsOf(episode, rules), ...(index % 50 === 0 ? differencesOf(episode, rules) : [])];
    if (found) return { guard, episodes: index + 1, property: found.property, what: found.what };
  }

  return { guard, episodes: null, property: null, what: null };
};
