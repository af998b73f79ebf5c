/** Redacts secrets in every reversible encoding. */
import type { Json } from "@/lib/json";
import { mapStrings } from "./json-strings";

const MIN_CHARS = 8;

/** Each alignment is cut to its independent part. */
const base64Forms = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const whole = Math.floor((shift + bytes.length) / 3) * 4;

    return text.slice(shift === 0 ? 0 : 4, whole);
  });

const spellings = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const base64 = base64Forms(bytes);
  const hex = bytes.toString("hex");

  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.split("").toReversed().join(""),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ].filter((text) => text.length >= MIN_CHARS);
};

const without = (text: string, forms: readonly string[]): string => forms.reduce((left, form) => left.replaceAll(form, "[redacted]"), text);

export const redactText = (text: string, secrets: readonly string[]): string => without(text, secrets.flatMap(spellings));

/** Includes member names. */
export const redactJson = (value: Json, secrets: readonly string[]): Json => {
  const forms = secrets.flatMap(spellings);

  return forms.length === 0 ? value : mapStrings(value, (text) => without(text, forms));
};
