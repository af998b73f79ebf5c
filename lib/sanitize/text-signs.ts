import type { Place } from "@/lib/leaves";
import { toVisibleText } from "@/lib/visible-name";
import { oneLine, type Describe } from "./hidden";
import { findPhrase } from "./phrases";
import { toReadable } from "./text";

/** Holds no phrase. */
const WORD = /^[\w.]{0,19}$/u;

const MOST_QUOTED = 96;
const MOST_REMEMBERED = 20_000;

/** The editor asks after each keystroke. */
const remember = (describe: Describe): Describe => {
  const known = new Map<string, string | null>();

  return (text) => {
    if (WORD.test(text)) return null;
    const found = known.get(text);
    if (found !== undefined) return found;
    const described = describe(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, described);

    return described;
  };
};

const quotePhrase = (isPrompt: boolean): Describe =>
  remember((text) => {
    const readable = toReadable(text);
    const found = findPhrase(readable, isPrompt);

    return found === null ? null : `“${oneLine(toVisibleText(readable.slice(found.start, found.end).slice(0, MOST_QUOTED)))}”`;
  });

export const describeInstructions = quotePhrase(false);

/** For prompts, which instruct anyway. */
export const describeOverride = quotePhrase(true);

export type TextSign = { readonly place: Place; readonly text: string };

export const listTextSigns = (value: unknown, describe: Describe): readonly TextSign[] => {
  const signs: TextSign[] = [];
  const place: (string | number)[] = [];
  const look = (text: string): void => {
    const sign = describe(text);
    if (sign !== null) signs.push({ place: [...place], text: sign });
  };
  const walk = (item: unknown): void => {
    if (typeof item === "string") look(item);
    if (typeof item !== "object" || item === null) return;
    const isList = Array.isArray(item);
    for (const [name, member] of Object.entries(item)) {
      if (!isList) look(name);
      place.push(isList ? Number(name) : name);
      walk(member);
      place.pop();
    }
  };
  walk(value);

  return signs;
};
