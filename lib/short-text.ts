import { digestOf } from "@/lib/hash";

const WORDS = 80;

/** Shortens text; a digest keeps long values distinct. */
export const shortenText = (text: string): string =>
  text.length > WORDS ? `${text.slice(0, WORDS)}… (${digestOf("policy", text).slice(0, 8)})` : text;
