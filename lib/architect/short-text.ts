import { digestOf } from "@/lib/hash";

const WORDS = 80;

/** What is cut off still counts: two long values with one beginning are two values. */
export const shortenText = (text: string): string =>
  text.length > WORDS ? `${text.slice(0, WORDS)}… (${digestOf("policy", text).slice(0, 8)})` : text;
