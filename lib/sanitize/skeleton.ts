import { CONFUSABLES } from "./confusables.data";

const BASE = 36;

const point = (digits: string): number => Number.parseInt(digits, BASE);

const prototypes = (): ReadonlyMap<string, string> => {
  const table = new Map<string, string>();
  for (const group of CONFUSABLES.split(";")) {
    const [target = "", sources = ""] = group.split("=");
    const prototype = String.fromCodePoint(...target.split(".").map(point));
    let source = 0;
    for (const distance of sources.split(",")) {
      source += point(distance);
      table.set(String.fromCodePoint(source), prototype);
    }
  }

  return table;
};

const PROTOTYPES = prototypes();
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the skeleton (UTS #39, section 4), equal for look-alikes; for comparison only. Keeps case: `m` is `rn`, `I` is `l`. */
export const toSkeleton = (text: string): string =>
  Array.from(text.normalize("NFD").replaceAll(IGNORED, ""), (character) => PROTOTYPES.get(character) ?? character)
    .join("")
    .normalize("NFD");
