export type Person = { readonly id: string; readonly name: string };

const MOST_SUGGESTED = 5;
const STARTED = /(?:^|\s)@(?<start>[\p{L}\p{N}.'’-]{0,30}(?: [\p{L}\p{N}.'’-]{1,30})?)$/u;

const startOf = (text: string, caret: number): string | null => STARTED.exec(text.slice(0, caret))?.groups?.["start"] ?? null;

export const suggestPeople = (text: string, caret: number, people: readonly Person[]): readonly Person[] => {
  const start = startOf(text, caret)?.toLowerCase();
  if (start === undefined) return [];
  const found = people.filter(
    ({ name }) =>
      name.toLowerCase() !== start &&
      name
        .toLowerCase()
        .split(" ")
        .some((_part, at, parts) => parts.slice(at).join(" ").startsWith(start)),
  );

  return found.slice(0, MOST_SUGGESTED);
};

export const completeName = (text: string, caret: number, name: string): string => {
  const start = startOf(text, caret) ?? "";

  return `${text.slice(0, caret - start.length)}${name} ${text.slice(caret).trimStart()}`;
};

/** Returns the chosen people whose names are still in the text. */
export const listMentioned = (text: string, chosen: readonly Person[]): readonly string[] => [
  ...new Set(chosen.flatMap(({ id, name }) => (text.includes(`@${name}`) ? [id] : []))),
];
