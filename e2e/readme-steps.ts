/** The numbered steps of the README's tour, sentence by sentence. */
import fs from "node:fs";
import path from "node:path";

type TourStep = { readonly title: string; readonly sentences: readonly string[] };

const STEP = /^\d+\. \*\*(?<title>[^*]+)\.\*\* (?<text>.+)$/u;
/** A full stop, perhaps in code, before a new sentence. */
const SENTENCE_END = /(?<=\.`?) (?=[A-Z])/u;

/** @throws if README.md has no tour */
const readTour = (): readonly TourStep[] => {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, "../README.md"), "utf8");
  const [, section] = text.split(/^## Five-minute tour$/mu);
  const tour = section?.split(/^## /mu)[0];
  if (tour === undefined) throw new Error("README.md has no five-minute tour.");
  const [steps = "", more = ""] = tour.split(/^More to try: /mu);
  const numbered = steps.split("\n").flatMap((line) => {
    const { title, text: body } = STEP.exec(line)?.groups ?? {};

    return title === undefined || body === undefined ? [] : [{ title, sentences: body.split(SENTENCE_END) }];
  });

  return [...numbered, { title: "More to try", sentences: more.trim().split(/(?<=\.) (?=[A-Z*])/u) }];
};

type Checks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Pairs each sentence with the one check whose key begins it.
 * @param checks by step, then by the beginning of a sentence
 */
export const pairWithTour = (checks: Checks) => {
  const pairs = readTour().flatMap(({ title, sentences }) =>
    sentences.map((sentence) => ({
      title,
      sentence,
      starts: Object.keys(checks[title] ?? {}).filter((start) => sentence.startsWith(start)),
    })),
  );
  const used = new Set(pairs.flatMap(({ title, starts }) => starts.map((start) => `${title}: ${start}`)));
  const given = Object.entries(checks).flatMap(([title, ofStep]) => Object.keys(ofStep).map((start) => `${title}: ${start}`));

  return {
    pairs,
    unasserted: pairs.flatMap(({ title, sentence, starts }) => (starts.length === 1 ? [] : [`${title}: ${sentence}`])),
    unpromised: given.filter((start) => !used.has(start)),
  };
};
