import { isJsonObject, type Json } from "@/lib/json";

const MAX_CHARACTERS = 2_000;

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);

  return Array.isArray(value) ? (value as readonly Json[]).flatMap(textsIn) : [];
};

const tidied = (text: string): string => text.replaceAll(/\s+/gu, " ").trim().slice(0, MAX_CHARACTERS).toWellFormed();

/** Lists up to `most` distinct facts, ignoring case. */
export const listDistinctFacts = (texts: readonly string[], most: number): readonly string[] => {
  const facts = new Map<string, string>();
  for (const fact of texts.map(tidied)) if (fact !== "" && !facts.has(fact.toLowerCase())) facts.set(fact.toLowerCase(), fact);

  return [...facts.values()].slice(0, most);
};

/** Lists sentences by Unicode segmentation. */
export const listSentences = (values: readonly Json[], shortest: number): readonly string[] => {
  const segmenter = new Intl.Segmenter("und", { granularity: "sentence" });

  return values
    .flatMap(textsIn)
    .flatMap((text) => [...segmenter.segment(text)])
    .map(({ segment }) => tidied(segment))
    .filter((sentence) => sentence.length >= shortest);
};
