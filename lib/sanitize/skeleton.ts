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

/** Returns the UTS #39 skeleton, for comparison only; keeps case. */
export const toSkeleton = (text: string): string =>
  Array.from(text.normalize("NFD").replaceAll(IGNORED, ""), (character) => PROTOTYPES.get(character) ?? character)
    .join("")
    .normalize("NFD");
